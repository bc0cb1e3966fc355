import AppStoreWire
import FoundationEssentials

/// What few notifications carry: a reason besides their purchase, or something in place of it.
struct Particulars: WireEncodable, Decodable {
    /// Besides the purchase: CONSUMPTION_REQUEST.
    var consumptionRequestReason: ConsumptionRequestReason?
    /// In its place: RENEWAL_EXTENSION with SUMMARY.
    var summary: Summary?
    /// In its place: EXTERNAL_PURCHASE_TOKEN.
    var externalPurchaseToken: ExternalPurchaseToken?
    /// In its place, unsigned: RESCIND_CONSENT.
    var appTransaction: AppTransaction?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("consumptionRequestReason", consumptionRequestReason)
            json.field("summary", summary)
            json.field("externalPurchaseToken", externalPurchaseToken)
            json.field("appTransaction", appTransaction)
        }
    }
}

extension Particulars {
    /// Reads what was stored.
    init(stored text: String) {
        do {
            self = try JSONDecoder().decode(Particulars.self, from: Data(text.utf8))
        } catch {
            preconditionFailure("stored particulars are broken: \(error)")
        }
    }
}
