import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: the queues of devices")
struct DeviceQueueStories {
    @Test(
        "Each device finishes for itself, and a renewal comes to all (RST-2)",
        arguments: Backend.available)
    func two(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let tablet = try await world.device(named: "tablet")
        _ = try await world.subscribe("silver.monthly", by: phone)
        let bought = ["silver.monthly to 2026-02-01"]
        #expect(try await world.queue(phone) == bought)
        #expect(try await world.queue(tablet) == bought)
        try await world.finishAll(phone)
        #expect(try await world.queue(phone).isEmpty)
        #expect(try await world.queue(tablet) == bought)
        _ = try await world.store.advance(to: World.instant("2026-03-15"))
        let renewals = ["silver.monthly to 2026-03-01", "silver.monthly to 2026-04-01"]
        #expect(try await world.queue(phone) == renewals)
        #expect(try await world.queue(tablet) == bought + renewals)
        try await world.finishAll(tablet)
        #expect(try await world.queue(phone) == renewals)
        #expect(try await world.queue(tablet).isEmpty)
        try await world.check()
    }

    @Test(
        "The same name is the same device, another one begins with what nobody has finished",
        arguments: Backend.available)
    func newcomers(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let first = try await world.buyOnce("lifetime", by: phone)
        _ = try await world.subscribe("silver.monthly", by: phone)
        try await world.store.finish(transaction: first, by: phone)
        #expect(
            try await world.queue(world.device(named: "phone")) == ["silver.monthly to 2026-02-01"])
        let tablet = try await world.device(named: "tablet")
        #expect(try await world.queue(tablet) == ["silver.monthly to 2026-02-01"])
        // What one finishes from now on the other still has to.
        try await world.finishAll(phone)
        #expect(try await world.queue(tablet) == ["silver.monthly to 2026-02-01"])
        #expect(try await world.queue(world.device(named: "watch")).isEmpty)
        // Another customer's device of the same name is another one.
        #expect(try await world.queue(world.device("bob", named: "phone")).isEmpty)
        #expect(Set(try await world.numbers().keys) == ["phone", "tablet", "watch"])
        try await world.check()
    }

    @Test("What is consumed on one device waits on none", arguments: Backend.available)
    func consumed(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let tablet = try await world.device(named: "tablet")
        let coins = try await world.buyOnce("coins", by: phone)
        let season = try await world.buyOnce("season", by: phone)
        #expect(try await world.queue(tablet) == ["coins", "season"])
        try await world.store.finish(transaction: coins, by: tablet)
        #expect(try await world.queue(phone) == ["season"])
        #expect(try await world.queue(tablet) == ["season"])
        try await world.store.finish(transaction: season, by: phone)
        // Neither comes back by a restore.
        #expect(try await world.store.restore(on: phone) == 0)
        #expect(try await world.queue(phone).isEmpty)
        #expect(try await world.queue(tablet) == ["season"])
        try await world.check()
    }

    @Test(
        "A payment that came late is not behind what was finished meanwhile",
        arguments: Backend.available)
    func paidLater(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        try await world.pays(.answersLater(after: nil, isPaid: true))
        let bill = try #require(
            try await world.store.buy(PurchaseRequest(productID: "lifetime"), by: phone)
                .pendingBill)
        try await world.pays(.approves)
        #expect(try await world.buyOnce("season", by: phone) > bill)
        try await world.finishAll(phone)
        #expect(try await world.queue(phone).isEmpty)
        try await world.store.answer(bill: bill, .paid, in: .production)
        #expect(try await world.waiting(phone) == [bill])
        try await world.finishAll(phone)
        #expect(try await world.queue(phone).isEmpty)
        try await world.check()
    }

    @Test(
        "Finished in any order everything is done, and no mark is left of it",
        arguments: Backend.available)
    func anyOrder(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        for _ in 1...6 { _ = try await world.buyOnce("season", by: phone) }
        let ids = try await world.waiting(phone)
        for place in [3, 1, 5, 0, 4] {
            try await world.store.finish(transaction: ids[place], by: phone)
            // Finishing again is no error, and changes nothing.
            try await world.store.finish(transaction: ids[place], by: phone)
        }
        #expect(try await world.waiting(phone) == [ids[2]])
        #expect(try await Tables(world.database).counts["device_mark"] == 3)
        try await world.check()
        try await world.store.finish(transaction: ids[2], by: phone)
        #expect(try await world.waiting(phone).isEmpty)
        #expect(try await Tables(world.database).counts["device_mark"] == 0)
        try await world.check()
    }

    @Test(
        "What the developer's server finishes is finished on every device, and for later ones",
        arguments: Backend.available)
    func byServer(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let tablet = try await world.device(named: "tablet")
        let id = try await world.buyOnce("lifetime", by: phone)
        func byServer() async throws {
            try await world.store.finish(
                transaction: id, bundleID: World.bundleID, in: .production)
        }
        try await world.store.finish(transaction: id, by: phone)
        try await byServer()
        #expect(try await world.queue(tablet).isEmpty)
        #expect(try await world.queue(world.device(named: "watch")).isEmpty)
        // Restored it waits again, until the server says so again.
        #expect(try await world.store.restore(on: tablet) == 1)
        #expect(try await world.queue(tablet) == ["lifetime restored"])
        try await byServer()
        #expect(try await world.queue(tablet).isEmpty)
        let before = try await Tables(world.database)
        try await byServer()
        #expect(try await Tables(world.database).differences(from: before) == [])
        try await world.check()
    }

    @Test(
        "What was refunded or upgraded stays in the queue: the app must learn of it",
        arguments: Backend.available)
    func takenBack(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        _ = try await world.subscribe("silver.monthly", by: phone)
        let lifetime = try await world.buyOnce("lifetime", by: phone)
        _ = try await world.subscribe("gold.monthly", by: phone)
        try await world.store.refund(
            transaction: lifetime, .full, reason: .other, in: .production)
        let transactions = try await world.store.transactions(
            for: phone, unfinishedOnly: true, after: 0, limit: 10
        ).map { try JWSText.decode($0.signed) as JWSTransactionDecodedPayload }
        #expect(
            transactions.map(\.productId) == ["silver.monthly", "lifetime", "gold.monthly"])
        #expect(transactions.map { $0.isUpgraded ?? false } == [true, false, false])
        #expect(transactions.map { $0.revocationDate != nil } == [false, true, false])
        // Changed once they are finished, they do not come up again.
        try await world.finishAll(phone)
        try await world.store.refund(
            transaction: Int64(transactions[2].transactionId)!, .full, reason: .other,
            in: .production)
        #expect(try await world.queue(phone).isEmpty)
        try await world.check()
    }

    @Test("What families share waits on the devices of each", arguments: Backend.available)
    func families(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada", named: "phone")
        let bea = try await world.device("bea", named: "phone")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        _ = try await world.subscribe("family.monthly", by: ada)
        _ = try await world.buyOnce("lifetime", by: ada)
        let bought = ["family.monthly to 2026-02-01", "lifetime"]
        #expect(try await world.queue(ada) == bought)
        #expect(try await world.queue(bea) == bought)
        try await world.finishAll(ada)
        #expect(try await world.queue(bea) == bought)
        try await world.finishAll(bea)
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        for device in [ada, bea] {
            #expect(try await world.queue(device) == ["family.monthly to 2026-03-01"])
        }
        #expect(try await world.store.restore(on: bea) == 3)
        #expect(
            try await world.queue(bea) == [
                "family.monthly to 2026-02-01 restored", "lifetime restored",
                "family.monthly to 2026-03-01",
            ])
        #expect(try await world.queue(ada) == ["family.monthly to 2026-03-01"])
        try await world.check()
    }

    @Test(
        "Where a history is cleared the queue begins anew, on the device that stays signed in",
        arguments: Backend.available)
    func cleared(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(in: .sandbox, named: "phone")
        for product in ["lifetime", "season", "coins"] {
            _ = try await world.buyOnce(product, by: phone)
        }
        let waiting = try await world.waiting(phone)
        try await world.store.finish(transaction: waiting[1], by: phone)
        #expect(try await Tables(world.database).counts["device_mark"] == 1)
        try await world.store.clearHistory(account: "ada")
        let again = try await world.device(in: .sandbox, named: "phone")
        #expect(try await world.queue(again).isEmpty)
        #expect(try await world.store.restore(on: again) == 0)
        _ = try await world.buyOnce("lifetime", by: again)
        #expect(try await world.queue(again) == ["lifetime"])
        #expect(try await Tables(world.database).counts["device_mark"] == 0)
        // The session of before is the old account's, which has no devices.
        await #expect(throws: StoreError.request(.signedOut)) {
            _ = try await world.queue(phone)
        }
        #expect(try await world.numbers("ada (history 1)", in: .sandbox).isEmpty)
        try await world.check()
    }

    @Test(
        "The operator who buys in the customer's place is no device, and what comes of it waits",
        arguments: Backend.available)
    func console(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let console = try await world.store.device(
            of: "ada", bundleID: World.bundleID, in: .production)
        let id = try await world.buyOnce("lifetime", by: console)
        #expect(try await world.queue(phone) == ["lifetime"])
        #expect(try await world.queue(console) == ["lifetime"])
        #expect(try await Array(world.numbers().keys) == ["phone"])
        await #expect(throws: StoreError.request(.signedOut)) {
            _ = try await world.store.restore(on: console)
        }
        try await world.store.finish(transaction: id, by: console)
        #expect(try await world.queue(phone).isEmpty)
        try await world.check()
    }
}
