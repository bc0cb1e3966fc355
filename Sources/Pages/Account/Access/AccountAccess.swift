import AppStoreWire
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
package import Store
package import StoreHTTP
package import SubscriptionRules
import TimeAndChance

/// Who may look at whose account: whoever came by a link of the app, or, on a developer's machine,
/// whoever says a customer's name, has a session in a cookie for some hours (PAG-1).
///
/// Sessions are sealed and not stored, so that all processes of a store take them. One is good in
/// one environment only; browsers show the cookies of a host at all its ports, so each
/// environment's has a name of its own.
package struct AccountAccess: Sendable {
    /// Whether whoever reaches the port may be any customer.
    let letsAnybodySignIn: Bool
    private let sessions: Seal
    private let links: Seal
    private let ended = SpentIdentifiers()
    private let isSecure: Bool

    /// How long a session lasts.
    static let sessionLength = Span.hours(12)
    /// How long a link that opens one can be used, once (PAG-2).
    static let linkLength = Span.minutes(10)

    /// - Parameters:
    ///   - secret: what sessions and links are sealed with.
    ///   - isSecure: whether browsers reach the server by TLS.
    package init(secret: String, letsAnybodySignIn: Bool, isSecure: Bool = false) {
        sessions = Seal(secret: secret, purpose: "account session")
        links = Seal(secret: secret, purpose: "account link")
        self.letsAnybodySignIn = letsAnybodySignIn
        self.isSecure = isSecure
    }

    /// Whose session a request shows, if it has not ended.
    func session(_ call: Call<StoreSite>) -> AccountSession? {
        let now = call.server.machineTime()
        return cookie(at: call.site.environment).values(in: call.request.headers).lazy
            .compactMap { text -> AccountSession? in
                guard let sealed = sessions.open(text, now: now), !ended.contains(sealed) else {
                    return nil
                }
                return AccountSession(sealed, at: call.site.environment)
            }.first
    }

    /// Begins a session, whatever session there was.
    ///
    /// - Returns: the cookie.
    func signIn(_ call: Call<StoreSite>, as account: StoreSite.Account) -> String {
        begin(as: account, at: call.site.environment, now: call.server.machineTime())
    }

    /// The cookie of a new session, for a browser that is known to be the customer's.
    ///
    /// - Parameter now: the machine's clock.
    package func begin(
        as account: StoreSite.Account, at environment: StoreEnvironment, now: Instant
    ) -> String {
        let text = sessions.make(
            until: now + Self.sessionLength,
            saying: AccountSession.said(of: account, at: environment))
        return cookie(at: environment).setting(text, for: Self.sessionLength)
    }

    /// Whom a link signs in; nil for one that was used, has ended or is of elsewhere.
    ///
    /// - Parameter spends: whether it is used up.
    func account(ofCode code: String, _ call: Call<StoreSite>, spends: Bool) -> StoreSite.Account? {
        let now = call.server.machineTime()
        guard let link = links.open(code, now: now), !ended.contains(link),
            let session = AccountSession(link, at: call.site.environment),
            !spends || ended.spend(link, now: now)
        else { return nil }
        return StoreSite.Account(session.account, bundleID: session.bundleID)
    }

    /// Ends the session of a request, wherever its cookie has been copied to in the meantime.
    ///
    /// - Returns: what takes the cookie away.
    func signOut(_ call: Call<StoreSite>) -> String {
        let now = call.server.machineTime()
        for text in cookie(at: call.site.environment).values(in: call.request.headers) {
            if let sealed = sessions.open(text, now: now) { _ = ended.spend(sealed, now: now) }
        }
        return clearing(call)
    }

    /// What takes the cookie of a browser away.
    func clearing(_ call: Call<StoreSite>) -> String { cookie(at: call.site.environment).clearing }

    private func cookie(at environment: StoreEnvironment) -> SessionCookie {
        SessionCookie(
            name: environment == .sandbox ? "perennial-account-sandbox" : "perennial-account",
            path: Account.path, isSecure: isSecure)
    }
}

extension AccountAccess: AccountLinks {
    package func link(
        to account: StoreSite.Account, at site: StoreSite, now: Instant
    ) -> AccountLink {
        let end = now + Self.linkLength
        let code = links.make(
            until: end, saying: AccountSession.said(of: account, at: site.environment))
        return AccountLink(path: "\(Account.path)/sign-in?code=\(code)", expires: end)
    }
}

/// A signed-in customer.
struct AccountSession: Sendable, Hashable {
    /// What it is told from others by.
    let identifier: String
    let bundleID: String
    let account: String

    /// Nil for what was sealed in another environment.
    fileprivate init?(_ sealed: Sealed, at environment: StoreEnvironment) {
        guard sealed.said.count == 3, sealed.said[0] == environment.wire.rawValue else {
            return nil
        }
        identifier = sealed.identifier
        bundleID = sealed.said[1]
        account = sealed.said[2]
    }

    fileprivate static func said(
        of account: StoreSite.Account, at environment: StoreEnvironment
    ) -> [String] {
        [environment.wire.rawValue, account.bundleID, account.name]
    }
}
