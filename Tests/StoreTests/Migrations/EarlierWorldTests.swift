import AppStoreWire
import Foundation
import Journal
import Storage
import StorageSQLite
import Store
import SubscriptionRules
import TestSupport
import Testing

/// Files that earlier versions wrote, brought up to date.
@Suite("Worlds in files of earlier versions")
struct EarlierWorldTests {
    /// A copy of the world that the version before bills wrote: twelve subscriptions in as many
    /// situations, on 8 March 2026. Every migration that came later is applied when it is opened.
    private func beforeBills() throws -> (database: SQLiteDatabase, folder: URL) {
        let file = try #require(
            Bundle.module.url(forResource: "0006", withExtension: "sqlite", subdirectory: "Worlds"))
        let folder = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask,
            appropriateFor: FileManager.default.temporaryDirectory, create: true)
        let copy = folder.appendingPathComponent("store.sqlite")
        try FileManager.default.copyItem(at: file, to: copy)
        return (try SQLiteDatabase(path: copy.path), folder)
    }

    /// What each subscription was when the file was written.
    private static let before = [
        "active": "active vegetables.monthly to 2026-03-15 for 4.99, renews, raised",
        "asked": "expired windowbox.monthly to 2026-02-15 for 2.99",
        "downgraded": "active windowbox.monthly to 2026-03-15 for 2.99, renews",
        "extended": "active windowbox.monthly to 2026-03-25 for 2.99, renews",
        "grace": "active vegetables.yearly to 2026-07-15 for 19.99, renews",
        "lapsed": "expired windowbox.weekly to 2026-01-18 for 0.00",
        "late": "grace windowbox.weekly to 2026-03-06 for 0.00, renews",
        "off": "expired vegetables.monthly to 2026-02-15 for 0.00, raised",
        "refunded": "revoked windowbox.monthly to 2026-02-15 for 2.99",
        "retry": "retrying windowbox.weekly to 2026-01-18 for 0.00, renews",
        "trial": "active flowers.monthly to 2026-03-15 for 1.99, renews",
        "upgraded": "active estate.monthly to 2026-03-20 for 9.99, renews",
    ]

    @Test("Nothing is lost, and everything goes on")
    func beforeBillsGoesOn() async throws {
        let (database, folder) = try beforeBills()
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try await World(database: database, at: "2026-03-08", isListening: false)
        var found: [String: String] = [:]
        for customer in try await world.store.customers(in: .production, after: 0, limit: 100) {
            let subscriptions = try await world.store.customer(
                account: customer.account, in: .production
            ).1
            for one in subscriptions { found[customer.account] = Self.line(one) }
        }
        #expect(found == Self.before)
        #expect(try await findings(database).isEmpty)
        let books = try await world.books()
        #expect(books.count { $0.contains("charge") } == 15)

        // The renewals that are due come, at the prices that were agreed.
        try await world.store.setPaymentMethod(.approves, account: "late", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-03-26"))
        let after = try await world.store.customer(account: "upgraded", in: .production).1
        #expect(
            after.map(Self.line) == ["active estate.monthly to 2026-04-20 for 9.99, renews"])
        let recovered = try await world.store.customer(account: "late", in: .production).1
        #expect(recovered.map(\.isEntitled) == [true])
        #expect(try await findings(database).isEmpty)
        await database.close()
    }

    @Test("All that it wrote to the journal is read, and is as whatever is written today")
    func journalOfBeforeBills() async throws {
        let (database, folder) = try beforeBills()
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try await World(database: database, at: "2026-03-08", isListening: false)
        let earlier = try await entries(database)
        _ = try await world.store.advance(to: World.instant("2026-05-01"))
        let entries = try await entries(database)
        #expect(earlier.count > 30 && entries.count > earlier.count)
        #expect(Array(entries.prefix(earlier.count)) == earlier)
        for (name, text) in entries.map({ ($0[0], $0[1]) }) {
            #expect(JournalEvent.Kind(rawValue: name) != nil, "\(name)")
            // Only the order of columns is not kept by reading.
            let again = try JournalDetail(text: text).text ?? "{}"
            #expect(try JSONValue(parsing: again.utf8) == JSONValue(parsing: text.utf8))
        }
        await database.close()
    }

    /// The kind and the detail of each entry of the journal.
    private func entries(_ database: any Database) async throws -> [[String]] {
        try await database.read { session in
            try session.rows("SELECT kind, detail FROM journal ORDER BY sequence")
        }.map { [try $0.text(0), try $0.textOrNil(1) ?? "{}"] }
    }

    private func findings(_ database: any Database) async throws -> [String] {
        let report = try await WorldCheck(database, ownership: nil) { _, _ in }.run()
        return report.findings.map { "\($0.place): \($0.what)" }
    }

    private static func line(_ subscription: Subscription) -> String {
        let state =
            switch subscription.state {
            case .new: "new"
            case .active: "active"
            case .awaitingPayment: "awaiting payment"
            case .grace: "grace"
            case .retrying: "retrying"
            case .expired: "expired"
            case .revoked: "revoked"
            }
        return state + " "
            + subscription.plan.productID.replacing("com.example.garden.", with: "")
            + " to \(World.text(subscription.newestPeriod.end)) for "
            + World.units(subscription.newestPeriod.price)
            + (subscription.renewsAutomatically ? ", renews" : "")
            + (subscription.increases.isEmpty ? "" : ", raised")
    }
}
