import HTTPSurface
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Preferring to wait", .timeLimit(.minutes(15)))
struct WaitingTests {
    private static let prefer = HTTPField.Name("Prefer")!
    private static let applied = HTTPField.Name("Preference-Applied")!

    private func buy(
        _ client: Client, as token: String, preferring preference: String?
    ) async throws -> Reply {
        var fields = HTTPFields()
        if let preference { fields[Self.prefer] = preference }
        let reply = try await client.ours(
            .post, "/storefront/v1/purchases", #"{"productId":"coins"}"#, as: .bearer(token),
            fields)
        #expect(reply.status == 200, "\(reply.text)")
        return reply
    }

    @Test("With `Prefer: wait` the answer comes when the notification was tried")
    func waits() async throws {
        let world = try await HTTPWorld()
        let timekeeper = Task { try await Timekeeper(world.world.store).run() }
        try await world.with { client in
            let token = try await client.signIn()
            for (count, preference) in ["wait=600", "respond-async; x, WAIT = 60"].enumerated() {
                let reply = try await buy(client, as: token, preferring: preference)
                #expect(reply.fields[Self.applied] == "wait=60")
                #expect(world.world.listener.arrivals.count == count + 1)
            }
            // The operator's calls do it too.
            let reply = try await client.ours(
                .post, "/connect/v1/apps/\(World.bundleID)/mass-extensions",
                #"{"productId":"silver.monthly","days":7}"#, as: .operatorToken,
                [Self.prefer: "wait=60"])
            #expect(reply.fields[Self.applied] == "wait=60", "\(reply.text)")
        }
        timekeeper.cancel()
        try await timekeeper.value
    }

    @Test(
        "Without it, and with what is not understood, the answer comes at once",
        arguments: [nil, "", "wait", "wait=", "wait=soon", "wait=0", "wait=-1", "respond-async"])
    func comesAtOnce(preference: String?) async throws {
        // Nobody delivers.
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let reply = try await buy(client, as: token, preferring: preference)
            #expect(reply.fields[Self.applied] == nil)
        }
    }

    @Test("At the limit the answer does not claim that all were tried")
    func limit() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let reply = try await buy(client, as: token, preferring: "wait=1")
            #expect(reply.fields[Self.applied] == nil)
            let refused = try await client.ours(
                .post, "/storefront/v1/purchases", #"{"productId":"nothing"}"#,
                as: .bearer(token), [Self.prefer: "wait=60"])
            #expect(refused.complaint == "unknownProduct")
        }
    }

    @Test("Every change of our own surfaces describes the field, and nothing that only reads")
    func described() {
        var count = 0
        for endpoint in StoreRoutes(.production).endpoints {
            let isOurs = ["connect", "storefront"].contains(endpoint.surface.root)
            let has = endpoint.description.parameters.contains { $0.name == "Prefer" }
            #expect(has == (isOurs && endpoint.method != .get), "\(endpoint.name)")
            if has { count += 1 }
        }
        #expect(count > 25)
    }
}
