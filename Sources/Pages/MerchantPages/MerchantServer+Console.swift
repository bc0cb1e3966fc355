public import MerchantHTTP

extension MerchantServer {
    /// Puts the merchant's console at `/console`.
    public mutating func showConsole() {
        pages += MerchantConsole(MerchantAccess.operators(token: operatorToken)).endpoints
    }
}
