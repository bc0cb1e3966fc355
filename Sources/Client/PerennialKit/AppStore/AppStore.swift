public import AppStoreWire
public import FoundationEssentials

/// What concerns the store as a whole.
public enum AppStore {
    /// Where a purchase counts: Production or Sandbox.
    public typealias Environment = AppStoreWire.Environment

    /// Brings back what the customer has bought: every past transaction of auto-renewable
    /// subscriptions and all non-consumables are in this device's queue again, and come in
    /// ``Transaction/updates(in:)`` with ``Transaction/isRestored``. Call it when the customer asks
    /// for it, not at every start. Repeated, it changes nothing.
    ///
    /// - Returns: how many transactions the store put into the queue.
    @discardableResult
    public static func sync(in session: StoreSession) async throws(StoreKitError) -> Int {
        try await session.restore()
    }

    /// Whether the account may pay for anything; where it may not, hide the shop or say why.
    public static func canMakePayments(
        in session: StoreSession
    ) async throws(StoreKitError) -> Bool {
        guard let answer = try await session.shop().canMakePayments else { throw .notSignedIn }
        return answer
    }

    /// Redeems an offer code.
    ///
    /// - Parameters:
    ///   - code: as the customer typed it.
    ///   - options: ``Product/PurchaseOption/appAccountToken(_:)`` and
    ///     ``Product/PurchaseOption/idempotencyKey(_:)`` count here.
    /// - Throws: ``Product/PurchaseError`` or ``StoreKitError``.
    public static func redeemOfferCode(
        _ code: String, options: Set<Product.PurchaseOption> = [], in session: StoreSession
    ) async throws -> Product.PurchaseResult {
        try await session.redeem(code, options)
    }

    /// The app receipt of this device's app (PKCS#7), for servers that still verify those.
    public static func receipt(in session: StoreSession) async throws(StoreKitError) -> Data {
        let answer = try await session.exchange.get("/storefront/v1/receipt")
        let text = try answer.requiredText("receipt", "the receipt")
        guard let receipt = Data(base64Encoded: text) else {
            throw .invalidResponse("the receipt is not Base64")
        }
        return receipt
    }
}

/// Where the customer's account is at home.
public struct Storefront: Sendable, Hashable {
    /// ISO 3166-1 alpha-3, such as `USA`.
    public let countryCode: String
    /// The storefront's number, such as `143441`; nil where the store did not say it.
    public let id: String?
    /// In what is paid there, ISO 4217; nil where it was not said.
    public let currencyCode: String?

    /// The storefront of the account that is signed in; where nobody is,
    /// ``StoreConfiguration/storefront``, or else the app's own.
    public static func current(in session: StoreSession) async throws(StoreKitError) -> Storefront {
        try await session.shop().storefront
    }
}
