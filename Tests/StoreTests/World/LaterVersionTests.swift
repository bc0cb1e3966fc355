import Storage
import Synchronization
import TestFloor
import TestSupport
import Testing

@testable import Store

@Suite("A later version beside this one")
struct LaterVersionTests {
    private final class Looks: Sendable {
        let count = Atomic(0)
    }

    @Test(
        "A later version that migrates the database ends the work of this one, which says so",
        arguments: Backend.available)
    func newerSchema(_ backend: Backend) async throws {
        let world = try await World(backend)
        let looks = Looks()
        let timekeeper = Timekeeper(world.store) { _ in
            looks.count.add(1, ordering: .relaxed)
            await Task.yield()
        }
        let working = Task { try await timekeeper.run() }
        while looks.count.load(ordering: .relaxed) < 10 { await Task.yield() }
        // An addition is what the work can go on beside until it has seen it.
        try await world.database.migrate(
            Schema.migrations + [Migration("of a later version") { _ in [] }])
        let error = await #expect(throws: StorageError.self) { try await working.value }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains("of a later version") == true)
    }
}
