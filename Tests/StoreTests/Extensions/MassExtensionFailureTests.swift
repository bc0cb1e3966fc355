import AppStoreWire
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

@Suite("Why mass extensions leave subscriptions out")
struct MassExtensionFailureTests {
    private static func order(_ identifier: String) throws -> MassExtensionOrder {
        MassExtensionOrder(
            productID: "silver.monthly",
            request: try ExtensionRequest(days: 10, reasonCode: 3), requestIdentifier: identifier)
    }

    @Test(
        "Each subscription that is left out has its reason, and reasons are counted",
        arguments: Backend.available)
    func reasons(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15", isListening: false)
        var ids: [String: Int64] = [:]
        for account in ["ada", "bob", "cid", "dan"] {
            ids[account] = try await world.subscribe(
                "silver.monthly", by: world.device(account))
        }
        for account in ["bob", "cid"] {
            try await world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: account, in: .production)
        }
        let dan = try #require(ids["dan"])
        for request in ["a", "b"] {
            _ = try await world.store.extend(
                subscription: dan, try ExtensionRequest(days: 1, reasonCode: 0),
                requestIdentifier: request, in: .production)
        }
        _ = try await world.store.advance(to: World.instant("2026-02-15"))
        let order = try await world.store.massExtend(
            try Self.order("0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a"), for: world.caller())
        #expect(try await world.store.massExtensionReasons(of: order).isEmpty)
        try await world.store.settle()
        let done = try #require(
            try await world.store.massExtensions(before: nil, limit: 1, in: .production).first)
        #expect([done.0.succeeded, done.0.failed] == [1, 3])
        #expect(
            done.reasons == [
                MassExtensionReason(reason: "inBillingRetry", count: 2),
                MassExtensionReason(reason: "limitReached", count: 1),
            ])
        let all = try await world.store.massExtensionFailures(
            of: order.id, after: 0, limit: 10, in: .production)
        #expect(all.map(\.account) == ["bob", "cid", "dan"])
        #expect(all.map(\.reason) == ["inBillingRetry", "inBillingRetry", "limitReached"])
        let rest = try await world.store.massExtensionFailures(
            of: order.id, after: all[0].originalTransactionID, limit: 1, in: .production)
        #expect(rest.map(\.originalTransactionID) == [ids["cid"]])
    }

    @Test(
        "Another try extends what can be extended now, and the failures say which",
        arguments: Backend.available)
    func retried(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15", isListening: false)
        for account in ["ada", "bob"] {
            _ = try await world.subscribe("silver.monthly", by: world.device(account))
            try await world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: account, in: .production)
        }
        _ = try await world.store.advance(to: World.instant("2026-02-15"))
        let order = try await world.store.massExtend(
            try Self.order("0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6c"), for: world.caller())
        try await world.store.settle()
        func retry() async throws -> [Int64] {
            let outcome = try await world.store.retryMassExtension(order.id, in: .production)
            return [outcome.extended, outcome.failed]
        }
        func extended() async throws -> [Instant?] {
            try await world.store.massExtensionFailures(
                of: order.id, after: 0, limit: 10, in: .production
            ).map(\.extended)
        }
        #expect(try await retry() == [0, 2])
        #expect(try await extended() == [nil, nil])
        try await world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        #expect(try await retry() == [1, 1])
        #expect(try await extended() == [World.instant("2026-02-15"), nil])
        #expect(try await retry() == [0, 1])
        await #expect(throws: StoreError.unknown(.massExtension, String(order.id))) {
            try await world.store.retryMassExtension(order.id, in: .sandbox)
        }
    }

    @Test("Another environment knows nothing of it, nor does anybody of none")
    func unknown() async throws {
        let world = try await World(.sqlite, at: "2026-01-15", isListening: false)
        let order = try await world.store.massExtend(
            try Self.order("0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6b"), for: world.caller())
        for (id, environment) in [(order.id, StoreEnvironment.sandbox), (7_000, .production)] {
            await #expect(throws: StoreError.unknown(.massExtension, String(id))) {
                try await world.store.massExtensionFailures(
                    of: id, after: 0, limit: 1, in: environment)
            }
        }
    }
}
