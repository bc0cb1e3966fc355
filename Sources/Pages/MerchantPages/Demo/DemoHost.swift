package import SubscriptionRules

/// What the demonstration needs of the program that serves a store beside the merchant.
package protocol DemoHost: ShopStore {
    /// Names of customers of the store, at most so many.
    func customers(_ most: Int) async throws -> [String]

    /// What the clock shows that store and merchant go by.
    func now() async throws -> Instant

    /// Moves it, and lets everything happen that falls due.
    func advance(to moment: Instant) async throws

    /// Cookies that open the store's console for the browser, and the store's pages as a customer.
    ///
    /// - Parameter machineTime: the machine's clock.
    func cookies(for account: String, in bundleID: String, machineTime: Instant) -> [String]
}
