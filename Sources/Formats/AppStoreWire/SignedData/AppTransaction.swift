/// What a signed app transaction says (JWS-9).
///
/// Some members are only signed for a device, some only for production: see the table there. Times
/// are milliseconds since 1970 UTC.
public struct AppTransaction: WireEncodable, Decodable, Hashable, Sendable {
    /// The environment that signed it.
    public var receiptType: Environment
    /// The app's Apple id; production only.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// The version in use; device only.
    public var applicationVersion: String?
    /// The App Store's number of that version; device, production.
    public var versionExternalIdentifier: Int64?
    /// When it was signed, in milliseconds: the part `signedDate` plays elsewhere.
    public var receiptCreationDate: Int64
    /// When it was asked for, in milliseconds; Xcode only.
    public var requestDate: Int64?
    /// When the customer first got the app, in milliseconds.
    public var originalPurchaseDate: Int64
    /// The version that the customer first got.
    public var originalApplicationVersion: String
    /// The platform of the first download.
    public var originalPlatform: PurchasePlatform?
    /// When the app was pre-ordered, in milliseconds.
    public var preorderDate: Int64?
    /// One per customer and app.
    public var appTransactionId: String?
    /// Base64 of the SHA-384 that ties the payload to a device (JWS-9); device only.
    public var deviceVerification: String?
    /// The UUID that `deviceVerification` was made with; device only.
    public var deviceVerificationNonce: String?
    /// The kind of store (since version 1.22).
    public var storeType: StoreType?

    /// Makes a payload; what is not given stays absent.
    public init(
        receiptType: Environment, appAppleId: Int64? = nil, bundleId: String,
        applicationVersion: String? = nil, versionExternalIdentifier: Int64? = nil,
        receiptCreationDate: Int64, requestDate: Int64? = nil, originalPurchaseDate: Int64,
        originalApplicationVersion: String, originalPlatform: PurchasePlatform? = nil,
        preorderDate: Int64? = nil, appTransactionId: String? = nil,
        deviceVerification: String? = nil, deviceVerificationNonce: String? = nil,
        storeType: StoreType? = nil
    ) {
        self.receiptType = receiptType
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.applicationVersion = applicationVersion
        self.versionExternalIdentifier = versionExternalIdentifier
        self.receiptCreationDate = receiptCreationDate
        self.requestDate = requestDate
        self.originalPurchaseDate = originalPurchaseDate
        self.originalApplicationVersion = originalApplicationVersion
        self.originalPlatform = originalPlatform
        self.preorderDate = preorderDate
        self.appTransactionId = appTransactionId
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
        self.storeType = storeType
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("receiptType", receiptType)
            json.field("appAppleId", appAppleId)
            json.field("bundleId", bundleId)
            json.field("applicationVersion", applicationVersion)
            json.field("versionExternalIdentifier", versionExternalIdentifier)
            json.field("receiptCreationDate", receiptCreationDate)
            json.field("requestDate", requestDate)
            json.field("originalPurchaseDate", originalPurchaseDate)
            json.field("originalApplicationVersion", originalApplicationVersion)
            json.field("originalPlatform", originalPlatform)
            json.field("preorderDate", preorderDate)
            json.field("appTransactionId", appTransactionId)
            json.field("deviceVerification", deviceVerification)
            json.field("deviceVerificationNonce", deviceVerificationNonce)
            json.field("storeType", storeType)
        }
    }
}
