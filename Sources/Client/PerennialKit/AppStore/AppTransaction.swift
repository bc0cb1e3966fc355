public import AppStoreWire
public import FoundationEssentials

/// The customer's copy of the app, which proves that the app was acquired.
public struct AppTransaction: SignedValue, Hashable {
    /// Every member as it was signed: times in UNIX milliseconds.
    public let payload: AppStoreWire.AppTransaction
    /// As it was signed: what a server verifies.
    public let jwsRepresentation: String

    /// The copy of whoever is signed in, signed now.
    public static func shared(
        in session: StoreSession
    ) async throws(StoreKitError) -> VerificationResult<AppTransaction> {
        let answer = try await session.exchange.get("/storefront/v1/app-transaction")
        return try await session.appTransaction(
            answer.requiredText("signedAppTransactionInfo", "the app transaction"))
    }

    /// The app's Apple id; in Production only.
    public var appID: UInt64? { payload.appAppleId.map { UInt64(clamping: $0) } }
    /// One for each customer and app.
    public var appTransactionID: String? { payload.appTransactionId }
    /// The app.
    public var bundleID: String { payload.bundleId }
    /// The version in use, where it was said.
    public var appVersion: String? { payload.applicationVersion }
    /// The App Store's number of that version, where it was said.
    public var appVersionID: UInt64? {
        payload.versionExternalIdentifier.map { UInt64(clamping: $0) }
    }
    /// The environment that signed it.
    public var environment: AppStore.Environment { payload.receiptType }
    /// The version that the customer first got.
    public var originalAppVersion: String { payload.originalApplicationVersion }
    /// The platform of the first download.
    public var originalPlatform: PurchasePlatform? { payload.originalPlatform }
    /// When the customer first got the app, by the store's clock.
    public var originalPurchaseDate: Date { Date(milliseconds: payload.originalPurchaseDate) }
    /// When it was pre-ordered.
    public var preorderDate: Date? { payload.preorderDate.map(Date.init(milliseconds:)) }
    /// When it was signed, by the store's clock.
    public var signedDate: Date { Date(milliseconds: payload.receiptCreationDate) }
}
