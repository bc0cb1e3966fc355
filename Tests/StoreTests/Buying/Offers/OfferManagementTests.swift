import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Making and ending offers")
struct OfferManagementTests {
    private func create(
        _ offer: Offer, of product: String = "silver.monthly", in world: World
    ) async throws {
        try await world.store.createOffer(offer, of: product, bundleID: World.bundleID)
    }

    private static func promotion(_ id: String) -> Offer {
        Offer(kind: .promotional, id: id, mode: .freeTrial, period: .month)
    }

    @Test(
        "What is made can be had until it is ended, and is still there then",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await create(Self.promotion("spring"), in: world)
        func redeem(_ nonce: String) async throws {
            _ = try await world.store.purchase(
                PurchaseRequest(
                    productID: "silver.monthly",
                    offer: .promotional(id: "spring", SignedClaim(nonce: nonce))), by: ada)
        }
        try await redeem("a")
        try await world.store.endOffer(
            .promotional, named: "spring", of: "silver.monthly", bundleID: World.bundleID)
        await #expect(throws: StoreError.purchase(.offer(.refused(.notAvailable)))) {
            try await redeem("b")
        }
        // Who has taken it up has it to its end.
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 0.00 FREE_TRIAL until 2026-03-01"])
        let offers = try await world.store.app(bundleID: World.bundleID)
            .product("silver.monthly")?.subscription?.offers
        #expect(offers?.map(\.id) == ["spring"])
        await #expect(throws: StoreError.purchase(.offer(.unknown("spring")))) {
            try await world.store.endOffer(
                .promotional, named: "spring", of: "silver.monthly", bundleID: World.bundleID)
        }
    }

    @Test(
        "Introductory offers follow each other, one at a time in a storefront (INT-3)",
        arguments: Backend.available)
    func introductory(_ backend: Backend) async throws {
        let world = try await World(backend)
        func offer(_ name: String, _ begins: String?, _ ends: String?, _ places: Set<String>?)
            -> Offer
        {
            var offer = Offer(
                kind: .introductory, referenceName: name, mode: .freeTrial, period: .week)
            offer.availability = OfferAvailability(
                begins: begins.map(World.instant), ends: ends.map(World.instant),
                storefronts: places)
            return offer
        }
        try await create(offer("winter", nil, "2026-02-01", ["USA"]), in: world)
        try await create(offer("spring", "2026-02-01", "2026-03-01", ["USA"]), in: world)
        try await create(offer("germany", nil, nil, ["DEU"]), in: world)
        await #expect(throws: StoreError.self) {
            try await create(offer("late", "2026-02-28", nil, nil), in: world)
        }
        func mode(_ storefront: String, _ account: String) async throws -> Bool {
            let device = try await world.device(account, storefront: storefront)
            let products = try await world.store.products(["silver.monthly"], for: device).products
            return products.first?.offers.introductory != nil
        }
        #expect(try await mode("USA", "a"))
        #expect(try await mode("DEU", "b"))
        #expect(try await !mode("FRA", "c"))
        try await world.advance(to: "2026-03-01", telling: [])
        #expect(try await !mode("USA", "d"))
        // One that has not begun is forgotten, and its name is free again.
        try await create(offer("summer", "2026-06-01", nil, ["USA"]), in: world)
        try await world.store.endOffer(
            .introductory, named: "summer", of: "silver.monthly", bundleID: World.bundleID)
        try await create(offer("summer", "2026-06-01", nil, ["USA"]), in: world)
    }

    /// A win-back offer that can be, begun on the day after the world.
    private static func winBack(
        _ id: String = "x", _ change: (inout Offer) -> Void = { _ in }
    ) -> Offer {
        var offer = Offer(kind: .winBack, id: id, mode: .freeTrial, period: .month)
        offer.winBack = WinBackTerms(paidMonths: 1)
        offer.availability.begins = World.instant("2026-01-02")
        change(&offer)
        return offer
    }

    @Test("A win-back offer begins tomorrow at the earliest, in the app's zone (WIN-2)")
    func tomorrow() async throws {
        let world = try await World(.sqlite)
        try await create(Self.winBack("a"), in: world)
        let ends = #"begins tomorrow at the earliest: say a moment from 2026-01-02T00:00:00Z on"#
        await #expect(
            throws: StoreError.setting(.invalid("begins", reason: "a win-back offer \(ends)"))
        ) {
            try await create(
                Self.winBack("b") { $0.availability.begins = World.instant("2026-01-01") },
                in: world)
        }
        // In California it is still the day before, and tomorrow begins at 08:00 UTC.
        let pacific = try await World(.sqlite) { $0.billingZone = .pacific }
        func begin(_ name: String, _ moment: String) async throws {
            try await create(
                Self.winBack(name) { $0.availability.begins = World.instant(moment) }, in: pacific)
        }
        try await begin("a", "2026-01-01T08:00:00Z")
        await #expect(throws: StoreError.self) { try await begin("b", "2026-01-01T07:59:00Z") }
    }

    @Test(
        "A storefront has one introductory offer now and one to come (TAB-5.2)",
        arguments: Backend.available)
    func nowAndToCome(_ backend: Backend) async throws {
        let world = try await World(backend)
        func make(_ name: String, _ begins: String?, _ ends: String?, _ place: String) async throws
        {
            var offer = Offer(
                kind: .introductory, referenceName: name, mode: .freeTrial, period: .week)
            offer.availability = OfferAvailability(
                begins: begins.map(World.instant), ends: ends.map(World.instant),
                storefronts: [place])
            try await create(offer, in: world)
        }
        try await make("now", nil, "2026-02-01", "USA")
        try await make("next", "2026-03-01", "2026-04-01", "USA")
        try await make("now in Germany", nil, "2026-02-01", "DEU")
        try await make("next in Germany", "2026-02-01", nil, "DEU")
        let before = try await Tables(world.database)
        // Neither after the one to come nor before it.
        for (begins, ends) in [("2026-05-01", "2026-06-01"), ("2026-02-01", "2026-03-01")] {
            let reason =
                "a storefront has one introductory offer now and one to come, and next is to come "
                + "already: end it, or wait until it has begun"
            await #expect(throws: StoreError.setting(.invalid("begins", reason: reason))) {
                try await make("third", begins, ends, "USA")
            }
        }
        #expect(try await Tables(world.database) == before)
        // Once it has begun there is room for the next one.
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        try await make("third", "2026-05-01", "2026-06-01", "USA")
    }

    private static let impossible: [(String, Offer)] = {
        func offer(
            _ mode: Offer.Mode, _ period: CalendarPeriod, count: Int = 1, price: Int64 = 0,
            _ change: (inout Offer) -> Void = { _ in }
        ) -> Offer {
            var offer = Offer(
                kind: .promotional, id: "x", mode: mode, period: period, periodCount: count,
                basePrice: price)
            change(&offer)
            return offer
        }
        return [
            ("a free trial of four months", offer(.freeTrial, CalendarPeriod(4, .month))),
            ("a free trial of two periods", offer(.freeTrial, .month, count: 2)),
            ("a free trial with a price", offer(.freeTrial, .month, price: 990)),
            ("a week up front", offer(.payUpFront, .week, price: 990)),
            ("up front for nothing", offer(.payUpFront, .month)),
            ("periods that are not the plan's", offer(.payAsYouGo, .week, price: 990)),
            ("thirteen periods", offer(.payAsYouGo, .month, count: 13, price: 990)),
            ("no discount", offer(.payAsYouGo, .month, price: 9_990)),
            (
                "no discount in one storefront",
                offer(.payAsYouGo, .month, price: 990) { $0.prices = ["DEU": 9_990] }
            ),
            (
                "half a yen",
                offer(.payAsYouGo, .month, price: 990) { $0.prices = ["JPN": 500] }
            ),
            (
                "a storefront that there is not",
                offer(.freeTrial, .month) {
                    $0.availability.storefronts = ["ZZZ"]
                }
            ),
            (
                "an end that is past",
                offer(.freeTrial, .month) {
                    $0.availability.ends = World.instant("2025-12-31")
                }
            ),
            (
                "an end before its beginning",
                offer(.freeTrial, .month) {
                    $0.availability.begins = World.instant("2026-03-01")
                    $0.availability.ends = World.instant("2026-02-01")
                }
            ),
            (
                "an audience that it cannot have",
                offer(.freeTrial, .month) {
                    $0.audiences = [.new]
                }
            ),
            ("no name", offer(.freeTrial, .month) { $0.id = "" }),
            ("an invisible name", offer(.freeTrial, .month) { $0.id = "x\u{200B}y" }),
            (
                "codes for nobody",
                Offer(
                    kind: .offerCode, id: "x", mode: .freeTrial, period: .month)
            ),
            (
                "a wait of a month",
                winBack { $0.winBack = WinBackTerms(paidMonths: 1, waitMonths: 1) }
            ),
            (
                "six years of paid service",
                winBack { $0.winBack = WinBackTerms(paidMonths: 72) }
            ),
            ("no paid service", winBack { $0.winBack = WinBackTerms(paidMonths: 0) }),
            ("nobody to win back", winBack { $0.winBack = nil }),
            (
                "somebody to win back by a promotional offer",
                offer(.freeTrial, .month) { $0.winBack = WinBackTerms(paidMonths: 1) }
            ),
            ("a win-back offer without a beginning", winBack { $0.availability.begins = nil }),
            (
                "a win-back offer that begins today",
                winBack { $0.availability.begins = World.instant("2026-01-01T23:59:00Z") }
            ),
        ]
    }()

    @Test("What cannot be offered is refused and changes nothing (OFF-4)")
    func refused() async throws {
        let world = try await World(.sqlite)
        let before = try await Tables(world.database)
        for (what, offer) in Self.impossible {
            await #expect(throws: StoreError.self, "\(what)") {
                try await create(offer, in: world)
            }
        }
        await #expect(throws: StoreError.subscription(.notASubscription("coins"))) {
            try await create(Self.promotion("x"), of: "coins", in: world)
        }
        await #expect(throws: StoreError.unknown(.product, "nothing")) {
            try await create(Self.promotion("x"), of: "nothing", in: world)
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("A product has ten promotional offers at a time, and each name once (TAB-5.2)")
    func limits() async throws {
        let world = try await World(.sqlite)
        for number in 1...10 { try await create(Self.promotion("offer\(number)"), in: world) }
        await #expect(throws: StoreError.self) {
            try await create(Self.promotion("offer11"), in: world)
        }
        try await world.store.endOffer(
            .promotional, named: "offer1", of: "silver.monthly", bundleID: World.bundleID)
        try await create(Self.promotion("offer11"), in: world)
        await #expect(throws: StoreError.self) {
            try await create(Self.promotion("offer1"), in: world)
        }
    }
}
