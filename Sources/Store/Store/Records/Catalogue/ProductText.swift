import AppStoreWire
import Storage
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
            if product.isGeneric { json.field("isGeneric", true) }
            write(product.localizations, to: &json)
            guard let terms = product.subscription else {
                guard !product.oneTimeOffers.isEmpty else { return }
                return json.array("offers") { json in
                    for offer in product.oneTimeOffers {
                        json.elementObject { write(offer, to: &$0) }
                    }
                }
            }
            json.field("groupID", terms.groupID)
            json.field("level", terms.level)
            json.field("period", terms.period.iso8601)
            if let monthly = terms.monthlyBilling {
                json.object("monthlyBilling") { json in
                    json.field("basePrice", monthly.basePrice)
                    json.field("isEnabled", monthly.isEnabled)
                }
            }
            json.array("offers") { json in
                for offer in terms.offers { json.elementObject { write(offer, to: &$0) } }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func product(id: String, _ text: String) throws(StorageError) -> Product {
        let json = try StoredJSON(text)
        let type = try json.parsed("type", ProductType.init(rawValue:))
        let terms = try terms(json)
        guard (terms != nil) == (type == .autoRenewableSubscription) else {
            throw json.impossible("type")
        }
        var product = Product(
            id: id, type: type, referenceName: try json.string("referenceName"),
            isFamilyShareable: json.bool("isFamilyShareable"),
            localizations: try localizations(json), basePrice: try json.amount("basePrice"),
            subscription: terms,
            oneTimeOffers: terms == nil && json.has("offers")
                ? try json.objects("offers").map { one throws(StorageError) in
                    try oneTimeOffer(one)
                } : [])
        product.isGeneric = json.bool("isGeneric")
        return product
    }

    private static func terms(_ json: StoredJSON) throws(StorageError) -> SubscriptionTerms? {
        guard let groupID = json.stringOrNil("groupID") else { return nil }
        let period = try json.parsed("period", CalendarPeriod.init(iso8601:))
        let monthly = json.has("monthlyBilling") ? try json.object("monthlyBilling") : nil
        guard monthly == nil || period == Commitment.period else {
            throw json.impossible("monthlyBilling")
        }
        return SubscriptionTerms(
            groupID: groupID, level: try json.count("level"), period: period,
            offers: try json.objects("offers").map { one throws(StorageError) in try offer(one) },
            monthlyBilling: try monthly.map { monthly throws(StorageError) in
                MonthlyBilling(
                    basePrice: try monthly.amount("basePrice"),
                    isEnabled: monthly.bool("isEnabled"))
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

    static func group(id: String, _ text: String) throws(StorageError) -> SubscriptionGroup {
        let json = try StoredJSON(text)
        return SubscriptionGroup(
            id: id, referenceName: try json.string("referenceName"),
            localizations: try localizations(json))
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

    private static func localizations(
        _ json: StoredJSON
    ) throws(StorageError) -> [Localization] {
        try json.objects("localizations").map { one throws(StorageError) in
            Localization(
                locale: try one.string("locale"), displayName: try one.string("displayName"),
                description: try one.string("description"))
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
        write(offer.prices, offer.availability, to: &json)
        if let terms = offer.winBack { json.object("winBack") { write(terms, to: &$0) } }
        json.field("audiences", offer.audiences.map(\.rawValue))
        json.field("isStackable", offer.isStackable)
        json.field("isForMonthlyBilling", offer.isForMonthlyBilling)
    }

    private static func write(_ offer: OneTimeOffer, to json: inout JSONWriter) {
        json.field("id", offer.id)
        json.field("referenceName", offer.referenceName)
        json.field("basePrice", offer.basePrice)
        write(offer.prices, offer.availability, to: &json)
        json.field("audiences", offer.audiences.map(\.rawValue))
    }

    private static func write(
        _ prices: [String: Int64], _ availability: OfferAvailability, to json: inout JSONWriter
    ) {
        if !prices.isEmpty {
            json.object("prices") { json in
                for (code, price) in prices.sorted(by: { $0.key < $1.key }) {
                    json.field(named: code, price)
                }
            }
        }
        json.field("begins", availability.begins?.milliseconds)
        json.field("ends", availability.ends?.milliseconds)
        json.field("storefronts", availability.storefronts?.sorted())
    }

    private static func oneTimeOffer(_ json: StoredJSON) throws(StorageError) -> OneTimeOffer {
        let audiences = json.strings("audiences").map(OneTimeOffer.Audience.init(rawValue:))
        guard !audiences.contains(nil) else { throw json.impossible("audiences") }
        return OneTimeOffer(
            id: try json.string("id"), referenceName: try json.string("referenceName"),
            basePrice: try json.amount("basePrice"), prices: try prices(json),
            availability: try availability(json), audiences: audiences.compactMap { $0 })
    }

    private static func prices(_ json: StoredJSON) throws(StorageError) -> [String: Int64] {
        json.has("prices") ? try json.object("prices").amounts() : [:]
    }

    private static func availability(
        _ json: StoredJSON
    ) throws(StorageError) -> OfferAvailability {
        OfferAvailability(
            begins: try json.instantOrNil("begins"), ends: try json.instantOrNil("ends"),
            storefronts: json.has("storefronts") ? Set(json.strings("storefronts")) : nil)
    }

    private static func offer(_ json: StoredJSON) throws(StorageError) -> Offer {
        guard let kind = Offer.Kind(rawValue: try json.count("kind")) else {
            throw json.impossible("kind")
        }
        let audiences = json.strings("audiences").map(Offer.Audience.init(rawValue:))
        guard !audiences.contains(nil) else { throw json.impossible("audiences") }
        let periodCount = try json.count("periodCount")
        guard (1...9999).contains(periodCount) else { throw json.impossible("periodCount") }
        var offer = Offer(
            kind: kind, id: try json.string("id"), referenceName: try json.string("referenceName"),
            mode: try json.parsed("mode", Offer.Mode.init(rawValue:)),
            period: try json.parsed("period", CalendarPeriod.init(iso8601:)),
            periodCount: periodCount, basePrice: try json.amount("basePrice"),
            audiences: audiences.compactMap { $0 }, isStackable: json.bool("isStackable"),
            isForMonthlyBilling: json.bool("isForMonthlyBilling"))
        offer.prices = try prices(json)
        offer.availability = try availability(json)
        if json.has("winBack") { offer.winBack = try winBack(try json.object("winBack")) }
        return offer
    }

    private static func write(_ terms: WinBackTerms, to json: inout JSONWriter) {
        json.field("paidMonths", terms.paidMonths)
        json.field("fromMonths", terms.monthsSinceEnd?.lowerBound)
        json.field("toMonths", terms.monthsSinceEnd?.upperBound)
        json.field("waitMonths", terms.waitMonths)
        json.field("priority", terms.priority.rawValue)
    }

    private static func winBack(_ json: StoredJSON) throws(StorageError) -> WinBackTerms {
        var terms = WinBackTerms(
            paidMonths: try json.count("paidMonths"), waitMonths: try json.countOrNil("waitMonths"),
            priority: try json.parsed("priority", WinBackTerms.Priority.init(rawValue:)))
        if let from = try json.countOrNil("fromMonths"), let to = try json.countOrNil("toMonths") {
            guard from <= to else { throw json.impossible("toMonths") }
            terms.monthsSinceEnd = from...to
        }
        return terms
    }
}
