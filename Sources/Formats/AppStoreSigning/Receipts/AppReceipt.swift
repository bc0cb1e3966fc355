public import AppStoreWire
import Crypto

/// The app receipt: one app of one customer on one device, and what was bought in it (RCP-4).
///
/// All instants are in milliseconds since 1970 UTC and are stored to the second. What is `nil` is
/// not in the receipt, or has an empty text in it where real receipts have one; receipts of Xcode
/// (``ReceiptEnvironment/xcode``) leave such attributes out.
public struct AppReceipt: Sendable, Hashable {
    /// Attribute 0: where the receipt comes from.
    public var environment: ReceiptEnvironment
    /// Attribute 1: the app's Apple id; 0 in sandbox.
    public var appAppleID: Int64?
    /// Attribute 2: the app's bundle id.
    public var bundleID: String
    /// Attribute 3: the app's version, `CFBundleVersion`.
    public var appVersion: String
    /// Attribute 4: bytes that nobody can guess; ``seal(forDevice:)`` makes them.
    public var opaqueValue: [UInt8] = []
    /// Attribute 5: SHA-1 over device, opaque value and bundle id; ``seal(forDevice:)`` makes it.
    public var deviceHash: [UInt8] = []
    /// Attribute 6: bytes that mean nothing to others.
    public var opaqueSix: [UInt8]?
    /// Attribute 7: bytes that mean nothing to others.
    public var opaqueSeven: [UInt8]?
    /// Attribute 8: when the receipt was asked for; none in sandbox.
    public var requestDate: Int64?
    /// Attribute 9: the version of what made the receipt.
    public var toolVersion: Int64?
    /// Attribute 10: the app's age rating, such as `4+`.
    public var ageRating: String?
    /// Attribute 11: the developer's id; 0 in sandbox.
    public var developerID: Int64?
    /// Attribute 12: when the receipt was made; certificates are judged at this date.
    public var creationDate: Int64
    /// Attribute 15: the number of the download; 0 in sandbox.
    public var downloadID: Int64?
    /// Attribute 16: the number of the app's version; 0 in sandbox.
    public var versionExternalIdentifier: Int64?
    /// Attributes 17: the transactions, in no particular order.
    public var inApp: [InAppReceipt]
    /// Attribute 18: when the app was first bought; 1 August 2013, 07:00 in sandbox.
    public var originalPurchaseDate: Int64?
    /// Attribute 19: the version that was first bought; `1.0` in sandbox.
    public var originalAppVersion: String?
    /// Attribute 21: when the receipt expires (volume purchases).
    public var expirationDate: Int64?
    /// All attributes whose meaning nobody has published, as they stand in the receipt.
    public var otherAttributes: [ReceiptAttribute]

    /// Attributes as samples have them whose meaning is not known.
    public static let unexplainedAttributes: [ReceiptAttribute] = [
        .integer(13, 0), .integer(14, 0), .text(20, ""), .integer(25, 3),
    ]

    /// 1 August 2013, 07:00 UTC: when everybody has bought every app in sandbox.
    public static let sandboxOriginalPurchaseDate: Int64 = 1_375_340_400_000
    /// The version that everybody has first bought in sandbox.
    public static let sandboxOriginalAppVersion = "1.0"

    /// Makes a receipt that is not sealed yet.
    public init(
        environment: ReceiptEnvironment, bundleID: String, appVersion: String, creationDate: Int64,
        inApp: [InAppReceipt], appAppleID: Int64? = nil, requestDate: Int64? = nil,
        toolVersion: Int64? = nil, ageRating: String? = nil, developerID: Int64? = nil,
        downloadID: Int64? = nil, versionExternalIdentifier: Int64? = nil,
        originalPurchaseDate: Int64? = nil, originalAppVersion: String? = nil,
        expirationDate: Int64? = nil,
        otherAttributes: [ReceiptAttribute] = AppReceipt.unexplainedAttributes
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.appVersion = appVersion
        self.creationDate = creationDate
        self.inApp = inApp
        self.appAppleID = appAppleID
        self.requestDate = requestDate
        self.toolVersion = toolVersion
        self.ageRating = ageRating
        self.developerID = developerID
        self.downloadID = downloadID
        self.versionExternalIdentifier = versionExternalIdentifier
        self.originalPurchaseDate = originalPurchaseDate
        self.originalAppVersion = originalAppVersion
        self.expirationDate = expirationDate
        self.otherAttributes = otherAttributes
    }

    /// The payload: what is signed, in DER.
    public var payload: [UInt8] { ReceiptAttribute.encode(attributes) }

    /// Fills in the opaque attributes and the hash over the device's identifier.
    ///
    /// They follow from all else in the receipt and from the device, so that the same receipt has
    /// the same bytes and another has others.
    ///
    /// - Parameter identifier: 16 bytes, the vendor identifier of iOS devices; 6 bytes, the MAC
    ///   address of a Mac. Other lengths are taken as they are.
    public mutating func seal(forDevice identifier: [UInt8]) {
        seal(forDevice: identifier, with: encodedTransactions)
    }

    /// The payload, sealed for a device: what is signed then. Transactions, of which there may be
    /// hundreds, are encoded once for both.
    func payload(sealedForDevice identifier: [UInt8]) -> [UInt8] {
        let transactions = encodedTransactions
        var sealed = self
        sealed.seal(forDevice: identifier, with: transactions)
        return ReceiptAttribute.encode(sealed.attributes(with: transactions))
    }

    private mutating func seal(forDevice identifier: [UInt8], with transactions: [[UInt8]]) {
        (opaqueValue, deviceHash, opaqueSix, opaqueSeven) = ([], [], nil, nil)
        var hash = SHA256()
        hash.update(data: identifier)
        hash.update(data: ReceiptAttribute.encode(attributes(with: transactions)))
        let seed = Array(hash.finalize())
        let isXcode = environment == .xcode
        opaqueValue = Self.opaque(4, seed, count: isXcode ? 8 : 16)
        if !isXcode {
            // As long as in samples: 50 to 90 bytes.
            opaqueSix = Self.opaque(6, seed, count: 50 + Int(seed[0]) % 41)
            opaqueSeven = Self.opaque(7, seed, count: 50 + Int(seed[1]) % 41)
        }
        deviceHash = Self.deviceHash(
            identifier: identifier, opaqueValue: opaqueValue,
            storedBundleID: DERWriter.utf8(bundleID))
    }

    /// SHA-1 over a device's identifier and the values of attributes 4 and 2 as they are stored.
    static func deviceHash(
        identifier: [UInt8], opaqueValue: [UInt8], storedBundleID: [UInt8]
    ) -> [UInt8] {
        var hash = Insecure.SHA1()
        hash.update(data: identifier)
        hash.update(data: opaqueValue)
        hash.update(data: storedBundleID)
        return Array(hash.finalize())
    }

    private static func opaque(_ type: UInt8, _ seed: [UInt8], count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var block: UInt8 = 0
        while bytes.count < count {
            bytes += SHA256.hash(data: [type, block] + seed)
            block += 1
        }
        return Array(bytes.prefix(count))
    }
}
