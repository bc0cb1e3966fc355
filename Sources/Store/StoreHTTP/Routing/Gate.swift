import AppStoreSigning
import HTTPSurface
import SubscriptionRules

/// Who may come in: developers' servers with request tokens, the operator with a secret.
final class Gate: Sendable {
    /// The team's keys, which also sign offers (PRO-1).
    let verifier: RequestTokenVerifier
    private let cache = RequestTokenCache()
    private let operatorToken: SharedSecret

    init(verifier: RequestTokenVerifier, operatorToken: String) {
        self.verifier = verifier
        self.operatorToken = SharedSecret(operatorToken)
    }

    /// The app that a request token is about.
    func bundleID(
        ofToken token: String, machineTime: Instant
    ) throws(RequestTokenError) -> String {
        let now = Double(machineTime.milliseconds) / 1000
        return try cache.verify(token, now: now, with: verifier).bundleID
    }

    /// Whether a text is the operator's token.
    func isOperator(_ token: String) -> Bool { operatorToken.matches(token) }
}
