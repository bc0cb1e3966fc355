import AppStoreSigning
import HTTPSurface
import SubscriptionRules

/// Who may come in: developers' servers with request tokens, the operator with a secret.
final class Gate: Sendable {
    /// The team's keys, which also sign offers (PRO-1).
    private let verifier: RequestTokenVerifier
    private let cache = RequestTokenCache()
    private let operatorToken: SharedSecret

    init(verifier: RequestTokenVerifier, operatorToken: String) {
        self.verifier = verifier
        self.operatorToken = SharedSecret(operatorToken)
    }

    /// The team's identifier, which is every app's.
    var issuerID: String { verifier.issuerID }

    /// Whether a key is the one that is good for every app.
    func isCommon(_ keyID: String) -> Bool { verifier.knows(keyID) }

    /// The app that a request token is about.
    ///
    /// - Parameter find: looks up a key of an app, by its identifier and the app's.
    /// - Throws: `RequestTokenError`, and what `find` throws.
    func bundleID(
        ofToken token: String, machineTime: Instant, finding find: KeySearch
    ) async throws -> String {
        let now = Double(machineTime.milliseconds) / 1000
        let claim = try cache.claim(of: token)
        let verifier = try await verifier(for: claim.keyID, of: claim.bundleID, finding: find)
        return try cache.verify(token, now: now, with: verifier).bundleID
    }

    typealias KeySearch =
        @Sendable (_ keyID: String, _ bundleID: String) async throws -> VerificationKey?

    /// What verifies what a key has signed for an app: the team's key for every app, which is in
    /// memory, else one of the app's own.
    func verifier(
        for keyID: String?, of bundleID: String, finding find: KeySearch
    ) async throws -> RequestTokenVerifier {
        guard let keyID, !isCommon(keyID), let key = try await find(keyID, bundleID) else {
            return verifier
        }
        return verifier.adding(key, as: keyID)
    }

    /// Whether a text is the operator's token.
    func isOperator(_ token: String) -> Bool { operatorToken.matches(token) }
}
