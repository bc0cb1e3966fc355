import ConnectAnswers
import HTMLPages

/// Addresses of customers' pages. Everything in them that is not a word of ours is
/// percent-encoded.
enum AccountPath {
    static let overview = Account.path
    static let signOut = "/account/sign-out"

    static func subscription(_ id: String, _ rest: String...) -> String {
        StorePath(parts: ["account", "subscriptions", id] + rest).text
    }

    /// Where one signs in, and then goes on to a page.
    static func signIn(returningTo path: String?) -> String {
        StorePath("account", "sign-in").with("to", path.flatMap(own)).text
    }

    /// A path that leads to one of these pages; nil for any other.
    static func own(_ path: String) -> String? { OwnPath.of(path, below: Account.path) }

    /// The page that a form lies below: what it is about.
    static func above(_ path: String) -> String {
        let parts = path.split(separator: "/")
        guard parts.count > 3, parts[1] == "subscriptions" else { return overview }
        return own("/" + parts.prefix(3).joined(separator: "/")) ?? overview
    }
}
