public import MerchantRules
import Storage
import SubscriptionRules

/// Something in the life of one of an account's purchases.
public struct AccountEvent: Hashable, Sendable {
    public let originalTransactionID: String
    public let environment: MerchantEnvironment
    /// What the purchase unlocks.
    public let entitlements: [String]
    public let happening: Happening

    /// Names it for as long as what was signed says the same: by it a page goes on.
    public var id: String {
        [
            String(happening.at.milliseconds), String(happening.kind.place),
            String(environment.rawValue), happening.transaction.transactionID,
        ].joined(separator: "-")
    }

    fileprivate static func isBefore(_ first: AccountEvent, _ second: AccountEvent) -> Bool {
        let (one, other) = (first.happening, second.happening)
        guard one.at == other.at else { return one.at < other.at }
        guard one.kind == other.kind else { return one.kind.place < other.kind.place }
        return first.id < second.id
    }
}

/// Which events are listed; all where nothing is said.
public struct AccountEventFilter: Hashable, Sendable {
    /// Only those of purchases that unlock this.
    public var entitlement: String?
    /// Only those of this original transaction.
    public var originalTransactionID: String?
    public var environment: MerchantEnvironment?

    public init(
        entitlement: String? = nil, originalTransactionID: String? = nil,
        environment: MerchantEnvironment? = nil
    ) {
        self.entitlement = entitlement
        self.originalTransactionID = originalTransactionID
        self.environment = environment
    }

    fileprivate func takes(_ purchase: OwnedPurchase) -> Bool {
        (entitlement.map(purchase.entitlements.contains) ?? true)
            && (originalTransactionID.map { $0 == purchase.originalTransactionID } ?? true)
            && (environment.map { $0 == purchase.environment } ?? true)
    }
}

extension Merchant {
    /// What has happened to an account's purchases, and what comes next, the latest first. They are
    /// computed from the registers each time, so a late notification tells its event at its own
    /// place.
    ///
    /// - Parameter before: the `id` of the event before which they are; nil for the latest.
    /// - Throws: `MerchantError.unknownApp`.
    public func events(
        of account: String, _ bundleID: String,
        where filter: AccountEventFilter = AccountEventFilter(),
        before: String? = nil, limit: Int
    ) async throws -> [AccountEvent] {
        let customer = try await customer(account, of: bundleID, withNotifications: true)
        let all = customer.purchases.filter(filter.takes).flatMap(\.story)
            .sorted { AccountEvent.isBefore($1, $0) }
        guard let before else { return Array(all.prefix(limit)) }
        if let place = all.firstIndex(where: { $0.id == before }) {
            return Array(all.dropFirst(place + 1).prefix(limit))
        }
        // What was signed since tells that event otherwise: the page goes on at its moment.
        let moment = before.split(separator: "-").first.flatMap { Int64($0) } ?? .max
        return Array(all.filter { $0.happening.at.milliseconds < moment }.prefix(limit))
    }
}

extension Purchase {
    /// The story of a purchase with what it rests on.
    func events(
        at now: Instant, under policy: AccessPolicy, of originalTransactionID: String,
        in environment: MerchantEnvironment, unlocking entitlements: [String], notices: [Notice]
    ) -> [AccountEvent] {
        // Sandbox tries for as long as its speed says, which nothing signed tells.
        story(
            at: now, under: policy, retries: environment == .production ? .days(60) : nil,
            notices: notices
        ).map { happening in
            AccountEvent(
                originalTransactionID: originalTransactionID, environment: environment,
                entitlements: entitlements, happening: happening)
        }
    }
}

extension Notice {
    /// The notifications about a purchase that were processed.
    static func all(
        about originalTransactionID: String, in environment: MerchantEnvironment, of app: Int64,
        _ session: any Session
    ) throws(StorageError) -> [Notice] {
        try session.rows(
            """
            SELECT uuid, type, subtype, transaction_id, signed_at FROM inbox
            WHERE app = \(app) AND environment = \(environment.rawValue)
                AND original_transaction_id = \(originalTransactionID)
            ORDER BY signed_at, id
            """
        ).map { row throws(StorageError) in
            Notice(
                uuid: try row.text(0), type: try row.text(1), subtype: try row.textOrNil(2),
                transactionID: try row.textOrNil(3), signedAt: try row.instant(4))
        }
    }
}
