import Storage
public import SubscriptionRules

/// What a family member has of another one's subscription, or had.
public struct ShareEntry: Sendable, Hashable {
    /// The member's own original transaction.
    public let originalTransactionID: Int64
    /// The member.
    public let account: String
    /// The purchaser's subscription, which says how it stands.
    public let subscription: Int64
    /// Since when, the last time.
    public let since: Instant
    /// When it ended; nil while it goes on.
    public let ended: Instant?
}

extension Store {
    /// The share of a subscription whose original transaction this is; nil where it is none.
    public func share(_ id: Int64) async throws -> ShareEntry? {
        try await read { reader in
            guard let share = try FamilyShare.find(id, in: reader.session),
                let subscription = share.subscription
            else { return nil }
            let account = try Customer.accounts(of: [share.member], in: reader.session)
            return ShareEntry(
                originalTransactionID: share.id, account: account[share.member] ?? "",
                subscription: subscription, since: share.since, ended: share.end?.moment)
        }
    }
}
