import ConnectAnswers
import HTMLPages

/// Addresses of the shop's pages, and of the store's pages that these lead to.
enum ShopPath {
    static let paywall = Shop.path
    static let compact = "/shop/compact"
    static let plan = "/shop/plan"
    static let content = "/shop/content"
    static let sheet = "/shop/price"
    static let help = "/shop/help"
    static let terms = "/shop/terms"
    static let privacy = "/shop/privacy"
    static let restore = "/shop/restore"
    static let signOut = "/shop/sign-out"

    /// Where an answer about a price goes.
    static func answer(to id: Int64) -> String { "\(sheet)/\(id)" }

    /// Where one signs in, and then goes on to a page.
    static func signIn(returningTo path: String?) -> String {
        StorePath("shop", "sign-in").with("to", path.flatMap(own)).text
    }

    /// A path that leads to one of these pages; nil for any other.
    static func own(_ path: String) -> String? { OwnPath.of(path, below: Shop.path) }
}

/// Addresses of customers' pages at the store.
struct StorePages: Sendable {
    /// Where the store is for this browser, such as `http://127.0.0.1:8080`.
    let origin: String

    /// The store's one confirmation of every purchase (SHP-1).
    func buy(_ product: String) -> String {
        origin + StorePath("account", "buy", product).text
    }

    var account: String { "\(origin)/account" }

    func subscription(_ id: String) -> String {
        origin + StorePath("account", "subscriptions", id).text
    }

    var redeem: String { "\(origin)/account/redeem" }
    var refunds: String { "\(origin)/account/purchases" }
}
