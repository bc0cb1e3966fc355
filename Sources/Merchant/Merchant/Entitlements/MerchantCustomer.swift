public import MerchantRules
import Storage
public import SubscriptionRules

/// What an account has at a moment, and why.
public struct MerchantCustomer: Hashable, Sendable {
    public let account: String
    /// Grows with each change: a higher one never shows an older state.
    public let version: Int64
    /// The moment for which it was judged.
    public let asOf: Instant
    /// By entitlement, then environment.
    public let entitlements: [Entitlement]
    /// Every purchase, by its latest transaction, the newest first.
    public let purchases: [OwnedPurchase]
    /// How many of each consumable product were bought and not taken back.
    public let balances: [String: Int64]
    /// Who the account's customer is at the store, as far as apps have sent it.
    public let storeCustomers: [StoreCustomer]

    /// The auto-renewable purchases, in the same order.
    public var subscriptions: [OwnedPurchase] {
        purchases.filter { $0.access.transaction.kind == .autoRenewable }
    }

    /// When the answer changes by itself; nil where only an event changes it.
    public var nextChange: Instant? {
        (entitlements.map(\.access) + purchases.map(\.access)).compactMap(\.nextChange).min()
    }
}

/// Whether something is unlocked.
public struct Entitlement: Hashable, Sendable {
    public let id: String
    /// Where it was bought: what Sandbox unlocks is apart from Production's, unless the app's
    /// policy is that it grants the same.
    public let environment: MerchantEnvironment
    public let access: Access
}

/// A purchase of an account.
public struct OwnedPurchase: Hashable, Sendable {
    public let originalTransactionID: String
    public let environment: MerchantEnvironment
    /// How the account came by it: a `BindingMeans`.
    public let boundBy: String?
    public let access: Access
    /// The product of the next period; nil where no renewal is expected.
    public let nextProductID: String?
    /// What was paid and what will be; nil where nobody has said so.
    public let prices: PeriodPrices?
    public let entitlements: [String]
    /// The notifications that were about it, in the order of their signing; only where they were
    /// asked for.
    public let notifications: [AcceptedNotification]
    /// What set its registers last: a notification's UUID, or `app`.
    public let sources: [String]
    /// Its life in the order of time; only where notifications were asked for.
    public let story: [AccountEvent]
}

extension Merchant {
    /// What an account has now. One that was never heard of has nothing, at version 0.
    ///
    /// - Parameter withNotifications: whether to name those that each purchase rests on.
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`.
    public func customer(
        _ account: String, of bundleID: String, withNotifications: Bool = false
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        try AccountName.check(account)
        let now = try await now()
        return try await database.read { session in
            guard let found = try StoreCustomer.holder(named: account, of: app.id, session) else {
                return MerchantCustomer(
                    account: account, version: 0, asOf: now, entitlements: [], purchases: [],
                    balances: [:], storeCustomers: [])
            }
            let histories = try History.all(of: found.id, session)
            return try MerchantCustomer(
                found.name, version: found.version, of: app, at: now, histories,
                found.storeCustomers, withNotifications ? session : nil)
        }
    }

    /// What an account had after one of its versions, judged at the moment of the last move up to
    /// it, from what is known today of the purchases that it had.
    ///
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`, `unknownVersion`.
    public func customer(
        _ account: String, of bundleID: String, at version: Int64
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        try AccountName.check(account)
        return try await database.read { session in
            guard let found = try StoreCustomer.holder(named: account, of: app.id, session),
                version >= 1, version <= found.version,
                let then = try BindingRow.lastChange(of: found.id, upTo: version, session)
            else { throw MerchantError.unknownVersion(version) }
            let histories = try History.all(of: found.id, at: version, session)
            return try MerchantCustomer(
                found.name, version: version, of: app, at: then, histories,
                found.storeCustomers, nil)
        }
    }
}

extension MerchantCustomer {
    /// - Parameter session: by which the notifications are read; nil where none are wanted.
    fileprivate init(
        _ account: String, version: Int64, of app: Merchant.ServedApp, at now: Instant,
        _ histories: [History], _ storeCustomers: [StoreCustomer], _ session: (any Session)?
    ) throws(StorageError) {
        let setup = app.setup
        var purchases: [OwnedPurchase] = []
        purchases.reserveCapacity(histories.count)
        for history in histories {
            let access = history.purchase.access(at: now, under: setup.policy)
            let entitlements = setup.entitlements(of: access.transaction)
            var notifications: [AcceptedNotification] = []
            var story: [AccountEvent] = []
            if let session {
                notifications = try history.notifications(of: app.id, session)
                story = try history.events(at: now, of: app, unlocking: entitlements, session)
            }
            purchases.append(
                OwnedPurchase(
                    originalTransactionID: history.originalTransactionID,
                    environment: history.environment, boundBy: history.boundBy, access: access,
                    nextProductID: access.willRenew == true
                        ? history.purchase.renewal?.nextProductID : nil,
                    prices: history.prices(of: access),
                    entitlements: entitlements, notifications: notifications,
                    sources: history.sources, story: story))
        }
        self.init(
            account: account, version: version, asOf: now,
            entitlements: setup.entitlements(of: purchases), purchases: purchases,
            balances: Self.balances(of: histories), storeCustomers: storeCustomers)
    }

