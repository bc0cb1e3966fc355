import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// What a new price would mean for a subscriber who is only described.
    static let explainPriceIncrease = Endpoint.operatorOnly(
        .post, "/connect/v1/price-increases/explain", "explainPriceIncrease",
        OperationDescription(
            .theOperator, "Explain what a new price would mean for anyone",
            detail: "Nothing is changed. Notice or consent, every test that decides it with its "
                + "rule, and every date, by the thresholds of this store. In an offer the prices "
                + "are the standard ones, and `renews` is where the running period of the offer "
                + "ends.",
            body: .members(
                .object(
                    "The subscriber and the price.",
                    .required("oldPrice", .price("What the subscriber pays")),
                    .required("newPrice", .price("What a period would cost")),
                    .required("storefront", .storefront("The subscriber's storefront.")),
                    .required("renews", .moment("When the subscription renews next.")),
                    .required("live", .moment("When the new price goes live.")),
                    .optional(
                        "period",
                        .choice(
                            "How long a period lasts; P1M unless given.",
                            CalendarPeriod.billing.map(\.iso8601))),
                    .optional(
                        "since",
                        .moment(
                            "When it was bought or its offer began, which decides the day of "
                                + "later renewals; one period before `renews` unless given.")),
                    .optional(
                        "lastIncrease", .moment("When an increased price was last charged.")),
                    .optional(
                        "route",
                        .choice(
                            "Who tells the subscriber; appStoreConnect unless given.",
                            PriceChangeRoute.allCases.map(\.rawValue))),
                    .optional(
                        "paysByUPIAutoPay",
                        .boolean("Whether a subscriber in India pays by UPI AutoPay.")),
                    .optional(
                        "offerMode",
                        .choice(
                            "The offer that the running period belongs to.",
                            Offer.Mode.allCases.map(\.rawValue))),
                    .optional(
                        "offerPeriod",
                        .choice(
                            "How long the offer lasts, or one of its periods where it is paid as "
                                + "one goes; the plan's period unless given.",
                            Offer.lengths.map(\.iso8601))),
                    .optional(
                        "offerPeriodsLeft",
                        .integer("How many discounted periods follow; 0 unless given.", 0...51)))),
            success: .ok("The explanation.", .named("PriceIncreaseExplanation")),
            failures: [
                .init(.badRequest, "impossibleSubscriber"), .init(.badRequest, "clockOutOfRange"),
            ])
    ) { call, input in
        let storefront = input.required(input.storefront("storefront"), "storefront")
        let subscriber = input.imaginedSubscriber(in: storefront)
        let change = PriceChange(
            from: input.required(input.integer("oldPrice"), "oldPrice"),
            to: input.required(input.integer("newPrice"), "newPrice"), in: storefront.currency)
        let thresholds = try await call.store.consentThresholds()
        do throws(ImaginedSubscriber.Impossibility) {
            return .json(
                try subscriber.explanation(
                    of: change,
                    route: input.text("route").flatMap(PriceChangeRoute.init(rawValue:))
                        ?? .appStoreConnect,
                    live: input.required(input.moment("live"), "live"), thresholds: thresholds))
        } catch {
            throw error.told
        }
    }
}

extension Input {
    fileprivate func imaginedSubscriber(in storefront: Storefront) -> ImaginedSubscriber {
        var subscriber = ImaginedSubscriber(
            storefront: storefront.code,
            period: text("period").flatMap(CalendarPeriod.init(iso8601:)) ?? .month,
            renews: required(moment("renews"), "renews"))
        subscriber.since = moment("since")
        subscriber.lastIncrease = moment("lastIncrease")
        subscriber.paysByUPIAutoPay = boolean("paysByUPIAutoPay") ?? false
        subscriber.offer = text("offerMode").flatMap(Offer.Mode.init(rawValue:)).map { mode in
            ImaginedSubscriber.RunningOffer(
                mode: mode, period: text("offerPeriod").flatMap(CalendarPeriod.init(iso8601:)),
                periodsLeft: Int(integer("offerPeriodsLeft") ?? 0))
        }
        return subscriber
    }
}

extension ImaginedSubscriber.Impossibility {
    var told: ErrorBody {
        switch self {
        case .beyondTime:
            ErrorBody(
                .badRequest, "clockOutOfRange", "Moments lie between 2000 and 2100.", field: nil)
        case .boughtAfterRenewal:
            impossible("since", "`since` must be before `renews`: it is when it was bought.")
        case .boughtAfterLive:
            impossible(
                "live", "`live` must not be before `since`: who bought later saw the new price.")
        case .increasedAfterRenewal:
            impossible("lastIncrease", "`lastIncrease` must be before `renews`: it is past.")
        case .upiOutsideIndia:
            impossible("paysByUPIAutoPay", "UPI AutoPay is for the storefront IND.")
        case .onePeriodOnly:
            impossible(
                "offerPeriodsLeft", "Only an offer of payAsYouGo has several periods.")
        case .renewsAt(let moment):
            impossible(
                "renews",
                "No period since then ends at that moment, but one on \(moment.plainText): after "
                    + "an extension or a recovery its day is `since`.")
        }
    }

    private func impossible(_ field: String, _ message: String) -> ErrorBody {
        ErrorBody(.badRequest, "impossibleSubscriber", message, field: field)
    }
}
