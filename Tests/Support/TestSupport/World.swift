public import AppStoreSigning
public import AppStoreWire
import Logging
public import Storage
public import Store
public import SubscriptionRules
public import TestFloor
public import Testing
import TimeAndChance

/// A store to play in: a frozen clock, a sample catalogue, a listening developer.
public struct World: Sendable {
    public let store: Store
    public let database: any Database
    public let listener: Listener
    /// The app's bundle identifier.
    public static let bundleID = "com.example.app"
    public static let appleID: Int64 = 1_000_000_001

    /// Signing certificates, made once: making them is slow.
    public static let chain: CertificateChain = {
        do {
            return try CertificateChain.make(
                notBefore: Instant.earliest.milliseconds, notAfter: Instant.latest.milliseconds)
        } catch {
            preconditionFailure("no certificates: \(error)")
        }
    }()

    /// Certificates for receipts, made once, and only where a test wants a receipt.
    public static let receiptChain: ReceiptChain = {
        do {
            return try Store.newReceiptChain()
        } catch {
            preconditionFailure("no certificates: \(error)")
        }
    }()

    /// Opens a world.
    ///
    /// - Parameters:
    ///   - start: what the clock shows first, as ISO 8601 text.
    ///   - isListening: whether the developer has notification URLs.
    ///   - mode: how the clock goes; a frozen one needs no machine.
    ///   - machine: the machine's clock; without one it stands at the start.
    ///   - batchSize: how many subscriptions one transaction takes up.
    ///   - bank: a bank outside of the database.
    ///   - mailroom: who writes to customers; nil for nobody.
    ///   - deliveriesAtOnce: how many notifications of a lane are under way at once; with one, what
    ///     is about several subscriptions comes in an order that a test can name.
    public init(
        _ backend: Backend, at start: String = "2026-01-01T00:00:00Z",
        catalogue: Catalogue = SampleCatalogue.all, isListening: Bool = true,
        mode: StoreClock.Mode = .frozen, machine: ManualClock? = nil, batchSize: Int = 1000,
        bank: (any Bank)? = nil, mailroom: Mailroom? = nil, deliveriesAtOnce: Int = 1,
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws {
        try await self.init(
            database: try await backend.borrowDatabase(), at: start, catalogue: catalogue,
            isListening: isListening, mode: mode, machine: machine, batchSize: batchSize,
            bank: bank, mailroom: mailroom, deliveriesAtOnce: deliveriesAtOnce,
            configure: configure)
    }

    /// Opens a store alone, as a process does that joins others.
    public static func join(
        _ database: any Database, as processName: String
    ) async throws -> Store {
        let moment = World.instant("2026-01-01")
        return try await Store(
            database: database, signer: JWSSigner(chain: World.chain),
            clock: StoreClock(.frozen, showing: moment, machine: moment), seed: processName,
            post: Listener(), machineTime: { moment }, log: Logger(label: "test"),
            processName: processName)
    }

    /// Opens a store whose machine's clock stands still, and that goes by the database's.
    public static func join(
        _ database: any Database, showing machine: Instant
    ) async throws -> Store {
        try await Store(
            database: database, signer: JWSSigner(chain: World.chain),
            clock: StoreClock(.system, showing: nil, machine: machine), seed: "seed",
            post: Listener(), machineTime: { machine }, heedsDatabaseClock: true,
            log: Logger(label: "test"))
    }

    /// Opens a world in a database; one that holds a world already goes on.
    public init(
        database: any Database, at start: String = "2026-01-01T00:00:00Z",
        catalogue: Catalogue = SampleCatalogue.all, isListening: Bool = true,
        mode: StoreClock.Mode = .frozen, machine: ManualClock? = nil,
        ownership: WorldOwnership? = nil, batchSize: Int = 1000,
        bank: (any Bank)? = nil, bankPatience: Duration = .seconds(60),
        mailroom: Mailroom? = nil,
        deliveriesAtOnce: Int = 1, processName: String = "store",
        claimTime: Span = Store.usualClaimTime, stopwatch: ManualStopwatch = ManualStopwatch(),
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws {
        let moment = World.instant(start)
        let machine = machine ?? ManualClock(moment)
        self.database = database
        listener = Listener()
        store = try await Store(
            database: database, signer: JWSSigner(chain: World.chain),
            clock: StoreClock(mode, showing: moment, machine: machine.now), seed: "seed",
            post: listener, deliveriesAtOnce: deliveriesAtOnce, bank: bank,
            bankPatience: bankPatience, mailroom: mailroom,
            receiptChain: { World.receiptChain },
            machineTime: { machine.now }, log: Logger(label: "test"),
            ownership: ownership, processName: processName, version: "1",
            claimTime: claimTime, batchSize: batchSize, stopwatch: { stopwatch.reading })
        guard try await store.apps().isEmpty else { return }
        var settings = App.Settings(name: "App")
        // Where nobody listens, tests count nothing that is only kept.
        settings.unsentNotifications = 0
        try await store.addApp(
            bundleID: World.bundleID, appleID: World.appleID, settings: settings)
        try await store.importCatalogue(catalogue, bundleID: World.bundleID)
        try await store.configure(bundleID: World.bundleID) { settings in
            if isListening {
                settings.notificationURL = "http://developer.example/production"
                settings.sandboxNotificationURL = "http://developer.example/sandbox"
            }
            configure(&settings)
        }
    }

    /// The moment that an ISO 8601 text names.
    public static func instant(_ text: String) -> Instant {
        guard let instant = Instant(iso8601: text) else {
            preconditionFailure("no instant: \(text)")
        }
        return instant
    }

    /// A customer on a device.
    ///
    /// - Parameter name: what the device calls itself; the same name is the same device.
    public func device(
        _ account: String = "ada", storefront: String = "USA",
        in environment: StoreEnvironment = .production, named name: String = "device"
    ) async throws -> DeviceSession {
        try await store.signIn(
            SignInRequest(
                bundleID: World.bundleID, account: account,
                storefront: Storefront(code: storefront)!, device: name),
            in: environment, token: Randomness.token("test_"))
    }

    /// The caller that a developer's server is.
    public func caller(_ environment: StoreEnvironment = .production) -> Caller {
        Caller(bundleID: World.bundleID, environment: environment)
    }

    /// Buys, tells the developer, and says which notifications that must bring.
    @discardableResult
    public func buy(
        _ product: String, by device: DeviceSession, quantity: Int = 1, expecting names: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JWSTransactionDecodedPayload? {
        let signed = try await store.purchase(
            PurchaseRequest(productID: product, quantity: quantity), by: device)
        try await settle(expecting: names, sourceLocation: sourceLocation)
        return try signed.map { try JWSText.decode($0) }
    }

    /// Does what is due now and says which notifications that must bring, in order.
    public func settle(
        expecting names: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await store.settle()
        #expect(listener.takeArrivals().map(\.name) == names, sourceLocation: sourceLocation)
    }

    /// Moves the clock and says which notifications that must bring, in order.
    public func advance(
        to moment: String, expecting names: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        _ = try await store.advance(to: World.instant(moment))
        #expect(listener.takeArrivals().map(\.name) == names, sourceLocation: sourceLocation)
    }

    /// Moves the clock by an ISO 8601 duration and says which notifications that must bring.
    public func advance(
        by step: String, expecting names: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let now = try await store.clockReading().now
        _ = try await store.advance(to: CalendarStep(iso8601: step)!.applied(to: now))
        #expect(listener.takeArrivals().map(\.name) == names, sourceLocation: sourceLocation)
    }

    /// All transactions of a customer as the server API gives them, oldest change first.
    public func history(
        _ anyTransaction: String, in environment: StoreEnvironment = .production
    ) async throws -> [JWSTransactionDecodedPayload] {
        var found: [JWSTransactionDecodedPayload] = []
        var revision: String?
        while true {
            let page = try await store.history(
                anyTransaction: Int64(anyTransaction)!, HistoryFilter(), revision: revision,
                for: caller(environment))
            found += try page.signedTransactions.map { try JWSText.decode($0) }
            guard page.hasMore else { return found }
            revision = page.revision
        }
    }

    /// The status of a subscription as the server API gives it.
    public func status(
        _ anyTransaction: String, in environment: StoreEnvironment = .production
    ) async throws -> (status: Status, renewal: JWSRenewalInfoDecodedPayload) {
        let response = try await store.statuses(
            anyTransaction: Int64(anyTransaction)!, [], for: caller(environment))
        let item = try #require(response.data.first?.lastTransactions.first)
        return (item.status, try JWSText.decode(item.signedRenewalInfo))
    }
}

extension Store {
    /// Buys where only the signed transaction is of interest, if there is one yet.
    public func purchase(
        _ request: PurchaseRequest, by device: DeviceSession
    ) async throws -> String? {
        try await buy(request, by: device).signedTransaction
    }
}
