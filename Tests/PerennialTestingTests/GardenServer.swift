import AppStoreSigning
import AppStoreWire
import ServerAPIClient
import SubscriptionRules

/// A gardening app's server, as its developer wrote it: who has access, by what the App Store says.
///
/// The app sends each signed transaction with the user who is logged in; the App Store sends
/// notifications. Somebody calls `catchUp` every hour, for notifications that never came.
actor GardenServer {
    /// What a user has now.
    struct Access: Equatable {
        var product: String
        var renews: Bool
        var problem: Problem?
    }

    /// What the app shows beside it.
    enum Problem: Equatable { case payment, consent }

    private let client: ServerAPIClient
    private let verifier: SignedDataVerifier
    private let now: @Sendable () async throws -> Instant
    private var owners: [String: String] = [:]
    private var periods: [String: JWSTransactionDecodedPayload] = [:]
    private var renewals: [String: JWSRenewalInfoDecodedPayload] = [:]
    private var mailed: Set<String> = []
    private(set) var mails: [String] = []

    /// - Parameter now: the clock, so that tests can let a year pass.
    init(
        client: ServerAPIClient, verifier: SignedDataVerifier,
        now: @escaping @Sendable () async throws -> Instant
    ) {
        self.client = client
        self.verifier = verifier
        self.now = now
    }

    /// The app's purchase; it belongs to the first user who brought it.
    func register(_ user: String, _ signedTransaction: String) async throws {
        let transaction = try await verifier.verifyTransaction(signedTransaction)
        if owners[transaction.originalTransactionId] == nil {
            owners[transaction.originalTransactionId] = user
        }
        keep(transaction, nil)
    }

    /// A notification, in whatever order, once or twice.
    func take(_ signedPayload: String) async throws {
        let notification = try await verifier.verifyNotification(signedPayload)
        guard let signed = notification.data?.signedTransactionInfo else { return }
        try await keep(signed, notification.data?.signedRenewalInfo)
        guard notification.notificationType == .didFailToRenew,
            mailed.insert(notification.notificationUUID).inserted
        else { return }
        mails.append("Your payment failed. Please check your payment method.")
    }

    /// The newest period of each subscription counts, with its grace period.
    func access(_ user: String) async throws -> Access? {
        let moment = try await now().milliseconds
        for (originalID, owner) in owners where owner == user {
            let newest = periods.values.filter { $0.originalTransactionId == originalID }
                .max { $0.purchaseDate < $1.purchaseDate }
            guard let newest, newest.revocationDate == nil else { continue }
            let renewal = renewals[originalID]
            let end = max(newest.expiresDate ?? 0, renewal?.gracePeriodExpiresDate ?? 0)
            guard end > moment else { continue }
            return Access(
                product: newest.productId, renews: renewal?.autoRenewStatus != .off,
                problem: renewal.flatMap(Self.problem))
        }
        return nil
    }

    /// Asks the App Store about each subscription that should have renewed, and did not.
    func catchUp() async throws {
        let moment = try await now().milliseconds
        for originalID in owners.keys {
            let end = periods.values.filter { $0.originalTransactionId == originalID }
                .compactMap(\.expiresDate).max()
            guard let end, end <= moment else { continue }
            let statuses = try await client.statuses(of: originalID)
            for item in statuses.data.flatMap(\.lastTransactions) {
                try await keep(item.signedTransactionInfo, item.signedRenewalInfo)
            }
        }
    }

    private func keep(_ transaction: String, _ renewal: String?) async throws {
        let info = try await verifier.verifyTransaction(transaction)
        var next: JWSRenewalInfoDecodedPayload?
        if let renewal { next = try await verifier.verifyRenewalInfo(renewal) }
        keep(info, next)
    }

    /// Of each transaction, and of what comes next, the newest by the moment of signing.
    private func keep(
        _ transaction: JWSTransactionDecodedPayload, _ renewal: JWSRenewalInfoDecodedPayload?
    ) {
        if transaction.signedDate >= periods[transaction.transactionId]?.signedDate ?? 0 {
            periods[transaction.transactionId] = transaction
        }
        guard let renewal else { return }
        if renewal.signedDate >= renewals[renewal.originalTransactionId]?.signedDate ?? 0 {
            renewals[renewal.originalTransactionId] = renewal
        }
    }

    private static func problem(_ renewal: JWSRenewalInfoDecodedPayload) -> Problem? {
        if renewal.isInBillingRetryPeriod == true { return .payment }
        guard let answer = renewal.priceIncreaseStatus else { return nil }
        return answer == .accepted ? nil : .consent
    }
}
