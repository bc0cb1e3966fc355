import AppStoreSigning
import AppStoreWire
import MerchantRules
import Storage
import SubscriptionRules

extension Evidence {
    /// What an app receipt proves, a purchase each: it is verified with the app's roots, as of the
    /// date at which it was made.
    ///
    /// - Parameters:
    ///   - text: Base64.
    ///   - pending: what stood beside it about renewals, which only counts for purchases in it.
    ///   - now: what a receipt that ends by itself must be good at.
    static func all(
        receipt text: String, pending: [PendingRenewalInfo] = [], from source: String = "receipt",
        at now: Instant, verifiedBy setup: AppSetup
    ) async throws(ReceiptVerificationError) -> [Evidence] {
        let verifier = try ReceiptVerifier(rootDER: setup.rootDER)
        let environments = Set(setup.environments.flatMap { $0.receipts })
        let receipt = try await verifier.verify(
            base64: text,
            expecting: ReceiptExpectation(
                bundleID: setup.bundleID, environments: environments, now: now.milliseconds))
        guard let environment = MerchantEnvironment(receipt.environment) else { return [] }
        return all(
            receipt.inApp.map { ReceiptEntry($0) }, pending: pending, in: environment,
            at: Instant(milliseconds: receipt.creationDate), from: source)
    }

    /// What a receipt says, a purchase each, in the order in which their rows are locked.
    static func all(
        _ entries: [ReceiptEntry], pending: [PendingRenewalInfo],
        in environment: MerchantEnvironment, at created: Instant, from source: String
    ) -> [Evidence] {
        let purchases = Dictionary(grouping: entries, by: \.transaction.originalTransactionId)
        return purchases.sorted { $0.key < $1.key }.map { original, entries in
            var evidence = Evidence(of: original, in: environment)
            evidence.transactions =
                entries
                .sorted { $0.transaction.purchaseDate < $1.transaction.purchaseDate }
                .map { TransactionRecord($0, among: entries, at: created, source: source) }
            evidence.renewal =
                pending.last { $0.originalTransactionId == original }
                .map { RenewalRecord($0, at: created, source: source) }
            evidence.appAccountToken =
                entries.compactMap(\.transaction.appAccountToken).last?.lowercased()
            return evidence
        }
    }

    private init(of originalTransactionID: String, in environment: MerchantEnvironment) {
        self.environment = environment
        self.originalTransactionID = originalTransactionID
    }

    /// Of several the one whose transaction is the newest.
    static func newest(of all: [Evidence]) -> Evidence? {
        all.max { first, second in
            let earliest = Instant(milliseconds: .min)
            return first.transaction?.facts.purchased ?? earliest
                < second.transaction?.facts.purchased ?? earliest
        }
    }

    /// Puts all of it into the registers. Every purchase is locked before any account, so that two
    /// that tell of the same purchases do not wait for each other.
    ///
    /// - Returns: the purchases, in the same order.
    @discardableResult
    static func keep(
        _ all: [Evidence], of app: Int64, at now: Instant, _ session: any Session
    ) throws(StorageError) -> [PurchaseRow] {
        var kept: [(evidence: Evidence, purchase: PurchaseRow)] = []
        for evidence in all {
            if let purchase = try evidence.enterRegisters(of: app, session) {
                kept.append((evidence, purchase))
            }
        }
        for index in kept.indices {
            let evidence = kept[index].evidence
            try evidence.assign(&kept[index].purchase, of: app, at: now, session)
        }
        return kept.map(\.purchase)
    }
}
