import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: money of years that are billed monthly")
struct CommitmentMoneyStories {
    /// A world in which ada, in France, has begun a commitment to twelve months of 9.00 on
    /// 1 January.
    private func begun(
        _ backend: Backend
    ) async throws -> (world: World, ada: DeviceSession, id: Int64) {
        let world = try await World(backend, catalogue: CommitmentStories.catalogue)
        let ada = try await world.device(storefront: "FRA")
        let id = try await world.subscribe("silver.year", .monthly, by: ada)
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        return (world, ada, id)
    }

    /// The lines of renewals from a month of 2026 to another.
    private func renewals(_ months: ClosedRange<Int>, _ price: String = "9.00") -> [String] {
        func first(of month: Int) -> String {
            let (year, month) = (2026 + (month - 1) / 12, (month - 1) % 12 + 1)
            return "\(year)-\(month < 10 ? "0" : "")\(month)-01"
        }
        return months.map { month in
            "\(first(of: month)) DID_RENEW 1 silver.year \(price) EUR until \(first(of: month + 1))"
        }
    }

    private func schedule(_ price: Int64, in world: World) async throws {
        try await world.store.schedule(
            PriceOrder(
                productID: "silver.year", billing: .monthly, storefront: Storefront(code: "FRA")!,
                price: price, start: World.instant("2026-01-10"), existing: .apply),
            bundleID: World.bundleID)
    }

    private func transaction(
        _ month: Int, of id: Int64, in world: World
    ) async throws -> Int64 {
        let history = try await world.history("\(id)")
        let found = history.first { $0.commitmentInfo?.billingPeriodNumber == month }
        return try #require(found.flatMap { Int64($0.transactionId) })
    }

