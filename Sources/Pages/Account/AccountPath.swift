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

    /// What has a first page of its own.
    private static let rooms: Set = [
        "purchases", "help", "redeem", "family", "mailbox", "sharing",
    ]

    static let purchases = "/account/purchases"
    static let help = "/account/help"
    static let redeem = "/account/redeem"
    static let family = "/account/family"
    static let mailbox = "/account/mailbox"
    static let optIns = "/account/sharing"
    static let terms = "/account/terms"

    /// A page of one of them, or of a product.
    static func below(_ room: String, _ rest: String...) -> String {
        StorePath(parts: ["account", room] + rest).text
    }

    /// The picture that stands for an app.
    static let icon = "\(Account.path)/assets/\(PageAssets.version)/icon.svg"

    /// The page that a form lies below: what it is about.
    static func above(_ path: String) -> String {
        let parts = path.split(separator: "/")
        if parts.count > 2, rooms.contains(String(parts[1])) {
            return "\(overview)/\(parts[1])"
        }
        guard parts.count > 3, parts[1] == "subscriptions" else { return overview }
        return own("/" + parts.prefix(3).joined(separator: "/")) ?? overview
    }
}
