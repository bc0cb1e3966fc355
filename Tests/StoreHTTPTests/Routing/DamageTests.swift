import AppStoreWire
import HTTPTypes
import Storage
import Store
import TestFloor
import TestSupport
import Testing

@Suite("Damaged rows over HTTP")
struct DamageTests {
    @Test(
        "Who needs a damaged row is told, and everybody else is served",
        arguments: Backend.available)
    func damagedRow(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend)
        let id = try await world.world.subscribe(
            "bronze.weekly", by: try await world.world.device("ada"))
        let other = try await world.world.subscribe(
            "bronze.weekly", by: try await world.world.device("bob"))
        try await world.world.database.write { session in
            _ = try session.execute(
                "UPDATE subscription SET cycle_unit = 'eons' WHERE id = \(id)")
        }
        _ = try await world.world.store.advance(to: World.instant("2026-01-09"))
        try await world.with { client in
            let path = "/connect/v1/subscriptions"
            let reply = try await client.send(.get, "\(path)/\(id)", as: .operatorToken)
            #expect(reply.status == 500)
            #expect(reply.complaint == "damaged")
            #expect(reply.text.contains("perennial world check"))
            #expect(
                try await client.send(.get, "\(path)/\(other)", as: .operatorToken).status == 200)
            expect(try await client.api(.get, "/v1/subscriptions/\(id)"), .generalInternal)
            #expect(try await client.api(.get, "/v1/subscriptions/\(other)").status == 200)
            let health = try await client.send(.get, "/health")
            #expect(health["rowsSetAside"] == .integer(1))
            #expect(health["status"] == .string("ok"))
            #expect(
                try await client.send(.get, "/metrics").text
                    .contains("perennial_store_rows_set_aside{table=\"subscription\"} 1\n"))
        }
    }

    @Test("A clock that holds says so, and how long")
    func heldClock() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let going = try await client.send(
                .get, "/connect/v1/clock", as: .operatorToken)
            #expect(going["held"] == nil)
            #expect(going["behindMilliseconds"] == nil)
            // As if a change had seen a moment an hour ahead.
            try await world.world.database.write { session in
                _ = try session.execute(
                    "UPDATE world SET latest_change = clock_value + 3600000")
            }
            let held = try await client.send(.get, "/connect/v1/clock", as: .operatorToken)
            #expect(held["held"] == .string("machineIsBehind"))
            #expect(held["behindMilliseconds"] == .integer(3_600_000))
            #expect(held["now"] == .string("2026-01-01T01:00:00Z"))
            #expect(
                try await client.send(.get, "/metrics").text
                    .contains("perennial_store_clock_held_seconds 3600.000\n"))
        }
    }
}
