import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Journal
import Store
import SubscriptionRules

extension ConnectSurface {
    /// One subscription as it stands.
    static let getSubscription = Endpoint.operatorOnly(
        .get, "/connect/v1/subscriptions/{originalTransactionId}", "getSubscription",
        OperationDescription(
            .theOperator, "Get a subscription", detail: ofMembers,
            parameters: [subscriptionParameter],
            success: .ok("The subscription.", .named("Subscription")),
            failures: [.init(.notFound, "unknownSubscription")])
    ) { call, _ in
        let (found, share) = try await shownSubscription(call)
        return .object { write(found, share, to: &$0) }
    }

    private static let ofMembers =
        "A family member's own original transaction leads to the purchaser's subscription, which "
        + "says how it stands, and `share` says whose it is."

    private static let timelinePages = Paging(
        "entries", "First to last.", of: .named("TimelineEntry"), .after,
        .integer("The sequence of the last one of the page before."), usual: 200, most: 1000)

    /// Everything that ever happened to a subscription.
    static let getTimeline = Endpoint.operatorOnly(
        .get, "/connect/v1/subscriptions/{originalTransactionId}/timeline", "getTimeline",
        OperationDescription(
            .theOperator, "Get the life of a subscription",
            detail: "Everything that happened to it, first to last, from the journal. " + ofMembers,
            parameters: [subscriptionParameter] + timelinePages.parameters,
            success: timelinePages.success(
                "A page of the timeline.", "A timeline.",
                [.required("subscription", .named("Subscription"))]),
            failures: [.init(.notFound, "unknownSubscription")])
    ) { call, input in
        let (found, share) = try await shownSubscription(call)
        return try await timelinePages.page(
            input, others: { json in json.object("subscription") { write(found, share, to: &$0) } }
        ) { after, limit in
            try await call.store.timeline(
                subscription: found.1.id, after: after ?? 0, limit: limit)
        } writing: { entry, json in
            json.element(entry)
        }
    }

    /// Ends a subscription at once.
    static let expireSubscription = Endpoint.operatorOnly(
        .post, "/connect/v1/subscriptions/{originalTransactionId}/expire", "expireSubscription",
        canRehearse: true,
        OperationDescription(
            .theOperator, "End a subscription at once",
            detail: "Without a refund; the developer is told EXPIRED.",
            parameters: [subscriptionParameter], success: .nothing("Ended."),
            failures: [
                .init(.notFound, "unknownSubscription"), .init(.conflict, "notActive"),
            ])
    ) { call, _ in
        try await call.store.end(subscription: try await subscription(call).1.id)
        return .empty(.noContent)
    }

    /// The subscription in the path; one of the other environment does not exist here.
    static func subscription(
        _ call: Call
    ) async throws -> (Customer, Subscription, place: SubscriptionPlace) {
        let id = try call.pathIdentifier(
            "originalTransactionId", of: .originalTransaction)
        let found = try await call.store.subscription(id)
        guard found.0.environment == call.environment else {
            throw StoreError.unknown(.originalTransaction, String(id))
        }
        return found
    }

    /// The same where it is only shown: a family member's share leads to the purchaser's.
    static func shownSubscription(
        _ call: Call
    ) async throws -> (
        found: (Customer, Subscription, place: SubscriptionPlace), share: ShareEntry?
    ) {
        do {
            return (try await subscription(call), nil)
        } catch StoreError.unknown(.originalTransaction, let id) {
            guard let number = Int64(id), let share = try await call.store.share(number) else {
                throw StoreError.unknown(.originalTransaction, id)
            }
            let found = try await call.store.subscription(share.subscription)
            guard found.0.environment == call.environment else {
                throw StoreError.unknown(.originalTransaction, id)
            }
            return (found, share)
        }
    }

    private static func write(
        _ found: (Customer, Subscription, place: SubscriptionPlace), _ share: ShareEntry?,
        to json: inout JSONWriter
    ) {
        found.1.write(to: &json, of: found.0, in: found.place)
        guard let share else { return }
        json.object("share") { json in
            json.field("originalTransactionId", String(share.originalTransactionID))
            json.field("account", share.account)
            json.field("since", share.since.iso8601)
            json.field("ended", share.ended?.iso8601)
        }
    }

    static let subscriptionParameter = OperationDescription.Parameter.path(
        "originalTransactionId", .identifier("The subscription."))

