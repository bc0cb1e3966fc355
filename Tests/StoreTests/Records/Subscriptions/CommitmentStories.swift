import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: years that are billed monthly")
struct CommitmentStories {
    /// What a month costs is 9.00, the year at once 99.99; gold is above, with a trial.
    static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        catalogue.products += [
            year("silver.year", level: 2, month: 9_000),
            year(
                "gold.year", level: 1, month: 18_000,
                offers: [
                    Offer(
                        kind: .introductory, mode: .freeTrial, period: .month,
                        isForMonthlyBilling: true)
                ]),
        ]
        return catalogue
    }()

    private static func year(
        _ id: String, level: Int, month: Int64, offers: [Offer] = []
    ) -> Product {
        Product(
            id: id, type: .autoRenewableSubscription, basePrice: 99_990,
            subscription: SubscriptionTerms(
                groupID: "club", level: level, period: .year, offers: offers,
                monthlyBilling: MonthlyBilling(basePrice: month)))
    }

    /// A world in which ada, in Germany, has begun a commitment on 1 January.
    private func begun(
        _ backend: Backend, configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws -> (World, DeviceSession, Int64) {
        let world = try await World(backend, catalogue: Self.catalogue, configure: configure)
        let ada = try await world.device(storefront: "DEU")
        let id = try await begin(
            "silver.year", world, ada,
            telling: ["2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.year 9.00 EUR until 2026-02-01"])
        return (world, ada, id)
    }

    private func begin(
        _ product: String, _ world: World, _ device: DeviceSession, telling lines: [String]
    ) async throws -> Int64 {
        let signed = try #require(
            try await world.store.purchase(
                PurchaseRequest(productID: product, billing: .monthly), by: device))
        try await world.settle(telling: lines)
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return Int64(transaction.originalTransactionId)!
    }

    /// The lines of renewals from a month of 2026 to another.
    private func renewals(_ months: ClosedRange<Int>, of product: String = "silver.year")
        -> [String]
    {
        months.map { month in
            let (day, next) = (Self.first(of: month), Self.first(of: month + 1))
            return "\(day) DID_RENEW 1 \(product) 9.00 EUR until \(next)"
        }
    }

    private static func first(of month: Int) -> String {
        let (year, month) = (2026 + (month - 1) / 12, (month - 1) % 12 + 1)
        return "\(year)-\(month < 10 ? "0" : "")\(month)-01"
    }

    @Test(
        "Cancelled in the third month, it is charged to the twelfth and ends",
        arguments: Backend.available)
    func cancelled(_ backend: Backend) async throws {
        let (world, ada, id) = try await begun(backend)
        try await world.advance(to: "2026-03-10", telling: renewals(2...3))
        try await world.change(
            id, .renewal(isOn: false), by: ada,
            telling: [
                """
                2026-03-10 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.year 9.00 EUR \
                until 2026-04-01
                """
            ])
        #expect(try await world.shows(id) == ["1 silver.year on 2026-04-01 9.00 EUR"])
        try await world.advance(to: "2026-12-31", telling: renewals(4...12))
        #expect(try await world.shows(id) == ["1 silver.year off 2027-01-01 9.00 EUR"])
        try await world.advance(
            to: "2027-01-01",
            telling: ["2027-01-01 EXPIRED/VOLUNTARY 2 silver.year 9.00 EUR until 2027-01-01"])
        let history = try await world.history("\(id)")
        #expect(history.map(\.commitmentInfo?.billingPeriodNumber) == Array(1...12))
        #expect(history.map(\.billingPlanType) == Array(repeating: .monthly, count: 12))
        try await world.check()
    }

    @Test(
        "Every month says which one it is, and what follows all of them",
        arguments: Backend.available)
    func fields(_ backend: Backend) async throws {
        let (world, ada, id) = try await begun(backend)
        try await world.advance(to: "2026-03-10", telling: renewals(2...3))
        let third = try #require(try await world.history("\(id)").last)
        #expect(third.billingPlanType == .monthly)
        #expect(
            third.commitmentInfo
                == TransactionCommitmentInfo(
                    billingPeriodNumber: 3,
                    commitmentExpiresDate: World.instant("2027-01-01").milliseconds,
                    commitmentPrice: 108_000, totalBillingPeriods: 12))
        var (_, renewal) = try await world.status("\(id)")
        #expect(renewal.renewalBillingPlanType == .monthly)
        func following(
            _ product: String, _ status: AutoRenewStatus, _ plan: BillingPlanType, _ price: Int64
        ) -> RenewalCommitmentInfo {
            RenewalCommitmentInfo(
                commitmentAutoRenewProductId: product, commitmentAutoRenewStatus: status,
                commitmentRenewalBillingPlanType: plan,
                commitmentRenewalDate: World.instant("2027-01-01").milliseconds,
                commitmentRenewalPrice: price)
        }
        #expect(renewal.commitmentInfo == following("silver.year", .on, .monthly, 108_000))
        // The same year at once, after the commitment: of the next month nothing changes.
        try await world.change(
            id, .product("silver.year", .upFront), by: ada,
            telling: [
                """
                2026-03-10 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.year 9.00 EUR until \
                2026-04-01
                """
            ])
        (_, renewal) = try await world.status("\(id)")
        #expect(renewal.renewalPrice == 9_000)
        #expect(renewal.renewalBillingPlanType == .monthly)
        #expect(renewal.commitmentInfo == following("silver.year", .on, .billedUpfront, 99_990))
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        (_, renewal) = try await world.status("\(id)")
        #expect(renewal.autoRenewStatus == .on)
        #expect(renewal.commitmentInfo == following("silver.year", .off, .billedUpfront, 99_990))
        // Chosen without a word of how it is billed, the running plan stays.
        try await world.store.change(subscription: id, [.product("silver.year")], by: ada)
        (_, renewal) = try await world.status("\(id)")
        #expect(renewal.commitmentInfo == following("silver.year", .on, .monthly, 108_000))
    }

    @Test("A downgrade waits for the end of the commitment", arguments: Backend.available)
    func downgrade(_ backend: Backend) async throws {
        let (world, ada, id) = try await begun(backend)
        try await world.advance(to: "2026-03-10", telling: renewals(2...3))
        try await world.buy(
            "bronze.monthly", by: ada,
            telling: [
                """
                2026-03-10 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.year 9.00 EUR until \
                2026-04-01
                """
            ])
        #expect(try await world.shows(id) == ["1 silver.year on 2026-04-01 9.00 EUR"])
        try await world.advance(to: "2026-12-31", telling: renewals(4...12))
        #expect(
            try await world.shows(id) == ["1 silver.year>bronze.monthly on 2027-01-01 4.99 EUR"])
        try await world.advance(
            to: "2027-01-01",
            telling: ["2027-01-01 DID_RENEW 1 bronze.monthly 4.99 EUR until 2027-02-01"])
        let last = try #require(try await world.history("\(id)").last)
        #expect(last.billingPlanType == .billedUpfront && last.commitmentInfo == nil)
        #expect(try await world.status("\(id)").renewal.commitmentInfo == nil)
        try await world.check()
    }

    @Test(
        "An upgrade ends the commitment, and the rest of the month goes back",
        arguments: Backend.available)
    func upgrade(_ backend: Backend) async throws {
        let (world, ada, id) = try await begun(backend)
        try await world.advance(to: "2026-03-11", telling: renewals(2...3))
        try await world.buy(
            "gold.monthly", by: ada,
            telling: [
                """
                2026-03-11 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 gold.monthly 19.99 EUR until \
                2026-04-11
                """
            ])
        // 9.00 × 21 ÷ 31.
        #expect(
            try await world.ledger().last == "2026-03-11 +19.99 -6.10")
        #expect(try await world.status("\(id)").renewal.commitmentInfo == nil)
        try await world.advance(
            to: "2026-04-11",
            telling: ["2026-04-11 DID_RENEW 1 gold.monthly 19.99 EUR until 2026-05-11"])
        try await world.check()
    }

    @Test(
        "The fifth month fails without grace, is paid late, and is the fifth",
        arguments: Backend.available)
    func failed(_ backend: Backend) async throws {
        let (world, ada, id) = try await begun(backend) { $0.gracePeriod = .sixteenDays }
        try await world.advance(to: "2026-04-15", telling: renewals(2...4))
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(
            to: "2026-05-01",
            telling: ["2026-05-01 DID_FAIL_TO_RENEW 3 silver.year 9.00 EUR until 2026-05-01"])
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        _ = try await world.store.settle()
        _ = world.listener.takeArrivals()
        try await world.advance(to: "2026-05-11T12:00:00Z", telling: [])
        try await world.pays(
            .approves,
            telling: [
                """
                2026-05-11 12:00 DID_RENEW/BILLING_RECOVERY 1 silver.year 9.00 EUR until \
                2026-06-11 12:00
                """
            ])
        let fifth = try #require(try await world.history("\(id)").last?.commitmentInfo)
        #expect(fifth.billingPeriodNumber == 5)
        #expect(fifth.commitmentExpiresDate == World.instant("2027-01-11T12:00:00Z").milliseconds)
        _ = try await world.store.advance(to: World.instant("2027-01-12"))
        #expect(world.listener.takeArrivals().last?.name == "EXPIRED/VOLUNTARY")
        #expect(try await world.history("\(id)").count == 12)
        try await world.check()
    }

    @Test(
        "A month that is paid late says what it cost, though months are cheaper by then",
        arguments: Backend.available)
    func paidLate(_ backend: Backend) async throws {
        let (world, _, id) = try await begun(backend)
        try await world.pays(.answersLater(after: .hours(12), isPaid: true))
        try await world.advance(to: "2026-02-01", telling: [])
        try await world.store.schedule(
            PriceOrder(
                productID: "silver.year", billing: .monthly, storefront: Storefront(code: "DEU")!,
                price: 8_000, existing: nil), bundleID: World.bundleID)
        try await world.advance(
            to: "2026-02-02",
            telling: ["2026-02-01 12:00 DID_RENEW 1 silver.year 9.00 EUR until 2026-03-01"])
        let second = try #require(try await world.history("\(id)").last)
        #expect(second.commitmentInfo?.commitmentPrice == 108_000)
        let next = try await world.status("\(id)").renewal
        #expect(next.renewalPrice == 8_000)
        #expect(next.commitmentInfo?.commitmentRenewalPrice == 96_000)
    }

    @Test("A trial comes before the commitment", arguments: Backend.available)
    func trial(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device(storefront: "DEU")
        let id = try await begin(
            "gold.year", world, ada,
            telling: [
                """
                2026-01-01 SUBSCRIBED/INITIAL_BUY 1 gold.year 0.00 EUR FREE_TRIAL until 2026-02-01
                """
            ])
        let (_, renewal) = try await world.status("\(id)")
        #expect(renewal.renewalBillingPlanType == .monthly && renewal.commitmentInfo == nil)
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 gold.year 18.00 EUR until 2026-03-01"])
        let history = try await world.history("\(id)")
        #expect(history.map(\.commitmentInfo?.billingPeriodNumber) == [nil, 1])
        #expect(history.last?.commitmentInfo?.commitmentPrice == 216_000)
        #expect(
            history.last?.commitmentInfo?.commitmentExpiresDate
                == World.instant("2027-02-01").milliseconds)
        // The trial belongs to the monthly plan alone.
        let other = try await world.device("ben", storefront: "DEU")
        try await world.buy(
            "gold.year", by: other,
            telling: [
                "2026-02-01 SUBSCRIBED/INITIAL_BUY 1 gold.year 99.99 EUR until 2027-02-01"
            ])
    }

    @Test("An extension moves the end of the commitment", arguments: Backend.available)
    func extended(_ backend: Backend) async throws {
        let (world, _, id) = try await begun(backend)
        _ = try await world.store.extend(
            originalTransaction: id, try ExtensionRequest(days: 10, reasonCode: 0),
            requestIdentifier: "r", for: world.caller())
        let first = try #require(try await world.history("\(id)").last)
        #expect(first.expiresDate == World.instant("2026-02-11").milliseconds)
        #expect(
            first.commitmentInfo?.commitmentExpiresDate
                == World.instant("2027-01-11").milliseconds)
        #expect(
            try await world.status("\(id)").renewal.commitmentInfo?.commitmentRenewalDate
                == World.instant("2027-01-11").milliseconds)
        try await world.check()
    }

    @Test(
        "Where it is not sold nothing is bought, and nothing changes", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        let (world, ada, id) = try await begun(backend)
        let before = try await world.history("\(id)")
        for storefront in ["USA", "SGP"] {
            let ben = try await world.device("ben.\(storefront)", storefront: storefront)
            await #expect(
                throws: StoreError.purchase(
                    .notBilledMonthly("silver.year", in: Storefront(code: storefront)!))
            ) {
                try await world.store.buy(
                    PurchaseRequest(productID: "silver.year", billing: .monthly), by: ben)
            }
            #expect(try await world.store.subscriptions(for: ben).isEmpty)
            let listed = try await world.store.products(["silver.year"], for: ben).products
            #expect(listed.map { $0.monthly == nil } == [true])
        }
        await #expect(throws: StoreError.purchase(.notBilledMonthly("silver.yearly", in: nil))) {
            try await world.store.buy(
                PurchaseRequest(productID: "silver.yearly", billing: .monthly), by: ada)
        }
        await #expect(throws: StoreError.refused(.alreadySubscribed)) {
            try await world.store.buy(
                PurchaseRequest(productID: "silver.year", billing: .monthly), by: ada)
        }
        await #expect(throws: StoreError.subscription(.notASubscription("coins"))) {
            try await world.store.buy(
                PurchaseRequest(productID: "coins", billing: .monthly), by: ada)
        }
        #expect(try await world.history("\(id)") == before)
        let monthly = try #require(
            try await world.store.products(["silver.year"], for: ada).products.first?.monthly)
        #expect(monthly.price.milliunits == 9_000 && monthly.total.milliunits == 108_000)
    }

    @Test("No more sold, it is honoured to the end of the commitment", arguments: Backend.available)
    func switchedOff(_ backend: Backend) async throws {
        let (world, _, id) = try await begun(backend)
        try await world.store.setMonthlyBilling(
            price: nil, isEnabled: false, product: "silver.year", bundleID: World.bundleID)
        let ben = try await world.device("ben", storefront: "DEU")
        await #expect(throws: StoreError.purchase(.notBilledMonthly("silver.year", in: nil))) {
            try await world.store.buy(
                PurchaseRequest(productID: "silver.year", billing: .monthly), by: ben)
        }
        try await world.advance(to: "2026-12-31", telling: renewals(2...12))
        try await world.advance(
            to: "2027-01-01",
            telling: [
                "2027-01-01 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.year 9.00 EUR until 2027-01-01"
            ])
        #expect(try await world.history("\(id)").count == 12)
    }

    @Test("What a child asks for is approved as it was asked for", arguments: Backend.available)
    func asked(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device(storefront: "DEU")
        try await world.store.setBuying(
            BuyingChange(asksToBuy: true), account: "ada", in: .production)
        let request = try #require(
            try await world.store.buy(
                PurchaseRequest(productID: "silver.year", billing: .monthly), by: ada
            ).request)
        #expect(
            try await world.store.heldPurchase(request, in: .production).price?.milliunits == 9_000)
        try await world.store.approve(heldPurchase: request, in: .production)
        try await world.settle(
            telling: ["2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.year 9.00 EUR until 2026-02-01"])
    }

    @Test(
        "What is damaged of a commitment is found", arguments: Backend.available,
        [
            ("subscription", "instalment = 2", "another month of the commitment"),
            ("store_transaction", "commitment_price = NULL", "does not say enough"),
            ("store_transaction", "instalment = 13", ""),
        ])
    func damage(
        _ backend: Backend, _ damage: (table: String, change: String, what: String)
    ) async throws {
        let (world, _, _) = try await begun(backend)
        let sql = "UPDATE \(damage.table) SET \(damage.change)"
        guard !damage.what.isEmpty else {
            // The database itself refuses a month that there is not.
            await #expect(throws: StorageError.self) {
                try await world.database.write { _ = try $0.execute("\(raw: sql)") }
            }
            return
        }
        try await world.database.write { _ = try $0.execute("\(raw: sql)") }
        let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.contains { $0.what.contains(damage.what) })
    }
}
