import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP
package import SubscriptionRules

/// Who may use the demonstration: a link that was made with the operator's token begins a session,
/// which also says which customer is looked at.
package struct DemoAccess: Sendable {
    private let sessions: Seal
    private let links: Seal
    private let spent = SpentIdentifiers()

    /// - Parameter operatorToken: of the store: the demonstration opens its console.
    package init(operatorToken: String) {
        sessions = Seal(secret: operatorToken, purpose: "demo session")
        links = Seal(secret: operatorToken, purpose: "demo link")
    }

    /// A path that opens one session within an hour.
    ///
    /// - Parameter now: the machine's clock.
    package func link(now: Instant) -> String { "/?code=\(links.make(until: now + .hours(1)))" }

    /// Whether a code opens a session; it is used up by that.
    func spend(_ code: String, now: Instant) -> Bool {
        guard let link = links.open(code, now: now) else { return false }
        return spent.spend(link, now: now)
    }

    func session(_ call: Call<MerchantSite>) -> DemoSession? {
        let now = call.server.machineTime()
        return Self.cookie.values(in: call.request.headers).lazy
            .compactMap { sessions.open($0, now: now) }
            .compactMap { DemoSession($0) }.first
    }

    /// - Parameter now: the machine's clock.
    func cookie(for account: String, in bundleID: String, now: Instant) -> String {
        Self.cookie.setting(
            sessions.make(until: now + .hours(12), saying: [bundleID, account]), for: .hours(12))
    }

    private static let cookie = SessionCookie(name: "perennial-demo", path: "/", isSecure: false)
}

/// A session of the demonstration.
struct DemoSession: Sendable {
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

/// One request within a session.
struct DemoVisit: Sendable {
    let call: Call<MerchantSite>
    let session: DemoSession
    let locale: PageLocale

    /// Nil without a session.
    init?(_ call: Call<MerchantSite>, demo: Demo) {
        guard let session = demo.access.session(call) else { return nil }
        self.call = call
        self.session = session
        locale = PageLocale(accepting: call.request.headers[.acceptLanguage])
    }
}
