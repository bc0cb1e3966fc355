import ConnectAnswers
import HTMLPages

/// Addresses of the merchant's console. Everything in them that is not a word of ours is
/// percent-encoded.
enum MerchantPath {
    static let overview = MerchantConsole.path
    static let signOut = "/console/sign-out"

    /// The page that a path lies below.
    static func above(_ path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return own("/" + parts.joined(separator: "/")) ?? overview
    }

    /// Where one signs in, and then goes on to a page.
    static func signIn(returningTo path: String?) -> String {
        StorePath("console", "sign-in").with("to", path.flatMap(own)).text
    }

    /// A path that leads to a page of the console; nil for any other.
    static func own(_ path: String) -> String? { OwnPath.of(path, below: MerchantConsole.path) }
}
