import AppStoreWire
import Push
import SubscriptionRules
import Testing

@Suite("Pushes: as values")
struct PushValueTests {
    private func payload(_ push: Push) -> String { String(decoding: push.payload, as: UTF8.self) }

    @Test("An alert has its words, and the app's members beside them")
    func alerts() throws {
        let push = try Sample.push(
            members: ["link": .string("garden://price"), "campaign": .object(["n": .integer(7)])])
        #expect(
            payload(push) == """
                {"aps":{"alert":{"title":"Garden","body":"10.99 from May"},\
                "sound":"default","category":"price","thread-id":"garden"},\
                "campaign":{"n":7},"link":"garden://price"}
                """)
        let plain = PushAlert(body: "Say \"yes\"")
        #expect(
            payload(try Sample.push(.alert(plain))) == """
                {"aps":{"alert":{"body":"Say \\"yes\\""}}}
                """)
    }

    @Test("A push in the background wakes the app and shows nothing")
    func background() throws {
        let push = try Sample.push(.background, members: ["refresh": .bool(true)])
        #expect(payload(push) == #"{"aps":{"content-available":1},"refresh":true}"#)
        #expect(push.priority == .powerAware)
        #expect(push.content.type == "background")
    }

    @Test("The fields say what APNs has to know, and no more than the push says")
    func fields() throws {
        let push = try Sample.push(
            collapseID: "price-7", expires: Sample.moment, priority: .lowest)
        let all = Dictionary(uniqueKeysWithValues: push.fields)
        #expect(
            all == [
                "apns-id": Sample.id, "apns-topic": "com.example.garden",
                "apns-push-type": "alert", "apns-priority": "1",
                "apns-expiration": "1800000000", "apns-collapse-id": "price-7",
            ])
        let few = Dictionary(uniqueKeysWithValues: try Sample.push().fields)
        #expect(few["apns-expiration"] == "0")
        #expect(few["apns-priority"] == "10")
        #expect(few["apns-collapse-id"] == nil)
    }

    @Test("A payload has 4096 bytes at most, whatever its letters take", arguments: ["a", "ä"])
    func size(letter: String) throws {
        let frame = try Sample.push(.alert(PushAlert(body: "x"))).payload.count - 1
        let bytes = letter.utf8.count
        let room = Push.longestPayload - frame
        let filling = String(repeating: letter, count: room / bytes)
        let rest = String(repeating: "x", count: room % bytes)
        let full = try Sample.push(.alert(PushAlert(body: filling + rest)))
        #expect(full.payload.count == 4096)
        #expect(throws: PushError.tooLarge(bytes: 4097)) {
            try Sample.push(.alert(PushAlert(body: filling + rest + "x")))
        }
    }

    @Test("A collapse identifier has 64 bytes at most", arguments: [1, 63, 64])
    func collapseID(count: Int) throws {
        let id = String(repeating: "c", count: count)
        #expect(try Sample.push(collapseID: id).collapseID == id)
    }

    @Test(
        "A collapse identifier that no field can hold is refused",
        arguments: ["", String(repeating: "c", count: 65), "two words", "line\nbreak", "für"])
    func wrongCollapseID(id: String) {
        #expect(throws: PushError.collapseID) { try Sample.push(collapseID: id) }
    }

    @Test(
        "An identifier is a UUID in lower case",
        arguments: [
            "", "123E4567-E89B-42D3-A456-4266554400A0", "123e4567e89b42d3a4564266554400a0",
            "123e4567-e89b-42d3-a456-4266554400ag", "123e4567-e89b-42d3-a456-4266554400a0-",
        ])
    func wrongID(id: String) {
        #expect(throws: PushError.id) { try Sample.push(id: id) }
    }

    @Test(
        "A topic is ASCII without spaces",
        arguments: ["", "com example", "com.exämple", String(repeating: "t", count: 256)])
    func wrongTopic(topic: String) {
        #expect(throws: PushError.topic) { try Sample.push(topic: topic) }
    }

    @Test("What APNs would not take is refused before it is sent")
    func refusals() {
        #expect(throws: PushError.reservedMember) {
            try Sample.push(members: ["aps": .object([:])])
        }
        for alert in [PushAlert(body: ""), PushAlert(title: "", body: "Text")] {
            #expect(throws: PushError.emptyText) { try Sample.push(.alert(alert)) }
        }
        // 0 would say that the push is not kept.
        #expect(throws: PushError.expiration) {
            try Sample.push(expires: Instant(milliseconds: 999))
        }
    }

    @Test(
        "A device token is hexadecimal, of any even length, and has one spelling",
        arguments: [
            ("00fc13adff785122", "00fc13adff785122"), ("00FC", "00fc"),
            (String(repeating: "aB", count: 80), String(repeating: "ab", count: 80)),
        ])
    func deviceToken(text: String, spelling: String) {
        #expect(DeviceToken(text)?.text == spelling)
    }

    @Test(
        "What is no device token is refused",
        arguments: [
            "", "0", "00f", "0x00", "00 fc", "00fc/../x", "٠٠",
            String(repeating: "ab", count: 201),
        ])
    func noDeviceToken(text: String) {
        #expect(DeviceToken(text) == nil)
    }

    @Test(
        "A server is https, or on this machine, and nothing but its host",
        arguments: [
            "https://api.push.apple.com", "https://api.push.apple.com:2197",
            "https://localhost:8443/", "http://localhost:8080", "http://127.0.0.1:1",
            "http://[::1]:8080",
        ])
    func server(text: String) throws {
        let server = try #require(APNsServer(text))
        #expect(server.text == (text.hasSuffix("/") ? String(text.dropLast()) : text))
    }

    @Test(
        "A server that would see tokens in the clear, or is none, is refused",
        arguments: [
            "", "api.push.apple.com", "http://api.push.apple.com", "ftp://localhost",
            "https://user@localhost", "https://localhost/3/device", "https://localhost?x=1",
            "https://localhost:0", "https://localhost:99999", "https://", "http://127.evil.com",
        ])
    func noServer(text: String) {
        #expect(APNsServer(text) == nil)
    }

    @Test("Apple's servers are those of Production and Sandbox")
    func appleServers() {
        #expect(APNsServer.production.text == "https://api.push.apple.com")
        #expect(APNsServer.sandbox.text == "https://api.sandbox.push.apple.com")
    }

    @Test("A file of certificates that cannot be read is refused when the program starts")
    func unreadable() {
        #expect(throws: APNsSettingError.unreadable("/nowhere/at/all.pem")) {
            try APNsSettings(server: .sandbox, authorityFile: "/nowhere/at/all.pem")
        }
    }
}
