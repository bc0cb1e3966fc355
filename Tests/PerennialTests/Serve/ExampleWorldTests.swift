import FoundationEssentials
import Store
import StoreKitFile
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import perennial

/// The year of the example's customers ends today, whatever day that is.
@Suite("The example's year")
struct ExampleWorldTests {
    private static var garden: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Examples/Garden.storekit").path
    }

    @Test(
        "It comes to its end on days that lie differently in their months",
        arguments: ["2026-11-29", "2026-11-30", "2027-02-28", "2027-03-02", "2028-03-01"])
    func today(_ day: String) async throws {
        let today = World.instant("\(day)T00:28:00Z")
        let world = try await World(
            .sqlite, at: (today - ExampleWorld.past).iso8601,
            catalogue: try StoreKitFile.read(path: Self.garden).catalogue)
        let app = try await world.store.app(bundleID: World.bundleID)
        // A moment has passed since the store's clock was set, as when a program starts.
        let later = today + Span(milliseconds: 7)
        let example = try #require(ExampleWorld(world.store, app: app, today: later))
        try await example.play()
        #expect(try await world.store.now() == later)
    }
}
