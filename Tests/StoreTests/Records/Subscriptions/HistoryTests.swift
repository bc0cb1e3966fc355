import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Transaction history")
struct HistoryTests {
    /// All pages of a filter, each as lines, and the last revision.
    private func pages(
        _ world: World, _ id: Int64, _ filter: HistoryFilter = HistoryFilter(),
        from revision: String? = nil
    ) async throws -> (pages: [[String]], revision: String) {
        var pages: [[String]] = []
        var revision = revision
        while true {
            let page = try await world.store.history(
                anyTransaction: id, filter, revision: revision, for: world.caller())
            pages.append(
                try page.signedTransactions.map {
                    let transaction: JWSTransactionDecodedPayload = try JWSText.decode($0)
                    return World.line(transaction)
                })
            guard page.hasMore else { return (pages, page.revision) }
            revision = page.revision
        }
    }

    /// Ada's year: 1 January silver, ten coins in February (finished), news in March, for ever in
    /// April, a season in May; silver renews each month until 1 June.
    private func year(_ backend: Backend) async throws -> (
        world: World, ada: DeviceSession, id: Int64
    ) {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        let id = try await world.subscribe("silver.monthly", by: ada)
        for (month, product) in [(2, "coins"), (3, "news.monthly"), (4, "lifetime"), (5, "season")]
        {
            _ = try await world.store.advance(to: World.instant("2026-0\(month)-15"))
            let bought = try await world.subscribe(product, by: ada)
            if product == "coins" { try await world.store.finish(transaction: bought, by: ada) }
        }
        _ = try await world.subscribe("lifetime", by: bea)
        _ = try await world.store.advance(to: World.instant("2026-06-01"))
        return (world, ada, id)
    }

    private static func silver(_ month: Int) -> String {
        "silver.monthly 9.99 until 2026-0\(month + 1)-01"
    }

    private static let wholeYear = [
        silver(1), silver(2), "coins 0.99", silver(3), "news.monthly 2.99 until 2026-04-15",
        silver(4), "news.monthly 2.99 until 2026-05-15", "lifetime 49.99", silver(5),
        "news.monthly 2.99 until 2026-06-15", "season 14.99", silver(6),
    ]

    @Test("A history has everything of one customer, both ways round", arguments: Backend.available)
    func everything(_ backend: Backend) async throws {
        let (world, _, id) = try await year(backend)
        #expect(try await pages(world, id).pages == [Self.wholeYear])
        var filter = HistoryFilter()
        filter.isDescending = true
        #expect(try await pages(world, id, filter).pages == [Self.wholeYear.reversed()])
    }

