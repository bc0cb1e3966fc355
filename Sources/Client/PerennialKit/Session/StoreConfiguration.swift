public import AppStoreWire

/// Which store an app talks to, for which app, and how this device keeps what it must not lose.
public struct StoreConfiguration: Sendable {
    /// The app.
    public var bundleID: String
    /// The environment that the store's port serves. What is signed for another one is not
    /// verified.
    public var environment: AppStore.Environment
    /// The app's Apple id, which is compared in app transactions of Production; nil in Sandbox.
    public var appAppleID: Int64?
    /// The store's root certificate in DER, which comes with the app: whatever does not lead
    /// to one of these is not verified.
    public var rootCertificates: [[UInt8]]
    /// The name of this device: the same name is the same device, with the same queue.
    public var device: String
    /// The customer's language, such as `de` or `pt_BR`: texts and prices are written in it.
    public var locale: String
    /// Whose prices are shown while nobody is signed in, ISO 3166-1 alpha-3; nil for the app's own
    /// storefront.
    public var storefront: String?
    /// The path of the file in which the session keeps the sign-in, how far it has read, what was
    /// delivered and is not finished, what is finished and not told, purchases that wait for
    /// an answer, and the last verified answers about what the customer has. It is written whole
    /// or not at all, and only its owner can read it (mode 0600).
    public var stateFile: String
    /// Carries requests.
    public var transport: any StoreTransport
    /// By which time the session waits.
    public var clock: any StoreClock
    /// Where its chance comes from.
    public var chance: any StoreChance
    /// How often and when it asks again.
    public var retry = RetryPolicy()
    /// How long the store may take for an answer.
    public var timeout: Duration = .seconds(15)
    /// How long one request for updates stays open while nothing happens: 0 to 60 seconds.
    public var updateWait: Duration = .seconds(25)
    /// For how long the session goes on asking what became of a purchase whose answer was lost.
    /// The store may make it then, if the request never came there; after this time it is given
    /// up, and what was bought still comes as a transaction.
    public var purchaseLifetime: Duration = .seconds(86_400)
    /// Asks the customer before a purchase, in place of the system's payment sheet: where it
    /// answers false, nothing is sent and the purchase is ``Product/PurchaseResult/userCancelled``.
    public var confirmPurchase: @Sendable (Product) async -> Bool = { _ in true }

    /// Hears of what went wrong while the session listened for updates, which goes on by itself:
    /// for logs.
    public var reportProblem: @Sendable (StoreKitError) -> Void = { _ in }

    /// - Parameters:
    ///   - url: the store's address, without a path, where no other transport is given.
    ///   - device: 1 to 64 characters.
    ///   - stateFile: its folder is made where there is none; a file beside it, with `.lock` at
    ///     its end, keeps a second session off it.
    public init(
        url: String, bundleID: String, environment: AppStore.Environment,
        appAppleID: Int64? = nil, rootCertificates: [[UInt8]], device: String, stateFile: String,
        locale: String = "en", transport: (any StoreTransport)? = nil,
        clock: any StoreClock = MachineClock(), chance: any StoreChance = MachineChance()
    ) {
        self.bundleID = bundleID
        self.environment = environment
        self.appAppleID = appAppleID
        self.rootCertificates = rootCertificates
        self.device = device
        self.locale = locale
        self.stateFile = stateFile
        self.transport = transport ?? HTTPTransport(url: url)
        self.clock = clock
        self.chance = chance
    }
}
