import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

/// What `check` says of a world whose devices were damaged.
@Suite("Checking devices")
struct DeviceCheckTests {
    private static func life(_ backend: Backend) async throws -> World {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        _ = try await world.device("bob", named: "phone")
        for product in ["lifetime", "season", "silver.monthly"] {
            _ = try await world.buyOnce(product, by: phone)
        }
        let waiting = try await world.waiting(phone)
        try await world.store.finish(transaction: waiting[1], by: phone)
        return world
    }

    @Test(
        "What is damaged is found and named by table and row", arguments: Backend.available,
        [
            ("device", "watermark = watermark + 1", "the queue of device"),
            ("device", "restored_until = watermark + 7", "the queue of device"),
            ("device", "began = began + 1", "the queue of device"),
            ("device", "began = -1", "column began"),
            ("device", "registered_at = -1", "column registered_at"),
            ("device", "app = 77", "app that is not there"),
            ("device_mark", "is_finished = 0", "the marks of device"),
            ("device_mark", "queued = queued + 1", "at another place"),
            ("device_mark", "transaction_id = 5", "what is not of its queue"),
            ("sign_in", "created_at = -1", "column created_at"),
            (
                "store_transaction", "queued = modification + 1",
                "its place in the queues lies behind its last change"
            ),
            ("store_transaction", "finish_number = NULL", "it is finished, and by no number"),
        ])
    func finds(
        _ backend: Backend, _ damage: (table: String, change: String, what: String)
    ) async throws {
        let world = try await Self.life(backend)
        try await world.check()
        let isRefused = damage.what.contains("not there")
        do {
            try await world.database.write { session in
                _ = try session.execute("UPDATE \(raw: damage.table) SET \(raw: damage.change)")
            }
            #expect(!isRefused)
        } catch {
            // The database itself refuses what names a row that is not there.
            #expect(isRefused, "\(error)")
            return
        }
        let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(
            report.findings.contains { $0.what.contains(damage.what) }, "\(report.findings)")
    }

    @Test("A mark or a device that is gone is missed", arguments: Backend.available)
    func missing(_ backend: Backend) async throws {
        for (table, what) in [("device_mark", "the marks of device"), ("device", "no row")] {
            let world = try await Self.life(backend)
            try await world.database.write { session in
                for name in ["device_mark", "sign_in", "device"]
                where name == table
                    || table == "device"
                {
                    _ = try session.execute("DELETE FROM \(raw: name)")
                }
            }
            let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
            #expect(report.findings.contains { $0.what.contains(what) }, "\(report.findings)")
        }
    }

    @Test(
        "The database refuses a second device of a name, and numbers that cannot be",
        arguments: Backend.available)
    func constraints(_ backend: Backend) async throws {
        let world = try await Self.life(backend)
        for change: SQL in [
            """
            INSERT INTO device (id, customer, app, name, registered_at, watermark, restored_after,
                restored_until, began)
            SELECT id + 1000, customer, app, name, 0, 0, 0, 0, 0 FROM device
            """,
            "UPDATE device SET restored_after = 9, restored_until = 8",
            "UPDATE device SET watermark = -1",
            "UPDATE device_mark SET is_finished = 2",
            "UPDATE sign_in SET device = 0",
            "DELETE FROM device",
        ] {
            await #expect(throws: StorageError.self, "\(change.text)") {
                try await world.database.write { session in _ = try session.execute(change) }
            }
        }
        try await world.check()
    }
}
