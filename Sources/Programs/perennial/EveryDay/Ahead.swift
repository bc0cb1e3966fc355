import AppStoreWire
import ConnectAnswers
import SubscriptionRules

/// What is open about an account or a subscription besides what they say themselves.
struct Ahead: Sendable {
    /// The bills that the bank has not answered.
    var bills: [Answer] = []
    /// Prices that are scheduled and concern a subscription, by the subscription.
    var priceChanges: [String: [Answer]] = [:]
    /// Requests for refunds that are not decided.
    var refundRequests: [Answer] = []
    /// Whether the store has several apps, so that each subscription says whose it is.
    var namesApps = false
    /// The subscriptions that it is about.
    fileprivate var subscriptions: Set<String> = []

    /// The same as members of the store's answer, by the names that its lists have.
    var members: [String: JSONValue?] {
        var changes: [JSONValue] = []
        for change in priceChanges.sorted(by: { $0.key < $1.key }).flatMap(\.value)
        where !changes.contains(change.value) {
            changes.append(change.value)
        }
        return [
            "bills": .array(bills.map(\.value)), "priceChanges": .array(changes),
            "refundRequests": .array(refundRequests.map(\.value)),
        ]
    }

    /// The bill that a subscription waits for.
    func bill(of subscription: Answer) -> Answer? {
        guard let id = subscription.optionalText("pendingBillId") else { return nil }
        return bills.first { $0.optionalText("id") == id }
    }

    /// What there is to say of a subscription.
    func lines(of subscription: Answer) throws -> [String] {
        let id = try subscription.text("originalTransactionId")
        let scheduled = try priceChanges[id]?.first.flatMap {
            try ScheduledPrices.words($0, for: subscription)
        }
        return try (bill(of: subscription).map(Bills.pending) ?? [])
            + [Self.waitingPrice(of: subscription), scheduled].compactMap(\.self)
            + refundRequests.filter { try $0.text("originalTransactionId") == id }.map(Self.words)
    }

    /// What there is to say of an account that concerns none of its subscriptions.
    var others: [[String]] {
        get throws {
            try bills.filter { $0.value["originalTransactionId"] == nil }.map(Bills.pending)
                + refundRequests.filter {
                    try !subscriptions.contains($0.text("originalTransactionId"))
                }.map { [try Self.words($0)] }
        }
    }

    /// What a plan that waits for the renewal will cost; nil where none waits.
    private static func waitingPrice(of subscription: Answer) throws -> String? {
        guard let product = subscription.optionalText("nextProductId") else { return nil }
        let currency = try subscription.text("nextCurrency")
        let price = Money.plainText(try subscription.integer("nextPrice"), currency)
        guard let raised = subscription.optionalInteger("nextRaisedPrice") else {
            return "\(product) will cost \(price)"
        }
        return "\(product) will cost \(price) for one period, and after notice "
            + Money.plainText(raised, currency)
    }

    private static func words(_ request: Answer) throws -> String {
        "refund request \(try request.text("id")) of transaction "
            + "\(try request.text("transactionId")) is open"
    }
}

extension StoreClient {
    /// What is open about subscriptions, and about the account that has them, besides what they
    /// say themselves.
    ///
    /// - Parameter account: nil where it is about subscriptions alone.
    func ahead(of subscriptions: [Answer], account: String?) async throws -> Ahead {
        var ahead = Ahead()
        ahead.subscriptions = Set(
            try subscriptions.map { try $0.text("originalTransactionId") })
        if let account {
            ahead.bills = try await outstandingBills(of: account)
        } else {
            for one in subscriptions {
                if let bill = try await pendingBill(of: one) { ahead.bills.append(bill) }
            }
        }
        for one in subscriptions where one.value["priceIncrease"] == nil && !one.isOver {
            let id = try one.text("originalTransactionId")
            ahead.priceChanges[id] = try await scheduledPrices(for: one)
        }
        let ids = ahead.subscriptions
        let isOfItsApp = try await isOfItsApp()
        ahead.refundRequests = try await pages(
            StorePath("connect", "v1", "refund-requests").with("state", "open"),
            list: "refundRequests", limit: .max,
            where: { request in
                try ids.contains(request.text("originalTransactionId"))
                    || (request.text("account") == account && isOfItsApp?(request) ?? true)
            },
            next: { path, last in path.with("before", try last?.text("id")) }
        ).list("refundRequests")
        return ahead
    }
}
