import AppStoreSigning
import Storage
import SubscriptionRules

extension Merchant {
    /// Takes a signed transaction from the app, as the account that is signed in there. Nobody has
    /// to be first: the notification may have come already, or come later.
    ///
    /// - Parameters:
    ///   - account: the app's own name for the account.
    ///   - restores: whether the customer has asked for it: only then, or where the app's policy
    ///     is to restore, a purchase moves from another account, and both change.
    /// - Returns: the customer as it is afterwards.
    /// - Throws: `MerchantError`.
    public func take(
        transaction text: String, from account: String, of bundleID: String, restores: Bool = false
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
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
            if purchase.account != owner {
                let moves = restores || app.setup.transfers == .restore
                guard purchase.account == nil || moves else { throw MerchantError.ownedByAnother }
                let isRestored = restores || purchase.account != nil
                try purchase.bind(to: owner, by: isRestored ? "restore" : "app", at: now, session)
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
