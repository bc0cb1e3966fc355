/// The app receipt that was sent, decoded: `receipt` of the reply (RCP-3.1).
///
/// Instants are in milliseconds since 1970 UTC; each is written in three forms, as text.
public struct VerifiedReceipt: WireEncodable, Decodable, Hashable, Sendable {
    /// Where the receipt comes from.
    public var receiptType: ReceiptEnvironment
    /// The app's Apple id: both `adam_id` and `app_item_id`; 0 in sandbox.
    public var appAppleId: Int64
    /// The app's bundle id.
    public var bundleId: String
    /// The app's version.
    public var applicationVersion: String
    /// The number of the download; 0 in sandbox.
    public var downloadId: Int64?
    /// The number of the app's version; 0 in sandbox.
    public var versionExternalIdentifier: Int64?
    /// When the receipt was made.
    public var receiptCreationDate: Int64
    /// When this was asked, with its milliseconds.
    public var requestDate: Int64
    /// When the app was first bought.
    public var originalPurchaseDate: Int64
    /// The version of the app that was first bought.
    public var originalApplicationVersion: String
    /// When the app was ordered before it was there.
    public var preorderDate: Int64?
    /// When the receipt expires (volume purchases).
    public var expirationDate: Int64?
    /// The transactions in the receipt, in no particular order.
    public var inApp: [ReceiptTransaction]

    /// Makes the value; what is not given stays absent.
    public init(
        receiptType: ReceiptEnvironment, appAppleId: Int64, bundleId: String,
        applicationVersion: String, downloadId: Int64? = nil,
        versionExternalIdentifier: Int64? = nil, receiptCreationDate: Int64, requestDate: Int64,
        originalPurchaseDate: Int64, originalApplicationVersion: String,
        preorderDate: Int64? = nil, expirationDate: Int64? = nil, inApp: [ReceiptTransaction]
    ) {
        self.receiptType = receiptType
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.applicationVersion = applicationVersion
        self.downloadId = downloadId
        self.versionExternalIdentifier = versionExternalIdentifier
        self.receiptCreationDate = receiptCreationDate
        self.requestDate = requestDate
        self.originalPurchaseDate = originalPurchaseDate
        self.originalApplicationVersion = originalApplicationVersion
        self.preorderDate = preorderDate
        self.expirationDate = expirationDate
        self.inApp = inApp
    }

    /// Reads an object; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: ReceiptKey.self)
        self.init(
            receiptType: ReceiptEnvironment(rawValue: try values.text("receipt_type")),
            appAppleId: try values.decode(Int64.self, forKey: "adam_id"),
            bundleId: try values.text("bundle_id"),
            applicationVersion: try values.text("application_version"),
            downloadId: try values.decodeIfPresent(Int64.self, forKey: "download_id"),
            versionExternalIdentifier: try values.decodeIfPresent(
                Int64.self, forKey: "version_external_identifier"),
            receiptCreationDate: try values.date("receipt_creation_date"),
            requestDate: try values.date("request_date"),
            originalPurchaseDate: try values.date("original_purchase_date"),
            originalApplicationVersion: try values.text("original_application_version"),
            preorderDate: try values.dateIfPresent("preorder_date"),
            expirationDate: try values.dateIfPresent("expiration_date"),
            inApp: try values.decode([ReceiptTransaction].self, forKey: "in_app"))
    }

    /// Writes an object with the members in the reference's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("receipt_type", receiptType)
            json.field("adam_id", appAppleId)
            json.field("app_item_id", appAppleId)
            json.field("bundle_id", bundleId)
            json.field("application_version", applicationVersion)
            json.field("download_id", downloadId)
            json.field("version_external_identifier", versionExternalIdentifier)
            json.dates("receipt_creation_date", receiptCreationDate)
            json.dates("request_date", requestDate)
            json.dates("original_purchase_date", originalPurchaseDate)
            json.field("original_application_version", originalApplicationVersion)
            json.dates("preorder_date", preorderDate)
            json.dates("expiration_date", expirationDate)
            json.field("in_app", inApp)
        }
    }
}
