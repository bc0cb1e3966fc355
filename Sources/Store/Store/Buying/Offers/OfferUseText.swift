import AppStoreWire
import Storage
import SubscriptionRules

/// The offers that a subscription has taken up, as the JSON text in which its row keeps them.
enum OfferUseText {
    /// - Returns: nil where there are none.
    static func text(_ uses: [OfferUse]) -> String? {
        guard !uses.isEmpty else { return nil }
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.array("offers") { json in
                for use in uses {
                    json.elementObject { json in
                        json.field("kind", use.kind.rawValue)
                        json.field("id", use.id)
                        json.field("at", use.at.milliseconds)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func uses(_ text: String) throws(StorageError) -> [OfferUse] {
        try StoredJSON(text).objects("offers").map { use throws(StorageError) in
            guard let kind = Offer.Kind(rawValue: try use.count("kind")) else {
                throw use.impossible("kind")
            }
            return OfferUse(kind: kind, id: try use.string("id"), at: try use.instant("at"))
        }
    }
}
