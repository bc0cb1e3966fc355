import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Changes the plan of a subscription as its customer does.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Move a subscription to another product of its group.",
        discussion: """
            An upgrade takes effect at once, a downgrade at the next renewal. Between plans of one \
            level, a change takes effect at once if both have the same period and billing, else at \
            the next renewal. During a commitment, a change that waits for a renewal waits for the \
            end of the commitment.

              perennial plan anna com.example.garden.estate.yearly
              perennial plan 400000000000005 com.example.garden.flowers.monthly
              perennial plan anna com.example.garden.estate.yearly --billing-plan up-front
            """)

    @Argument(help: "The subscription's identifier, or the account.", transform: Reading.account)
    var subscription: String

    @Argument(help: "The product to move to; its group says which subscription of an account.")
    var product: String

    @OptionGroup var billing: BillingOption

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.subscription(
            of: subscription, inGroupOf: product)
        let before = try await client.subscription(id)
        let answer = try await client.tellingEnd(of: id, { try Plans.remedy($0, product) }) {
            try await client.naming([.product: product]).change(id) { json in
                json.field("productId", product)
                json.field("billingPlanType", billing.billingPlan?.type)
            }
        }
        let after = try await client.subscription(id)
        let bill = try await client.pendingBill(of: after)
        let switched = try await client.change(from: before, to: after)
        let isAgain = try Plans.isSame(before, after)
        let told = answer.with([
            "bill": bill?.value, "charged": switched?.value["amount"],
            "refunded": switched?.value["refunded"], "changed": .bool(!isAgain),
        ])
        let request = try await client.request(of: answer)
        try store.show(told, of: which) { _ in
            if let request { return try PurchaseRequests.words(request) }
            guard !isAgain else {
                return try [Plans.repetition(after)] + (bill.map(Bills.pending) ?? [])
            }
            return try Plans.lines(after, bill) + (switched.map { [try Plans.payment($0)] } ?? [])
        }
    }
}

/// Turns the renewal of a subscription off and on as its customer does.
struct RenewalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renewal",
        abstract: "Turn a subscription's renewal off or on.",
        discussion: """
            With renewal off, the customer keeps access to the end of the paid period. In a grace \
            period or in billing retry nothing is paid, so the subscription ends at once. A \
            commitment is paid to its end.

              perennial renewal anna off
              perennial renewal 400000000000005 on
            """)

    /// What can be wanted.
    enum Wish: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @OptionGroup var target: SubscriptionArgument

    @Argument(help: "Whether it is to renew.")
    var wish: Wish

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: target.subscription)
        let before = try await client.subscription(id)
        let answer = try await client.tellingEnd(of: id, { try Plans.remedy($0) }) {
            try await client.change(id) { json in
                json.field("autoRenew", wish == .on)
            }
        }
        let after = try await client.subscription(id)
        let bill = try await client.pendingBill(of: after)
        let isAgain = try Plans.isSame(before, after)
        let told = answer.with(["bill": bill?.value, "changed": .bool(!isAgain)])
        try store.show(told, of: which) { _ in
            guard !isAgain else {
                return try ["renewal was \(wish.rawValue) already, nothing changes"]
                    + Plans.lines(after, bill)
            }
            return try Plans.lines(after, bill)
                + [Increases.loss(from: before, to: after)].compactMap(\.self)
        }
    }
}

/// What is paid for, and what comes next.
enum Plans {
    /// A subscription in one line, and in another one the bill that it waits for.
    ///
    /// - Parameter bill: the bill, if there is one.
    static func lines(_ subscription: Answer, _ bill: Answer?) throws -> [String] {
        try [words(subscription)] + (bill.map(Bills.pending) ?? [])
    }

    /// Whether a choice changed nothing: neither the plan, nor what waits, nor its price, nor the
    /// bill, nor whether it renews.
    static func isSame(_ before: Answer, _ after: Answer?) throws -> Bool {
        guard let after else { return false }
        return [
            "originalTransactionId", "transactionId", "productId", "nextProductId", "nextPrice",
            "nextRaisedPrice", "pendingBillId", "autoRenew", "state", "billingPlanType",
            "nextBillingPlanType",
        ].allSatisfy { before.value[$0] == after.value[$0] }
    }

    /// That a plan was chosen which waited already, for the renewal or for the bank.
    static func repetition(_ subscription: Answer) throws -> String {
        try words(subscription) + "; it was chosen already, nothing changes"
    }

