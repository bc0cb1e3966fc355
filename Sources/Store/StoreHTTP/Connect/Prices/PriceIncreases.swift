import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Why a price increase goes its way with one subscriber, and when.
    static let getPriceIncrease = Endpoint.operatorOnly(
        .get, "/connect/v1/subscriptions/{originalTransactionId}/price-increase",
        "getPriceIncrease",
        OperationDescription(
            .theOperator, "Explain the price increase that is planned for a subscriber",
            detail:
                "Notice or consent, every test that decided it with its rule, and every date. Of "
                + "what a merchant describes itself each item that has another price on its way "
                + "is explained; what stands beside them is the first one's.",
            parameters: [subscriptionParameter],
            success: .ok("The explanation.", .named("PriceIncreaseExplanation")),
            failures: [
                .init(.notFound, "unknownSubscription"), .init(.notFound, "noIncreasePlanned"),
                .init(.notFound, "increaseWaiting"),
            ])
    ) { call, _ in
        let id = try call.pathIdentifier(
            "originalTransactionId", of: .originalTransaction)
        let explained = try await call.store.explainPriceIncreases(
            subscription: id, in: call.environment)
        guard let first = explained.first else {
            throw try await subscription(call).1.noExplanation
        }
        return .object { json in
            first.explanation.writeMembers(to: &json)
            guard first.name != nil else { return }
            json.array("items") { json in
                for one in explained { json.elementObject { one.write(to: &$0) } }
            }
        }
    }

    static let priceIncreaseSchema = Schema.object(
        "What a new price means for one subscriber, and why.",
        priceIncreaseMembers + [
            .optional(
                "items",
                .list(
                    "The items whose prices change, where the merchant describes what it delivers.",
                    of: .object(
                        "An item.",
                        [
                            .required("sku", .text("The merchant's own name of it.")),
                            .optional("displayName", .text("What the subscriber knows it by.")),
                            .required(
                                "dependentSKUs",
                                .list("What ends with it without consent.", of: .text("An item."))),
                        ] + priceIncreaseMembers)))
        ])

    /// What is said of a change.
    static let priceIncreaseMembers: [Schema.Member] = [
        .required(
            "path", .choice("What is asked.", ConsentDecision.Path.allCases.map(\.rawValue))),
        .required("oldPrice", .price("What the subscriber pays")),
        .required("newPrice", .price("What a period will cost")),
        .required("currency", .currency()),
        .required("storefront", .storefront("The subscriber's storefront.")),
        .required(
            "route",
            .choice("Who tells the subscriber.", PriceChangeRoute.allCases.map(\.rawValue))),
        .required("live", .moment("When the new price went live.")),
        reasons,
        .optional(
            "firstRenewalAtNewPrice", .moment("The renewal that first charges the new price.")),
        .required(
            "oldPriceRenewals",
            .list("The renewals before it.", of: .moment("A renewal at the old price."))),
        .optional("answerBy", .moment("Until when the subscriber can agree.")),
        .optional("agreed", .boolean("What the subscriber answered, once there is an answer.")),
        .required(
            "withoutAnswer",
            .choice(
                "What comes of it without an answer.",
                CommunicationCalendar.Outcome.allCases.map(\.rawValue))),
        .optional(
            "callWindow",
            .object(
                "Where the merchant tells the subscriber: when the store must be called.",
                .required("opens", .moment("The first moment.")),
                .required("closes", .moment("The last moment.")))),
        messages, timetable,
        .required("remarks", .list("What else is to be known.", of: .text("A sentence."))),
        .optional(
            "koreanConversion",
            .object(
                "In Korea, the consent that the end of a running offer needs besides.",
                .required(
                    "kind",
                    .choice(
                        "What turns into what.", OfferConversion.allCases.map(\.rawValue))),
                .required("at", .moment("When the standard price is first charged.")),
                .required("opens", .moment("The first moment at which consent counts.")),
                .required("closes", .moment("The first moment at which it is too late.")),
                messages, timetable)),
    ]

    /// Every test that decides a path.
    static let reasons = Schema.Member.required(
        "reasons",
        .list(
            "Every test that decides the path.",
            of: .object(
                "A test.", .required("rule", .text("The rule's number.")),
                .required("demandsConsent", .boolean("Whether it demands consent.")),
                .required("sentence", .text("Its figures in words.")))))

    /// What is sent on each channel, how long before and how often, and what takes it back.
    static let timetable = Schema.Member.optional(
        "timetable",
        .list(
            "What is sent on each channel.",
            of: .object(
                "A channel.", .required("channel", messageChannel),
                .required(
                    "daysBefore",
                    .integer("So many days before the renewal the first one is sent.")),
                .required("condition", messageCondition),
                .optional(
                    "repeatsAfterDays",
                    .integer(
                        "After so many days at the earliest it is sent again; absent for what is "
                            + "sent once.")),
                .required(
                    "withdrawnBy",
                    .list(
                        "What takes back what was not sent yet.",
                        of: .choice("A reason.", MessageWithdrawal.allCases.map(\.rawValue)))))))

    static let messageChannel = Schema.choice(
        "The way it is sent.", PriceMessage.Channel.allCases.map(\.rawValue))
    static let messageCondition = Schema.choice(
        "What must hold for it to be sent.", PriceMessage.Condition.allCases.map(\.rawValue))

    private static let messages = Schema.Member.required(
        "messages",
        .list(
            "What is sent, in order.",
            of: .object(
                "A message.", .required("at", .moment("When.")),
                .required("channel", messageChannel),
                .required("condition", messageCondition))))
}

extension ExplainedIncrease {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("sku", sku)
        json.field("displayName", name)
        json.field("dependentSKUs", dependents)
        explanation.writeMembers(to: &json)
    }
}

extension Subscription {
    /// Why nothing can be explained.
    fileprivate var noExplanation: ErrorBody {
        if let nextPlan, let raised = nextPlan.raisedPrice {
            return ErrorBody(
                .notFound, "increaseWaiting",
                "A price of \(raised.plainText) is live and waits for \(nextPlan.productID), which "
                    + "begins with the next renewal at \(nextPlan.price.plainText): the notice "
                    + "comes after that.")
        }
        guard let (line, increase) = comingIncreases.first else {
            return ErrorBody(
                .notFound, "noIncreasePlanned",
                "No price increase is on its way to this subscription.")
        }
        let reason =
            switch state {
            case .active:
                !renewsAutomatically
                    ? "its renewal is turned off"
                    : plan.line(line.sku) == nil
                        ? "\(line.sku) begins with the next renewal at "
                            + Money(milliunits: line.price, plan.currency).plainText
                        : "no renewal can be planned"
            case .awaitingPayment: "its renewal has not been paid yet"
            case .grace, .retrying: "its renewal failed and is being tried again"
            case .new, .expired, .revoked: preconditionFailure("nothing waits for what is over")
            }
        let price = Money(milliunits: increase.price, plan.currency).plainText
        return ErrorBody(
            .notFound, "increaseWaiting",
            "A price of \(price) is live since \(increase.live.plainText) and waits for this "
                + "subscription: \(reason).")
    }
}
