package import HTTPSurface
import Hummingbird
package import SubscriptionRules

/// Who may look at an operator's pages: whoever shows the operator's token, or a link that was
/// made with it, has a session in a cookie for some hours.
///
/// Sessions are sealed and not stored, so that all processes of a server take them. All end with
/// the token that they were made with.
package struct OperatorAccess: Sendable {
    private let token: @Sendable () -> String
    private let label: String
    private let cookie: SessionCookie
    private let ended = SpentIdentifiers()

    /// How long a session lasts.
    package static let sessionLength = Span.hours(12)
    /// How long a link that opens a session can be used.
    package static let linkLength = Span.hours(1)

    /// - Parameters:
    ///   - label: tells its sessions and links from those of other pages.
    ///   - cookie: holds the session.
    ///   - token: the operator's token, which may be replaced while the server runs.
    package init(
        label: String, cookie: SessionCookie, token: @escaping @Sendable () -> String
    ) {
        self.label = label
        self.cookie = cookie
        self.token = token
    }

    private var sessions: Seal { Seal(secret: token(), purpose: "\(label) session") }
    private var links: Seal { Seal(secret: token(), purpose: "\(label) link") }

    /// A code that opens one session, for a link that is shown to whoever has the token already.
    ///
    /// - Parameter now: the machine's clock.
    package func makeCode(now: Instant) -> String { links.make(until: now + Self.linkLength) }

    /// Whether a request shows a session that has not ended.
    package func isOperator<Site>(_ call: Call<Site>) -> Bool { session(call) != nil }

    /// Begins a session for whoever shows the token or a code, whatever session there was.
    ///
    /// - Returns: the cookie; nil for a wrong token, and a code that was used or has ended.
    package func signIn<Site>(_ call: Call<Site>, token given: String?, code: String?) -> String? {
        let now = call.server.machineTime()
        if let given {
            guard SharedSecret(token()).matches(given) else { return nil }
        } else {
            guard let link = code.flatMap({ links.open($0, now: now) }),
                ended.spend(link, now: now)
            else { return nil }
        }
        return begin(now: now)
    }

    /// Begins a session for a browser that is known to be the operator's.
    ///
    /// - Parameter now: the machine's clock.
    /// - Returns: the cookie.
    package func begin(now: Instant) -> String {
        cookie.setting(
            sessions.make(until: now + Self.sessionLength), for: Self.sessionLength)
    }

    /// Ends the session of a request, wherever its cookie has been copied to in the meantime.
    ///
    /// - Returns: what takes the cookie away.
    package func signOut<Site>(_ call: Call<Site>) -> String {
        let now = call.server.machineTime()
        if let session = session(call) { _ = ended.spend(session, now: now) }
        return cookie.clearing
    }

    private func session<Site>(_ call: Call<Site>) -> Sealed? {
        let (now, sessions) = (call.server.machineTime(), sessions)
        return cookie.values(in: call.request.headers).lazy
            .compactMap { sessions.open($0, now: now) }.first { !ended.contains($0) }
    }
}
