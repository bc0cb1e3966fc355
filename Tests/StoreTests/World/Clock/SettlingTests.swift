import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A command may wait for what it causes, so that whoever calls can look at the developer's server
/// right after it.
@Suite("Commands that wait for what they cause", .timeLimit(.minutes(15)))
struct SettlingTests {
    /// Longer than any test takes.
    private static let long = Duration.seconds(600)

    /// Plays while background work goes on.
    private func whileServed(
        _ world: World, _ body: () async throws -> Void
    ) async throws {
        let timekeeper = Task { try await Timekeeper(world.store).run() }
        try await body()
        timekeeper.cancel()
        try await timekeeper.value
    }

    private func attempts(_ world: World) async throws -> [Int] {
        try await world.store.notificationLog(in: .production, before: nil, limit: 10)
            .map(\.attempts.count)
    }

    @Test("A purchase returns when its notification was tried", arguments: Backend.available)
    func purchase(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await whileServed(world) {
            let outcome = try await world.store.settling(within: Self.long) {
                try await world.store.purchase(
                    PurchaseRequest(productID: "silver.monthly"), by: ada)
            }
            #expect(outcome.isSettled)
            #expect(outcome.result != nil)
            #expect(try await attempts(world) == [1])
            #expect(world.listener.takeArrivals().map(\.name) == ["SUBSCRIBED/INITIAL_BUY"])
        }
    }

    @Test(
        "One attempt is enough, and what it will be tried again keeps nobody",
        arguments: Backend.available)
    func failed(_ backend: Backend) async throws {
        let world = try await World(backend)
        world.listener.answer([.answered(status: 500)])
        let ada = try await world.device()
        try await whileServed(world) {
            let outcome = try await world.store.settling(within: Self.long) {
                try await world.store.purchase(
                    PurchaseRequest(productID: "silver.monthly"), by: ada)
            }
            #expect(outcome.isSettled)
            #expect(try await attempts(world) == [1])
        }
    }

    @Test(
        "A mass extension returns when each result and the summary were tried",
        arguments: Backend.available)
    func massExtension(_ backend: Backend) async throws {
        let world = try await World(backend)
        for account in ["ada", "bob"] {
            _ = try await world.subscribe("silver.monthly", by: world.device(account))
        }
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        let order = MassExtensionOrder(
            productID: "silver.monthly", request: try ExtensionRequest(days: 10, reasonCode: 3),
            requestIdentifier: "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a")
        try await whileServed(world) {
            let outcome = try await world.store.settling(within: Self.long) {
                try await world.store.massExtend(order, for: world.caller())
            }
            #expect(outcome.isSettled)
            let names = world.listener.takeArrivals().map(\.name)
            #expect(names.contains("RENEWAL_EXTENSION/SUMMARY"))
            #expect(names.count == 3)
        }
    }

    @Test(
        "The wait ends at its limit, and what was done stays done", arguments: Backend.available)
    func limit(_ backend: Backend) async throws {
        // Nobody delivers.
        let world = try await World(backend)
        let ada = try await world.device()
        let outcome = try await world.store.settling(within: .milliseconds(30)) {
            try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        }
        #expect(!outcome.isSettled)
        #expect(outcome.result != nil)
        #expect(try await attempts(world) == [0])
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
    }

    @Test(
        "What was there before is nobody's to wait for, nor what is never sent",
        arguments: Backend.available)
    func others(_ backend: Backend) async throws {
        let world = try await World(backend)
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "silver.monthly"), by: world.device())
        let nothing = try await world.store.settling(within: Self.long) {
            try await world.device("bob")
        }
        #expect(nothing.isSettled)
        let silent = try await World(backend, isListening: false)
        let cleo = try await silent.device("cleo")
        let untold = try await silent.store.settling(within: Self.long) {
            try await silent.store.purchase(
                PurchaseRequest(productID: "silver.monthly"), by: cleo)
        }
        #expect(untold.isSettled)
    }
}
