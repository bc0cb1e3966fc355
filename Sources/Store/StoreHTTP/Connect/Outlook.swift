import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Journal
import Store
import SubscriptionRules

/// What a rehearsal needs to see of one subscription: every request, what is going to change, and
/// the next bill.
extension ConnectSurface {
    private static let requestPages = Paging(
        "requests", "First to last.", of: .named("MerchantRequest"), .after,
        .integer("The sequence of the last one of the page before."))

    /// The requests of Advanced Commerce that were made for a subscription.
    static let listMerchantRequests = Endpoint.operatorOnly(
        .get, "/connect/v1/subscriptions/{originalTransactionId}/requests",
        "listMerchantRequests",
        OperationDescription(
            .theOperator, "List the requests made for a subscription",
            detail: "Every request of Advanced Commerce, on devices and by servers, that was "
                + "carried out, or waits for the bank or a decision, and what it changed. What "
                + "was refused changed nothing and is not listed; of the catalogue's products "
                + "there is none.",
            parameters: [subscriptionParameter] + requestPages.parameters,
            success: requestPages.success("A page of requests.", "Requests."),
            failures: [.init(.notFound, "unknownSubscription")])
    ) { call, input in
        let (found, _) = try await shownSubscription(call)
        return try await requestPages.page(input) { after, limit in
            try await call.store.merchantRequests(
                subscription: found.1.id, after: after ?? 0, limit: limit)
        } writing: { request, json in
            json.elementObject { request.write(to: &$0) }
        }
    }

    /// What is going to become of a subscription.
    static let listPendingChanges = Endpoint.operatorOnly(
        .get, "/connect/v1/subscriptions/{originalTransactionId}/pending-changes",
        "listPendingChanges",
        OperationDescription(
            .theOperator, "List what is going to change of a subscription",
            detail: "Items that come, go, change or are called something else, new prices with "
                + "how far they have come, another plan or period, its end, an extension: each "
                + "with its day, as things are.",
            parameters: [subscriptionParameter],
            success: .ok(
                "What is going to change.",
                .object(
                    "What waits.", .required("currency", .currency()),
                    .required(
                        "changes",
                        .list("Of the whole, then item by item.", of: .named("Alteration"))))),
            failures: [.init(.notFound, "unknownSubscription")])
    ) { call, _ in
        let ((_, subscription, place), _) = try await shownSubscription(call)
        return .object { json in
            json.field("currency", subscription.plan.currency.code)
            json.array("changes") { json in
                for one in subscription.pendingAlterations(in: place.zone) { json.element(one) }
            }
        }
    }

    /// What a subscription will be charged next.
    static let getNextBill = Endpoint.operatorOnly(
        .get, "/connect/v1/subscriptions/{originalTransactionId}/next-bill", "getNextBill",
        OperationDescription(
            .theOperator, "Get what a subscription will be charged next",
            detail: "Line by line, or when and why it ends instead: what falls due until then is "
                + "let happen to a copy, by the rules. Nobody answers what is asked meanwhile; "
                + "prices of the catalogue that are scheduled until then are live.",
            parameters: [subscriptionParameter],
            success: .ok("The next bill.", .named("NextBill")),
            failures: [.init(.notFound, "unknownSubscription")])
    ) { call, _ in
        let (found, _) = try await shownSubscription(call)
        let forecast = try await call.store.nextBill(
            subscription: found.1.id, in: call.environment)
        return .object { forecast.write(to: &$0) }
    }

