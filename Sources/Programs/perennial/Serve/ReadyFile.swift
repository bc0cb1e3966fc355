import AppStoreSigning
import AppStoreWire
import FoundationEssentials

/// What a running store tells those who use it, as a file: the contract for automation.
struct ReadyFile: Hashable, Sendable {
    var productionURL: String
    var sandboxURL: String
    var bundleID: String
    var appAppleID: Int64
    var issuerID: String
    var keyID: String
    /// The path of the `.p8` file.
    var privateKeyFile: String
    /// The path of the root certificate as DER.
    var rootCertificateFile: String
    /// The path of the root certificate of receipts as DER.
    var receiptRootCertificateFile: String
    var operatorToken: String
    /// The merchant beside the store, as `dev` starts one; nil for a store alone.
    var merchant: MerchantReady?

    /// The members and nothing else; with a merchant each half has an object of its own.
    func json() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            guard let merchant else { return write(to: &json) }
            json.object("store") { write(to: &$0) }
            json.object("merchant") { merchant.write(to: &$0) }
        }
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        json.object("production") { $0.field("url", productionURL) }
        json.object("sandbox") { $0.field("url", sandboxURL) }
        json.field("bundleId", bundleID)
        json.field("appAppleId", appAppleID)
        json.field("issuerId", issuerID)
        json.field("keyId", keyID)
        json.field("privateKeyFile", privateKeyFile)
        json.field("rootCertificateFile", rootCertificateFile)
        json.field("receiptRootCertificateFile", receiptRootCertificateFile)
        json.field("operatorToken", operatorToken)
    }

    /// Writes the file for its owner's eyes only: readers find nothing or all of it.
    func write(to path: String) throws { try Self.write(json(), to: path) }

    /// Writes the JSON of a ready file.
    static func write(_ json: [UInt8], to path: String) throws {
        do {
            try AtomicFile.write(json + [UInt8(ascii: "\n")], to: path, mode: 0o600)
        } catch {
            throw Failure.refused("The ready file cannot be written: \(error).")
        }
    }

    /// Reads what a running store wrote.
    ///
    /// - Throws: `Failure`: unreachable where there is no such file, since no store runs then.
    static func read(_ path: String) throws -> ReadyFile {
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw Failure.unreachable(
                "No store is running here: there is no \(path); start one with `perennial serve`, "
                    + "or say where it is with --ready or --url.")
        }
        guard !isDirectory else {
            throw Failure.usage(
                "\(path) is a directory, not a ready file: --ready and PERENNIAL_READY name the "
                    + "file in it, such as \(path.hasSuffix("/") ? path : path + "/")ready.json.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.refused("The ready file \(path) cannot be read by this user.")
        }
        guard let value = try? JSONValue(parsing: Array(data)), let ready = ReadyFile(value) else {
            throw Failure.refused(
                "\(path) is no ready file; give the one that `perennial serve` wrote.")
        }
        return ready
    }
}

extension ReadyFile {
    init?(_ file: JSONValue) {
        let value = file["store"] ?? file
        guard let productionURL = value["production"]?["url"]?.string,
            let sandboxURL = value["sandbox"]?["url"]?.string,
            let bundleID = value["bundleId"]?.string,
            let appAppleID = value["appAppleId"]?.integer,
            let issuerID = value["issuerId"]?.string, let keyID = value["keyId"]?.string,
            let privateKeyFile = value["privateKeyFile"]?.string,
            let rootCertificateFile = value["rootCertificateFile"]?.string,
            let operatorToken = value["operatorToken"]?.string
        else { return nil }
        self.init(
            productionURL: productionURL, sandboxURL: sandboxURL, bundleID: bundleID,
            appAppleID: appAppleID, issuerID: issuerID, keyID: keyID,
            privateKeyFile: privateKeyFile, rootCertificateFile: rootCertificateFile,
            // A version that had no receipts wrote none.
            receiptRootCertificateFile: value["receiptRootCertificateFile"]?.string ?? "",
            operatorToken: operatorToken, merchant: file["merchant"].flatMap(MerchantReady.init))
    }
}
