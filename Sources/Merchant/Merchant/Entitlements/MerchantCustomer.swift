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
    /// Every purchase, the newest first.
    public let purchases: [OwnedPurchase]
    /// How many of each consumable product were bought and not taken back.
    public let balances: [String: Int64]

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
    /// How the account came by it: `app`, `token`, `restore` or `rebuild`.
    public let boundBy: String?
    public let access: Access
    public let entitlements: [String]
    /// The notifications that were about it, in the order of their signing; only where they were
    /// asked for.
    public let notifications: [AcceptedNotification]
    /// What set its registers last: a notification's UUID, or `app`.
    public let sources: [String]
}

extension Merchant {
    /// What an account has now. One that was never heard of has nothing, at version 0.
    ///
    /// - Parameter withNotifications: whether to name those that each purchase rests on.
    /// - Throws: `MerchantError.unknownApp`.
    public func customer(
        _ account: String, of bundleID: String, withNotifications: Bool = false
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        let now = try await now()
        return try await database.read { session in
            guard let (id, version) = try AccountRow.find(account, of: app.id, session) else {
                return MerchantCustomer(
                    account: account, version: 0, asOf: now, entitlements: [], purchases: [],
                    balances: [:])
            }
            let histories = try History.all(of: id, session)
            return MerchantCustomer(
                account: account, version: version, asOf: now,
                entitlements: app.setup.entitlements(of: histories, at: now),
                purchases: try histories.map { history in
                    let access = history.purchase.access(at: now, under: app.setup.policy)
                    return OwnedPurchase(
                        originalTransactionID: history.originalTransactionID,
                        environment: history.environment, boundBy: history.boundBy,
                        access: access,
                        entitlements: app.setup.entitlements(of: access.transaction),
                        notifications: withNotifications
                            ? try history.notifications(of: app.id, session) : [],
                        sources: history.sources)
                },
                balances: balances(of: histories))
        }
    }
}

extension AppSetup {
    /// Each entitlement that any of the purchases unlocks or has unlocked.
    fileprivate func entitlements(of histories: [History], at now: Instant) -> [Entitlement] {
        struct Key: Hashable {
            let id: String
            let environment: MerchantEnvironment
        }
        var found: [Key: [Entitlement]] = [:]
        for history in histories {
            let access = history.purchase.access(at: now, under: policy)
            let place = sandbox == .grants ? .production : history.environment
            for id in entitlements(of: access.transaction) {
                found[Key(id: id, environment: place), default: []].append(
                    Entitlement(id: id, environment: history.environment, access: access))
            }
        }
        return found.values.compactMap { all in
            let best = Access.best(of: all.map(\.access))
            return all.first { $0.access == best }
        }.sorted { ($0.id, $0.environment.rawValue) < ($1.id, $1.environment.rawValue) }
    }
}

/// How many of each consumable product were bought in Production and not taken back.
private func balances(of histories: [History]) -> [String: Int64] {
    var balances: [String: Int64] = [:]
    for history in histories where history.environment == .production {
        for transaction in history.purchase.transactions where transaction.kind == .consumable {
            balances[transaction.productID, default: 0] += transaction.quantityLeft
        }
    }
    return balances
}

/// One purchase of an account with its registers.
private struct History {
    let originalTransactionID: String
    let environment: MerchantEnvironment
    let boundBy: String?
    let purchase: Purchase
    let sources: [String]

    /// Those of an account, the newest first, in two statements.
    static func all(of account: Int64, _ session: any Session) throws(StorageError) -> [History] {
        let rows = try session.rows(
            """
            SELECT p.id, p.environment, p.original_transaction_id, p.bound_by,
                \(raw: KnownRenewal.columns.joined(separator: ", "))
            FROM purchase p LEFT JOIN renewal_register r ON r.purchase = p.id
            WHERE p.account = \(account) ORDER BY p.id DESC
            """)
        guard !rows.isEmpty else { return [] }
        let transactions = Dictionary(
            grouping: try KnownTransaction.register.records(
                where: "purchase IN (SELECT id FROM purchase WHERE account = \(account))", session),
            by: \.purchase)
        var histories: [History] = []
        for row in rows {
            guard let environment = MerchantEnvironment(rawValue: try row.integer(1)) else {
                throw StorageError(.corrupt, "a purchase is of no environment")
            }
            // Renewal information alone says that there is a subscription, and not which.
            guard let records = transactions[try row.integer(0)] else { continue }
            let renewal = try KnownRenewal(lastOf: row)
            histories.append(
                History(
                    originalTransactionID: try row.text(2), environment: environment,
                    boundBy: try row.textOrNil(3),
                    purchase: Purchase(
                        transactions: records.map(\.facts), renewal: renewal?.facts),
                    sources: Set(
                        records.map(\.source) + [renewal?.source].compactMap(\.self)
                    ).sorted()))
        }
        return histories
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
}