    static let merchantRequestSchema = Schema.object(
        "A request of Advanced Commerce, and what it did.",
        .required("sequence", .integer("Its place in the journal.")),
        .required("at", .moment("When it was made.")),
        .required(
            "operation",
            .choice("What was asked for.", MerchantRequest.Operation.allCases.map(\.rawValue))),
        .required(
            "inApp",
            .boolean("Whether it was signed for a purchase on a device, or sent by a server.")),
        .required("requestReferenceId", .uuid("By what it is known.")),
        .optional("namedTransactionId", .identifier("The transaction that a server named.")),
        .required(
            "outcome",
            .choice(
                "How it came out: pending while the bank has not answered, or nobody has decided "
                    + "about a refund.", MerchantRequest.Outcome.allCases.map(\.rawValue))),
        .optional("settled", .moment("When it was carried out or declined.")),
        .optional(
            "transactionId",
            .identifier("The transaction that it made, or of which money was asked back.")),
        .optional("currency", .currency()),
        .optional("charged", .total("What was charged")),
        .optional("refunded", .total("What was given back; absent for nothing")),
        .required(
            "changes",
            .list("What it changed, at once or from a renewal on.", of: .named("Alteration"))),
        .required(
            "notices",
            .list("What the developer was told.", of: .text("Such as METADATA_UPDATE."))))

    /// What becomes of a subscription: each member has a sentence, or this does not compile.
    static let alterationSchema = Schema.object(
        "What became of a subscription, or is going to: of one item, or of the whole.",
        Alteration.Member.allCases.map { member in
            member == .change
                ? .required(member.rawValue, member.schema)
                : .optional(member.rawValue, member.schema)
        })

    static let nextBillSchema = Schema.object(
        "What a subscription will be charged next, or that it ends.",
        .required(
            "outcome",
            .choice(
                "Whether a bill is made, one waits for the bank, it ends, or is over already.",
                ["charge", "pending", "end", "over"])),
        .optional("at", .moment("When that is.")),
        .optional(
            "expirationIntent",
            .numbers(
                "Why it ends: 1 voluntary, 2 billing error, 3 price increase, 4 not for sale, "
                    + "5 other.", [1, 2, 3, 4, 5])),
        .optional(
            "purpose",
            .choice("What the bill is for.", BillRecord.Purpose.allCases.map(\.rawValue))),
        .optional("billId", .identifier("The bill, where it was made already.")),
        .optional("productId", .text("What the store sells.")),
        .optional("period", .text("How long a period of the plan is, such as P1M.")),
        .optional("periodStart", .moment("The start of the period that is paid.")),
        .optional("periodEnd", .moment("Its end.")),
        .optional("commitmentMonth", .integer("The month of the commitment.", 1...12)),
        .optional("currency", .currency()),
        .optional("amount", .total("The sum of the lines")),
        .required(
            "lines",
            .list(
                "What is to be paid, line by line; none where it ends.",
                of: .object(
                    "A line.", .required("sku", .text("The product, or the merchant's SKU.")),
                    .optional("displayName", .text("What the merchant calls it.")),
                    .required("price", .price("What a period of it costs, offers aside")),
                    .optional(
                        "formerPrice",
                        .price("What it costs in this period, where that is something else")),
                    .required("amount", .total("What is to be paid for it")),
                    .optional(
                        "offerMode", .choice("How a discount of it is paid.", offerModes)),
                    .optional("offerId", .text("The offer's identifier, or its reason.")),
                    .optional(
                        "offerPeriodsLeft",
                        .integer("How many discounted periods follow."))))),
        .optional(
            "credit",
            .total("What goes back of the running period once the bill is paid")))
}

