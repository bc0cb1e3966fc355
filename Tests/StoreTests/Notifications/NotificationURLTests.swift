import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Notifications: where they can be sent")
struct NotificationURLTests {
    private static let good = [
        "http://a", "https://a.example/", "HTTP://A.example:80/x", "http://127.0.0.1:1/in?x=1",
        "https://[::1]:65535/", "http://[2001:db8::1]", "http://a_b.example./", "http://a?x",
        "http://xn--bcher-kva.example/", "http://1", "http://a/%7B@:80", "http://a?%c3%BC",
    ]
    private static let bad = [
        "", "a", "http:", "http://", "http:///x", "http://?x", "http:a", "http:/a", "//a",
        "ftp://a", "unix:///a", "http+unix://%2Ftmp%2Fs/", "javascript:1",
        // Ports.
        "http://a:0", "http://a:65536/", "http://a:99999", "http://a:99999999999999999999/",
        "http://a:-1", "http://a:+80/", "http://a:0080/", "http://a:/", "http://a:80:90/",
        "http://a:8o/", "http://:80/", "http://[::1]:65536/", "http://127.0.0.1:70000/",
        // Hosts.
        "http://[::1", "http://::1/", "http://[::g]/", "http://[1.2.3.4]/", "http://[::1]x/",
        "http://[fe80::1%25eth0]/", "http://u:p@a/", "http://u@a", "http://a\\b@c/", "http://a@/",
        "http://b\u{FC}cher.example/", "http://b%C3%BC/", "http://%61/", "http://a%00b/",
        "http://a..b/", "http://.a/", "http://a<b/", "http://*.a/", "http://a b/", "http://a/ ",
        "http://a/#x", "http://a#", "http://a/%zz", "http://a/%", "http://a/%4", "http://a/{x}",
        "http://a/\"", "http://a/[", "http://a/\n", "http://a/\u{0}", "http://a/\u{E9}",
        "http://" + String(repeating: "a", count: 300) + ".example/",
        "http://" + String(repeating: "a", count: 64) + "/",
        "http://" + Array(repeating: "abcdefg", count: 40).joined(separator: ".") + "/",
        "http://a/" + String(repeating: "x", count: 2048),
    ]

    @Test("A URL with a host that can be called is taken as it is written", arguments: good)
    func taken(_ text: String) {
        #expect(NotificationURL(text)?.text == text)
    }

    @Test("What cannot be called is none", arguments: bad)
    func refused(_ text: String) {
        #expect(NotificationURL(text) == nil)
    }

    @Test("An app takes no other, and keeps what it had", arguments: Backend.available)
    func settings(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        for text in ["http://a:99999/", "http://[::1", ""] {
            let reason = "it must be \(NotificationURL.rule)"
            await #expect(throws: StoreError.setting(.invalid("notificationUrl", reason: reason))) {
                try await world.store.configure(bundleID: World.bundleID) {
                    $0.notificationURL = text
                }
            }
            let field = "sandboxNotificationUrl"
            await #expect(throws: StoreError.setting(.invalid(field, reason: reason))) {
                try await world.store.configure(bundleID: World.bundleID) {
                    $0.sandboxNotificationURL = text
                }
            }
            var settings = App.Settings(name: "Other")
            settings.notificationURL = text
            await #expect(throws: StoreError.setting(.invalid("notificationUrl", reason: reason))) {
                try await world.store.addApp(
                    bundleID: "com.example.other", appleID: 7, settings: settings)
            }
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("One that was kept before is an outcome, and can be mended", arguments: Backend.available)
    func stored(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        let world = try await World(database: database)
        try await database.write {
            try $0.execute("UPDATE app SET notification_url = 'http://127.0.0.1:99999/'")
        }
        // Read anew, as after a restart; other settings can be changed beside it.
        let again = try await World(database: database)
        try await again.store.configure(bundleID: World.bundleID) { $0.name = "Renamed" }
        let app = try await again.store.app(bundleID: World.bundleID)
        let url = try #require(app.settings.notificationURL)
        #expect(url == "http://127.0.0.1:99999/")
        try await again.store.configure(bundleID: World.bundleID) {
            $0.notificationURL = "http://127.0.0.1:9999/"
        }
        _ = world
    }
}
