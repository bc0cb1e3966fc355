import AppStoreWire
import FoundationEssentials
import Storage

/// What few notifications carry in place of a purchase.
struct NotificationExtras: WireEncodable, Decodable {
    /// EXTERNAL_PURCHASE_TOKEN.
    var externalPurchaseToken: ExternalPurchaseToken?
    /// RESCIND_CONSENT, unsigned.
    var appTransaction: AppTransaction?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("externalPurchaseToken", externalPurchaseToken)
            json.field("appTransaction", appTransaction)
        }
    }
}

extension NotificationExtras {
    /// Reads what was stored.
    init(stored text: String) throws(StorageError) {
        do {
            self = try JSONDecoder().decode(NotificationExtras.self, from: Data(text.utf8))
        } catch {
            throw StorageError(.corrupt, "the particulars cannot be read")
        }
    }
}