    @Test(
        "The month that runs is given back: the commitment is over, and nothing more is owed",
        arguments: Backend.available)
    func refunded(_ backend: Backend) async throws {
        let (world, _, id) = try await begun(backend)
        try await world.advance(to: "2026-03-10", telling: renewals(2...3))
        try await world.store.refund(
            transaction: try await transaction(3, of: id, in: world), .full, reason: .other,
            in: .production)
        try await world.settle(telling: [
            """
            2026-03-10 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 5 silver.year 9.00 EUR until \
            2026-04-01 REFUND_FULL 2026-03-10
            """,
            "2026-03-10 REFUND 5 silver.year 9.00 EUR until 2026-04-01 REFUND_FULL 2026-03-10",
        ])
        try await world.advance(to: "2027-02-01", telling: [])
        #expect(try await world.history("\(id)").count == 3)
        let charges = try await world.books().map { String($0.prefix(20)) }
        #expect(
            charges == [
                "2026-01-01 charge -9", "2026-02-01 charge -9", "2026-03-01 charge -9",
                "2026-03-10 refund +9",
            ])
        try await world.check()
    }

    @Test(
        "Taken back, what is owed is charged again, and the next commitment is not begun",
        arguments: Backend.available)
    func reversed(_ backend: Backend) async throws {
        let (world, _, id) = try await begun(backend)
        try await world.advance(to: "2026-03-10", telling: renewals(2...3))
        let third = try await transaction(3, of: id, in: world)
        try await world.store.refund(
            transaction: third, .full, reason: .other, in: .production)
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        try await world.advance(to: "2026-03-20", telling: [])
        try await world.store.reverseRefund(transaction: third, in: .production)
        try await world.settle(telling: [
            "2026-03-20 REFUND_REVERSED 1 silver.year 9.00 EUR until 2026-04-01"
        ])
        try await world.advance(
            to: "2027-01-01",
            telling: renewals(4...12) + [
                "2027-01-01 EXPIRED/VOLUNTARY 2 silver.year 9.00 EUR until 2027-01-01"
            ])
        let months = try await world.history("\(id)").map {
            $0.commitmentInfo?.billingPeriodNumber
        }
        #expect(months == Array(1...12))
        try await world.check()
    }

    @Test(
        "A month that is over is given back, and the commitment goes on",
        arguments: Backend.available)
    func olderMonth(_ backend: Backend) async throws {
        let (world, _, id) = try await begun(backend)
        try await world.advance(to: "2026-03-10", telling: renewals(2...3))
        try await world.store.refund(
            transaction: try await transaction(2, of: id, in: world), .full, reason: .other,
            in: .production)
        try await world.settle(telling: [
            "2026-03-10 REFUND 1 silver.year 9.00 EUR until 2026-03-01 REFUND_FULL 2026-03-10"
        ])
        try await world.advance(to: "2026-12-10", telling: renewals(4...12))
        try await world.check()
    }

    @Test(
        "A higher price is told before the end of the commitment, and charged from there on",
        arguments: Backend.available)
    func raised(_ backend: Backend) async throws {
        let (world, ada, id) = try await begun(backend)
        try await schedule(9_900, in: world)
        // Nobody is told while the months that were agreed to are owed.
        try await world.advance(to: "2026-12-04", telling: renewals(2...12))
        #expect(try await world.store.priceIncreaseMessages(for: ada).isEmpty)
        try await world.advance(
            to: "2026-12-05",
            telling: [
                "2026-12-05 PRICE_INCREASE/ACCEPTED 1 silver.year 9.00 EUR until 2027-01-01"
            ])
        let message = try #require(try await world.store.priceIncreaseMessages(for: ada).first)
        #expect(!message.needsConsent && message.renewal == World.instant("2027-01-01"))
        try await world.advance(to: "2027-02-10", telling: renewals(13...14, "9.90"))
        let history = try await world.history("\(id)")
        #expect(history.map(\.price) == Array(repeating: 9_000, count: 12) + [9_900, 9_900])
        #expect(
            history.suffix(3).map { $0.commitmentInfo?.billingPeriodNumber } == [12, 1, 2])
        #expect(history.last?.commitmentInfo?.commitmentPrice == 118_800)
        try await world.check()
    }

    @Test(
        "What doubles is asked 60 days before the end, and without consent it ends there",
        arguments: Backend.available, [false, true])
    func asked(_ backend: Backend, agrees: Bool) async throws {
        let (world, ada, id) = try await begun(backend)
        try await schedule(18_000, in: world)
        try await world.advance(
            to: "2026-11-02",
            telling: renewals(2...11) + [
                "2026-11-02 PRICE_INCREASE/PENDING 1 silver.year 9.00 EUR until 2026-12-01"
            ])
        #expect(try await world.store.priceIncreaseMessages(for: ada).map(\.needsConsent) == [true])
        if agrees {
            try await world.change(
                id, .priceIncrease(agrees: true), by: ada,
                telling: [
                    "2026-11-02 PRICE_INCREASE/ACCEPTED 1 silver.year 9.00 EUR until 2026-12-01"
                ])
        }
        // The last month costs what was agreed to.
        try await world.advance(to: "2026-12-31", telling: renewals(12...12))
        try await world.advance(
            to: "2027-01-01",
            telling: agrees
                ? renewals(13...13, "18.00")
                : ["2027-01-01 EXPIRED/PRICE_INCREASE 2 silver.year 9.00 EUR until 2027-01-01"])
        try await world.check()
    }

    @Test(
        "What was agreed to while the bank was silent is what the transaction says (CMT-1)",
        arguments: Backend.available)
    func fallsMeanwhile(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: CommitmentStories.catalogue)
        let ada = try await world.device(storefront: "FRA")
        try await world.pays(.answersLater(after: .hours(12), isPaid: true))
        _ = try await world.store.buy(
            PurchaseRequest(productID: "silver.year", billing: .monthly), by: ada)
        try await world.store.setPrice(
            8_000, .monthly, product: "silver.year", storefront: Storefront(code: "FRA")!,
            bundleID: World.bundleID)
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        let bought = try await world.store.customer(account: "ada", in: .production).1
        let first = try #require(try await world.history("\(bought[0].id)").first)
        // 9.00 was shown and is charged; the months after it cost 8.00.
        #expect(first.price == 9_000)
        #expect(first.commitmentInfo?.commitmentPrice == 108_000)
        #expect(bought[0].plan.price.milliunits == 8_000)
    }
}
