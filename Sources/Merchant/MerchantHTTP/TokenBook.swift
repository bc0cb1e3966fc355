import HTTPSurface
import Synchronization

/// Every token that opens a merchant's server. They may be replaced while it runs.
public final class TokenBook: Sendable {
    private let state: Mutex<State>

    private struct State: Sendable {
        let theOperator: String
        let entries: [Entry]
    }

    private struct Entry: Sendable {
        let secret: SharedSecret
        let holder: TokenHolder
    }

    public init(_ tokens: MerchantServer.Tokens) { state = Mutex(Self.state(of: tokens)) }

    /// Only these tokens open it from now on.
    public func replace(by tokens: MerchantServer.Tokens) {
        let new = Self.state(of: tokens)
        state.withLock { $0 = new }
    }

    /// The operator's, which sessions of the operator's pages are sealed with.
    var theOperator: String { state.withLock { $0.theOperator } }

    /// Whose token was shown; nil for a wrong one. All are compared, so that the time says nothing.
    func holder(of shown: String) -> TokenHolder? {
        var found: TokenHolder?
        for entry in state.withLock({ $0.entries }) where entry.secret.matches(shown) {
            found = found ?? entry.holder
        }
        return found
    }

    private static func state(of tokens: MerchantServer.Tokens) -> State {
        var entries = [
            Entry(
                secret: SharedSecret(tokens.theOperator),
                holder: TokenHolder(scope: .theOperator, bundleID: nil))
        ]
        for (bundleID, app) in tokens.apps.sorted(by: { $0.key < $1.key }) {
            entries += [
                Entry(
                    secret: SharedSecret(app.app),
                    holder: TokenHolder(scope: .app, bundleID: bundleID)),
                Entry(
                    secret: SharedSecret(app.server),
                    holder: TokenHolder(scope: .server, bundleID: bundleID)),
            ]
        }
        return State(theOperator: tokens.theOperator, entries: entries)
    }
}

/// What a token opens.
public enum TokenScope: String, Hashable, Sendable, CaseIterable {
    /// The app on customers' devices: it posts purchases and reads one account.
    case app
    /// The developer's own servers: they read, claim, merge and erase accounts.
    case server
    /// Whoever runs the merchant: everything.
    case theOperator = "operator"
}

/// Whoever shows a token.
struct TokenHolder: Hashable, Sendable {
    let scope: TokenScope
    /// The one app that it opens; nil for all.
    let bundleID: String?

    /// Whether it opens what a description asks a token for.
    func opens(_ access: OperationDescription.Access) -> Bool {
        switch scope {
        case .theOperator: true
        case .server: access == .app || access == .server
        case .app: access == .app
        }
    }
}
