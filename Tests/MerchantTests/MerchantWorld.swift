import AppStoreSigning
import AppStoreWire
import Logging
import Merchant
import MerchantRules
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A store whose notifications a test hands to merchants, in whatever order.
struct MerchantWorld: Sendable {
    let world: World
    /// The merchant's.
    let database: any Database
    let merchant: Merchant

    /// - Parameter fault: a mistake that the merchant makes.
    init(
        _ backend: Backend, catalogue: Catalogue = SampleCatalogue.all,
        planting fault: PlantedFault? = nil,
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws {
        world = try await World(backend, catalogue: catalogue, configure: configure)
        database = try await Self.database(on: backend, planting: fault)
        merchant = try await Self.merchant(in: database, of: world)
    }

    /// A database for a merchant that makes a mistake, or none.
    static func database(
        on backend: Backend, planting fault: PlantedFault? = nil
    ) async throws -> any Database {
        let database = try await backend.borrowDatabase(for: .merchant)
        guard let fault else { return database }
        return FaultedDatabase(database, fault)
    }

    /// A merchant of the world's app that knows nothing yet.
    static func merchant(
        on backend: Backend, of world: World, leeway: Span = Span(milliseconds: 0)
    ) async throws -> Merchant {
        let database = try await backend.borrowDatabase(for: .merchant)
        return try await merchant(in: database, of: world, leeway: leeway)
    }

    /// A merchant of the world's app in a database, which may know something already.
    ///
    /// - Parameter api: where it asks for what it has missed; nil where it cannot.
    static func merchant(
        in database: any Database, of world: World, leeway: Span = Span(milliseconds: 0),
        asking api: ServerAPI? = nil
    ) async throws -> Merchant {
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID,
            rootDER: [World.chain.rootDER])
        setup.policy.leeway = leeway
        setup.serverAPI = api
        return try await Merchant(
            database: database, apps: [setup],
            time: { try await world.store.clockReading().now }, log: Logger(label: "test"))
    }

    /// Hands over what has come since the last time, in order, and processes it.
    func deliver() async throws {
        try await world.store.settle()
        for arrival in world.listener.takeArrivals() { try await receive(arrival) }
        try await merchant.settle()
    }

    @discardableResult
    func receive(_ arrival: Listener.Arrival) async throws -> Merchant.Reception {
        try await merchant.receive(arrival.signedPayload, for: World.bundleID)
    }

    /// What an account has, and the reason, an entitlement a line.
    func access(of account: String = "ada") async throws -> [String] {
        try await merchant.customer(account, of: World.bundleID).lines
    }

    /// Moves the store's clock and delivers what that brings.
    func advance(to moment: String) async throws {
        _ = try await world.store.advance(to: World.instant(moment))
        try await deliver()
    }
}

extension MerchantCustomer {
    /// An entitlement a line: `club active until 2026-02-01 renews`.
    var lines: [String] {
        entitlements.map { one in
            let until = one.access.until.map { " until \($0.iso8601.prefix(10))" } ?? ""
            let renews = one.access.willRenew == true ? " renews" : ""
            return "\(one.id) \(one.access.reason.rawValue)\(until)\(renews)"
        }
    }

    /// Everything but the version, which depends on how the news came.
    var state: [String] {
        lines
            + purchases.map { "\($0.originalTransactionID) \($0.access.reason.rawValue)" }
            + balances.map { "\($0.key) \($0.value)" }.sorted()
    }
}
