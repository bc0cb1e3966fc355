/// What a notification says (JWS-5).
///
/// It carries exactly one of `data`, `summary`, `externalPurchaseToken` and `appData`.
public struct ResponseBodyV2DecodedPayload: WireEncodable, Decodable, Hashable, Sendable {
    /// The event.
    public var notificationType: NotificationTypeV2
    /// What more is known of it.
    public var subtype: Subtype?
    /// A UUID, the same in every retry: the key for deduplication.
    public var notificationUUID: String
    /// App and subscription; in most types.
    public var data: NotificationData?
    /// The outcome of a mass extension; RENEWAL_EXTENSION with SUMMARY.
    public var summary: Summary?
    /// The token; EXTERNAL_PURCHASE_TOKEN.
    public var externalPurchaseToken: ExternalPurchaseToken?
    /// The app; RESCIND_CONSENT.
    public var appData: AppData?
    /// The format, `2.0`.
    public var version: String
    /// When it was signed, in milliseconds.
    public var signedDate: Int64

    /// Makes a payload; what is not given stays absent.
    public init(
        notificationType: NotificationTypeV2, subtype: Subtype? = nil, notificationUUID: String,
        data: NotificationData? = nil, summary: Summary? = nil,
        externalPurchaseToken: ExternalPurchaseToken? = nil, appData: AppData? = nil,
        version: String, signedDate: Int64
    ) {
        self.notificationType = notificationType
        self.subtype = subtype
        self.notificationUUID = notificationUUID
        self.data = data
        self.summary = summary
        self.externalPurchaseToken = externalPurchaseToken
        self.appData = appData
        self.version = version
        self.signedDate = signedDate
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("notificationType", notificationType)
            json.field("subtype", subtype)
            json.field("notificationUUID", notificationUUID)
            json.field("data", data)
            json.field("summary", summary)
            json.field("externalPurchaseToken", externalPurchaseToken)
            json.field("appData", appData)
            json.field("version", version)
            json.field("signedDate", signedDate)
        }
    }
}
