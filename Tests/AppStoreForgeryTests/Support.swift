import AppStoreSigning
import AppStoreWire
import TestFloor

@testable import AppStoreForgery

/// One store's and one developer's keys, and a purchase to forge.
enum Forged {
    static let chain: CertificateChain = {
        do {
            return try CertificateChain.make(
                notBefore: 946_684_800_000, notAfter: 4_102_444_800_000)
        } catch { fatalError("\(error)") }
    }()
    static let key: APIKey = {
        var generator = SeededGenerator(seed: 1)
        return APIKey.generate(using: &generator)
    }()
    static let receiptChain: ReceiptChain = {
        do {
            return try ReceiptChain.make(notBefore: 946_684_800_000, notAfter: 4_102_444_800_000)
        } catch { fatalError("\(error)") }
    }()
    static let forger = Forger(chain: chain, key: key, receiptChain: receiptChain)
    static let bundleID = "com.example.garden"
    static let appAppleID: Int64 = 1_234_567_890
    static let now = 1_769_817_600.5
    private static let signed: Int64 = 1_769_817_600_000

    static func transaction(
        _ environment: Environment, id: String = "700000000000001"
    ) -> JWSTransactionDecodedPayload {
        JWSTransactionDecodedPayload(
            transactionId: id, originalTransactionId: id, webOrderLineItemId: "500700000000001",
            bundleId: bundleID, productId: "com.example.garden.monthly",
            subscriptionGroupIdentifier: "20000001", purchaseDate: signed - 1000,
            originalPurchaseDate: signed - 1000, expiresDate: signed + 2_592_000_000, quantity: 1,
            type: .autoRenewableSubscription, inAppOwnershipType: .purchased, signedDate: signed,
            environment: environment, storefront: "USA", storefrontId: "143441",
            transactionReason: .purchase, price: 4990, currency: "USD",
            appTransactionId: "710000000000001")
    }

    static func material(_ environment: Environment) -> ForgeryMaterial {
        let transaction = transaction(environment)
        return ForgeryMaterial(
            transaction: transaction,
            renewalInfo: JWSRenewalInfoDecodedPayload(
                originalTransactionId: transaction.originalTransactionId,
                productId: transaction.productId, autoRenewProductId: transaction.productId,
                autoRenewStatus: .on, renewalDate: signed + 2_592_000_000, renewalPrice: 4990,
                currency: "USD", recentSubscriptionStartDate: signed - 1000,
                environment: environment, signedDate: signed),
            status: .active,
            appTransaction: AppTransaction(
                receiptType: environment,
                appAppleId: environment == .production ? appAppleID : nil, bundleId: bundleID,
                receiptCreationDate: signed, originalPurchaseDate: signed - 1000,
                originalApplicationVersion: "1.0", originalPlatform: .iOS,
                appTransactionId: "710000000000001"),
            ofOther: Self.transaction(environment, id: "700000000000002"),
            appAppleID: appAppleID, now: now)
    }

    static func make(_ kind: ForgeryKind, in environment: Environment) throws -> Forgery {
        var generator = SeededGenerator(seed: 7)
        return try forger.make(kind, of: material(environment), using: &generator)
    }

    /// Every kind with every environment in which it can be made.
    static let cases: [(kind: String, environment: Environment)] = ForgeryKind.all.flatMap { kind in
        [Environment.production, .sandbox].filter { kind.onlyIn == nil || kind.onlyIn == $0 }
            .map { (kind.name, $0) }
    }

    /// How our own verifier answers a text of a kind.
    static func verify(
        _ text: String, as about: ForgerySubject, in environment: Environment
    ) async throws -> ForgeryAnswer {
        let verifier = SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: chain.rootDER), bundleID: bundleID,
            environment: environment, appAppleID: appAppleID)
        let tokens = RequestTokenVerifier(
            keys: [key.keyID: VerificationKey(key)], issuerID: key.issuerID)
        do {
            switch about {
            case .transaction: _ = try await verifier.verifyTransaction(text)
            case .renewalInfo: _ = try await verifier.verifyRenewalInfo(text)
            case .notification: _ = try await verifier.verifyNotification(text)
            case .appTransaction: _ = try await verifier.verifyAppTransaction(text)
            case .receipt: try await verify(receipt: text, in: environment)
            case .requestToken: _ = try tokens.verify(text, now: now)
            case .inAppRequest:
                _ = try tokens.verify(inAppRequest: text, bundleID: bundleID, now: now)
            }
            return .accepted
        } catch let error as JWSVerificationError {
            return .signedData(error.code)
        } catch let error as ReceiptVerificationError {
            return .receipt(error.code)
        } catch let error as RequestTokenError {
            return .requestToken(error)
        } catch let error as InAppRequestTokenError {
            return .inAppRequest(error)
        }
    }

    private static func verify(receipt: String, in environment: Environment) async throws {
        _ = try await ReceiptVerifier(rootDER: [receiptChain.rootDER]).verify(
            base64: receipt,
            expecting: ReceiptExpectation(
                bundleID: bundleID,
                environments: environment == .production
                    ? [.production, .productionVPP] : [.sandbox, .sandboxVPP],
                now: Int64(now) * 1000))
    }
}