extension Alteration.Member {
    fileprivate var schema: Schema {
        switch self {
        case .change: .choice("What happens.", Alteration.Kind.allCases.map(\.rawValue))
        case .sku: .text("The item, by the SKU that it has then; absent for the whole.")
        case .formerSKU: .text("The SKU that it had, where that changes.")
        case .displayName: .text("What customers read of it then.")
        case .price: .price("What a period of it costs then, offers aside")
        case .formerPrice: .price("What it cost before")
        case .amount: .total("What was paid or given back")
        case .from:
            .moment("When it takes effect; absent for what did at once, and while none is planned.")
        case .status:
            .choice(
                "How far a new price has come with the subscriber.",
                Alteration.Status.allCases.map(\.rawValue))
        case .path:
            .choice(
                "What the subscriber is asked.", ConsentDecision.Path.allCases.map(\.rawValue))
        case .announcement: .moment("When the subscriber first hears of it, or did.")
        case .dependentSKUs:
            .list(
                "Items that end with this one where its price is refused or unanswered.",
                of: .text("A SKU."))
        case .offerMode:
            .choice("How the offer is paid that begins.", ConnectSurface.offerModes)
        case .value:
            .text("What it is then, where that is no item: a product, a period, a tax code.")
        }
    }
}

extension MerchantRequest {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("sequence", sequence)
        json.field("at", at.iso8601)
        json.field("operation", operation.rawValue)
        json.field("inApp", operation.isInApp)
        json.field("requestReferenceId", requestReferenceID)
        json.field("namedTransactionId", namedTransactionID.map(String.init))
        json.field("outcome", outcome.rawValue)
        json.field("settled", settled?.iso8601)
        json.field("transactionId", transactionID.map(String.init))
        json.field("currency", currency)
        json.field("charged", charged)
        json.field("refunded", refunded == 0 ? nil : refunded)
        json.field("changes", alterations)
        json.field("notices", notices)
    }
}

extension BillForecast {
    fileprivate func write(to json: inout JSONWriter) {
        switch next?.outcome {
        case nil: json.field("outcome", "over")
        case .charge: json.field("outcome", "charge")
        case .pending: json.field("outcome", "pending")
        case .end: json.field("outcome", "end")
        }
        json.field("at", next?.at?.iso8601)
        switch next?.outcome {
        case .charge(let bill)?: write(bill, isMade: false, to: &json)
        case .pending(let bill)?: write(bill, isMade: true, to: &json)
        case .end(let reason)?:
            json.field("expirationIntent", reason.rawValue)
            json.array("lines") { _ in }
        case nil: json.array("lines") { _ in }
        }
    }

    private func write(_ bill: Bill, isMade: Bool, to json: inout JSONWriter) {
        json.field("purpose", BillRecord.Purpose(bill.purpose).rawValue)
        json.field("billId", isMade ? String(bill.id) : nil)
        json.field("productId", bill.plan.productID)
        json.field("period", bill.plan.period.iso8601)
        json.field("periodStart", next?.period?.start.iso8601)
        json.field("periodEnd", next?.period?.end.iso8601)
        json.field("commitmentMonth", next?.period?.instalment)
        json.field("currency", bill.amount.currency.code)
        json.field("amount", bill.amount.milliunits)
        let former = bill.plan.merchant == nil && bill.plan.productID != subscription.plan.productID
        json.array("lines") { json in
            for (line, charge) in zip(bill.plan.lines, bill.charges) {
                json.elementObject { json in
                    json.field("sku", line.sku)
                    json.field("displayName", line.texts?.displayName)
                    json.field("price", line.price)
                    let was = former ? nil : next?.formerPrice(of: line)
                    json.field("formerPrice", was == line.price ? nil : was)
                    json.field("amount", charge)
                    json.field("offerMode", line.offer?.mode.rawValue)
                    json.field("offerId", line.offer?.id)
                    json.field("offerPeriodsLeft", line.offer?.periodsLeft)
                }
            }
        }
        let credit =
            (bill.credit?.milliunits ?? 0)
            + (bill.modification?.credits ?? []).reduce(0) { $0 + $1.amount }
        json.field("credit", credit == 0 ? nil : credit)
    }
}

extension NextBill {
    /// What a line of the bill costs in the period before; nil where it was not there.
    fileprivate func formerPrice(of line: Plan.Line) -> Int64? {
        let replaced = before.nextPlan?.line(line.sku)?.replaces
        return before.plan.line(replaced ?? line.sku)?.price
    }
}
