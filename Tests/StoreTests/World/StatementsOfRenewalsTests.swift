import Store
import TestFloor
import TestSupport
import Testing

/// What a renewal costs the database: a plain subscriber pays for no offers, families, letters or
/// devices, which would each be a statement of their own.
@Suite("Statements of renewals")
struct StatementsOfRenewalsTests {
    private static let written = [
        "INSERT INTO store_transaction", "INSERT INTO journal", "INSERT INTO ledger",
        "UPDATE subscription",
    ]

    /// Lets subscribers renew once.
    private func renew(_ subscribers: Int, on backend: Backend) async throws -> CountingDatabase {
        let database = CountingDatabase(try await backend.borrowDatabase())
        let world = try await World(database: database, isListening: false)
        for number in 1...subscribers {
            let device = try await world.device("customer-\(number)")
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"), by: device)
        }
        database.forget()
        let changes = try await world.store.advance(to: World.instant("2026-02-02")).changes
        #expect(changes == subscribers)
        return database
    }

    @Test(
        "A hundred renewals more write four rows each, and send no statement of their own",
        arguments: Backend.available)
    func plain(_ backend: Backend) async throws {
        let few = try await renew(20, on: backend)
        let many = try await renew(120, on: backend)
        // On PostgreSQL numbers are drawn in blocks, each time twice as many.
        #expect(many.all.sent - few.all.sent <= 4)
        #expect((400...404).contains(many.all.runs - few.all.runs))
        for statement in Self.written {
            #expect(many.count(of: statement) == CountingDatabase.Count(sent: 1, runs: 120))
        }
    }

    @Test(
        "A month in which a hundred subscribers renew takes less than 200 statements in all",
        arguments: Backend.available)
    func total(_ backend: Backend) async throws {
        let database = try await renew(100, on: backend)
        #expect(database.all.sent < 200)
    }

    @Test("All tables are asked at once what is due next", arguments: Backend.available)
    func next(_ backend: Backend) async throws {
        let database = CountingDatabase(try await backend.borrowDatabase())
        let world = try await World(database: database, isListening: false)
        database.forget()
        _ = try await world.store.clockReading()
        // Where the world stands, and what is due.
        #expect(database.all.sent == 2)
    }
}
