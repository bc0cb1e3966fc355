/// A transaction receipt of iOS 6, decoded (RCP-3.5).
///
/// All values are texts. The date at which a subscription expires has forms of its own:
/// `expires_date` is in milliseconds.
public struct TransactionReceiptInfo: WireEncodable, Decodable, Hashable, Sendable {
    /// What it shares with transactions of today.
    public var transaction: ReceiptTransaction
    /// The app's bundle id.
    public var bundleId: String
    /// The app's version.
    public var bundleVersion: String
    /// The product's number in the store.
    public var itemId: String?
    /// The device that bought.
    public var uniqueIdentifier: String?
    /// The device that bought, as the app's developer knows it.
    public var uniqueVendorIdentifier: String?

    /// Makes the value; what is not given stays absent.
    public init(
        transaction: ReceiptTransaction, bundleId: String, bundleVersion: String,
        itemId: String? = nil, uniqueIdentifier: String? = nil,
        uniqueVendorIdentifier: String? = nil
    ) {
        self.transaction = transaction
        self.bundleId = bundleId
        self.bundleVersion = bundleVersion
        self.itemId = itemId
        self.uniqueIdentifier = uniqueIdentifier
        self.uniqueVendorIdentifier = uniqueVendorIdentifier
    }

    /// Reads an object; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: ReceiptKey.self)
        self.init(
            transaction: try ReceiptTransaction(
                reading: values, expiresDate: values.numberIfPresent("expires_date")),
            bundleId: try values.text("bid"), bundleVersion: try values.text("bvrs"),
            itemId: try values.textIfPresent("item_id"),
            uniqueIdentifier: try values.textIfPresent("unique_identifier"),
            uniqueVendorIdentifier: try values.textIfPresent("unique_vendor_identifier"))
    }

    /// Writes an object; absent members stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            transaction.encodeMembers(to: &json) { json in
                guard let date = transaction.expiresDate else { return }
                json.textField("expires_date", date)
                json.field("expires_date_formatted", ReceiptDateForms.universal(date))
                json.field("expires_date_formatted_pst", ReceiptDateForms.pacific(date))
            }
            json.field("bid", bundleId)
            json.field("bvrs", bundleVersion)
            json.field("item_id", itemId)
            json.field("unique_identifier", uniqueIdentifier)
            json.field("unique_vendor_identifier", uniqueVendorIdentifier)
        }
    }
}