    static let subscriptionSchema = Schema.object(
        "A subscription as the operator sees it.",
        .required("originalTransactionId", .identifier("The subscription.")),
        .required("account", .text("Whose it is.")),
        .optional(
            "share",
            .object(
                "The family member whose own transaction led here; only then.",
                .required("originalTransactionId", .identifier("The member's.")),
                .required("account", .text("The member.")),
                .required("since", .moment("Since when the member has it, the last time.")),
                .optional("ended", .moment("When the member lost it.")))),
        .required("bundleId", .text("Its app.")),
        .required("environment", environmentSchema),
        .required("storefront", .storefront("Where it was bought and is charged.")),
        .required("groupId", .text("Its group.")),
        .required("productId", .text("The product of this period.")),
        .optional("nextProductId", .text("A product that waits for the next renewal.")),
        .optional(
            "nextPrice", .total("What a period of the plan that waits will cost, offers aside")),
        .optional("nextCurrency", .currency()),
        .optional(
            "nextRaisedPrice",
            .total(
                "What it will cost after its first period and the notice, where a higher price "
                    + "went live while it waited")),
        .required(
            "nextForSale",
            .boolean(
                "Whether the product of the next renewal is for sale in the storefront; if not, "
                    + "the subscription ends then.")),
        .optional(
            "renewalLimitReached",
            .integer(
                "After how many renewals Sandbox ends it, where that was the last one: it ends "
                    + "with its period.")),
        .required(
            "state",
            .choice(
                "What it is in.",
                ["active", "awaitingPayment", "grace", "retrying", "expired", "revoked"])),
        .required(
            "status", .numbers("The status number of the App Store Server API.", [1, 2, 3, 4, 5])),
        .required("entitled", .boolean("Whether the customer has access.")),
        .required(
            "autoRenew",
            .boolean(
                "Whether it renews; of a commitment, when that ends: its months are charged "
                    + "anyway.")),
        .required(
            "billingPlanType",
            .choice("How it is billed.", BillingPlan.allCases.map(\.rawValue))),
        .optional(
            "nextBillingPlanType",
            .choice(
                "How the plan that waits is billed.", BillingPlan.allCases.map(\.rawValue))),
        .optional(
            "commitment",
            .object(
                "The year that is being paid month by month.",
                .required("month", .integer("The month that runs, or was paid last.", 1...12)),
                .required("months", .integer("How many there are.")),
                .required(
                    "ends",
                    .moment(
                        "When it ends; an extension, or a payment that came late, "
                            + "moves it.")),
                .required("price", .price("What all months cost at the price of this one")))),
        .required("transactionId", .identifier("The newest transaction.")),
        .required("periodStart", .moment("The start of the newest period.")),
        .required("expires", .moment("The end of the newest period.")),
        .optional("nextEvent", .moment("When something happens next by itself.")),
        .required("price", .total("What the newest period costs, all its items")),
        .required("currency", .currency()),
        .optional("offerMode", .choice("How a discount of it is paid.", offerModes)),
        .optional("offer", namedOffer("The offer that the newest period is under.")),
        .optional("nextOffer", namedOffer("The offer that waits for a renewal.")),
        .required("renewalCount", .integer("Renewals since the last purchase.")),
        .required("serviceStart", .moment("The start of the run of service.")),
        .required(
            "extensions",
            .list(
                "When its renewal date was extended last: two at most, oldest first.",
                of: .moment("When."))),
        .optional(
            "extendedMilliseconds",
            .integer("How much longer extensions made the newest period; absent for nothing.")),
        .optional(
            "graceUntil",
            .moment(
                "The end of the grace period, running or over; of access while a payment is "
                    + "awaited.")),
        .optional("retryUntil", .moment("When billing is no longer retried.")),
        .optional("expired", .moment("When it ended.")),
        .optional(
            "expirationIntent",
            .numbers(
                "Why it ended: 1 voluntary, 2 billing error, 3 price increase, 4 not for sale, "
                    + "5 other.", [1, 2, 3, 4, 5])),
        .optional(
            "revoked",
            .moment("When its newest period was refunded, while it ran or later: status 5.")),
        .optional(
            "productDeleted", .moment("When the product of the newest period was deleted.")),
        .optional("refundedInFull", .boolean("Whether the whole price was given back.")),
        .optional(
            "pendingBillId", .identifier("The bill that the bank has not answered.")),
        .optional(
            "lines",
            .list(
                "What it delivers, where it is several things or the merchant describes it.",
                of: .object(
                    "A line.", .required("sku", .text("The merchant's own name of it.")),
                    .required("price", .price("What a period of it costs, offers aside")),
                    .required("charged", .price("What was paid for it in the newest period")),
                    .optional(
                        "offerMode", .choice("How a discount of it is paid.", offerModes)),
                    .optional(
                        "offerPeriodsLeft",
                        .integer("How many discounted periods follow."))))),
        increaseMember, increasesMember, conversionMember)

