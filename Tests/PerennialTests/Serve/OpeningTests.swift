import Foundation
import Logging
import Storage
import Store
import StoreKitFile
import SubscriptionRules
import Testing
import TimeAndChance

@testable import perennial

@Suite("Opening a store")
struct OpeningTests {
    @Test("A new world has the app, the products and the clock that were asked for")
    func newWorld() async throws {
        try await withDirectory { parent in
            var plan = plan(parent)
            plan.clockMode = .frozen
            plan.moment = Instant(iso8601: "2026-01-31")!
            plan.notificationURL = "http://127.0.0.1:9/n"
            let opening = try await open(plan, catalogue: catalogue)
            #expect(opening.app.bundleID == "com.example.app")
            #expect(opening.app.appleID == 1_000_000_001)
            #expect(opening.app.catalogue.products.map(\.id) == ["plus.monthly"])
            #expect(opening.app.settings.notificationURL == "http://127.0.0.1:9/n")
            #expect(opening.app.settings.sandboxNotificationURL == "http://127.0.0.1:9/n")
            let clock = try await opening.store.clockReading()
            #expect((clock.mode, clock.now) == (.frozen, Instant(iso8601: "2026-01-31")!))
            #expect(opening.notes.isEmpty)
            await opening.close()
        }
    }

    @Test("Without a file a new app sells nothing, and one is told so")
    func nothingToSell() async throws {
        try await withDirectory { parent in
            let opening = try await open(plan(parent))
            #expect(opening.app.catalogue.products.isEmpty)
            #expect(opening.notes.contains { $0.contains("sells nothing yet") })
            #expect(try await opening.store.clockReading().mode == .running)
            await opening.close()
        }
    }

    @Test("An existing world keeps its clock, its products and its app, and says so")
    func existingWorld() async throws {
        try await withDirectory { parent in
            var first = plan(parent)
            first.clockMode = .frozen
            first.moment = Instant(iso8601: "2026-01-31")!
            first.bundleID = "com.example.garden"
            first.appAppleID = 7
            try await open(first, catalogue: catalogue).close()

            var second = plan(parent)
            second.clockMode = .system
            second.notificationURL = "http://127.0.0.1:9/other"
            let opening = try await open(second)
            #expect(opening.app.bundleID == "com.example.garden")
            #expect(opening.app.appleID == 7)
            #expect(opening.app.catalogue.products.count == 1)
            #expect(opening.app.settings.notificationURL == "http://127.0.0.1:9/other")
            let clock = try await opening.store.clockReading()
            #expect((clock.mode, clock.now) == (.frozen, Instant(iso8601: "2026-01-31")!))
            #expect(opening.notes.count == 1)
            #expect(opening.notes.first?.contains("keeps its frozen clock") == true)
            await opening.close()
        }
    }

    @Test("A second app gets the next Apple id, and what is said nothing of is the usual one")
    func severalApps() async throws {
        try await withDirectory { parent in
            try await open(plan(parent)).close()
            var second = plan(parent)
            second.bundleID = "com.example.other"
            let other = try await open(second)
            #expect(other.app.appleID == 1_000_000_002)
            await other.close()
            var third = plan(parent)
            (third.bundleID, third.appAppleID) = ("com.example.third", 1_000_000_002)
            let failure = await #expect(throws: Failure.self) { try await open(third) }
            #expect(failure?.message.contains("--app-apple-id") == true)
            third.appAppleID = 7
            try await open(third).close()
            // The usual one is still meant where nothing is said.
            let opening = try await open(plan(parent))
            #expect(opening.app.bundleID == "com.example.app")
            await opening.close()
        }
    }

