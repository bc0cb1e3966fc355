import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Journal
import Store
import SubscriptionRules

/// Offers: made, listed and ended (TAB-5.2, COD-6).
extension ConnectSurface {
    private static let offerPath = "/connect/v1/apps/{bundleId}/products/{productId}/offers"

    /// The offers of a product.
    static let listOffers = Endpoint.operatorOnly(
        .get, offerPath, "listOffers",
        OperationDescription(
            .theOperator, "List the offers of a product",
            detail: "All of them, those that are over too, in the order in which they were made.",
            parameters: [bundleIDParameter, productIDParameter],
            success: .ok(
                "The offers.",
                .object(
                    "Offers.",
                    .required("offers", .list("In their order.", of: .named("Offer"))))),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct"),
            ])
    ) { call, _ in
        let product = try await call.product()
        return .object { product.writeOffers(to: &$0) }
    }

    /// Makes an offer.
    static let createOffer = Endpoint.operatorOnly(
        .post, offerPath, "createOffer", canRehearse: true,
        OperationDescription(
            .theOperator, "Make an offer of a product",
            detail: "What an offer is cannot be changed: it is ended, and another one is made. A "
                + "free trial and what is paid up front last one of P1M, P2M, P3M, P6M and P1Y, a "
                + "free trial P3D, P1W and P2W too; what is paid as one goes has 1 to 12 periods "
                + "as long as the plan's, a year at most in all, and costs less than the plan. "
                + "What is bought once has offers with codes: type OFFER_CODE and mode ONE_TIME, "
                + "without a period, free or for less than the product costs, and "
                + "\(OneTimeOffer.mostPerApp) of them an app at a time.",
            parameters: [bundleIDParameter, productIDParameter],
            body: .members(newOfferSchema), success: .created("The offer.", .named("Offer")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownProduct"), .init(.notFound, "unknownStorefront"),
                .init(.conflict, "notASubscription"), .init(.conflict, "productDeleted"),
                .init(.conflict, "notBilledMonthly"),
            ])
    ) { call, input in
        guard input.requiredText("mode") != OneTimeOffer.mode else {
            let offer = try OneTimeOffer(input)
            try await call.store.createOffer(
                offer, of: call.text("productId"), bundleID: call.text("bundleId"))
            return .object(status: .created) { offer.write(to: &$0) }
        }
        let offer = try Offer(input)
        try await call.store.createOffer(
            offer, of: call.text("productId"), bundleID: call.text("bundleId"))
        return .object(status: .created) { offer.write(to: &$0) }
    }

    /// Ends an offer.
    static let endOffer = Endpoint.operatorOnly(
        .delete, offerPath + "/{type}/{name}", "endOffer", canRehearse: true,
        OperationDescription(
            .theOperator, "End an offer",
            detail: "Nobody takes it up any more; who has done so has it to its end. One that has "
                + "not begun is forgotten.",
            parameters: [
                bundleIDParameter, productIDParameter,
                .path("type", .choice("Its kind.", Offer.Kind.names)),
                .path(
                    "name",
                    .text(
                        "Its identifier; of an introductory offer its reference name.", 1...255)),
            ], success: .nothing("Ended."),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct"),
                .init(.notFound, "invalidOfferIdentifier"), .init(.conflict, "productDeleted"),
            ])
    ) { call, _ in
        let name = call.text("name")
        guard let kind = Offer.Kind(name: call.text("type")) else {
            throw StoreError.purchase(.offer(.unknown(name)))
        }
        try await call.store.endOffer(
            kind, named: name, of: call.text("productId"), bundleID: call.text("bundleId"))
        return .empty(.noContent)
    }

    // MARK: Shapes

    private static func termsMembers(_ period: Schema) -> [Schema.Member] {
        [
            .required("type", .choice("Its kind.", Offer.Kind.names)),
            .optional("id", .text("Its identifier; introductory offers have none.", 1...64)),
            .optional(
                "referenceName",
                .text(
                    "The developer's name for it; an introductory offer has to have one.",
                    1...64)),
            .required(
                "mode",
                .choice(
                    "How it is paid.",
                    Offer.Mode.allCases.map(\.rawValue) + [OneTimeOffer.mode])),
            .optional("period", period),
        ]
    }

    private static let conditionMembers: [Schema.Member] = [
        .optional(
            "prices",
            .list(
                "What one discounted period costs in single storefronts.",
                of: .object(
                    "A price.", .required("storefront", .storefront("The storefront.")),
                    .required("price", .price("The price there"))))),
        .optional(
            "begins",
            .moment(
                "From when it can be had; always unless given. A win-back offer begins tomorrow at "
                    + "the earliest, and has to say when.")),
        .optional(
            "ends", .moment("The first moment at which it cannot be had; never unless given.")),
        .optional(
            "storefronts",
            .list("Where it can be had; everywhere unless given.", of: .storefront("A storefront."))
        ),
        .optional(
            "audiences",
            .list(
                "Who may redeem its codes.",
                of: .choice(
                    "Subscribers; of what is bought once, who paid for nothing in the app, for "
                        + "something in the last thirty days, or for something before that.",
                    Offer.Audience.allCases.map(\.rawValue)
                        + OneTimeOffer.Audience.allCases.map(\.rawValue)))),
        .optional(
            "stackable",
            .boolean("Whether its codes may follow the introductory offer instead of replacing it.")
        ),
        .optional(
            "billingPlanType",
            .choice(
                "Which plan of a yearly subscription it belongs to; the one that is paid at once "
                    + "unless given.", BillingPlan.allCases.map(\.rawValue))),
    ]

    /// - Parameter paidMonths: of what an offer in a file is, which has no terms, 0 is said.
    private static func winBackMember(_ paidMonths: ClosedRange<Int64>) -> Schema.Member {
        .optional(
            "winBack",
            .object(
                "Who may be won back; a win-back offer has to say it, no other can.",
                .required(
                    "paidMonths", .integer("The least paid service, in months.", paidMonths)),
                .optional(
                    "fromMonths",
                    .integer(
                        "How many months ago the subscription ended at least: 1 where only "
                            + "toMonths is given, any time where neither is.", 1...24)),
                .optional(
                    "toMonths",
                    .integer(
                        "How many months ago it ended at most, the last month to its end: 24 where "
                            + "only fromMonths is given.", 1...24)),
                .optional(
                    "waitMonths",
                    .integer("How many months later than the last win-back offer.", 2...24)),
                .optional(
                    "priority",
                    .choice("Which comes first.", WinBackTerms.Priority.allCases.map(\.rawValue))))
        )
    }

    private static let newOfferSchema = Schema.object(
        "An offer.",
        termsMembers(
            .choice(
                "How long one discounted period of a subscription lasts.",
                Offer.lengths.map(\.iso8601))) + [
                .optional(
                    "periodCount", .integer("How many there are; 1 unless given.", 1...12)),
                .optional(
                    "price",
                    .price(
                        "What one discounted period, or one purchase, costs, a number anywhere; "
                            + "not when free")),
            ] + conditionMembers + [winBackMember(1...60)])

    static let offerSchema = Schema.object(
        "An offer of a product. Only a subscription's has periods.",
        termsMembers(.text("How long one discounted period lasts.", 3...6, .duration)) + [
            .optional("periodCount", .integer("How many discounted periods there are.", 1...1000)),
            .required(
                "price",
                .price("What one discounted period, or one purchase, costs, as a number anywhere")),
        ] + conditionMembers + [winBackMember(0...60)])
}

