import AppStoreSigning
import MerchantRules
import Storage
import SubscriptionRules

extension Merchant {
    /// Takes a signed transaction from the app, as the account that is signed in there. Nobody has
    /// to be first: the notification may have come already, or come later.
    ///
    /// - Parameters:
    ///   - account: the app's own name for the account.
    ///   - restores: whether the customer has asked to restore it. The app's policy says when a
    ///     purchase moves from another account, or is shared with it, and both change.
    /// - Returns: the customer as it is afterwards.
    /// - Throws: `MerchantError`.
    public func take(
        transaction text: String, from account: String, of bundleID: String, restores: Bool = false
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        try AccountName.check(account)
        let evidence: Evidence
        do {
            evidence = try await Evidence(transaction: text, verifiedBy: app.setup)
        } catch {
            throw MerchantError.notVerified(error)
        }
        let now = try await now()
        try await database.write(.together) { session in
            let owner = try AccountRow.ensure(account, of: app.id, session)
            guard var purchase = try evidence.keep(of: app.id, at: now, session) else { return }
            let held = try purchase.held(at: now, under: app.setup.policy, session)
            let outcome = held.outcome(
                for: owner, restores: restores,
                isRenewal: evidence.transaction?.facts.isRenewal ?? false,
                under: app.setup.transfers)
            if let refusal = outcome.refusal { throw refusal }
            let means: BindingMeans = restores || outcome == .moves ? .restore : .app
            switch outcome {
            case .binds, .moves: try purchase.bind(to: owner, by: means, at: now, session)
            case .shares: try purchase.share(with: owner, by: means, at: now, session)
            default: break
            }
            if let token = evidence.appAccountToken,
                try AccountRow.remember(token, of: owner, app: app.id, session)
            {
                try PurchaseRow.bindAll(with: token, to: owner, of: app.id, at: now, session)
            }
        }
        return try await customer(account, of: bundleID)
    }
}
