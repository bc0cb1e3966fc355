import AppStoreWire
import Outbox
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

@testable import Store

@Suite("Mass extensions while they are carried out")
struct MassExtensionProgressTests {
    @Test(
        "Results are told while the order is carried out, and that it is complete at its end",
        arguments: Backend.available)
    func progress(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15", batchSize: 1)
        for account in ["ada", "bob"] {
            _ = try await world.subscribe("silver.monthly", by: world.device(account))
        }
        let identifier = "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a"
        try await world.store.massExtend(
            MassExtensionOrder(
                productID: "silver.monthly",
                request: try ExtensionRequest(days: 10, reasonCode: 3),
                requestIdentifier: identifier),
            for: world.caller())
        let now = try await world.store.clockReading().now
        var seen: [String] = []
        // A piece of work, then what it has to tell, as the timekeeper does both all the time.
        while case .happened = try await world.store.sweep(to: now) {
            try await world.store.deliverRest(dueBy: now)
            let status = try await world.store.massExtensionStatus(
                productID: "silver.monthly", requestIdentifier: identifier, for: world.caller())
            seen += world.listener.takeArrivals().map { "\($0.name) \(status.complete)" }
        }
        #expect(
            seen == [
                "RENEWAL_EXTENDED false", "RENEWAL_EXTENDED false",
                "RENEWAL_EXTENSION/SUMMARY true",
            ])
    }

    @Test("The summary goes out after each result was tried", arguments: Backend.available)
    func summaryIsLast(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15", deliveriesAtOnce: 8)
        let count = 20
        for number in 0..<count {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"),
                by: world.device("customer\(number)"))
        }
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        let answered = Mutex<[String]>([])
        world.listener.onArrival { arrival in
            // Each result takes longer than the summary.
            if arrival.name == "RENEWAL_EXTENDED" {
                for _ in 0..<200 { await Task.yield() }
            }
            answered.withLock { $0.append(arrival.name) }
        }
        // A result that fails was tried all the same.
        world.listener.answer([.taken, .timedOut, .taken, .socketIssue])
        try await world.store.massExtend(
            MassExtensionOrder(
                productID: "silver.monthly",
                request: try ExtensionRequest(days: 10, reasonCode: 3),
                requestIdentifier: "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a"),
            for: world.caller())
        let now = try await world.store.clockReading().now
        while case .happened = try await world.store.sweep(to: now) {}
        try await world.store.deliverRest(dueBy: now)
        let names = answered.withLock { $0 }
        #expect(names.count == count + 1)
        #expect(names.last == "RENEWAL_EXTENSION/SUMMARY", "\(names)")
    }
}
