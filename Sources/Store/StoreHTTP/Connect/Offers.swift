import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// Offers of subscriptions: made, listed and ended (TAB-5.2).
extension ConnectSurface {
    private static let offerPath = "/connect/v1/apps/{bundleId}/products/{productId}/offers"

    /// The offers of a product.
    static let listOffers = Endpoint.operatorOnly(
        .get, offerPath, "listOffers",
        OperationDescription(
            .theOperator, "List the offers of a subscription",
            detail: "All of them, those that are over too, in the order in which they were made.",
            parameters: [bundleIDParameter, productIDParameter],
            success: .ok(
                "The offers.",
                .object(
                    "Offers.",
                    .required("offers", .list("In their order.", of: .named("Offer"))))),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct"),
                .init(.conflict, "notASubscription"),
            ])
    ) { call, _ in
        let terms = try await call.subscriptionTerms()
        return .object { json in
            json.array("offers") { json in
                for offer in terms.offers { json.elementObject { offer.write(to: &$0) } }
            }
        }
    }

    /// Makes an offer.
    static let createOffer = Endpoint.operatorOnly(
        .post, offerPath, "createOffer",
        OperationDescription(
            .theOperator, "Make an offer of a subscription",
            detail: "What an offer is cannot be changed: it is ended, and another one is made. A "
                + "free trial and what is paid up front last one of P1M, P2M, P3M, P6M and P1Y, a "
                + "free trial P3D, P1W and P2W too; what is paid as one goes has 1 to 12 periods "
                + "as long as the plan's, a year at most in all, and costs less than the plan.",
            parameters: [bundleIDParameter, productIDParameter],
            body: .members(newOfferSchema), success: .created("The offer.", .named("Offer")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownProduct"), .init(.notFound, "unknownStorefront"),
                .init(.conflict, "notASubscription"), .init(.conflict, "productDeleted"),
            ])
    ) { call, input in
        let offer = Offer(input)
        try await call.store.createOffer(
            offer, of: call.text("productId"), bundleID: call.text("bundleId"))
        return .object(status: .created) { offer.write(to: &$0) }
    }

    /// Ends an offer.
    static let endOffer = Endpoint.operatorOnly(
        .delete, offerPath + "/{type}/{name}", "endOffer",
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
                .init(.notFound, "invalidOfferIdentifier"), .init(.conflict, "notASubscription"),
                .init(.conflict, "productDeleted"),
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
            .optional("referenceName", .text("The developer's name for it.", 1...64)),
            .required("mode", .choice("How it is paid.", Offer.Mode.allCases.map(\.rawValue))),
            .required("period", period),
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
        .optional("begins", .moment("From when it can be had; always unless given.")),
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
                of: .choice("Customers.", Offer.Audience.allCases.map(\.rawValue)))),
        .optional(
            "stackable",
            .boolean("Whether its codes may follow the introductory offer instead of replacing it.")
        ),
        .optional("winBack", winBackSchema),
    ]

    private static let winBackSchema = Schema.object(
        "Who may be won back.",
        .optional("paidMonths", .integer("The least paid service; 0 for any.", 0...60)),
        .optional("fromMonths", .integer("How long ago it ended at least.", 1...24)),
        .optional("toMonths", .integer("How long ago it ended at most.", 1...24)),
        .optional("waitMonths", .integer("How much later than the last win-back offer.", 2...24)),
        .optional(
            "priority",
            .choice("Which comes first.", WinBackTerms.Priority.allCases.map(\.rawValue))))

    private static let newOfferSchema = Schema.object(
        "An offer.",
        termsMembers(
            .choice(
                "How long one discounted period lasts.", Offer.lengths.map(\.iso8601))) + [
                .optional(
                    "periodCount", .integer("How many there are; 1 unless given.", 1...12)),
                .optional(
                    "price",
                    .price("What one discounted period costs, a number anywhere; not when free")),
            ] + conditionMembers)

    static let offerSchema = Schema.object(
        "An offer of a subscription.",
        termsMembers(.text("How long one discounted period lasts.", 3...6, .duration)) + [
            .required("periodCount", .integer("How many discounted periods there are.", 1...1000)),
            .required("price", .price("What one discounted period costs, as a number anywhere")),
        ] + conditionMembers)
}

