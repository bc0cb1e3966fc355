import ConnectAnswers
import HTMLPages

/// Addresses of the console's pages. Everything in them that is not a word of ours is
/// percent-encoded.
enum ConsolePath {
    static let overview = Console.path
    static let customers = "/console/customers"
    static let clock = "/console/clock"
    static let notifications = "/console/notifications"
    static let catalogue = "/console/catalogue"
    static let explain = "/console/catalogue/explain"
    static let extensions = "/console/extensions"
    static let refunds = "/console/refunds"
    static let money = "/console/money"
    static let faults = "/console/faults"
    static let world = "/console/world"
    static let families = "/console/families"
    static let requests = "/console/requests"
    static let mailbox = "/console/mailbox"
    static let codes = "/console/codes"
    static let forgeries = "/console/forgeries"
    static let settings = "/console/settings"
    static let signOut = "/console/sign-out"

    static func customer(_ account: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "customers", account] + rest).text
    }

    static func device(_ account: String, _ id: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "customers", account, "devices", id] + rest).text
    }

    static func app(_ bundleID: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "apps", bundleID] + rest).text
    }

    static func subscription(_ id: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "subscriptions", id] + rest).text
    }

    static func mail(_ id: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "mailbox", id] + rest).text
    }

    static func notification(_ id: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "notifications", id] + rest).text
    }

    static func product(_ app: String, _ product: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "catalogue", app, product] + rest).text
    }

    static func family(_ id: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "families", id] + rest).text
    }

    static func request(_ id: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "requests", id] + rest).text
    }

    static func forgery(_ kind: String) -> String {
        StorePath("console", "forgeries", kind).text
    }

    static func codes(_ app: String, _ id: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "codes", app, id] + rest).text
    }

    /// The page that a path lies below.
    static func above(_ path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        if path == "/console/sign-up" { return customers }
        if path == faults { return faults }
        switch (parts.dropFirst().first, parts.count) {
        case ("subscriptions", 2): return customers
        case ("catalogue", 3): return catalogue
        case ("catalogue", 6): return "/" + parts.dropLast().joined(separator: "/")
        case ("apps", 2): return settings
        case ("codes", 3): return codes
        case ("bills", _): return refunds
        case ("world", _): return world
        default: return own("/" + parts.joined(separator: "/")) ?? overview
        }
    }

    /// Where one signs in, and then goes on to a page.
    static func signIn(returningTo path: String?) -> String {
        StorePath("console", "sign-in").with("to", path.flatMap(own)).text
    }

    /// A path that leads to a page of the console; nil for any other, so that nobody is sent
    /// elsewhere by a link to the sign-in.
    static func own(_ path: String) -> String? { OwnPath.of(path, below: Console.path) }
}
