import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// What new prices of a merchant's items would mean for a subscriber who is only described.
    static let explainBundle = Endpoint.operatorOnly(
        .post, "/connect/v1/price-increases/explain-bundle", "explainBundle",
        OperationDescription(
            .theOperator, "Explain what new prices of several items would mean for anyone",
            detail: "Nothing is changed. Each item of a subscription that a merchant describes "
                + "itself is judged alone; what follows for all of them is said besides: the "
                + "requests, the messages and the bills.",
            body: .members(.object("The subscriber and the items.", bundleInput)),
            success: .ok("The explanation.", .named("BundlePriceExplanation")),
            failures: [
                .init(.badRequest, "impossibleSubscriber"), .init(.badRequest, "impossibleBundle"),
                .init(.badRequest, "clockOutOfRange"),
            ])
    ) { call, input in
        let storefront = input.required(input.storefront("storefront"), "storefront")
        var subscriber = ImaginedSubscriber(
            storefront: storefront.code,
            period: input.text("period").flatMap(CalendarPeriod.init(iso8601:)) ?? .month,
            renews: input.required(input.moment("renews"), "renews"))
        subscriber.since = input.moment("since")
        let bundle = ImaginedBundle(
            subscriber, items: input.required(input.objects("items"), "items").map(\.item))
        let thresholds = try await call.store.consentThresholds()
        do throws(ImaginedBundle.Impossibility) {
            return .json(
                try bundle.explanation(
                    in: storefront.currency,
                    route: input.text("route").flatMap(PriceChangeRoute.init(rawValue:))
                        ?? .storeManaged,
                    live: input.required(input.moment("live"), "live"), thresholds: thresholds))
        } catch {
            throw error.told
        }
    }

    private static let bundleInput: [Schema.Member] = [
        .required(
            "items",
            .list(
                "The items, also those whose prices stay.",
                of: .object(
                    "An item.", .required("sku", .text("The merchant's own name of it.", 1...128)),
                    .required("oldPrice", .price("What the subscriber pays, offers aside")),
                    .required("newPrice", .price("What a period would cost")),
                    .optional(
                        "lastIncrease", .moment("When an increased price was last charged.")),
                    .optional(
                        "offerMode",
                        .choice(
                            "The offer that runs on it.", Offer.Mode.allCases.map(\.rawValue))),
                    .optional(
                        "offerPeriodsLeft",
                        .integer("How many discounted periods follow; 0 unless given.", 0...51)),
                    .optional(
                        "dependentSKUs",
                        .list(
                            "Items that end with it without consent.",
                            of: .text("An item.", 1...128)))), atLeast: 1)),
        .required("storefront", .storefront("The subscriber's storefront.")),
        .required("renews", .moment("When the subscription renews next.")),
        .required(
            "live",
            .moment(
                "When the merchant calls the store; where the merchant tells the subscribers, when "
                    + "it decides.")),
        .optional(
            "period",
            .choice(
                "How long a period lasts; P1M unless given.",
                CalendarPeriod.billing.map(\.iso8601))),
        .optional("since", .moment("When it was bought; one period before `renews` unless given.")),
        .optional(
            "route",
            .choice(
                "Who tells the subscriber; storeManaged unless given.",
                PriceChangeRoute.ofMerchants.map(\.rawValue))),
    ]

    static let bundleSchema = Schema.object(
        "What new prices of several items mean for one subscriber.",
        .required(
            "path",
            .choice("What is asked, of all.", ConsentDecision.Path.allCases.map(\.rawValue))),
        .required(
            "route",
            .choice("Who tells the subscriber.", PriceChangeRoute.ofMerchants.map(\.rawValue))),
        .required(
            "items",
            .list(
                "The items.",
                of: .object(
                    "An item.",
                    [
                        .required("sku", .text("The merchant's own name of it.")),
                        .required(
                            "dependentSKUs", .list("What ends with it.", of: .text("An item."))),
                    ] + priceIncreaseMembers))),
        .required(
            "sum",
            .object(
                "All together, as though it were one price: it decides nothing.",
                .required("oldPrice", .sum("What all cost now")),
                .required("newPrice", .sum("What all will cost")),
                .required("currency", .currency()),
                .required(
                    "pathOfOnePrice",
                    .choice("What it would need.", ConsentDecision.Path.allCases.map(\.rawValue))),
                reasons)),
        .required("requests", .list("The calls of the store, the earliest first.", of: request)),
        .required(
            "messages",
            .list(
                "What is sent, in order: one on a channel for all that it tells of.",
                of: .object(
                    "A message.", .required("at", .moment("When.")),
                    .required("channel", messageChannel),
                    .required("condition", messageCondition),
                    .required("skus", .list("What it tells of.", of: .text("An item.")))))),
        .required(
            "bills",
            .list("The next renewal, and each that charges a new price first.", of: bill)))

    private static let request = Schema.object(
        "A call.", .required("skus", .list("Whose prices it names.", of: .text("An item."))),
        .required(
            "needsConsent", .boolean("Whether the merchant needs the consent before it calls.")),
        .required("opens", .moment("The first moment.")),
        .optional(
            "closes",
            .moment("The last moment for that renewal; absent where the store tells.")))

    private static let bill = Schema.object(
        "What a renewal costs, offers aside.", .required("at", .moment("When.")),
        .required("ifAgreed", .sum("If the subscriber agrees")),
        .required("ifUnanswered", .sum("If the subscriber does not answer")),
        .required("lapsed", .list("What has ended then without an answer.", of: .text("An item."))))

    /// What is sent before prices rise, for whoever plans a campaign.
    static let getTimetable = Endpoint.operatorOnly(
        .get, "/connect/v1/price-increases/timetable", "getTimetable",
        OperationDescription(
            .theOperator, "Get what is sent before prices rise",
            detail: "Of each occasion and of plans of each length: the channels, the days, how "
                + "often, and what takes a message back.",
            success: .ok(
                "The timetables.",
                .object(
                    "All of them.",
                    .required(
                        "timetables",
                        .list(
                            "One for each occasion and length.",
                            of: .object(
                                "A timetable.",
                                .required(
                                    "occasion",
                                    .choice(
                                        "What it is about.",
                                        CommunicationTimetable.Occasion.allCases
                                            .map(\.rawValue))),
                                .required(
                                    "period",
                                    .choice(
                                        "How long a period lasts.",
                                        CalendarPeriod.billing.map(\.iso8601))),
                                timetable))))))
    ) { _, _ in .json(CommunicationTimetables()) }
}

