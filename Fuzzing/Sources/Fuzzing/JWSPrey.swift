import AppStoreSigning
import AppStoreWire

/// Signed texts: nothing but the genuine one is ever taken.
struct JWSPrey: Prey {
    private let verifier: JWSVerifier
    private let tokens: RequestTokenVerifier
    private let genuine: [UInt8]

    init() throws {
        verifier = try JWSVerifier(rootDER: Seeds.bytes("Fuzzing/Seeds/jws-root.der"))
        genuine = try Seeds.bytes("Fuzzing/Seeds/jws-payload.json")
        tokens = try RequestTokenVerifier(
            publicKeyPEMs: [:], issuerID: "57246542-96fe-1a63-e053-0824d011072a")
    }

    func eat(_ bytes: [UInt8]) async {
        let text = String(decoding: bytes, as: UTF8.self)
        if let payload = try? await verifier.verify(text, at: 1_735_689_600_000) {
            precondition(payload == genuine, "a text that nobody signed was taken")
        }
        let verifier = SignedDataVerifier(
            verifier: verifier, bundleID: "com.example.garden", environment: .sandbox,
            appAppleID: nil)
        _ = try? await verifier.verifyTransaction(text)
        _ = try? await verifier.verifyRenewalInfo(text)
        _ = try? await verifier.verifyAppTransaction(text)
        _ = try? await verifier.verifyNotification(text)
        _ = try? InAppRequestToken.unwrap(bytes)
        _ = try? tokens.verify(inAppRequest: text, bundleID: "com.example.garden", now: 0)
        _ = Base64URL.decode(bytes)
    }
}
