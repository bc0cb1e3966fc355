import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import StoreHTTP
package import SubscriptionRules
import TimeAndChance

/// Who may look at the console: whoever shows the operator's token, or a link that was made with
/// it, has a session in a cookie for some hours.
///
/// Sessions are sealed and not stored, so that all processes of a store take them, in both
/// environments: browsers show the cookies of a host at all its ports. All end with the token that
/// they were made with.
package struct ConsoleAccess: Sendable {
    private let token: SharedSecret
    private let sessions: Seal
    private let links: Seal
    private let ended = SpentIdentifiers()
    private let isSecure: Bool

    /// How long a session lasts.
    static let sessionLength = Span.hours(12)
    /// How long a link that opens a session can be used.
    package static let linkLength = Span.hours(1)

    /// - Parameters:
    ///   - operatorToken: what opens `/connect`.
    ///   - isSecure: whether browsers reach the server by TLS.
    package init(operatorToken: String, isSecure: Bool = false) {
        token = SharedSecret(operatorToken)
        sessions = Seal(secret: operatorToken, purpose: "console session")
        links = Seal(secret: operatorToken, purpose: "console link")
        self.isSecure = isSecure
    }

    /// A code that opens one session, for a link that is shown to whoever has the token already.
    ///
    /// - Parameter now: the machine's clock.
    package func makeCode(now: Instant) -> String { links.make(until: now + Self.linkLength) }

    /// Whether a request shows a session that has not ended.
    func isOperator(_ call: Call<StoreSite>) -> Bool { session(call) != nil }

    /// Begins a session for whoever shows the token or a code, whatever session there was.
    ///
    /// - Returns: the cookie; nil for a wrong token, and a code that was used or has ended.
    func signIn(_ call: Call<StoreSite>, token given: String?, code: String?) -> String? {
        let now = call.server.machineTime()
        if let given {
            guard token.matches(given) else { return nil }
        } else {
            guard let link = code.flatMap({ links.open($0, now: now) }),
                ended.spend(link, now: now)
            else { return nil }
        }
        return cookie.setting(
            sessions.make(until: now + Self.sessionLength), for: Self.sessionLength)
    }

    /// Ends the session of a request, wherever its cookie has been copied to in the meantime.
    ///
    /// - Returns: what takes the cookie away.
    func signOut(_ call: Call<StoreSite>) -> String {
        let now = call.server.machineTime()
        if let session = session(call) { _ = ended.spend(session, now: now) }
        return cookie.clearing
    }

    private func session(_ call: Call<StoreSite>) -> Sealed? {
        let now = call.server.machineTime()
        return cookie.values(in: call.request.headers).lazy
            .compactMap { sessions.open($0, now: now) }.first { !ended.contains($0) }
    }

    private var cookie: SessionCookie {
        SessionCookie(name: "perennial-console", path: Console.path, isSecure: isSecure)
    }
}
