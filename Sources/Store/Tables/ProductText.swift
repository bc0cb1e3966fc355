import AppStoreWire
import SubscriptionRules

/// Products and groups as the JSON texts in which the catalogue tables keep them.
enum ProductText {
    static func text(_ product: Product) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("type", product.type.rawValue)
            json.field("referenceName", product.referenceName)
            json.field("isFamilyShareable", product.isFamilyShareable)
            json.field("basePrice", product.basePrice)
            write(product.localizations, to: &json)
            guard let terms = product.subscription else { return }
            json.field("groupID", terms.groupID)
            json.field("level", terms.level)
            json.field("period", terms.period.iso8601)
            json.array("offers") { json in
                for offer in terms.offers { json.elementObject { write(offer, to: &$0) } }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func product(id: String, _ text: String) -> Product {
        let json = StoredJSON(text)
        return Product(
            id: id, type: ProductType(rawValue: json.string("type"))!,
            referenceName: json.string("referenceName"),
            isFamilyShareable: json.bool("isFamilyShareable"),
            localizations: localizations(json), basePrice: json.integer("basePrice")!,
            subscription: json.stringOrNil("groupID").map { groupID in
                SubscriptionTerms(
                    groupID: groupID, level: Int(json.integer("level")!),
                    period: CalendarPeriod(iso8601: json.string("period"))!,
                    offers: json.objects("offers").map(offer))
            })
    }

    static func text(_ group: SubscriptionGroup) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("referenceName", group.referenceName)
            write(group.localizations, to: &json)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func group(id: String, _ text: String) -> SubscriptionGroup {
        let json = StoredJSON(text)
        return SubscriptionGroup(
            id: id, referenceName: json.string("referenceName"),
            localizations: localizations(json))
    }

    private static func write(_ localizations: [Localization], to json: inout JSONWriter) {
        json.array("localizations") { json in
            for one in localizations {
                json.elementObject { json in
                    json.field("locale", one.locale)
                    json.field("displayName", one.displayName)
                    json.field("description", one.description)
                }
            }
        }
    }

    private static func localizations(_ json: StoredJSON) -> [Localization] {
        json.objects("localizations").map {
            Localization(
                locale: $0.string("locale"), displayName: $0.string("displayName"),
                description: $0.string("description"))
        }
    }

    private static func write(_ offer: Offer, to json: inout JSONWriter) {
        json.field("kind", offer.kind.rawValue)
        json.field("id", offer.id)
        json.field("referenceName", offer.referenceName)
        json.field("mode", offer.mode.rawValue)
        json.field("period", offer.period.iso8601)
        json.field("periodCount", offer.periodCount)
        json.field("basePrice", offer.basePrice)
        json.field("audiences", offer.audiences.map(\.rawValue))
        json.field("isStackable", offer.isStackable)
        json.field("isForMonthlyBilling", offer.isForMonthlyBilling)
    }

    private static func offer(_ json: StoredJSON) -> Offer {
        Offer(
            kind: Offer.Kind(rawValue: Int(json.integer("kind")!))!, id: json.string("id"),
            referenceName: json.string("referenceName"),
            mode: Offer.Mode(rawValue: json.string("mode"))!,
            period: CalendarPeriod(iso8601: json.string("period"))!,
            periodCount: Int(json.integer("periodCount")!), basePrice: json.integer("basePrice")!,
            audiences: json.strings("audiences").map { Offer.Audience(rawValue: $0)! },
            isStackable: json.bool("isStackable"),
            isForMonthlyBilling: json.bool("isForMonthlyBilling"))
    }
}
