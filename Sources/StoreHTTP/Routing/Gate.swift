import AppStoreSigning
import SubscriptionRules

/// Who may come in: developers' servers with request tokens, the operator with a secret.
final class Gate: Sendable {
    private let verifier: RequestTokenVerifier
    private let cache = RequestTokenCache()
    private let operatorToken: [UInt8]

    init(verifier: RequestTokenVerifier, operatorToken: String) {
        precondition(!operatorToken.isEmpty, "an empty operator token would let everybody in")
        self.verifier = verifier
        self.operatorToken = Array(operatorToken.utf8)
    }

    /// The app that a request token is about.
    func bundleID(
        ofToken token: String, machineTime: Instant
    ) throws(RequestTokenError) -> String {
        let now = Double(machineTime.milliseconds) / 1000
        return try cache.verify(token, now: now, with: verifier).bundleID
    }

    /// Whether a text is the operator's token. Takes the same time however much of it is right,
    /// so that it cannot be guessed piece by piece.
    func isOperator(_ token: String) -> Bool {
        let given = Array(token.utf8)
        var difference = operatorToken.count ^ given.count
        for index in operatorToken.indices {
            difference |= Int(operatorToken[index] ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}
