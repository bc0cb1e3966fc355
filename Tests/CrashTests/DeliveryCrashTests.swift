import AppStoreWire
import Storage
import TestFloor
import TestSupport
import Testing

@Suite("Crashes in the midst of deliveries", .serialized)
struct DeliveryCrashTests {
    private static let customers = 50
    /// As many as are under way at once.
    private static let underWay = 32

    @Test("Killed in the midst of posts, it sends the same bytes again and no other notification")
    func killed() async throws {
        let folder = try Folder("deliveries")
        let answers = Gate()
        // It takes every notification, and says nothing at first.
        let server = try RawServer { _ in
            answers.isOpen ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" : ""
        }
        defer { server.close() }
        var store = try await StoreProcess(
            folder: folder.url, catalogue: folder.catalogue, notify: server.url + "/in")
        for number in 0..<Self.customers {
            let reply = try await store.send(
                "POST", "/storefront/v1/sign-in",
                #"{"bundleId":"com.example.app","account":"customer-\#(number)"}"#, token: nil)
            try await store.send(
                "POST", "/storefront/v1/purchases", #"{"productId":"club.monthly"}"#,
                token: reply["token"]?.string)
        }
        for round in 1...3 {
            // On a machine that does much else the server may have been waited for too long: then
            // what is left goes out in the rounds that come.
            while server.requests.count < round * Self.underWay, try await folder.unsent > 0 {
                await pause()
            }
            store.kill()
            if round == 3 { answers.open() }
            store = try await StoreProcess(folder: folder.url, catalogue: nil)
        }
        // One that had to wait for its answer too long is due an hour later.
        while try await folder.unsent > 0 { await pause() }
        store.kill()
        let bodies = server.requests.map(\.body)
        #expect(bodies.count >= Self.customers)
        #expect(Set(bodies).count == Self.customers)
        #expect(try Set(bodies.map(Self.uuid)).count == Self.customers)
        #expect(try await folder.count("SELECT COUNT(*) FROM notification") == Self.customers)
    }

    private static func uuid(_ body: String) throws -> String {
        let signed = try JSONValue(parsing: Array(body.utf8))["signedPayload"]?.string
        let notification: ResponseBodyV2DecodedPayload = try JWSText.decode(signed ?? "")
        return notification.notificationUUID
    }
}

extension Folder {
    /// How many notifications were never tried.
    fileprivate var unsent: Int {
        get async throws {
            try await count("SELECT COUNT(*) FROM notification WHERE attempts = 0")
        }
    }
}
