public import AppStoreWire

/// What an app knows of the receipt that it ought to have; what is `nil` is not compared.
public struct ReceiptExpectation: Sendable, Hashable {
    /// The app's bundle id.
    public var bundleID: String?
    /// The app's version, `CFBundleVersion`.
    public var appVersion: String?
    /// The device: 16 bytes, the vendor identifier of iOS devices; 6 bytes, the MAC address of a
    /// Mac. Only the device itself can compare it.
    public var deviceIdentifier: [UInt8]?
    /// Where the receipt may come from.
    public var environments: Set<ReceiptEnvironment>?
    /// The time at which a receipt with an expiration date has to be good, in milliseconds since
    /// 1970 UTC.
    public var now: Int64?

    /// Makes the value; what is not given is not compared.
    public init(
        bundleID: String? = nil, appVersion: String? = nil, deviceIdentifier: [UInt8]? = nil,
        environments: Set<ReceiptEnvironment>? = nil, now: Int64? = nil
    ) {
        self.bundleID = bundleID
        self.appVersion = appVersion
        self.deviceIdentifier = deviceIdentifier
        self.environments = environments
        self.now = now
    }

    /// - Parameter attributes: what the receipt was read from: the hash is over values as stored.
    func check(
        _ receipt: AppReceipt, _ attributes: [ReceiptAttribute]
    ) throws(ReceiptVerificationError) {
        if let bundleID, receipt.bundleID != bundleID {
            throw ReceiptVerificationError(.wrongBundle, "The receipt is of another app.")
        }
        if let appVersion, receipt.appVersion != appVersion {
            throw ReceiptVerificationError(
                .wrongVersion, "The receipt is of another version of the app.")
        }
        if let environments, !environments.contains(receipt.environment) {
            throw ReceiptVerificationError(
                .wrongEnvironment, "The receipt is of another environment.")
        }
        if let deviceIdentifier {
            // Read already, so it is there.
            let stored = attributes.first { $0.type == 2 }.map(\.value) ?? []
            let hash = AppReceipt.deviceHash(
                identifier: deviceIdentifier, opaqueValue: receipt.opaqueValue,
                storedBundleID: stored)
            guard receipt.deviceHash == hash else {
                throw ReceiptVerificationError(
                    .wrongDevice, "The receipt was made for another device.")
            }
        }
        if let now, let expirationDate = receipt.expirationDate, expirationDate <= now {
            throw ReceiptVerificationError(.expired, "The receipt has expired.")
        }
    }
}
