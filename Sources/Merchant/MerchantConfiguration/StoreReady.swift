public import AppStoreWire
public import Merchant
import PlacedYAML

/// What a running store says of its app in its ready file.
public struct StoreReady: Hashable, Sendable {
    public let bundleID: String
    public let appAppleID: Int64
    /// Where each environment answers.
    public let urls: [MerchantEnvironment: String]
    public let issuerID: String
    public let keyID: String
    /// The path of the `.p8` file.
    public let privateKeyFile: String
    /// The path of the root certificate as DER.
    public let rootCertificateFile: String
    /// The path of the root certificate of receipts as DER; nil of a store that shows none.
    public let receiptRootCertificateFile: String?
    /// The secret that opens the store, for its clock.
    public let operatorToken: String

    /// Nil where it is no ready file of a store.
    public init?(_ file: JSONValue) {
        // The file of `dev` holds a merchant too.
        let value = file["store"] ?? file
        guard let production = value["production"]?["url"]?.string,
            let sandbox = value["sandbox"]?["url"]?.string,
            let bundleID = value["bundleId"]?.string,
            let appAppleID = value["appAppleId"]?.integer,
            let issuerID = value["issuerId"]?.string, let keyID = value["keyId"]?.string,
            let privateKeyFile = value["privateKeyFile"]?.string,
            let rootCertificateFile = value["rootCertificateFile"]?.string,
            let operatorToken = value["operatorToken"]?.string
        else { return nil }
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        urls = [.production: production, .sandbox: sandbox]
        self.issuerID = issuerID
        self.keyID = keyID
        self.privateKeyFile = privateKeyFile
        self.rootCertificateFile = rootCertificateFile
        let receipts = value["receiptRootCertificateFile"]?.string ?? ""
        receiptRootCertificateFile = receipts.isEmpty ? nil : receipts
        self.operatorToken = operatorToken
    }

    /// Reads one; what is wrong is a problem of the place that named it.
    init?(at path: String, named place: Place, _ problems: inout Problems) {
        guard
            let bytes = place.contents(
                of: path, &problems, otherwise: "start the store, or correct the path")
        else { return nil }
        guard let value = try? JSONValue(parsing: bytes), let ready = StoreReady(value) else {
            problems.add(
                place, "names \(path), which is no ready file: give the one of `perennial serve`.")
            return nil
        }
        self = ready
    }
}
