public import AppStoreWire
import Journal
import Storage
public import Store
public import SubscriptionRules
public import Testing

// Expectations in one line each: what a developer is told, and what the store shows. Midnights
// are written as dates, money in units of its currency.

extension World {
    /// Moves the clock and says what the developer must be told, in order; see `Arrival.line`.
    public func advance(
        to moment: String, telling lines: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        _ = try await store.advance(to: World.instant(moment))
        #expect(listener.takeArrivals().map(\.line) == lines, sourceLocation: sourceLocation)
    }

    /// Does what is due now and says what the developer must be told, in order.
    public func settle(
        telling lines: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await store.settle()
        #expect(listener.takeArrivals().map(\.line) == lines, sourceLocation: sourceLocation)
    }

    /// Says that every row is what it can be, and what the journal says of it.
    public func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let report = try await WorldCheck(database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.isEmpty, sourceLocation: sourceLocation)
    }

    /// Buys and says what the developer must be told, in order.
    ///
    /// - Returns: the transaction; nil where a change waits for the renewal.
    @discardableResult
    public func buy(
        _ product: String, by device: DeviceSession, quantity: Int = 1, telling lines: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JWSTransactionDecodedPayload? {
        let signed = try await store.purchase(
            PurchaseRequest(productID: product, quantity: quantity), by: device)
        try await settle(telling: lines, sourceLocation: sourceLocation)
        return try signed.map { try JWSText.decode($0) }
    }

    /// Buys a subscription that begins now, without saying anything about notifications.
    ///
    /// - Returns: the first transaction's identifier, which names the subscription.
    public func subscribe(
        _ product: String, _ billing: BillingPlan = .upFront, by device: DeviceSession
    ) async throws -> Int64 {
        let signed = try #require(
            try await store.purchase(
                PurchaseRequest(productID: product, billing: billing), by: device))
        try await store.settle()
        _ = listener.takeArrivals()
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return Int64(transaction.originalTransactionId)!
    }

    /// Changes a subscription and says what the developer must be told, in order.
    public func change(
        _ subscription: Int64, _ changes: SubscriptionChange..., by device: DeviceSession,
        telling lines: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await store.change(subscription: subscription, changes, by: device)
        try await settle(telling: lines, sourceLocation: sourceLocation)
    }

    /// Gives an account another payment method and says what the developer must be told.
    public func pays(
        _ method: PaymentMethod, account: String = "ada",
        in environment: StoreEnvironment = .production, telling lines: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await store.setPaymentMethod(method, account: account, in: environment)
        try await settle(telling: lines, sourceLocation: sourceLocation)
    }

    /// What the server API shows of each subscription of a customer, such as
    /// `4 silver.monthly>bronze.monthly on 2026-02-01 4.99 intent 2 retrying grace 2026-02-17`:
    /// the status, the product and the next one where it differs, whether it renews, when, for
    /// how much, and what went wrong.
    public func shows(
        _ anyTransaction: Int64, in environment: StoreEnvironment = .production
    ) async throws -> [String] {
        let response = try await store.statuses(
            anyTransaction: anyTransaction, [], for: caller(environment))
        return try response.data.flatMap(\.lastTransactions).map { item in
            World.line(item.status, try JWSText.decode(item.signedRenewalInfo))
        }
    }

    /// Schedules a price of a product in USA, live at a moment.
    public func schedule(
        _ product: String, _ price: Int64, live: String,
        _ existing: ScheduledPrice.Existing = .apply, storefront: String = "USA"
    ) async throws {
        try await store.schedule(
            PriceOrder(
                productID: product, storefront: Storefront(code: storefront)!, price: price,
                start: World.instant(live), existing: existing),
            bundleID: World.bundleID)
    }

    /// The ledger in lines such as `2026-01-15 charge -9.99 +6.99 +3.00`: what customer, developer
    /// and store gain.
    public func books(
        in environment: StoreEnvironment = .production
    ) async throws -> [String] {
        try await store.ledger(after: 0, limit: 1000, in: environment).map { line in
            let entry = line.entry
            let amounts = [entry.customer, entry.developer, entry.store].map { amount in
                let units =
                    "\(amount.magnitude / 1000).\("\(amount.magnitude % 1000 + 1000)".dropFirst())"
                return (amount < 0 ? "-" : "+") + units
            }
            return ([World.text(entry.at), entry.kind.rawValue] + amounts)
                .joined(separator: " ")
        }
    }

    /// A customer's history as the server API gives it, a line a transaction, oldest change first.
    public func historyLines(
        _ anyTransaction: Int64, in environment: StoreEnvironment = .production
    ) async throws -> [String] {
        try await history("\(anyTransaction)", in: environment).map(World.line)
    }

    /// What an account was charged, refused and given back, from the journal: such as
    /// `2026-01-11 +19.99 -6.77` and `2026-02-01 declined 9.99`.
    public func ledger(
        _ account: String = "ada", in environment: StoreEnvironment = .production
    ) async throws -> [String] {
        let customer = try await store.customer(account: account, in: environment).0
        return try await database.read { session in
            try session.rows(
                """
                SELECT at, amount, detail FROM journal WHERE customer = \(customer.id)
                ORDER BY sequence
                """)
        }.compactMap { row in
            let detail = try row.textOrNil(2).map { try JournalDetail(text: $0) }
            let words = [
                try row.integerOrNil(1).map { "+\(World.units($0))" },
                detail?.declined.map { "declined \(World.units($0))" },
                detail?.refunded.map { "-\(World.units($0))" },
            ].compactMap { $0 }
            guard !words.isEmpty else { return nil }
            let at = World.text(Instant(milliseconds: try row.integer(0)))
            return ([at] + words).joined(separator: " ")
        }
    }

    // MARK: Texts

    /// A moment: `2026-02-01` for a midnight, else `2026-02-01 09:30`.
    public static func text(_ instant: Instant) -> String {
        let text = instant.iso8601
        if text.hasSuffix("T00:00:00Z") { return String(text.prefix(10)) }
        guard text.hasSuffix(":00Z") else { return text }
        return String(text.dropLast(4)).replacing("T", with: " ")
    }

    public static func text(_ milliseconds: Int64?) -> String {
        milliseconds.map { text(Instant(milliseconds: $0)) } ?? "never"
    }

    /// Milliunits as units with two decimals.
    public static func units(_ milliunits: Int64) -> String {
        let cents = milliunits % 1000 / 10
        return "\(milliunits / 1000).\(cents < 10 ? "0" : "")\(cents)"
    }

    /// `silver.monthly 9.99 until 2026-02-01`, and what is unusual about it.
    public static func line(_ transaction: JWSTransactionDecodedPayload) -> String {
        var words = [transaction.productId, units(transaction.price ?? -1)]
        if transaction.quantity != 1 { words.append("× \(transaction.quantity)") }
        if let currency = transaction.currency, currency != "USD" { words.append(currency) }
        if let mode = transaction.offerDiscountType { words.append(mode.rawValue) }
        if let end = transaction.expiresDate { words.append("until \(text(end))") }
        if transaction.isUpgraded == true { words.append("upgraded") }
        if let moment = transaction.revocationDate {
            words.append("\(transaction.revocationType?.rawValue ?? "revoked") \(text(moment))")
        }
        return words.joined(separator: " ")
    }

    static func line(_ status: Status, _ renewal: JWSRenewalInfoDecodedPayload) -> String {
        let isSame = renewal.autoRenewProductId == renewal.productId
        var words = [
            "\(status)", renewal.productId + (isSame ? "" : ">\(renewal.autoRenewProductId)"),
            renewal.autoRenewStatus == .on ? "on" : "off", text(renewal.renewalDate),
        ]
        if let price = renewal.renewalPrice { words.append(units(price)) }
        if let currency = renewal.currency, currency != "USD" { words.append(currency) }
        if let mode = renewal.offerDiscountType { words.append(mode.rawValue) }
        if let answer = renewal.priceIncreaseStatus {
            words.append(answer == .accepted ? "agreed" : "asked")
        }
        if let intent = renewal.expirationIntent { words.append("intent \(intent)") }
        if renewal.isInBillingRetryPeriod == true { words.append("retrying") }
        if let end = renewal.gracePeriodExpiresDate { words.append("grace \(text(end))") }
        return words.joined(separator: " ")
    }
}

extension Listener.Arrival {
    /// `2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01`: the moment of the event,
    /// the type, the status where there is one, and the transaction.
    public var line: String {
        var words = [World.text(notification.signedDate), name]
        if let status = notification.data?.status { words.append("\(status)") }
        if let transaction { words.append(World.line(transaction)) }
        return words.joined(separator: " ")
    }
}

extension Listener.Arrival {
    /// `line`, and behind a bar what the renewal info says; see `World.shows`.
    public var fullLine: String {
        guard let status = notification.data?.status, let renewal else { return line }
        return "\(line) | \(World.line(status, renewal))"
    }
}
