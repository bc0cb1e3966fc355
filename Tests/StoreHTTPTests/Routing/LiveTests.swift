import AppStoreSigning
import AppStoreWire
import HTTPTypes
import HummingbirdTesting
import Store
import StoreHTTP
import SubscriptionRules
import TestSupport
import Testing

extension TestingSetupCase {
    var value: TestingSetup {
        switch self {
        case .router: .router
        case .live: .live
        }
    }
}

@Suite("Over a real connection")
struct LiveTests {
    @Test("Both servers share one store and answer side by side")
    func bothServers() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with(.production, .live) { production in
            try await world.with(.sandbox, .live) { sandbox in
                let token = try await sandbox.signIn()
                let bought = try await sandbox.buy("coins", as: token)
                let path = "/v1/transactions/\(bought.transactionId)"
                #expect(try await sandbox.api(.get, path).status == 200)
                expect(try await production.api(.get, path), .transactionIdNotFound)
                let moved = try await production.ours(
                    .post, "/connect/v1/clock/advance", #"{"by":"P1D"}"#)
                #expect(moved.status == 200)
                let clock = try await sandbox.ours(.get, "/connect/v1/clock")
                #expect(clock["now"] == moved["now"])
                // A device of one environment is nobody in the other.
                let stranger = try await production.ours(
                    .get, "/storefront/v1/entitlements", as: .bearer(token))
                #expect(stranger.status == 401)
            }
        }
    }

    @Test("An error keeps its exact content type on the wire")
    func contentType() async throws {
        let world = try await HTTPWorld()
        try await world.with(.production, .live) { client in
            let reply = try await client.api(.get, "/v1/transactions/x")
            expect(reply, .invalidTransactionId)
            #expect(reply.fields[values: .contentType] == ["application/json"])
            #expect(reply.fields[.server] == "Perennial")
        }
    }

    @Test("A body over the limit does not take the connection down")
    func tooLarge() async throws {
        let world = try await HTTPWorld()
        try await world.with(.production, .live) { client in
            let large = String(repeating: " ", count: 1 << 20) + "x"
            expectBare(try await client.api(.post, "/v1/notifications/history", large), 413)
            #expect(try await client.send(.get, "/health").status == 200)
        }
    }
}
