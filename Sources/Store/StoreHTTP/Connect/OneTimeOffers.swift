import AppStoreWire
import HTTPSurface
import Journal
import Store
import SubscriptionRules

/// Offers of what is bought once, as `/connect` has them among the others (COD-6).
extension OneTimeOffer {
    /// Reads what was declared.
    ///
    /// - Throws: `StoreError.setting(.invalid)` for what only subscriptions' offers have.
    init(_ input: Input) throws(StoreError) {
        guard input.requiredText("type") == Offer.Kind.offerCode.name else {
            throw .setting(
                .invalid("type", reason: "what is bought once has offers with codes: OFFER_CODE"))
        }
        let others = ["period", "periodCount", "stackable", "winBack"]
        if let other = others.first(where: input.has) {
            throw .setting(.invalid(other, reason: "only a subscription's offers have it"))
        }
        let audiences = (input.texts("audiences") ?? []).map(Audience.init(rawValue:))
        guard !audiences.contains(nil) else {
            throw .setting(
                .invalid(
                    "audiences",
                    reason: "of what is bought once they are nonSpender, activeSpender and "
                        + "churnedSpender"))
        }
        self.init(
            id: input.text("id") ?? "", referenceName: input.text("referenceName") ?? "",
            basePrice: input.integer("price") ?? 0, prices: input.offerPrices,
            availability: OfferAvailability(input), audiences: audiences.compactMap { $0 })
    }

    func write(to json: inout JSONWriter) {
        json.field("type", Offer.Kind.offerCode.name)
        json.field("id", id)
        json.field("referenceName", referenceName.isEmpty ? nil : referenceName)
        json.field("mode", OneTimeOffer.mode)
        json.field("price", basePrice)
        prices.writeOfferPrices(to: &json)
        availability.write(to: &json)
        json.field("audiences", audiences.map(\.rawValue))
    }
}

extension Input {
    /// The prices of single storefronts, by their codes.
    var offerPrices: [String: Int64] {
        var prices: [String: Int64] = [:]
        for price in objects("prices") ?? [] {
            prices[price.requiredText("storefront")] = price.integer("price")
        }
        return prices
    }
}

extension OfferAvailability {
    init(_ input: Input) {
        self.init(
            begins: input.moment("begins"), ends: input.moment("ends"),
            storefronts: input.texts("storefronts").map(Set.init))
    }

    func write(to json: inout JSONWriter) {
        json.field("begins", begins?.iso8601)
        json.field("ends", ends?.iso8601)
        json.field("storefronts", storefronts?.sorted())
    }
}

extension [String: Int64] {
    func writeOfferPrices(to json: inout JSONWriter) {
        guard !isEmpty else { return }
        json.array("prices") { json in
            for (code, price) in sorted(by: { $0.key < $1.key }) {
                json.elementObject { json in
                    json.field("storefront", code)
                    json.field("price", price)
                }
            }
        }
    }
}