    @Test("A product that would change its group is refused in words, and stays as it was")
    func changedGroup() async throws {
        try await withDirectory { parent in
            try await open(plan(parent), catalogue: catalogue).close()
            let other = try sampleStoreKitFile(group: "G2")
            let failure = await #expect(throws: Failure.self) {
                try await open(plan(parent), catalogue: other)
            }
            #expect(failure?.code == .refused)
            #expect(
                failure?.message.contains(
                    "Plus.storekit $.subscriptionGroups[0].subscriptions[0].productID: The product "
                        + "\"plus.monthly\" is sold in the group \"G1\", and here it is in \"G2\".")
                    == true)
            let opening = try await open(plan(parent))
            #expect(opening.app.product("plus.monthly")?.subscription?.groupID == "G1")
            await opening.close()
        }
    }

    @Test("A file for a world that sells already says what it adds, changes and leaves")
    func otherCatalogue() async throws {
        func catalogue(_ products: [(id: String, price: String)]) throws -> StoreKitFile {
            let list = products.map {
                #"""
                {"productID":"\#($0.id)","type":"Consumable","displayPrice":"\#($0.price)"}
                """#
            }
            let json = #"{"products":[\#(list.joined(separator: ","))]}"#
            return try StoreKitFile.read(bytes: Array(json.utf8), name: "Gems.storekit")
        }
        try await withDirectory { parent in
            let first = try catalogue([("a", "1.00"), ("b", "2.00"), ("c", "3.00")])
            try await open(plan(parent), catalogue: first).close()
            let same = try await open(plan(parent), catalogue: first)
            #expect(same.notes.isEmpty)
            await same.close()
            let other = try await open(
                plan(parent), catalogue: try catalogue([("b", "2.50"), ("d", "4.00")]))
            #expect(
                other.notes == [
                    "com.example.app: the file adds 1 product (d), changes 1 product (b), leaves "
                        + "2 products that it lacks (a, c).",
                    "com.example.app: for whoever buys from now on the price goes b from 2.00 USD "
                        + "to 2.50 USD; subscribers keep what they pay, and nobody is told.",
                ])
            #expect(other.app.catalogue.products.count == 4)
            // What was set for a storefront is no business of the file's.
            try await other.store.setPrice(
                2_700, product: "b", storefront: .usa, bundleID: "com.example.app")
            await other.close()
            let third = try await open(plan(parent), catalogue: try catalogue([("b", "2.90")]))
            #expect(
                third.notes.last == "com.example.app: prices that were set by storefront stay: b "
                    + "in USA.")
            await third.close()
        }
    }

    @Test("A row with a storefront that nobody knows is named at the start, with the remedy")
    func unknownName() async throws {
        try await withDirectory { parent in
            let first = try await open(plan(parent), catalogue: catalogue)
            _ = try await first.store.signIn(
                SignInRequest(bundleID: first.app.bundleID, account: "ada"), in: .production,
                token: "token")
            try await first.database.write { session in
                _ = try session.execute("UPDATE customer SET storefront = 'QQQ'")
            }
            await first.close()
            let second = try await open(plan(parent))
            let note = try #require(second.notes.first { $0.contains("QQQ") })
            #expect(note.hasPrefix("customer "))
            #expect(note.contains("names the storefront QQQ, which this version does not know"))
            #expect(note.contains("perennial world check"))
            await second.close()
        }
    }

    @Test("An app that cannot be read is an error that names its row and the remedy")
    func unreadableApp() async throws {
        try await withDirectory { parent in
            let first = try await open(plan(parent), catalogue: catalogue)
            try await first.database.write { session in
                _ = try session.execute("UPDATE app SET storefront = 'QQQ'")
            }
            await first.close()
            let failure = await #expect(throws: Failure.self) { try await open(plan(parent)) }
            #expect(failure?.message.contains("app 1, column storefront") == true)
            #expect(failure?.message.contains("`perennial world check` names every row") == true)
        }
    }

    @Test("A file for another storefront moves the app, and one is told so")
    func movedHome() async throws {
        try await withDirectory { parent in
            try await open(plan(parent), catalogue: catalogue).close()
            let norway = try sampleStoreKitFile(storefront: "NOR")
            let opening = try await open(plan(parent), catalogue: norway)
            #expect(opening.app.settings.storefront.code == "NOR")
            #expect(opening.notes.contains { $0.contains("at home in NOR now, no longer in USA") })
            await opening.close()
            let again = try await open(plan(parent), catalogue: norway)
            #expect(again.notes.isEmpty)
            await again.close()
        }
    }

    @Test("A system world says since when nothing has happened in it, before it goes on")
    func longPause() async throws {
        try await withDirectory { parent in
            var plan = plan(parent)
            plan.clockMode = .system
            let first = try await open(plan, catalogue: catalogue)
            #expect(first.notes.isEmpty)
            let long = SystemTime.now() - .days(400)
            try await first.database.write { session in
                _ = try session.execute("UPDATE world SET latest_change = \(long)")
            }
            await first.close()
            plan.clockMode = nil
            let second = try await open(plan)
            #expect(second.notes.contains { $0.contains("for 400 days") })
            await second.close()
        }
    }

    @Test("A database that cannot be opened is refused in words, without the URL's password")
    func database() async throws {
        try await withDirectory { parent in
            var plan = plan(parent)
            plan.databaseURL = "postgres://me:secret-word@127.0.0.1:1/none"
            let failure = await #expect(throws: Failure.self) { try await open(plan) }
            #expect(failure?.code == .refused)
            #expect(failure?.message.contains("database") == true)
            #expect(failure?.message.contains("secret-word") == false)
        }
    }

    @Test("A start whose database cannot be reached leaves nothing behind")
    func nothingLeft() async throws {
        try await withDirectory { parent in
            let data = "\(parent)/data"
            for url in ["postgres://me@127.0.0.1:1/none", "postgres://", "nonsense"] {
                let outcome = try await Program().run(
                    "serve", "--data", data, "--database-url", url, "--port", "0",
                    "--sandbox-port", "0")
                #expect(outcome.code == 1, "\(url): \(outcome.complaint)")
                #expect(outcome.complaint.contains("database cannot be used"))
                #expect(!FileManager.default.fileExists(atPath: data))
            }
        }
    }

    // MARK: Parts

    private func plan(_ parent: String) -> ServePlan {
        var plan = ServePlan()
        plan.home = .directory("\(parent)/data")
        return plan
    }

    private func open(
        _ plan: ServePlan, catalogue: StoreKitFile? = nil
    ) async throws -> Opening {
        guard case .directory(let path) = plan.home else { preconditionFailure("no directory") }
        let directory = try await freeDirectory(path)
        return try await Opening.open(
            plan, in: directory,
            identity: Identity(in: directory, sharing: plan.sharedCertificates),
            catalogue: catalogue, log: Logger(label: "test"))
    }

    private var catalogue: StoreKitFile {
        get throws { try sampleStoreKitFile() }
    }
}

/// The directory, once nobody holds its lock any more: programs that other tests are starting have
/// it for a moment, until they become themselves.
func freeDirectory(_ path: String) async throws -> DataDirectory {
    for _ in 0..<40 {
        do {
            return try DataDirectory(path)
        } catch let failure as Failure where failure.message.contains("Another process") {
            await SystemTime.wait(.milliseconds(50))
        }
    }
    return try DataDirectory(path)
}

/// A catalogue of one monthly subscription.
func sampleStoreKitFile(group: String = "G1", storefront: String = "") throws -> StoreKitFile {
    let json = """
        {"version":{"major":4,"minor":0},"settings":{"_storefront":"\(storefront)"},\
        "products":[],"subscriptionGroups":[{"id":"\(group)",\
        "name":"Plus","localizations":[],"subscriptions":[{"productID":"plus.monthly",\
        "referenceName":"Plus","displayPrice":"9.99","recurringSubscriptionPeriod":"P1M",\
        "groupNumber":1,"type":"RecurringSubscription","subscriptionGroupID":"\(group)",\
        "localizations":[]}]}]}
        """
    return try StoreKitFile.read(bytes: Array(json.utf8), name: "Plus.storekit")
}
