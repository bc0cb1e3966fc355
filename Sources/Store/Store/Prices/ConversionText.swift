import AppStoreWire
import Storage
import SubscriptionRules

/// What a Korean subscriber has to agree to, as the JSON text in which its row keeps it.
enum ConversionText {
    static func text(_ conversion: PendingConversion) -> String {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.field("moment", conversion.moment.milliseconds)
            json.field("kind", conversion.kind.rawValue)
            json.field("opens", conversion.opens.milliseconds)
            json.field("closes", conversion.closes.milliseconds)
            if conversion.isAsked { json.field("asked", true) }
            json.field("agreed", conversion.agreed?.milliseconds)
            if !conversion.items.isEmpty { json.field("items", conversion.items) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func conversion(_ text: String) throws(StorageError) -> PendingConversion {
        let json = try StoredJSON(text)
        return PendingConversion(
            moment: try json.instant("moment"),
            kind: try json.parsed("kind", OfferConversion.init(rawValue:)),
            opens: try json.instant("opens"), closes: try json.instant("closes"),
            isAsked: json.bool("asked"), agreed: try json.instantOrNil("agreed"),
            items: json.has("items") ? json.strings("items") : [])
    }
}
