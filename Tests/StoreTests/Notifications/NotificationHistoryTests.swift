import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Notifications: history")
struct NotificationHistoryTests {
    private static let all = NotificationFilter(start: .earliest, end: .latest)

    /// All pages of a filter, each as the names of its notifications.
    private func pages(
        _ world: World, _ filter: NotificationFilter = all,
        in environment: StoreEnvironment = .production
    ) async throws -> [[String]] {
        var pages: [[String]] = []
        var token: String?
        repeat {
            let page = try await world.store.notificationHistory(
                filter, token: token, for: world.caller(environment))
            pages.append(
                try page.notificationHistory.map { item in
                    let body: ResponseBodyV2DecodedPayload = try JWSText.decode(item.signedPayload)
                    return ([body.notificationType.rawValue, body.subtype?.rawValue] as [String?])
                        .compactMap { $0 }.joined(separator: "/")
                })
            #expect(page.hasMore == (page.paginationToken != nil))
            token = page.paginationToken
        } while token != nil
        return pages
    }

    @Test("What is tried late comes behind what was seen", arguments: Backend.available)
    func late(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.store.addFault(
            FaultRule(.notifications(.delay(.hours(1)), type: nil, subtype: nil), most: 1),
            in: .production)
        for _ in 0..<22 {
            _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        }
        try await world.store.settle()
        let first = try await world.store.notificationHistory(
            Self.all, token: nil, for: world.caller())
        #expect(first.notificationHistory.count == 20)
        // The first of all had been held up.
        _ = try await world.store.advance(to: World.instant("2026-01-01") + .hours(2))
        let second = try await world.store.notificationHistory(
            Self.all, token: first.paginationToken, for: world.caller())
        #expect(second.notificationHistory.count == 2)
        let payloads = (first.notificationHistory + second.notificationHistory)
            .map(\.signedPayload)
        #expect(Set(payloads).count == 22)
        // From the beginning it is the same, in the same order.
        let again = try await world.store.notificationHistory(
            Self.all, token: nil, for: world.caller())
        let rest = try await world.store.notificationHistory(
            Self.all, token: again.paginationToken, for: world.caller())
        #expect(
            (again.notificationHistory + rest.notificationHistory).map(\.signedPayload)
                == payloads)
    }

    @Test("More than forty notifications come in pages of twenty", arguments: Backend.available)
    func paging(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.weekly", by: ada)
        // 45 weeks: the purchase and 44 renewals.
        _ = try await world.store.advance(to: World.instant("2026-11-11"))
        let found = try await pages(world)
        #expect(found.map(\.count) == [20, 20, 5])
        #expect(
            found.flatMap { $0 } == ["SUBSCRIBED/INITIAL_BUY"]
                + Array(repeating: "DID_RENEW", count: 44)
        )
        // Exactly as it was sent, byte for byte.
        let page = try await world.store.notificationHistory(
            Self.all, token: nil, for: world.caller())
        #expect(
            page.notificationHistory.map(\.signedPayload)
                == world.listener.arrivals.prefix(20).map(\.signedPayload))
    }

    @Test("A page that is just full has no next one", arguments: Backend.available)
    func fullPage(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        for _ in 1...20 { try await world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"]) }
        #expect(try await pages(world).map(\.count) == [20])
        try await world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        #expect(try await pages(world).map(\.count) == [20, 1])
    }

    @Test("Each filter leaves out what it must", arguments: Backend.available)
    func filters(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        let id = try await world.subscribe("silver.monthly", by: ada)
        world.listener.answer([.timedOut])
        try await world.buy("coins", by: bea, expecting: ["ONE_TIME_CHARGE"])
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.store.settle()
        _ = try await world.store.advance(to: World.instant("2026-01-01T00:30:00Z"))

        var filter = Self.all
        filter.type = .subscribed
        #expect(try await pages(world, filter) == [["SUBSCRIBED/INITIAL_BUY"]])
        filter.subtype = .resubscribe
        #expect(try await pages(world, filter) == [[]])
        filter.subtype = .initialBuy
        #expect(try await pages(world, filter) == [["SUBSCRIBED/INITIAL_BUY"]])

        filter = Self.all
        filter.onlyFailures = true
        #expect(try await pages(world, filter) == [["ONE_TIME_CHARGE"]])

        filter = Self.all
        filter.transactionID = id
        #expect(
            try await pages(world, filter) == [
                ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"]
            ])
        filter.transactionID = 1
        await #expect(throws: StoreError.unknown(.transaction, "1")) {
            try await pages(world, filter)
        }
        #expect(try await pages(world, in: .sandbox) == [[]])
    }

    @Test("Both ends of the time count", arguments: Backend.available)
    func range(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.weekly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        let filter = NotificationFilter(
            start: World.instant("2026-01-08"), end: World.instant("2026-01-22"))
        #expect(try await pages(world, filter) == [["DID_RENEW", "DID_RENEW", "DID_RENEW"]])
        let between = NotificationFilter(
            start: World.instant("2026-01-09"), end: World.instant("2026-01-14"))
        #expect(try await pages(world, between) == [[]])
    }

    @Test(
        "A delivered retry leaves the failures and lists its attempts", arguments: Backend.available
    )
    func attempts(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        world.listener.answer([.timedOut])
        try await world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        try await world.advance(by: "PT1H", expecting: ["ONE_TIME_CHARGE"])
        var filter = Self.all
        filter.onlyFailures = true
        #expect(try await pages(world, filter) == [[]])
        let page = try await world.store.notificationHistory(
            Self.all, token: nil, for: world.caller())
        #expect(
            page.notificationHistory.flatMap(\.sendAttempts).map {
                "\(World.text($0.attemptDate)) \($0.sendAttemptResult)"
            } == ["2026-01-01 TIMED_OUT", "2026-01-01 01:00 SUCCESS"])
    }

    @Test(
        "A token that is broken or came with other filters is refused", arguments: Backend.available
    )
    func wrongToken(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        for _ in 1...21 { try await world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"]) }
        let token = try #require(
            try await world.store.notificationHistory(Self.all, token: nil, for: world.caller())
                .paginationToken)
        var other = Self.all
        other.type = .oneTimeCharge
        await #expect(throws: StoreError.request(.paginationTokenExpired)) {
            try await world.store.notificationHistory(other, token: token, for: world.caller())
        }
        for (filter, token) in [
            (Self.all, ""), (Self.all, "1"), (Self.all, "-1_x"),
            (Self.all, token + "_"), (Self.all, "99999999999999999999_" + token.dropFirst(3)),
        ] {
            await #expect(throws: StoreError.request(.invalidPaginationToken)) {
                try await world.store.notificationHistory(
                    filter, token: token, for: world.caller())
            }
        }
    }

    @Test("An unknown app has no history", arguments: Backend.available)
    func unknownApp(_ backend: Backend) async throws {
        let world = try await World(backend)
        await #expect(throws: StoreError.unknown(.app, "com.example.other")) {
            try await world.store.notificationHistory(
                Self.all, token: nil,
                for: Caller(bundleID: "com.example.other", environment: .production))
        }
    }
}
