import AppStoreSigning
import AppStoreWire
import Logging
import MerchantRules
import ServerAPIClient
import SubscriptionRules

/// Asks `verifyReceipt` about a receipt that the app's roots do not verify, such as one of before
/// 2023 or of another chain.
struct ReceiptInquiry: Sendable {
    private let setup: AppSetup
    private let urls: [MerchantEnvironment: String]
    private let secret: AppSecret
    private let log: Logger

    /// - Parameter setup: takes only from the environment that the app believes to be in, where
    ///   it has said so.
    /// - Returns: nil where the app asks nobody, or asking cannot help: what is no receipt, or is
    ///   of another app, is none there either.
    init?(
        after error: ReceiptVerificationError, _ setup: AppSetup, log: Logger
    ) {
        guard [.untrustedChain, .outdatedDigest].contains(error.code),
            let urls = setup.receiptService, let secret = setup.sharedSecret
        else { return nil }
        self.setup = setup
        self.urls = urls
        self.secret = secret
        self.log = log
    }

    /// What the store says of a receipt: Production is asked first, and Sandbox where it sends
    /// there, or the other way round. An app that says where it is has only that asked.
    ///
    /// - Throws: `MerchantError`.
    func evidence(of receipt: String) async throws(MerchantError) -> [Evidence] {
        let taken = MerchantEnvironment.allCases.filter(setup.environments.contains)
        guard let first = taken.first else { preconditionFailure("an app has an environment") }
        let reply = try await ask(first, receipt)
        guard let other = reply.status.environmentToAsk else {
            return try evidence(in: reply, of: first)
        }
        guard other != first, taken.contains(other) else {
            throw .intake(.environmentNotTaken(other))
        }
        return try evidence(in: try await ask(other, receipt), of: other)
    }

    private func ask(
        _ environment: MerchantEnvironment, _ receipt: String
    ) async throws(MerchantError) -> VerifyReceiptResponse {
        guard let url = urls[environment] else { throw .intake(.environmentNotTaken(environment)) }
        do {
            // The app waits, and comes again where it was in vain.
            let client = try VerifyReceiptClient(
                url: url, password: secret.text,
                retries: RequestRetries(attempts: 2, firstDelay: .milliseconds(200)))
            return try await client.verify(receipt)
        } catch {
            log.warning(
                "verifyReceipt did not answer",
                metadata: ["environment": "\(environment.name)", "error": "\(error)"])
            throw .intake(.receiptServiceAway)
        }
    }

    private func evidence(
        in reply: VerifyReceiptResponse, of environment: MerchantEnvironment
    ) throws(MerchantError) -> [Evidence] {
        let status = reply.status
        switch status.advice {
        case .read: break
        case .retryOnce, .giveUp:
            guard status != .wrongSecret else {
                // It is this merchant's mistake, and the app's purchase is good all the same.
                log.error(
                    "verifyReceipt does not take the shared secret: correct `sharedSecret`",
                    metadata: ["app": "\(setup.bundleID)"])
                throw .intake(.receiptServiceAway)
            }
            throw .intake(.receiptRefused(status.rawValue))
        case .retryLater, .asTheReplySays: throw .intake(.receiptServiceAway)
        case .askSandbox, .askProduction: throw .intake(.environmentNotTaken(environment))
        }
        guard let receipt = reply.receipt, receipt.bundleId == setup.bundleID,
            MerchantEnvironment(receipt.receiptType) == environment
        else { throw .intake(.receiptRefused(status.rawValue)) }
        // Of subscriptions it tells what is so now; without them what stands in the receipt.
        let isCurrent = reply.latestReceiptInfo != nil
        let told = reply.latestReceiptInfo ?? receipt.inApp
        return Evidence.all(
            told.map { ReceiptEntry($0, under: setup.policy) },
            pending: reply.pendingRenewalInfo ?? [], in: environment,
            at: Instant(
                milliseconds: isCurrent ? receipt.requestDate : receipt.receiptCreationDate),
            from: "verifyReceipt")
    }
}

extension VerifyReceiptStatus {
    /// The environment that the receipt belongs to; nil where it was asked in its own.
    fileprivate var environmentToAsk: MerchantEnvironment? {
        switch advice {
        case .askSandbox: .sandbox
        case .askProduction: .production
        default: nil
        }
    }
}
