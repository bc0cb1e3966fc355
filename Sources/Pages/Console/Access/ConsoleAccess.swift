import HTMLPages
import HTTPSurface
import StoreHTTP
package import SubscriptionRules

/// Who may look at the console: whoever shows the operator's token, or a link that was made with
/// it. Its sessions are good in both environments: browsers show the cookies of a host at all its
/// ports.
package struct ConsoleAccess: Sendable {
    let operators: OperatorAccess

    /// How long a link that opens a session can be used.
    package static let linkLength = OperatorAccess.linkLength

    /// - Parameters:
    ///   - operatorToken: what opens `/connect`.
    ///   - isSecure: whether browsers reach the server by TLS.
    package init(operatorToken: String, isSecure: Bool = false) {
        operators = OperatorAccess(
            label: "console",
            cookie: SessionCookie(
                name: "perennial-console", path: Console.path, isSecure: isSecure)
        ) { operatorToken }
    }

    /// A code that opens one session, for a link that is shown to whoever has the token already.
    ///
    /// - Parameter now: the machine's clock.
    package func makeCode(now: Instant) -> String { operators.makeCode(now: now) }

    /// The cookie of a new session, for a browser that is known to be the operator's.
    ///
    /// - Parameter now: the machine's clock.
    package func begin(now: Instant) -> String { operators.begin(now: now) }

    /// Whether a request shows a session that has not ended.
    func isOperator(_ call: Call<StoreSite>) -> Bool { operators.isOperator(call) }

    /// Ends the session of a request.
    ///
    /// - Returns: what takes the cookie away.
    func signOut(_ call: Call<StoreSite>) -> String { operators.signOut(call) }
}
