import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

private typealias World = TestSupport.World

@Suite("Names that nobody sees")
struct InvisibleNameTests {
    @Test("No new account has one, and nothing is left of it", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await World(backend)
        _ = try await world.device("anna")
        let before = try await Tables(world.database)
        for (name, place) in [("\u{200B}", 1), ("\u{200B}anna", 1), ("anna\u{200B}", 5)] {
            let reason =
                "the name has the invisible character U+200B (ZERO WIDTH SPACE) as character "
                + "\(place)"
            await #expect(throws: StoreError.setting(.invalid("account", reason: reason))) {
                _ = try await world.device(name)
            }
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        _ = try await world.device("👩‍👩‍👧")
    }

    @Test("An account of before keeps it, is read and signs in", arguments: Backend.available)
    func kept(_ backend: Backend) async throws {
        let world = try await World(backend)
        _ = try await world.device("anna")
        try await world.database.write { session in
            _ = try session.execute(
                "UPDATE customer SET account = \("\u{200B}anna") WHERE account = 'anna'")
        }
        let customer = try await world.store.customer(
            account: "\u{200B}anna", in: .production
        ).0
        #expect(customer.account == "\u{200B}anna")
        let device = try await world.device("\u{200B}anna")
        _ = try await world.subscribe("silver.monthly", by: device)
    }

    @Test("No app is called by one", arguments: Backend.available)
    func apps(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        let refusal = StoreError.setting(
            .invalid(
                "name",
                reason: "it has the invisible character U+200B (ZERO WIDTH SPACE) as character 1"))
        await #expect(throws: refusal) {
            try await world.store.configure(bundleID: World.bundleID) { $0.name = "\u{200B}" }
        }
        await #expect(throws: refusal) {
            try await world.store.addApp(
                bundleID: "com.example.other", appleID: 99,
                settings: App.Settings(name: "\u{200B}"))
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }

    @Test("No new product has one; what is known may stay", arguments: Backend.available)
    func products(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        var catalogue = SampleCatalogue.all
        catalogue.products[0].id = "\u{2060}" + catalogue.products[0].id
        let id = catalogue.products[0].id
        let reason = "it has the invisible character U+2060 (WORD JOINER) as character 1"
        await #expect(throws: StoreError.setting(.invalid(id, reason: reason))) {
            try await world.store.importCatalogue(catalogue, bundleID: World.bundleID)
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }
}