extension Schema {
    /// What all items of a bundle cost, in milliunits.
    static func sum(_ about: String) -> Schema {
        .integer("\(about), in milliunits.", 0...100_000_000_000_000)
    }
}

extension Input {
    fileprivate var item: ImaginedBundle.Item {
        ImaginedBundle.Item(
            sku: requiredText("sku"), oldPrice: required(integer("oldPrice"), "oldPrice"),
            newPrice: required(integer("newPrice"), "newPrice"),
            lastIncrease: moment("lastIncrease"),
            offer: text("offerMode").flatMap(Offer.Mode.init(rawValue:)).map {
                .init(mode: $0, periodsLeft: Int(integer("offerPeriodsLeft") ?? 0))
            }, dependents: texts("dependentSKUs") ?? [])
    }
}

extension ImaginedBundle.Impossibility {
    fileprivate var told: ErrorBody {
        switch self {
        case .itemCount:
            impossible("A bundle has 1 to \(ImaginedBundle.mostItems) items.")
        case .repeatedItem(let sku): impossible("\(sku) is there twice.")
        case .unknownDependent(let sku): impossible("\(sku) is none of the items.")
        case .chain(let sku):
            impossible("\(sku) depends on an item and has items that depend on it.")
        case .route: impossible("Bundles are sold by Advanced Commerce alone.")
        case .item(_, let fault): fault.told
        }
    }

    private func impossible(_ message: String) -> ErrorBody {
        ErrorBody(.badRequest, "impossibleBundle", message, field: "items")
    }
}
