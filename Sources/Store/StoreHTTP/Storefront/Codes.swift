import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// What a code brings, for the screen before it is redeemed (HIG-47).
    static let getCode = Endpoint.device(
        .get, "/storefront/v1/codes/{code}", "getCode",
        OperationDescription(
            .device, "Get what an offer code brings",
            detail: "Nothing is redeemed. Rehearse the redemption to learn whether this customer "
                + "can have it. Wrong codes count as they do when they are redeemed.",
            parameters: [.path("code", .text("As it was typed.", 1...64))],
            success: .ok(
                "The offer.",
                .object(
                    "What a code brings.", .required("productId", .text("The product.")),
                    .required("custom", .boolean("Whether many customers may redeem it.")),
                    .required(
                        "mode",
                        .choice(
                            "How it is paid; ONE_TIME for what is bought once.",
                            Offer.Mode.allCases.map(\.rawValue) + [OneTimeOffer.mode])),
                    .required("price", .price("What one discounted period costs, or the product")),
                    .required("currency", .currency()),
                    .optional("billingPlanType", billingPlanSchema),
                    .optional(
                        "period",
                        .text("How long one discounted period lasts.", 3...6, .duration)),
                    .optional(
                        "periodCount",
                        .integer("How many discounted periods there are.", 1...1000)))),
            failures: [
                .init(.notFound, "unknownCode"), .init(.notFound, "invalidOfferIdentifier"),
                .init(.tooManyRequests, "tooManyRequests"),
            ])
    ) { call, device, _ in
        let guesses = Guesses(call: call, device: device, most: mostWrongCodes)
        try guesses.check()
        do {
            let found = try await call.store.offer(
                ofCode: call.parameter("code") ?? "", for: device)
            return .object { found.write(to: &$0) }
        } catch StoreError.offerCode(.unknown) {
            guesses.count()
            throw StoreError.offerCode(.unknown)
        }
    }
}

extension OfferOfCode {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("productId", productID)
        json.field("custom", isCustom)
        switch terms {
        case .once(let price):
            json.field("mode", OneTimeOffer.mode)
            json.field("price", price.milliunits)
            json.field("currency", price.currency.code)
        case .lasting(let offer, let price):
            json.field("mode", offer.mode.rawValue)
            json.field("price", price.milliunits)
            json.field("currency", price.currency.code)
            json.field("billingPlanType", billing.rawValue)
            json.field("period", offer.period.iso8601)
            json.field("periodCount", offer.periodCount)
        }
    }
}
