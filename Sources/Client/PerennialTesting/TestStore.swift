public import AppStoreSigning
public import AppStoreWire
public import ServerAPIClient
import Store
public import SubscriptionRules

/// The App Store of one test: a fresh world, served at a port of this machine, whose clock stands
/// still until the test moves it.
///
/// Whatever changes something returns when the notifications that it caused were attempted.
public final class TestStore: Sendable {
    @TaskLocal static var running: TestStore?

    /// The address of the App Store Server API, without a path.
    public let url: String
    public let bundleID: String
    public let appAppleID: Int64
    public let environment: Environment
    /// What your server trusts in place of Apple's root, DER.
    public let rootCertificate: [UInt8]
    /// The key with which your server signs its calls.
    public let key: APIKey
    /// A client of the App Store Server API that calls this store.
    public let client: ServerAPIClient
    /// A verifier of signed data that trusts this store.
    public let verifier: SignedDataVerifier
    /// What the store sends.
    public let notifications: Notifications
    let store: Store
    let place: StoreEnvironment
    private let house: StoreHouse

    init(_ house: StoreHouse, url: String, _ options: StoreOptions) throws {
        self.house = house
        self.url = url
        store = house.store
        place = house.environment
        bundleID = options.bundleID
        appAppleID = App.firstAppleID
        environment = options.environment
        rootCertificate = house.rootCertificate
        key = Identity.key
        verifier = house.verifier
        client = try ServerAPIClient(
            baseURL: url, bundleID: options.bundleID, key: Identity.key,
            limits: RequestLimits.none)
        notifications = Notifications(store: house.store, in: house.environment, house.inbox)
    }

    /// The store of the running test.
    ///
    /// - Throws: ``TestStoreFailure`` in a test without the trait.
    public static var current: TestStore {
        get throws {
            guard let running else {
                throw TestStoreFailure(
                    "This test has no store: add the trait .perennial(…) to it or to its suite.")
            }
            return running
        }
    }

    func close() async { await house.close() }

    // MARK: The clock

    /// What the store's clock shows. Give it to your server as its clock.
    public func now() async throws -> Instant { try await store.clockReading().now }

    /// Moves the clock by an ISO 8601 duration, such as `P1M` or `PT1H`. Everything that is due
    /// until then has happened, in order.
    @discardableResult
    public func advance(_ duration: String) async throws -> Instant {
        guard let step = CalendarStep(iso8601: duration) else {
            throw TestStoreFailure(
                "\(duration) is no ISO 8601 duration: write P1M, P16D or PT1H30M.")
        }
        return try await store.advance(by: step).now
    }

    /// Moves the clock to a later moment.
    @discardableResult
    public func advance(to moment: Instant) async throws -> Instant {
        try await store.advance(to: moment).now
    }

    /// Moves the clock from event to event until one causes such a notification.
    @discardableResult
    public func advance(
        until type: NotificationTypeV2, _ subtype: Subtype? = nil
    ) async throws -> Instant {
        let found = try await store.runUntil(NotificationWanted(type, subtype), in: place)
        try await store.settle()
        return found.now
    }

    // MARK: Customers

    /// Signs a customer in, and creates the account where it is new.
    ///
    /// - Parameter storefront: a country's code, such as `DEU`; nil for the app's.
    public func customer(
        _ account: String, storefront: String? = nil, device: String = "device"
    ) async throws -> TestCustomer {
        let home = try storefront.map { code throws(TestStoreFailure) in
            guard let storefront = Storefront(code: code) else {
                throw TestStoreFailure("\(code) is no storefront: write USA, DEU or another.")
            }
            return storefront
        }
        return try await TestCustomer(self, account, home, device)
    }

    /// Makes a family: from now on its members have what can be shared.
    public func family(_ organiser: TestCustomer, _ members: TestCustomer...) async throws {
        try await store.createFamily(
            organiser: organiser.account, with: members.map(\.account), in: place)
        try await store.settle()
    }

    /// Does what is due now, and attempts what is due: for what your server asked of the store.
    public func settle() async throws { try await store.settle() }

    func transaction(_ signed: String) async throws -> SignedTransaction {
        SignedTransaction(signed: signed, payload: try await verifier.verifyTransaction(signed))
    }
}
