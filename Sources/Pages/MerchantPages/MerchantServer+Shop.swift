public import MerchantHTTP

extension MerchantServer {
    /// Puts the shop at `/shop`.
    ///
    /// - Parameters:
    ///   - secret: what sessions are sealed with, such as the operator's token.
    ///   - letsAnybodySignIn: whether everybody who reaches the port may be any customer, as on a
    ///     developer's own machine; else the app makes a link.
    ///   - store: where its products are sold.
    public mutating func showShop(
        secret: String, letsAnybodySignIn: Bool, store: any ShopStore
    ) {
        show(
            Shop(
                ShopAccess(secret: secret, letsAnybodySignIn: letsAnybodySignIn), store: store))
    }
}
