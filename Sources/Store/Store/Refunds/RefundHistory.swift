import AppStoreSigning
public import AppStoreWire
import Storage
import SubscriptionRules

extension Store {
    /// How many refunds the answer of version 1 holds at most.
    public static let mostRefundsV1 = 50

    /// A page of a customer's refunded transactions, the earliest change first. What an upgrade
    /// gave back is none of them (REF-15).
    ///
    /// - Parameter revision: from the page before; nil for the first page.
    /// - Throws: `StoreError.unknown(.transaction)`, `.unknown(.app)`,
    ///   `.request(.invalidRevision)`.
    public func refundHistory(
        anyTransaction id: Int64, revision: String?, for caller: Caller
    ) async throws -> RefundHistoryResponse {
        let (payloads, revision, hasMore) = try await read { reader in
            let app = try reader.app(caller)
            let owner = try reader.owner(anyTransaction: id, caller)
            let customer = owner.customer
            let scope = Revision.digest(["refunds", "\(customer)", "\(app.id)"])
            let after = try revision.map { text in
                guard let revision = Revision(text), revision.scope == scope else {
                    throw StoreError.request(.invalidRevision)
                }
                return revision.modification
            }
            let found = try TransactionRecord.refunds(
                of: .init(customer: customer, app: app.id), after: after ?? 0,
                limit: Store.historyPageSize + 1, in: reader.session)
            let page = found.prefix(Store.historyPageSize)
            let presenter = try owner.presenter(of: app, in: reader.session)
            return (
                page.map { presenter.transaction($0, signed: reader.now) },
                Revision(modification: page.last?.modification ?? after ?? 0, scope: scope).text,
                found.count > page.count
            )
        }
        return RefundHistoryResponse(
            signedTransactions: try payloads.map { try signer.sign($0) }, revision: revision,
            hasMore: hasMore)
    }

    /// The newest refunds of the customer of an original transaction, the earliest first
    /// (version 1).
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.unknown(.app)`.
    public func refundLookup(
        originalTransaction id: Int64, for caller: Caller
    ) async throws -> RefundLookupResponse {
        let payloads = try await read { reader in
            let app = try reader.app(caller)
            guard let transaction = try TransactionRecord.find(id, in: reader.session),
                transaction.app == app.id, transaction.environment == caller.environment,
                transaction.originalID == id
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            let found = try TransactionRecord.newestRefunds(
                of: .init(customer: transaction.customer, app: app.id),
                limit: Store.mostRefundsV1, in: reader.session)
            let presenter = try Presenter(app, customer: transaction.customer, in: reader.session)
            return found.reversed().map { presenter.transaction($0, signed: reader.now) }
        }
        return RefundLookupResponse(signedTransactions: try payloads.map { try signer.sign($0) })
    }
}