    /// How many of each consumable product were bought in Production and not taken back.
    private static func balances(of histories: [History]) -> [String: Int64] {
        var balances: [String: Int64] = [:]
        for history in histories where history.environment == .production {
            for transaction in history.purchase.transactions
            where transaction.kind == .consumable {
                balances[transaction.productID, default: 0] += transaction.quantityLeft
            }
        }
        return balances
    }
}

extension AppSetup {
    /// Each entitlement that any of the purchases unlocks or has unlocked.
    fileprivate func entitlements(of purchases: [OwnedPurchase]) -> [Entitlement] {
        struct Key: Hashable {
            let id: String
            let environment: MerchantEnvironment
        }
        var found: [Key: [Entitlement]] = [:]
        for purchase in purchases {
            let place = sandbox == .grants ? .production : purchase.environment
            for id in purchase.entitlements {
                found[Key(id: id, environment: place), default: []].append(
                    Entitlement(
                        id: id, environment: purchase.environment, access: purchase.access))
            }
        }
        return found.values.compactMap { all in
            let best = Access.best(of: all.map(\.access))
            return all.first { $0.access == best }
        }.sorted { ($0.id, $0.environment.rawValue) < ($1.id, $1.environment.rawValue) }
    }
}

/// One purchase of an account with its registers.
private struct History {
    let originalTransactionID: String
    let environment: MerchantEnvironment
    let boundBy: String?
    let purchase: Purchase
    let renewal: KnownRenewal?
    let transactions: [KnownTransaction]
    let sources: [String]
    /// When its latest transaction was made.
    private let latest: Instant

    /// Its place among others: the latest transaction is known even where the first are not.
    private var place: (Instant, String, Int64) {
        (latest, originalTransactionID, environment.rawValue)
    }

    /// What the transaction that counts has cost, and what the next period will.
    func prices(of access: Access) -> PeriodPrices? {
        let paid = transactions.first {
            $0.facts.transactionID == access.transaction.transactionID
        }
        return PeriodPrices(
            paid: paid?.price, in: paid?.currency,
            next: access.willRenew == true ? renewal?.renewalPrice : nil,
            in: renewal?.currency)
    }

    /// Those of an account, by their latest transactions, the newest first.
    ///
    /// - Parameter version: that of the account; nil for now.
    static func all(
        of account: Int64, at version: Int64? = nil, _ session: any Session
    ) throws(StorageError) -> [History] {
        // Renewal information alone says that there is a subscription, and not which: a purchase
        // has a transaction. One statement, since a database away takes its time for each.
        let rows = try session.rows(
            """
            SELECT p.id, p.environment, p.original_transaction_id, b.how,
                \(raw: renewalColumns.list), \(raw: transactionColumns.list)
            FROM binding b JOIN purchase p ON p.id = b.purchase
            JOIN transaction_register t ON t.purchase = p.id
            LEFT JOIN renewal_register r ON r.purchase = p.id
            WHERE \(BindingRow.held(by: account, at: version))
            ORDER BY p.id, t.transaction_id
            """)
        let purchases = try rows.map { row throws(StorageError) in try row.integer(0) }
        var histories: [History] = []
        var first = 0
        for end in 1..<(rows.count + 1)
        where end == rows.count || purchases[end] != purchases[first] {
            histories.append(try History(rows[first..<end]))
            first = end
        }
        // By what was signed, not by when it arrived.
        return histories.sorted { $1.place < $0.place }
    }

    private static let renewalColumns = JoinedColumns<KnownRenewal>(of: "r")
    private static let transactionColumns = JoinedColumns<KnownTransaction>(of: "t")

    /// - Parameter rows: one for each of its transactions.
    private init(_ rows: ArraySlice<Row>) throws(StorageError) {
        let row = rows[rows.startIndex]
        guard let environment = MerchantEnvironment(rawValue: try row.integer(1)) else {
            throw StorageError(.corrupt, "a purchase is of no environment")
        }
        let first = 4 + Self.renewalColumns.count
        var transactions: [KnownTransaction] = []
        for row in rows { transactions.append(try KnownTransaction(row, from: first)) }
        let renewal = try Self.renewalColumns.record(in: row, from: 4)
        originalTransactionID = try row.text(2)
        self.environment = environment
        boundBy = try row.textOrNil(3)
        purchase = Purchase(transactions: transactions.map(\.facts), renewal: renewal?.facts)
        self.renewal = renewal
        self.transactions = transactions
        latest = transactions.lazy.map(\.facts.purchased).max() ?? Instant(milliseconds: 0)
        sources = Set(transactions.map(\.source) + [renewal?.source].compactMap(\.self)).sorted()
    }

    func notifications(
        of app: Int64, _ session: any Session
    ) throws(StorageError) -> [AcceptedNotification] {
        try AcceptedNotification.all(
            where: """
                app = \(app) AND environment = \(environment.rawValue)
                AND original_transaction_id = \(originalTransactionID) ORDER BY signed_at, id
                """, session)
    }

    func events(
        at now: Instant, of app: Merchant.ServedApp, unlocking entitlements: [String],
        _ session: any Session
    ) throws(StorageError) -> [AccountEvent] {
        purchase.events(
            at: now, under: app.setup.policy, of: originalTransactionID, in: environment,
            unlocking: entitlements,
            notices: try Notice.all(
                about: originalTransactionID, in: environment, of: app.id, session))
    }
}
