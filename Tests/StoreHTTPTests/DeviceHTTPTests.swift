import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

@Suite("Storefront and connect: devices")
struct DeviceHTTPTests {
    private static let path = "/storefront/v1"

    private func queue(_ client: Client, _ token: String) async throws -> [String] {
        let reply = try await client.ours(
            .get, "\(Self.path)/transactions?unfinished=true", as: .bearer(token))
        return try #require(reply["transactions"]?.array).map { one in
            (one["productId"]?.string ?? "")
                + (one["restored"] == .bool(true) ? " restored" : "")
        }
    }

    private func signIn(
        _ client: Client, _ device: String, _ account: String = "ada"
    ) async throws -> String {
        let reply = try await client.ours(
            .post, "\(Self.path)/sign-in",
            #"{"bundleId":"\#(World.bundleID)","account":"\#(account)","device":"\#(device)"}"#,
            as: .nothing)
        return try #require(reply["token"]?.string)
    }

    private func finishAll(_ client: Client, _ token: String) async throws {
        let reply = try await client.ours(
            .get, "\(Self.path)/transactions?unfinished=true", as: .bearer(token))
        for one in try #require(reply["transactions"]?.array) {
            let id = try #require(one["transactionId"]?.string)
            let done = try await client.ours(
                .post, "\(Self.path)/transactions/\(id)/finish", as: .bearer(token))
            #expect(done.status == 204)
        }
    }

    @Test("Two devices finish for themselves, and one is wiped and restores")
    func story() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let phone = try await signIn(client, "phone")
            let tablet = try await signIn(client, "tablet")
            _ = try await client.buy("lifetime", as: phone)
            _ = try await client.buy("coins", as: phone)
            #expect(try await queue(client, tablet) == ["lifetime", "coins"])
            try await finishAll(client, phone)
            #expect(try await queue(client, phone) == [])
            #expect(try await queue(client, tablet) == ["lifetime"])
            let listed = try await client.ours(.get, "/connect/v1/customers/ada/devices")
            let devices = try #require(listed["devices"]?.array)
            #expect(devices.map { $0["name"]?.string } == ["phone", "tablet"])
            #expect(devices.map { $0["waiting"]?.integer } == [0, 1])
            #expect(devices.map { $0["signIns"]?.integer } == [1, 1])
            let id = try #require(devices[0]["id"]?.string)
            let one = "/connect/v1/customers/ada/devices/\(id)"
            #expect(try await client.ours(.post, "\(one)/wipe").status == 204)
            let out = try await client.ours(
                .get, "\(Self.path)/transactions", as: .bearer(phone))
            #expect(out.status == 401)
            let again = try await signIn(client, "phone")
            #expect(try await queue(client, again) == [])
            let restored = try await client.ours(
                .post, "\(Self.path)/restore", as: .bearer(again))
            #expect(restored.text == #"{"restored":1}"#)
            #expect(try await queue(client, again) == ["lifetime restored"])
            let shown = try await client.ours(.get, one)
            let waiting = try #require(shown["queue"]?.array)
            #expect(waiting.map { $0["productId"] } == [.string("lifetime")])
            #expect(waiting.map { $0["restored"] } == [.bool(true)])
            #expect(try await client.ours(.delete, one).status == 204)
            #expect(try await client.ours(.get, one).complaint == "unknownDevice")
        }
        try await world.world.check()
    }

    @Test("Who signs out is a stranger from then on")
    func signOut() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await signIn(client, "phone")
            let other = try await signIn(client, "phone")
            let out = try await client.ours(.delete, "\(Self.path)/sign-in", as: .bearer(token))
            #expect(out.status == 204 && out.body.isEmpty)
            for method in [HTTPRequest.Method.delete, .get] {
                let path = method == .get ? "updates" : "sign-in"
                let reply = try await client.ours(
                    method, "\(Self.path)/\(path)", as: .bearer(token))
                #expect(reply.status == 401 && reply.complaint == "unauthenticated")
            }
            #expect(try await queue(client, other) == [])
        }
    }

    @Test("Devices that are not the customer's, or none, are refused, and nothing changes")
    func refused() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await signIn(client, "phone")
            _ = try await signIn(client, "phone", "bob")
            let bobs = try await client.ours(.get, "/connect/v1/customers/bob/devices")
            let id = try #require(bobs["devices"]?.array?.first?["id"]?.string)
            let before = try await world.everything()
            for device in [id, "1", "x", "-1"] {
                for (method, rest) in [
                    (HTTPRequest.Method.get, ""), (.delete, ""), (.post, "/wipe"),
                ] {
                    let reply = try await client.ours(
                        method, "/connect/v1/customers/ada/devices/\(device)\(rest)")
                    #expect(reply.status == 404 && reply.complaint == "unknownDevice")
                }
            }
            let nobody = try await client.ours(.get, "/connect/v1/customers/eve/devices")
            #expect(nobody.complaint == "unknownAccount")
            let nothing = try await client.ours(
                .get, "/connect/v1/customers/ada/devices?bundleId=com.example.other")
            #expect(nothing.complaint == "unknownApp")
            #expect(try await world.everything() == before)
        }
    }

    @Test("Wiping and removing can be rehearsed, restoring cannot")
    func rehearsed() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await signIn(client, "phone")
            let listed = try await client.ours(.get, "/connect/v1/customers/ada/devices")
            let id = try #require(listed["devices"]?.array?.first?["id"]?.string)
            let one = "/connect/v1/customers/ada/devices/\(id)"
            let before = try await world.everything()
            let rehearse: HTTPFields = [HTTPField.Name("Rehearse")!: "true"]
            for (method, rest, event) in [
                (HTTPRequest.Method.post, "/wipe", "wipedDevice"), (.delete, "", "removedDevice"),
            ] {
                let told = try await client.send(
                    method, one + rest, nil, as: .operatorToken, rehearse)
                #expect(told.status == 200)
                #expect(
                    told["entries"]?.array?.map { $0["event"] } == [.string(event)],
                    "\(told.text)")
            }
            let refused = try await client.send(
                .post, "\(Self.path)/restore", nil, as: .bearer(token), rehearse)
            #expect(refused.status == 400 && refused.complaint == "notRehearsable")
            #expect(try await world.everything() == before)
        }
    }

    @Test("Updates come with a cursor, and without waiting at once")
    func updates() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await signIn(client, "phone")
            let first = try await client.ours(.get, "\(Self.path)/updates", as: .bearer(token))
            let cursor = try #require(first["cursor"]?.string)
            #expect(first["hasMore"] == .bool(false))
            #expect(first["transactions"] == .array([]) && first["subscriptions"] == .array([]))
            let bought = try await client.buy("silver.monthly", as: token)
            // Nobody really waits in this test: the time is over at once.
            for wait in ["", "&wait=0", "&wait=60"] {
                let reply = try await client.ours(
                    .get, "\(Self.path)/updates?after=\(cursor)\(wait)", as: .bearer(token))
                let transactions = try #require(reply["transactions"]?.array)
                #expect(
                    transactions.map { $0["transactionId"]?.string } == [bought.transactionId])
                let subscriptions = try #require(reply["subscriptions"]?.array)
                #expect(subscriptions.map { $0["productId"]?.string } == ["silver.monthly"])
                #expect(subscriptions.map { $0["status"]?.integer } == [1])
                let later = try #require(reply["cursor"]?.string)
                let empty = try await client.ours(
                    .get, "\(Self.path)/updates?after=\(later)&wait=60", as: .bearer(token))
                #expect(empty["cursor"] == .string(later))
                #expect(empty["transactions"] == .array([]))
            }
        }
    }

    @Test(
        "A token that becomes void while it waits is told nothing more",
        arguments: Backend.available, [true, false])
    func voidMeanwhile(_ backend: Backend, isWiped: Bool) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with { client in
            let token = try await signIn(client, "phone")
            let first = try await client.ours(.get, "\(Self.path)/updates", as: .bearer(token))
            let cursor = try #require(first["cursor"]?.string)
            let path = "\(Self.path)/updates?after=\(cursor)&wait=60"
            let devices = try await client.ours(
                .get, "/connect/v1/customers/ada/devices", as: .operatorToken)
            let id = try #require(devices["devices"]?.array?.first?["id"]?.string)
            world.machine.meanwhile.withLock { meanwhile in
                meanwhile = {
                    _ =
                        try? await isWiped
                        ? client.send(
                            .post, "/connect/v1/customers/ada/devices/\(id)/wipe", nil,
                            as: .operatorToken)
                        : client.send(
                            .delete, "\(Self.path)/sign-in", nil, as: .bearer(token))
                }
            }
            let reply = try await client.ours(.get, path, as: .bearer(token))
            #expect(reply.status == 401, "\(reply.text)")
            #expect(reply["transactions"] == nil)
        }
    }

    @Test(
        "Parameters of updates that cannot be right are refused by their names",
        arguments: [
            ("wait=61", "invalidMember", "wait"), ("wait=-1", "invalidMember", "wait"),
            ("wait=x", "invalidMember", "wait"), ("after=", "invalidMember", "after"),
            ("after=x", "invalidCursor", "after"),
            ("after=1_2_3", "invalidCursor", "after"),
            ("limit=1", "unknownParameter", "limit"),
        ])
    func invalidParameters(query: String, code: String, field: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await signIn(client, "phone")
            let reply = try await client.ours(
                .get, "\(Self.path)/updates?\(query)", as: .bearer(token))
            #expect(reply.status == 400)
            #expect(reply.complaint == code, "\(reply.text)")
            #expect(reply["field"] == .string(field))
        }
    }
}
