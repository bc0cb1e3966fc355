/// What the shop asks of a store as an app asks StoreKit. The merchant knows no store: the program
/// that serves both gives it one.
public protocol ShopStore: Sendable {
    /// Where a customer is at home; nobody is signed in by asking.
    func home(of account: String) async throws -> ShopHome

    /// What an app sells.
    ///
    /// - Parameters:
    ///   - home: whose prices are wanted.
    ///   - language: of the texts.
    func goods(
        of bundleID: String, for home: ShopHome, language: String
    ) async throws -> ShopGoods

    /// The signed transactions on a customer's device, as restoring purchases finds them.
    func signedTransactions(of account: String, in bundleID: String) async throws -> [String]

    /// Where a browser finds the store's pages, such as `http://127.0.0.1:8080`.
    ///
    /// - Parameter authority: the host and port by which it has reached the merchant.
    func origin(reachedBy authority: String?) -> String
}

/// Where a customer of the store is at home.
public struct ShopHome: Sendable, Hashable {
    /// Three letters; nil where the app's own storefront counts.
    public var storefront: String?
    /// Such as `de_CH`.
    public var locale: String
    /// Whether the account may pay for anything (SHP-5).
    public var canPay: Bool

    public init(storefront: String? = nil, locale: String = "en_US", canPay: Bool = true) {
        self.storefront = storefront
        self.locale = locale
        self.canPay = canPay
    }
}