    static let offerModes = Offer.Mode.allCases.map(\.rawValue)

    /// An offer by its kind and its identifier.
    static func namedOffer(_ about: String) -> Schema {
        .object(
            about, .required("type", .choice("Its kind.", Offer.Kind.names)),
            .optional("id", .text("Its identifier; introductory offers have none.")))
    }
}

extension Subscription {
    func write(to json: inout JSONWriter, of customer: Customer, in place: SubscriptionPlace) {
        json.field("originalTransactionId", String(id))
        json.field("account", customer.account)
        json.field("bundleId", place.bundleID)
        json.field("environment", customer.environment.wire)
        json.field("storefront", place.storefront.code)
        json.field("groupId", groupID)
        json.field("productId", plan.productID)
        json.field("nextProductId", nextPlan?.productID)
        json.field("nextPrice", nextPlan?.price.milliunits)
        json.field("nextCurrency", nextPlan?.currency.code)
        json.field("nextRaisedPrice", nextPlan?.raisedPrice?.milliunits)
        json.field("nextForSale", place.isNextForSale)
        json.field("renewalLimitReached", place.reachedLimit)
        json.field("productDeleted", place.productDeleted?.iso8601)
        json.field("state", stateName)
        json.field("status", status)
        json.field("entitled", isEntitled)
        json.field("autoRenew", renewsAutomatically)
        json.field("billingPlanType", plan.billing.rawValue)
        json.field("nextBillingPlanType", nextPlan?.billing.rawValue)
        if let commitment = commitment(in: place.zone) {
            json.object("commitment") { json in
                json.field("month", commitment.month)
                json.field("months", Commitment.months)
                json.field("ends", commitment.ends.iso8601)
                json.field("price", Commitment.price(ofMonth: plan.price.milliunits))
            }
        }
        json.field("transactionId", String(newestPeriod.transactionID))
        json.field("periodStart", newestPeriod.start.iso8601)
        json.field("expires", newestPeriod.end.iso8601)
        json.field("nextEvent", nextChange?.iso8601)
        json.field("price", newestPeriod.wholePrice)
        json.field("currency", plan.currency.code)
        json.field("offerMode", plan.onlyOffer?.mode.rawValue)
        json.field("offer", (plan.merchant == nil ? plan.onlyOffer : nil).map { NamedOffer($0) })
        json.field("nextOffer", waitingOffer.map { NamedOffer($0) })
        json.field("renewalCount", renewalCount)
        json.field("serviceStart", serviceStart.iso8601)
        json.field("extensions", extensions.map(\.iso8601))
        let extended = newestPeriod.extended.milliseconds
        json.field("extendedMilliseconds", extended == 0 ? nil : extended)
        writeState(to: &json)
        json.field("pendingBillId", (outstanding?.bill.id).map(String.init))
        json.field("revoked", newestPeriod.refund?.moment.iso8601)
        json.field("refundedInFull", newestPeriod.refund?.isFull)
        if plan.lines.count > 1 || plan.merchant != nil { writeLines(to: &json) }
        writeIncreases(to: &json)
        writeConversion(to: &json)
    }

    private func writeState(to json: inout JSONWriter) {
        switch state {
        case .new, .active, .revoked:
            break
        case .awaitingPayment(let until):
            json.field("graceUntil", until.iso8601)
        case .grace(let retry, let until):
            json.field("graceUntil", until.iso8601)
            json.field("retryUntil", retry.givesUpAt.iso8601)
        case .retrying(let retry, let graceEnded):
            json.field("graceUntil", graceEnded?.iso8601)
            json.field("retryUntil", retry.givesUpAt.iso8601)
        case .expired(let reason, let at):
            json.field("expired", at.iso8601)
            json.field("expirationIntent", reason.rawValue)
        }
    }

    private func writeLines(to json: inout JSONWriter) {
        json.array("lines") { json in
            for (line, charge) in zip(plan.lines, newestPeriod.charges) {
                json.elementObject { json in
                    json.field("sku", line.sku)
                    json.field("price", line.price)
                    json.field("charged", newestPeriod.carried[line.sku]?.amount ?? charge)
                    json.field("offerMode", line.offer?.mode.rawValue)
                    json.field("offerPeriodsLeft", line.offer?.periodsLeft)
                }
            }
        }
    }

    /// The state as `/connect` calls it.
    var stateName: String {
        switch state {
        case .new: "new"
        case .active: "active"
        case .awaitingPayment: "awaitingPayment"
        case .grace: "grace"
        case .retrying: "retrying"
        case .expired: "expired"
        case .revoked: "revoked"
        }
    }
}
