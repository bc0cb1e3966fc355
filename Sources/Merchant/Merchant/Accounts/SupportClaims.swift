import AppStoreSigning
import AppStoreWire
import Logging
import ServerAPIClient
import Storage

extension Merchant {
    /// Gives an account a purchase that nobody has, as support does.
    ///
    /// - Parameter environment: nil for the one in which it is known, Production first.
    /// - Returns: the customer as it is afterwards.
    /// - Throws: `MerchantError`: `unknownPurchase`, and `ownedByAnother` where an account has it.
    public func claim(
        _ originalTransactionID: String, for account: String, of bundleID: String,
        _ environment: MerchantEnvironment? = nil
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        try AccountName.check(account)
        let now = try await now()
        try await database.write(.together) { session in
            let found = try PurchaseRow.first(
                originalTransactionID, of: app.id, environment, locked: true, session)
            guard let found else { throw MerchantError.unknownPurchase(originalTransactionID) }
            var purchase = found.0
            let claimant = try AccountRow.ensure(account, of: app.id, session)
            if try purchase.holders(session).contains(claimant) { return }
            guard purchase.account == nil else { throw MerchantError.ownedByAnother }
            try purchase.bind(to: claimant, by: .support, at: now, session)
        }
        return try await customer(account, of: bundleID)
    }

    /// Gives an account what was bought with an order and nobody has: the store says what that is.
    ///
    /// - Parameter orderID: as it is on the customer's receipt; of Production.
    /// - Returns: the customer as it is afterwards.
    /// - Throws: `MerchantError`: `noServerAPI`, `unknownOrder`, `storeUnavailable`, `notVerified`,
    ///   and `ownedByAnother` where other accounts have all of it.
    public func claim(
        order orderID: String, for account: String, of bundleID: String
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        try AccountName.check(account)
        var found: [Evidence] = []
        for text in try await signedTransactions(ofOrder: orderID, of: app) {
            do {
                found.append(
                    try await Evidence(transaction: text, from: "api", verifiedBy: app.setup))
            } catch {
                throw MerchantError.notVerified(error)
            }
        }
        guard !found.isEmpty else { throw MerchantError.unknownOrder(orderID) }
        do {
            try await claim(found, for: account, of: app)
        } catch let error as StorageError where error.isOfTheLetter {
            log.warning("signed data of an order cannot be stored", metadata: ["error": "\(error)"])
            throw MerchantError.intake(.unstorable)
        }
        return try await customer(account, of: bundleID)
    }

    /// Gives an account what was proved of an order, where nobody has it.
    private func claim(
        _ evidence: [Evidence], for account: String, of app: ServedApp
    ) async throws {
        let now = try await now()
        try await database.write(.together) { session in
            try PurchaseRow.lock(evidence, of: app.id, session)
            let claimant = try AccountRow.ensure(account, of: app.id, session)
            var isOfAnother = true
            for one in evidence {
                guard var purchase = try one.keep(of: app.id, at: now, session) else { continue }
                if purchase.account == nil {
                    try purchase.bind(to: claimant, by: .order, at: now, session)
                    isOfAnother = false
                } else if try purchase.holders(session).contains(claimant) {
                    isOfAnother = false
                }
            }
            if isOfAnother { throw MerchantError.ownedByAnother }
        }
    }

    /// What Look Up Order ID answers, which is there in Production only.
    private func signedTransactions(
        ofOrder orderID: String, of app: ServedApp
    ) async throws -> [String] {
        guard let api = app.setup.serverAPI, let url = api.urls[.production],
            app.setup.environments.contains(.production)
        else { throw MerchantError.noServerAPI(app.setup.bundleID, .production) }
        do {
            let client = try ServerAPIClient(
                baseURL: url, bundleID: app.setup.bundleID, key: api.key)
            return try await client.lookUpOrder(orderID).signedTransactions ?? []
        } catch {
            if error.errorCode == 4_000_000 { throw MerchantError.unknownOrder(orderID) }
            throw MerchantError.storeUnavailable("\(error)")
        }
    }
}
