import AppStoreWire
import Testing

@testable import AppStoreSigning

@Suite("Whose signed data it is")
struct IdentityTests {
    private let signer = JWSSigner(chain: .shared)

    private func verifier(
        _ environment: Environment = .production, bundleID: String = "com.example.garden",
        appAppleID: Int64? = 1_000_000_001
    ) throws -> SignedDataVerifier {
        SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: CertificateChain.shared.rootDER),
            bundleID: bundleID, environment: environment, appAppleID: appAppleID)
    }

    private func transaction(
        bundleID: String = "com.example.garden", environment: Environment = .production,
        signedDate: Int64 = Instants.year2025
    ) -> JWSTransactionDecodedPayload {
        JWSTransactionDecodedPayload(
            transactionId: "1", originalTransactionId: "1", bundleId: bundleID,
            productId: "seeds", purchaseDate: 0, originalPurchaseDate: 0, quantity: 1,
            type: .consumable, inAppOwnershipType: .purchased, signedDate: signedDate,
            environment: environment)
    }

    private func notification(
        data: NotificationData? = nil, summary: Summary? = nil,
        token: ExternalPurchaseToken? = nil, appData: AppData? = nil
    ) -> ResponseBodyV2DecodedPayload {
        ResponseBodyV2DecodedPayload(
            notificationType: .test, notificationUUID: "u", data: data, summary: summary,
            externalPurchaseToken: token, appData: appData, version: "2.0",
            signedDate: Instants.year2025)
    }

    @Test("A transaction of this app and environment is accepted")
    func accepted() async throws {
        let payload = transaction()
        #expect(try await verifier().verifyTransaction(signer.sign(payload)) == payload)
        let sandbox = transaction(environment: .sandbox)
        let verified = try await verifier(.sandbox, appAppleID: nil)
            .verifyTransaction(signer.sign(sandbox))
        #expect(verified == sandbox)
    }

    @Test("A transaction of another app or environment is refused")
    func refused() async throws {
        try await expect(.wrongBundle) { verifier in
            _ = try await verifier.verifyTransaction(
                signer.sign(transaction(bundleID: "com.example.other")))
        }
        try await expect(.wrongEnvironment) { verifier in
            _ = try await verifier.verifyTransaction(
                signer.sign(transaction(environment: .sandbox)))
        }
    }

    @Test("The signing date inside the payload is the effective date")
    func effectiveInstant() async throws {
        try await expect(.certificateNotValidAtDate) { verifier in
            _ = try await verifier.verifyTransaction(
                signer.sign(transaction(signedDate: Instants.year2000 - 1)))
        }
        _ = try await verifier().verifyTransaction(
            signer.sign(transaction(signedDate: Instants.year2101)))
    }

    @Test("A payload of another kind is malformed")
    func malformedPayload() async throws {
        for payload in ["nonsense", "[]", "{}", #"{"signedDate":"now"}"#] {
            let jws = try signer.sign(payloadBytes: Array(payload.utf8))
            try await expect(.malformedPayload) { verifier in
                _ = try await verifier.verifyTransaction(jws)
            }
        }
        try await expect(.malformedPayload) { verifier in
            _ = try await verifier.verifyNotification(signer.sign(transaction()))
        }
        try await expect(.malformedPayload) { verifier in
            _ = try await verifier.verifyNotification(signer.sign(notification()))
        }
    }

    @Test("Renewal information is compared by environment alone")
    func renewalInfo() async throws {
        let payload = JWSRenewalInfoDecodedPayload(
            originalTransactionId: "1", productId: "p", autoRenewProductId: "p",
            autoRenewStatus: .on, environment: .production, signedDate: Instants.year2025)
        let jws = try signer.sign(payload)
        #expect(try await verifier(bundleID: "any").verifyRenewalInfo(jws) == payload)
        try await expect(.wrongEnvironment, .sandbox) { verifier in
            _ = try await verifier.verifyRenewalInfo(jws)
        }
    }

    @Test("An app transaction is compared by all three, dated by its receipt creation")
    func appTransaction() async throws {
        func payload(_ appAppleID: Int64?, _ date: Int64 = Instants.year2025) -> AppTransaction {
            AppTransaction(
                receiptType: .production, appAppleId: appAppleID, bundleId: "com.example.garden",
                receiptCreationDate: date, originalPurchaseDate: 0,
                originalApplicationVersion: "1")
        }
        let good = payload(1_000_000_001)
        #expect(try await verifier().verifyAppTransaction(signer.sign(good)) == good)
        for (code, bad) in [
            (.wrongAppAppleID, payload(nil)), (.wrongAppAppleID, payload(2)),
            (.certificateNotValidAtDate, payload(1_000_000_001, 0)),
        ] as [(JWSVerificationError.Code, AppTransaction)] {
            try await expect(code) { verifier in
                _ = try await verifier.verifyAppTransaction(signer.sign(bad))
            }
        }
    }

    @Test("A notification is compared by whichever object it carries")
    func notifications() async throws {
        func all(_ bundleID: String, _ id: Int64?, _ prefix: String = "")
            -> [ResponseBodyV2DecodedPayload]
        {
            [
                notification(
                    data: NotificationData(
                        appAppleId: id, bundleId: bundleID, environment: .production)),
                notification(
                    summary: Summary(
                        requestIdentifier: "r", environment: .production, appAppleId: id,
                        bundleId: bundleID, productId: "p", succeededCount: 0, failedCount: 0)),
                notification(
                    token: ExternalPurchaseToken(
                        externalPurchaseId: "1", tokenCreationDate: 0, appAppleId: id,
                        bundleId: bundleID)),
                notification(
                    appData: AppData(
                        appAppleId: id, bundleId: bundleID, environment: .production,
                        signedAppTransactionInfo: "a")),
            ]
        }
        for payload in all("com.example.garden", 1_000_000_001) {
            #expect(try await verifier().verifyNotification(signer.sign(payload)) == payload)
            try await expect(.wrongEnvironment, .sandbox) { verifier in
                _ = try await verifier.verifyNotification(signer.sign(payload))
            }
        }
        for payload in all("com.example.other", 1_000_000_001) {
            try await expect(.wrongBundle) { verifier in
                _ = try await verifier.verifyNotification(signer.sign(payload))
            }
        }
        for payload in all("com.example.garden", nil) + all("com.example.garden", 7) {
            try await expect(.wrongAppAppleID) { verifier in
                _ = try await verifier.verifyNotification(signer.sign(payload))
            }
        }
    }

    @Test("A token's id tells its environment")
    func tokenEnvironment() async throws {
        let payload = notification(
            token: ExternalPurchaseToken(
                externalPurchaseId: "SANDBOX_1", tokenCreationDate: 0,
                bundleId: "com.example.garden"))
        let jws = try signer.sign(payload)
        #expect(try await verifier(.sandbox).verifyNotification(jws) == payload)
        try await expect(.wrongEnvironment) { verifier in
            _ = try await verifier.verifyNotification(jws)
        }
    }

    private func expect(
        _ code: JWSVerificationError.Code, _ environment: Environment = .production,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (SignedDataVerifier) async throws -> Void
    ) async throws {
        let verifier = try verifier(environment)
        let error = await #expect(
            throws: JWSVerificationError.self, sourceLocation: sourceLocation
        ) { try await body(verifier) }
        #expect(error?.code == code, sourceLocation: sourceLocation)
    }
}
