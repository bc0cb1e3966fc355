public import SubscriptionRules

/// A code that was redeemed, by whom and when.
public struct RedeemedCode: Sendable, Hashable {
    /// What the code reads.
    public let code: String
    /// Who redeemed it.
    public let account: String
    public let redeemed: Instant
    /// What was bought with it at once; nil where the offer came with the renewal, and while the
    /// bank has not answered.
    public let transactionID: Int64?
}

extension Store {
    /// Who redeemed codes that were made together, in the order of accounts.
    ///
    /// - Parameter after: only accounts that come after this one.
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.offerCodeBatch)`.
    public func redemptions(
        ofBatch id: Int64, bundleID: String, in environment: StoreEnvironment,
        after account: String? = nil, limit: Int
    ) async throws -> [RedeemedCode] {
        let (batch, found, scope, seed) = try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            let batch = try OfferCodeBatch.required(id, app, in: environment, reader.session)
            return (
                batch, try batch.redemptions(after: account, limit: limit, reader.session),
                app.offerCodeScope(in: environment), try World.seed(in: reader.session)
            )
        }
        return found.map { one in
            let code =
                switch batch.kind {
                case .custom(let code): code
                case .oneTime:
                    OfferCode(ordinal: batch.ordinal, place: one.place ?? 0)
                        .text(seed: seed, scope: scope)
                }
            return RedeemedCode(
                code: code, account: one.account, redeemed: one.moment,
                transactionID: one.transactionID)
        }
    }
}