    /// What a change that took effect at once cost, and what came back for the plan before.
    static func payment(_ change: Answer) throws -> String {
        let currency = try change.text("currency")
        let charged = try change.integer("amount")
        let refunded = change.optionalInteger("refunded") ?? 0
        return (charged == 0 ? "nothing" : Money.plainText(charged, currency)) + " charged now"
            + (refunded == 0 ? "" : ", \(Money.plainText(refunded, currency)) given back")
    }

    /// A subscription in one line.
    static func words(_ subscription: Answer) throws -> String {
        let product = try subscription.text("productId")
        let end = try subscription.moment("expires").plainText
        let line = "\(try subscription.text("originalTransactionId")): \(product)"
        let next = subscription.optionalText("nextProductId").map { " as \($0)" } ?? ""
        switch try subscription.text("state") {
        case "active":
            if let commitment = try Commitments.words(subscription) {
                let goesOn = try subscription.bool("autoRenew")
                return "\(line) until \(end), \(commitment), "
                    + (goesOn ? "renews then\(next)" : "does not renew then")
            }
            guard try subscription.bool("autoRenew") else {
                return "\(line) until \(end), does not renew"
            }
            guard subscription.isNextForSale else {
                let wanted = subscription.optionalText("nextProductId") ?? product
                return "\(line) until \(end), ends then: \(wanted) is off sale"
            }
            if let limit = subscription.reachedLimit {
                return "\(line) until \(end), ends then: Sandbox allows "
                    + counted(limit, "renewal")
            }
            return "\(line) until \(end), renews\(next)"
        case "awaitingPayment":
            let access = subscription.optionalMoment("graceUntil")?.plainText ?? "then"
            return "\(line) was to renew\(next) \(end) and has no answer from the bank yet, with "
                + "access until \(access)"
        case "grace":
            let access = subscription.optionalMoment("graceUntil")?.plainText ?? "its grace ends"
            return "\(line) was to renew\(next) \(end) and could not be charged; tried again, with "
                + "access until \(access)"
        case "retrying":
            return "\(line) was to renew\(next) \(end) and could not be charged; tried again, "
                + "without access"
        case "expired":
            let over = subscription.optionalMoment("expired")?.plainText ?? end
            let was = subscription.optionalText("offerMode") == "FREE_TRIAL" ? "on trial" : "paid"
            let refund = subscription.optionalMoment("revoked").map { ", refunded \($0.plainText)" }
            return "\(line) was \(was) until \(end)\(refund ?? "") and ended \(over), "
                + "does not renew"
        case "revoked":
            return "\(line) until \(end) was refunded, and is over"
        case let state: return "\(line) until \(end), \(state)"
        }
    }

    /// What helps where a subscription is over.
    ///
    /// - Parameter product: what is wanted; nil for what it was.
    static func remedy(_ subscription: Answer, _ product: String? = nil) throws -> String {
        let wanted = try product ?? subscription.text("productId")
        let account = try subscription.text("account")
        return "`perennial buy \(word: wanted) --account \(word: account)` begins it again."
    }
}

extension StoreClient {
    /// The entry of the timeline by which a plan was changed at once; nil where none was.
    fileprivate func change(from before: Answer, to after: Answer) async throws -> Answer? {
        let transaction = try after.text("transactionId")
        guard try before.text("transactionId") != transaction else { return nil }
        return try await timeline(after.text("originalTransactionId")).list("entries").last {
            $0.optionalText("event") == "chosePlan"
                && $0.optionalText("transactionId") == transaction
                && $0.optionalInteger("amount") != nil
        }
    }

    /// Does something that only what is not over can have; where it is, the refusal says since
    /// when, and what helps.
    ///
    /// - Parameter code: what it is refused as then, and perhaps for other reasons.
    func tellingEnd(
        of id: String, refusedAs code: String = "notActive",
        _ remedy: (Answer) throws -> String, _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch let failure as Failure where failure.refusal == code {
            let one = try await subscription(id)
            guard one.isOver else { throw failure }
            throw try failure.told(ofEnd: one, remedy(one))
        }
    }
}

extension Failure {
    /// The same where the reason is that a subscription is over: since when, and what helps.
    func told(ofEnd subscription: Answer, _ remedy: String) throws -> Failure {
        let life = try Life(subscription, entries: [], now: nil)
        var better = self
        better.message = "The subscription \(life.id) is over already, \(life.condition)."
        better.remedy = remedy
        return better
    }
}

extension Answer {
    /// Whether the subscription that this is has ended, or was refunded.
    var isOver: Bool { ["expired", "revoked"].contains(optionalText("state")) }

    /// The items of a merchant's plan; none for another subscription.
    var skus: [String] {
        (value["lines"]?.array ?? []).compactMap { $0["sku"]?.string }
    }
}
