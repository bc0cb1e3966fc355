import AppStoreWire
import Outbox
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Notifications: where they can be sent")
struct NotificationURLTests {
    @Test("An app takes no other, and keeps what it had", arguments: Backend.available)
    func settings(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        for text in ["http://a:99999/", "http://[::1", ""] {
            let reason = "it must be \(PostURL.rule)"
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
        let database = try await backend.borrowDatabase()
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