    @Test(
        "A page is full with twenty, and says that there is more only when there is",
        arguments: Backend.available, [19, 20, 21, 40])
    func pageEnds(_ backend: Backend, _ count: Int) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        var id: Int64 = 0
        for _ in 1...count { id = try await world.subscribe("coins", by: ada) }
        let sizes = try await pages(world, id).pages.map(\.count)
        #expect(sizes == (count <= 20 ? [count] : [20, count - 20]))
    }

    @Test("Each filter leaves out what it must", arguments: Backend.available)
    func filters(_ backend: Backend) async throws {
        let (world, _, id) = try await year(backend)
        func found(_ change: (inout HistoryFilter) -> Void) async throws -> [String] {
            var filter = HistoryFilter()
            change(&filter)
            return try await pages(world, id, filter).pages.flatMap { $0 }
        }
        let news = Self.wholeYear.filter { $0.hasPrefix("news") }
        let silver = Self.wholeYear.filter { $0.hasPrefix("silver") }
        #expect(try await found { $0.productIDs = ["news.monthly"] } == news)
        #expect(
            try await found { $0.productIDs = ["coins", "lifetime", "x"] } == [
                "coins 0.99", "lifetime 49.99",
            ])
        #expect(try await found { $0.productIDs = ["x"] } == [])
        #expect(try await found { $0.types = [.consumable] } == ["coins 0.99"])
        #expect(
            try await found { $0.types = [.nonConsumable, .nonRenewingSubscription] } == [
                "lifetime 49.99", "season 14.99",
            ])
        #expect(try await found { $0.types = [.autoRenewableSubscription] }.count == 9)
        #expect(try await found { $0.groupIDs = ["news"] } == news)
        #expect(try await found { $0.groupIDs = ["club", "none"] } == silver)
        #expect(
            try await found { $0.start = World.instant("2026-05-15T00:00:01Z") } == [Self.silver(6)]
        )
        // The start counts, the end does not.
        #expect(
            try await found {
                $0.start = World.instant("2026-02-01")
                $0.end = World.instant("2026-03-01")
            } == [Self.silver(2), "coins 0.99"])
        #expect(try await found { $0.revoked = true } == [])
        #expect(try await found { $0.revoked = false }.count == 12)
        #expect(try await found { $0.ownership = .familyShared } == [])
        #expect(try await found { $0.ownership = .purchased }.count == 12)
        #expect(
            try await found {
                $0.productIDs = ["silver.monthly"]
                $0.types = [.consumable]
            } == [])
    }

    @Test("Version 1 leaves finished consumables out", arguments: Backend.available)
    func versionOne(_ backend: Backend) async throws {
        let (world, ada, id) = try await year(backend)
        let unfinished = try await world.subscribe("coins", by: ada)
        var filter = HistoryFilter()
        filter.leavesOutFinishedConsumables = true
        let before = try await pages(world, id, filter).pages.flatMap { $0 }
        #expect(before.count { $0.hasPrefix("coins") } == 1)
        #expect(before.count == 12)
        try await world.store.finish(
            transaction: unfinished, bundleID: World.bundleID, in: .production)
        let after = try await pages(world, id, filter).pages.flatMap { $0 }
        #expect(after.filter { $0.hasPrefix("coins") } == [])
        #expect(try await pages(world, id).pages.flatMap { $0 }.count == 13)
    }

    @Test(
        "Pages hold twenty, and a revision that was kept tells later what has changed since",
        arguments: Backend.available)
    func revisions(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        let id = try await world.subscribe("bronze.weekly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-10-08"))
        let (found, revision) = try await pages(world, id)
        #expect(found.map(\.count) == [20, 20, 1])
        #expect(Set(found.flatMap { $0 }).count == 41)
        let nothing = try await pages(world, id, from: revision)
        #expect(nothing.pages == [[]])
        #expect(nothing.revision == revision)

        _ = try await world.store.advance(to: World.instant("2026-10-09"))
        _ = try await world.store.purchase(PurchaseRequest(productID: "gold.monthly"), by: ada)
        let changed = try await pages(world, id, from: nothing.revision)
        // The replaced one comes up again.
        #expect(
            changed.pages == [
                [
                    "gold.monthly 19.99 until 2026-11-09",
                    "bronze.weekly 0.99 until 2026-10-15 upgraded",
                ]
            ])
        #expect(try await pages(world, id, from: changed.revision).pages == [[]])
    }

    @Test("Descending pages meet nothing twice", arguments: Backend.available)
    func descending(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        let id = try await world.subscribe("bronze.weekly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-10-08"))
        var filter = HistoryFilter()
        filter.isDescending = true
        let up = try await pages(world, id).pages.flatMap { $0 }
        let down = try await pages(world, id, filter).pages
        #expect(down.map(\.count) == [20, 20, 1])
        #expect(down.flatMap { $0 } == up.reversed())
    }

    @Test(
        "A revision that is broken, or came with other filters, is refused",
        arguments: Backend.available)
    func wrongRevision(_ backend: Backend) async throws {
        let (world, ada, id) = try await year(backend)
        let revision = try await pages(world, id).revision
        let bea = try await world.device("bea")
        let hers = try #require(
            try await world.store.transactions(
                for: bea, unfinishedOnly: false, after: 0, limit: 1
            ).first)
        var filters = Array(repeating: HistoryFilter(), count: 8)
        filters[0].isDescending = true
        filters[1].productIDs = ["coins"]
        filters[2].types = [.consumable]
        filters[3].groupIDs = ["club"]
        filters[4].start = .earliest
        filters[5].end = .latest
        filters[6].revoked = false
        filters[7].leavesOutFinishedConsumables = true
        var wrong = filters.map { (id, $0, revision) }
        wrong += ["", "x", "1", "_", "-1_\(revision)", revision + "0", "1_2_3"].map {
            (id, HistoryFilter(), $0)
        }
        wrong.append((hers.id, HistoryFilter(), revision))
        for (id, filter, revision) in wrong {
            await #expect(throws: StoreError.request(.invalidRevision), "\(filter) \(revision)") {
                try await world.store.history(
                    anyTransaction: id, filter, revision: revision, for: world.caller())
            }
        }
        // Any transaction of the same customer asks the same question, though.
        let other = try #require(
            try await world.store.transactions(
                for: ada, unfinishedOnly: false, after: id, limit: 1
            ).first)
        #expect(try await pages(world, other.id, from: revision).pages == [[]])
    }
}
