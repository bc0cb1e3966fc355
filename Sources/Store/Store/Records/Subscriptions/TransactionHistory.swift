import AppStoreSigning
public import AppStoreWire
import Crypto
import Storage
public import SubscriptionRules
import TimeAndChance

/// What a developer's server wants of a customer's history.
public struct HistoryFilter: Sendable, Hashable {
    /// The first moment of purchase that counts.
    public var start: Instant?
    /// The first moment of purchase that no longer counts.
    public var end: Instant?
    public var productIDs: [String] = []
    public var types: [ProductType] = []
    public var groupIDs: [String] = []
    /// Only revoked ones, only others, or both when nil.
    public var revoked: Bool?
    /// How the customer came to it; nil for all ways.
    public var ownership: InAppOwnershipType?
    public var isDescending = false
    /// Version 1 leaves finished consumables out.
    public var leavesOutFinishedConsumables = false

    public init() {}
}

extension Store {
    /// How many transactions a page of history holds (SRV-4).
    public static let historyPageSize = 20

    /// A page of a customer's transactions, ordered by their last change.
    ///
    /// - Parameter revision: from the page before; nil for the first page.
    /// - Throws: `StoreError.unknown(.transaction)`, `.unknown(.app)`, `.request(.invalidRevision)`
    ///   when the revision is broken or came with other filters.
    public func history(
        anyTransaction id: Int64, _ filter: HistoryFilter, revision: String?, for caller: Caller
    ) async throws -> HistoryResponse {
        let (app, payloads, revision, hasMore) = try await read { reader in
            let app = try reader.app(caller)
            let owner = try reader.owner(anyTransaction: id, caller)
            let customer = owner.customer
            let scope = Revision.scope(customer: customer, app: app.id, filter)
            let after = try revision.map { text in
                guard let revision = Revision(text), revision.scope == scope else {
                    throw StoreError.request(.invalidRevision)
                }
                return revision.modification
            }
            // One more than a page holds tells whether there is more.
            var records = try TransactionRecord.history(
                of: .init(customer: customer, app: app.id), filter, after: after,
                limit: Store.historyPageSize + 1, in: reader.session)
            let hasMore = records.count > Store.historyPageSize
            records = Array(records.prefix(Store.historyPageSize))
            let presenter = try owner.presenter(of: app, in: reader.session)
            let last = records.last?.modification ?? after ?? 0
            return (
                app, records.map { presenter.transaction($0, signed: reader.now) },
                Revision(modification: last, scope: scope).text, hasMore
            )
        }
        return HistoryResponse(
            revision: revision, hasMore: hasMore, bundleId: app.bundleID,
            appAppleId: caller.environment == .production ? app.appleID : nil,
            environment: caller.environment.wire,
            signedTransactions: try payloads.map { try signer.sign($0) })
    }
}

/// Where a page of history ends, and for which question. Opaque to callers, in letters and digits
/// that every client leaves alone in a query.
struct Revision {
    let modification: Int64
    /// A digest of the customer and the filters.
    let scope: String

    init(modification: Int64, scope: String) {
        self.modification = modification
        self.scope = scope
    }

    init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].allSatisfy({ ("0"..."9").contains($0) }),
            let modification = Int64(parts[0])
        else {
            return nil
        }
        self.init(modification: modification, scope: String(parts[1]))
    }

    var text: String { "\(modification)_\(scope)" }

    static func scope(customer: Int64, app: Int64, _ filter: HistoryFilter) -> String {
        digest([
            "\(customer)", "\(app)", "\(filter.start?.milliseconds ?? -1)",
            "\(filter.end?.milliseconds ?? -1)", list(filter.productIDs),
            list(filter.types.map(\.rawValue)), list(filter.groupIDs),
            "\(String(describing: filter.revoked))", filter.ownership?.rawValue ?? "",
            "\(filter.isDescending)", "\(filter.leavesOutFinishedConsumables)",
        ])
    }

    private static func list(_ values: [String]) -> String {
        values.sorted().joined(separator: "\u{1E}")
    }

    /// A short digest of what was asked, so that a token answers only the same question.
    static func digest(_ asked: [String]) -> String {
        let text = asked.joined(separator: "\u{1F}")
        return SHA256.hash(data: Array(text.utf8)).prefix(12).hexadecimal
    }
}
