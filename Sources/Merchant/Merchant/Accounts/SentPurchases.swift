import AppStoreSigning
import Logging
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
        try await take(
            .signedTransaction(text), from: account, of: bundleID, restores: restores)
    }

    /// Takes what an app has that proves a purchase, or who its customer is at the store.
    ///
    /// A receipt tells of everything that was bought under one Apple Account. What the app's policy
    /// leaves with another account stays there; only where that is all of it, it is refused.
    ///
    /// - Parameter environment: where the app believes to be; nil where what was signed decides.
    /// - Returns: the customer as it is afterwards.
    /// - Throws: `MerchantError`.
    public func take(
        _ proof: PurchaseProof, from account: String, of bundleID: String,
        in environment: MerchantEnvironment? = nil, restores: Bool = false
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        try AccountName.check(account)
        let setup = try app.setup.narrowed(to: environment)
        do {
            try await keep(proof, from: account, of: app, setup, restores: restores)
        } catch let error as StorageError where error.isOfTheLetter {
            log.warning("signed data from an app cannot be stored", metadata: ["error": "\(error)"])
            throw MerchantError.intake(.unstorable)
        }
        return try await customer(account, of: bundleID)
    }

    /// Verifies a proof and stores what it says.
    private func keep(
        _ proof: PurchaseProof, from account: String, of app: ServedApp, _ setup: AppSetup,
        restores: Bool
    ) async throws {
        let now = try await now()
        switch proof {
        case .signedTransaction(let text):
            let evidence: Evidence
            do {
                evidence = try await Evidence(transaction: text, verifiedBy: setup)
            } catch {
                throw MerchantError.notVerified(error)
            }
            try await bind([evidence], to: account, of: app, at: now, restores: restores)
        case .receipt(let text):
            let evidence: [Evidence]
            do {
                evidence = try await Evidence.all(receipt: text, at: now, verifiedBy: setup)
            } catch {
                guard let inquiry = ReceiptInquiry(after: error, setup, log: log) else {
                    throw MerchantError.intake(.receiptNotVerified(error))
                }
                evidence = try await inquiry.evidence(of: text)
            }
            try await bind(evidence, to: account, of: app, at: now, restores: restores)
        case .signedAppTransaction(let text):
            let found = try await StoreCustomer(appTransaction: text, verifiedBy: setup)
            try await database.write(.together) { session in
                let owner = try AccountRow.ensure(account, of: app.id, session)
                try found.keep(of: owner, session)
            }
        }
    }

    /// Puts what was proved into the registers, and gives it to the account that has sent it.
    private func bind(
        _ evidence: [Evidence], to account: String, of app: ServedApp, at now: Instant,
        restores: Bool
    ) async throws {
        try await database.write(.together) { session in
            let owner = try AccountRow.ensure(account, of: app.id, session)
            var purchases = try Evidence.keep(evidence, of: app.id, at: now, session)
            var refusals: [MerchantError] = []
            // Whoever sends something proves a purchase in it, so none is left out above.
            for (index, one) in zip(purchases.indices, evidence) {
                let held = try purchases[index].held(at: now, under: app.setup.policy, session)
                let outcome = held.outcome(
                    for: owner, restores: restores,
                    isRenewal: one.transaction?.facts.isRenewal ?? false,
                    under: app.setup.transfers)
                if let refusal = outcome.refusal {
                    refusals.append(refusal)
                    continue
                }
                let means: BindingMeans = restores || outcome == .moves ? .restore : .app
                switch outcome {
                case .binds, .moves:
                    try purchases[index].bind(to: owner, by: means, at: now, session)
                case .shares:
                    try purchases[index].share(with: owner, by: means, at: now, session)
                default: break
                }
                if let token = one.appAccountToken,
                    try AccountRow.remember(token, of: owner, app: app.id, session)
                {
                    try PurchaseRow.bindAll(with: token, to: owner, of: app.id, at: now, session)
                }
            }
            if let refusal = refusals.first, refusals.count == purchases.count { throw refusal }
        }
    }
}