extension Call {
    /// What the path's product has as a subscription.
    fileprivate func subscriptionTerms() async throws -> SubscriptionTerms {
        let id = text("productId")
        guard let product = try await store.app(bundleID: text("bundleId")).product(id) else {
            throw StoreError.unknown(.product, id)
        }
        guard let terms = product.subscription else {
            throw StoreError.subscription(.notASubscription(id))
        }
        return terms
    }
}

extension Offer.Kind {
    static let names = allCases.map(\.name)

    /// The name on `/connect`.
    var name: String {
        switch self {
        case .introductory: "INTRODUCTORY"
        case .promotional: "PROMOTIONAL"
        case .offerCode: "OFFER_CODE"
        case .winBack: "WIN_BACK"
        }
    }

    init?(name: String) {
        guard let kind = Offer.Kind.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

extension Offer {
    /// Reads what was declared.
    fileprivate init(_ input: Input) {
        guard let kind = Offer.Kind(name: input.requiredText("type")),
            let mode = Offer.Mode(rawValue: input.requiredText("mode")),
            let period = CalendarPeriod(iso8601: input.requiredText("period"))
        else { preconditionFailure("the description asks for a kind, a mode and a period") }
        self.init(
            kind: kind, id: kind == .introductory ? "" : input.text("id") ?? "",
            referenceName: input.text("referenceName") ?? input.text("id") ?? "", mode: mode,
            period: period, periodCount: input.integer("periodCount").map(Int.init) ?? 1,
            basePrice: input.integer("price") ?? 0,
            audiences: (input.texts("audiences") ?? []).compactMap(Audience.init(rawValue:)),
            isStackable: input.boolean("stackable") ?? false)
        for price in input.objects("prices") ?? [] {
            prices[price.requiredText("storefront")] = price.integer("price")
        }
        availability = OfferAvailability(
            begins: input.moment("begins"), ends: input.moment("ends"),
            storefronts: input.texts("storefronts").map(Set.init))
        guard kind == .winBack else { return }
        winBack = WinBackTerms(input.object("winBack"))
    }

    func write(to json: inout JSONWriter) {
        json.field("type", kind.name)
        json.field("id", id.isEmpty ? nil : id)
        json.field("referenceName", referenceName.isEmpty ? nil : referenceName)
        json.field("mode", mode.rawValue)
        json.field("period", period.iso8601)
        json.field("periodCount", periodCount)
        json.field("price", basePrice)
        if !prices.isEmpty {
            json.array("prices") { json in
                for (code, price) in prices.sorted(by: { $0.key < $1.key }) {
                    json.elementObject { json in
                        json.field("storefront", code)
                        json.field("price", price)
                    }
                }
            }
        }
        json.field("begins", availability.begins?.iso8601)
        json.field("ends", availability.ends?.iso8601)
        json.field("storefronts", availability.storefronts?.sorted())
        if kind == .offerCode {
            json.field("audiences", audiences.map(\.rawValue))
            json.field("stackable", isStackable)
        }
        guard let winBack else { return }
        json.object("winBack") { winBack.write(to: &$0) }
    }
}

extension WinBackTerms {
    fileprivate init(_ input: Input?) {
        self.init()
        guard let input else { return }
        paidMonths = input.integer("paidMonths").map(Int.init) ?? 0
        waitMonths = input.integer("waitMonths").map(Int.init)
        priority = input.text("priority").flatMap(Priority.init(rawValue:)) ?? .normal
        let from = input.integer("fromMonths").map(Int.init)
        let to = input.integer("toMonths").map(Int.init)
        if from != nil || to != nil {
            let lower = from ?? Self.sinceEndRange.lowerBound
            monthsSinceEnd = lower...max(lower, to ?? Self.sinceEndRange.upperBound)
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
