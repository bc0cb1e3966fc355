import ConnectAnswers
import HTMLPages

/// Addresses of the merchant's console. Everything in them that is not a word of ours is
/// percent-encoded.
enum MerchantPath {
    static let overview = MerchantConsole.path
    static let signOut = "/console/sign-out"
    static let deadLetters = "/console/dead-letters"
    static let notifications = "/console/notifications"
    static let customers = "/console/customers"
    static let unowned = "/console/unowned"
    static let campaigns = "/console/campaigns"
    static let newCampaign = "/console/campaigns/new"
    static let outages = "/console/outages"
    static let figures = "/console/figures"

    static func deadLetter(_ number: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "dead-letters", number] + rest).text
    }

    static func gaps(_ rest: String...) -> String {
        StorePath(parts: ["console", "gaps"] + rest).text
    }

    static func customer(_ app: String, _ account: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "customers", app, account] + rest).text
    }

    static func unowned(_ app: String, _ purchase: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "unowned", app, purchase] + rest).text
    }

    static func campaign(_ app: String, _ name: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "campaigns", app, name] + rest).text
    }

    static func plan(_ number: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "plans", number] + rest).text
    }

    static func outage(_ app: String, _ name: String, _ rest: String...) -> String {
        StorePath(parts: ["console", "outages", app, name] + rest).text
    }

    static func transactions(_ app: String) -> String {
        StorePath("console", "figures", app, "transactions").text
    }

    /// Pages below which an app is named first.
    private static let appsBelow: Set = ["customers", "unowned", "campaigns", "outages", "figures"]

    /// The page that a path lies below, or whose form it takes.
    static func above(_ path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        // The form itself, which has its page's path.
        if parts.count == 3, parts[1] == "plans", path.hasSuffix("/begin") {
            return own(path) ?? overview
        }
        if parts.count == 2, parts[1] == "plans" { return campaigns }
        if parts.count == 5, parts[4] == "move" {
            return "/" + parts.dropLast().joined(separator: "/")
        }
        // An app alone is no page.
        if parts.count == 3, appsBelow.contains(String(parts[1])) { return "/console/\(parts[1])" }
        return own("/" + parts.joined(separator: "/")) ?? overview
    }

    /// Where one signs in, and then goes on to a page.
    static func signIn(returningTo path: String?) -> String {
        StorePath("console", "sign-in").with("to", path.flatMap(own)).text
    }

    /// A path that leads to a page of the console; nil for any other.
    static func own(_ path: String) -> String? { OwnPath.of(path, below: MerchantConsole.path) }
}
