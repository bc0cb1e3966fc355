import AppStoreSigning
public import AppStoreWire
import Storage
import SubscriptionRules

extension Store {
    /// Every subscription of a customer in the app, by group, with its newest transaction and its
    /// renewal info, signed (SRV-5).
    ///
    /// - Parameter statuses: the wanted ones; empty for all.
    /// - Throws: `StoreError.unknown(.transaction)`, `.unknown(.app)`.
    public func statuses(
        anyTransaction id: Int64, _ statuses: Set<Status>, for caller: Caller
    ) async throws -> StatusResponse {
        let (app, found) = try await read { reader in
            let app = try reader.app(caller)
            let owner = try reader.owner(anyTransaction: id, caller)
            return (
                app,
                try reader.newest(
                    customer: owner.customer, app: app,
                    by: try owner.presenter(of: app, in: reader.session))
            )
        }
        var groups: [SubscriptionGroupIdentifierItem] = []
        var places: [String: Int] = [:]
        for one in found where statuses.isEmpty || statuses.contains(one.status) {
            let item = LastTransactionsItem(
                originalTransactionId: one.renewal.originalTransactionId,
                status: one.status,
                signedTransactionInfo: try signer.sign(one.transaction),
                signedRenewalInfo: try signer.sign(one.renewal))
            if let place = places[one.subscription.groupID] {
                groups[place].lastTransactions.append(item)
            } else {
                places[one.subscription.groupID] = groups.count
                groups.append(
                    SubscriptionGroupIdentifierItem(
                        subscriptionGroupIdentifier: one.subscription.groupID,
                        lastTransactions: [item]))
            }
        }
        return StatusResponse(
            environment: caller.environment.wire, bundleId: app.bundleID,
            appAppleId: caller.environment == .production ? app.appleID : nil, data: groups)
    }
}

/// A subscription as it stands for a customer, who bought it or has it from the family, ready to be
/// signed.
struct SubscriptionSnapshot: Sendable {
    let subscription: Subscription
    /// The customer's original transaction.
    let originalID: Int64
    let status: Status
    let isEntitled: Bool
    /// The month of the purchaser's running commitment, and when that ends.
    let commitment: (month: Int, ends: Instant)?
    let transaction: JWSTransactionDecodedPayload
    let renewal: JWSRenewalInfoDecodedPayload
}

extension StoreReader {
    /// The subscriptions of a customer with their newest transactions, oldest first, and behind
    /// them those that the family shares.
    ///
    /// - Parameter presenter: asked for where there is something to present.
    func newest(
        customer: Int64, app: App, by presenter: @autoclosure () throws -> Presenter
    ) throws -> [SubscriptionSnapshot] {
        let found = try SubscriptionRecord.withNewestTransaction(
            ofCustomer: customer, app: app.id, in: session)
        guard !found.isEmpty else { return [] }
        let presenter = try presenter()
        return found.map { record, newest, share in
            let subscription = record.subscription
            return SubscriptionSnapshot(
                subscription: subscription, originalID: share?.id ?? subscription.id,
                status: share?.status(of: subscription, newest) ?? subscription.status,
                isEntitled: share?.isEntitled(by: subscription, newest)
                    ?? subscription.isEntitled,
                commitment: share == nil
                    ? subscription.commitment(in: app.settings.billingZone) : nil,
                transaction: presenter.transaction(newest, signed: now),
                renewal: share.map { presenter.renewalInfo(record, of: $0, newest, signed: now) }
                    ?? presenter.renewalInfo(record, signed: now))
        }
    }
}
