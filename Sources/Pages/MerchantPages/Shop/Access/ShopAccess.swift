import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
package import MerchantHTTP
package import SubscriptionRules

/// Who may shop as whom: a link of the app, or on a developer's machine the name of an account,
/// begins a session of some hours in a cookie. Sessions are sealed and not stored, so that all
/// processes take them.
package struct ShopAccess: Sendable {
    /// Whether everybody who reaches the port may be any customer.
    let letsAnybodySignIn: Bool
    private let sessions: Seal
    private let links: Seal
    private let ended = SpentIdentifiers()
    private let isSecure: Bool

    /// How long a session lasts.
    static let sessionLength = Span.hours(12)
    /// How long a link that opens one can be used.
    static let linkLength = Span.minutes(10)

    /// - Parameters:
    ///   - secret: what sessions and links are sealed with.
    ///   - isSecure: whether browsers reach the server by TLS.
    package init(secret: String, letsAnybodySignIn: Bool, isSecure: Bool = false) {
        sessions = Seal(secret: secret, purpose: "shop session")
        links = Seal(secret: secret, purpose: "shop link")
        self.letsAnybodySignIn = letsAnybodySignIn
        self.isSecure = isSecure
    }

    /// Whose session a request shows, if it has not ended.
    func session(_ call: Call<MerchantSite>) -> ShopSession? {
        let now = call.server.machineTime()
        return cookie.values(in: call.request.headers).lazy
            .compactMap { text -> ShopSession? in
                guard let sealed = sessions.open(text, now: now), !ended.contains(sealed) else {
                    return nil
                }
                return ShopSession(sealed)
            }.first
    }

    /// Begins a session, whatever session there was.
    ///
    /// - Parameter now: the machine's clock.
    /// - Returns: the cookie.
    package func signIn(_ account: String, in bundleID: String, now: Instant) -> String {
        let text = sessions.make(
            until: now + Self.sessionLength, saying: [bundleID, account])
        return cookie.setting(text, for: Self.sessionLength)
    }

    /// Whom a link signs in; nil for one that was used or has ended.
    ///
    /// - Parameter spends: whether it is used up.
    func customer(
        ofCode code: String, _ call: Call<MerchantSite>, spends: Bool
    ) -> ShopSession? {
        let now = call.server.machineTime()
        guard let link = links.open(code, now: now), !ended.contains(link),
            let session = ShopSession(link), !spends || ended.spend(link, now: now)
        else { return nil }
        return session
    }

    /// Ends the session of a request, wherever its cookie has been copied to in the meantime.
    ///
    /// - Returns: what takes the cookie away.
    func signOut(_ call: Call<MerchantSite>) -> String {
        let now = call.server.machineTime()
        for text in cookie.values(in: call.request.headers) {
            if let sealed = sessions.open(text, now: now) { _ = ended.spend(sealed, now: now) }
        }
        return cookie.clearing
    }

    private var cookie: SessionCookie {
        SessionCookie(name: "perennial-shop", path: Shop.path, isSecure: isSecure)
    }
}

extension ShopAccess: ShopLinks {
    package func link(to account: String, in bundleID: String, now: Instant) -> ShopLink {
        let end = now + Self.linkLength
        let code = links.make(until: end, saying: [bundleID, account])
        return ShopLink(path: "\(Shop.path)/sign-in?code=\(code)", expires: end)
    }
}

/// A signed-in customer of the shop.
struct ShopSession: Sendable, Hashable {
    /// What it is told from others by.
    let identifier: String
    let bundleID: String
    let account: String

    fileprivate init?(_ sealed: Sealed) {
        guard sealed.said.count == 2 else { return nil }
        identifier = sealed.identifier
        bundleID = sealed.said[0]
        account = sealed.said[1]
    }
}