extension Call {
    /// The path's product.
    fileprivate func product() async throws -> Product {
        let id = text("productId")
        guard let product = try await store.app(bundleID: text("bundleId")).product(id) else {
            throw StoreError.unknown(.product, id)
        }
        return product
    }
}

extension Product {
    /// Its offers, of whichever type it is.
    func writeOffers(to json: inout JSONWriter) {
        json.array("offers") { json in
            for offer in subscription?.offers ?? [] { json.elementObject { offer.write(to: &$0) } }
            for offer in oneTimeOffers { json.elementObject { offer.write(to: &$0) } }
        }
    }
}

extension Offer {
    /// Reads what was declared.
    ///
    /// - Throws: `StoreError.setting(.invalid)` without a period, and for other audiences.
    fileprivate init(_ input: Input) throws(StoreError) {
        guard let kind = Offer.Kind(name: input.requiredText("type")),
            let mode = Offer.Mode(rawValue: input.requiredText("mode"))
        else { preconditionFailure("the description asks for a kind and a mode") }
        guard let period = input.text("period").flatMap(CalendarPeriod.init(iso8601:)) else {
            throw .setting(.invalid("period", reason: "say how long a discounted period lasts"))
        }
        let audiences = (input.texts("audiences") ?? []).map(Audience.init(rawValue:))
        guard !audiences.contains(nil) else {
            throw .setting(
                .invalid("audiences", reason: "a subscription's are new, existing and expired"))
        }
        self.init(
            kind: kind, id: kind == .introductory ? "" : input.text("id") ?? "",
            referenceName: input.text("referenceName") ?? input.text("id") ?? "", mode: mode,
            period: period, periodCount: input.integer("periodCount").map(Int.init) ?? 1,
            basePrice: input.integer("price") ?? 0,
            audiences: audiences.compactMap { $0 },
            isStackable: input.boolean("stackable") ?? false,
            isForMonthlyBilling: input.billingPlan == .monthly)
        prices = input.offerPrices
        availability = OfferAvailability(input)
        winBack = try input.object("winBack").map(WinBackTerms.init)
    }

    func write(to json: inout JSONWriter) {
        json.field("type", kind.name)
        json.field("id", id.isEmpty ? nil : id)
        json.field("referenceName", referenceName.isEmpty ? nil : referenceName)
        json.field("mode", mode.rawValue)
        json.field("period", period.iso8601)
        json.field("periodCount", periodCount)
        json.field("price", basePrice)
        prices.writeOfferPrices(to: &json)
        if isForMonthlyBilling { json.field("billingPlanType", billing.rawValue) }
        availability.write(to: &json)
        if kind == .offerCode {
            json.field("audiences", audiences.map(\.rawValue))
            json.field("stackable", isStackable)
        }
        guard let winBack else { return }
        json.object("winBack") { winBack.write(to: &$0) }
    }
}

extension WinBackTerms {
    /// - Throws: `StoreError.setting(.invalid)` for a range that ends before it begins.
    fileprivate init(_ input: Input) throws(StoreError) {
        self.init()
        paidMonths = input.integer("paidMonths").map(Int.init) ?? 0
        waitMonths = input.integer("waitMonths").map(Int.init)
        priority = input.text("priority").flatMap(Priority.init(rawValue:)) ?? .normal
        let from = input.integer("fromMonths").map(Int.init)
        let to = input.integer("toMonths").map(Int.init)
        if from != nil || to != nil {
            let lower = from ?? Self.sinceEndRange.lowerBound
            let upper = to ?? Self.sinceEndRange.upperBound
            guard lower <= upper else {
                throw StoreError.setting(
                    .invalid("toMonths", reason: "it must not be less than fromMonths"))
            }
            monthsSinceEnd = lower...upper
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.field("paidMonths", paidMonths)
        json.field("fromMonths", monthsSinceEnd?.lowerBound)
        json.field("toMonths", monthsSinceEnd?.upperBound)
        json.field("waitMonths", waitMonths)
        json.field("priority", priority.rawValue)
    }
}
