import AppStoreWire
import Merchant
import MerchantRules
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What has happened to an account's purchases.
@Suite("Merchant: events", .timeLimit(.minutes(15)))
struct EventStories {
    private static let token = "6f1e4c2a-0b7d-4a57-9c3e-1d2f3a4b5c6d"

    /// What the store says of a purchase, its renewal and the refund of that.
    private func arrivals(_ world: World) async throws -> [Listener.Arrival] {
        let ada = try await world.device()
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "gold.monthly", appAccountToken: Self.token), by: ada)
        try await world.store.settle()
        var arrivals = world.listener.takeArrivals()
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        arrivals += world.listener.takeArrivals()
        let newest = try #require(arrivals.last?.transaction?.transactionId)
        _ = try await world.store.advance(to: World.instant("2026-02-03"))
        try await world.store.refund(
            transaction: Int64(newest)!, .full, reason: .other, in: .production)
        try await world.store.settle()
        return arrivals + world.listener.takeArrivals()
    }

    /// A merchant that hears all of it, after it knows whose the purchase is.
    private func merchant(
        _ backend: Backend, _ world: World, hearing arrivals: [Listener.Arrival]
    ) async throws -> Merchant {
        let merchant = try await MerchantWorld.merchant(on: backend, of: world)
        for arrival in arrivals {
            _ = try await merchant.receive(arrival.signedPayload, for: World.bundleID)
        }
        try await merchant.settle()
        let first = arrivals.compactMap(\.notification.data?.signedTransactionInfo).first
        _ = try await merchant.take(
            transaction: try #require(first), from: "ada", of: World.bundleID)
        return merchant
    }

    private func lines(_ events: [AccountEvent]) -> [String] {
        events.map { one in
            let told = one.happening.notices.map(\.type).joined(separator: " ")
            return "\(one.happening.at.iso8601.prefix(10)) \(one.happening.kind.rawValue) \(told)"
        }
    }

    @Test(
        "Events are the same in whatever order the notifications came",
        arguments: Backend.available)
    func order(_ backend: Backend) async throws {
        let world = try await World(backend)
        let arrivals = try await arrivals(world)
        let expected = [
            "2026-02-03 refunded REFUND", "2026-02-01 renewed DID_RENEW",
            "2026-01-01 bought SUBSCRIBED",
        ]
        for order in [arrivals, arrivals.reversed()] {
            let merchant = try await merchant(backend, world, hearing: order)
            let events = try await merchant.events(of: "ada", World.bundleID, limit: 100)
            #expect(lines(events) == expected)
        }
    }

    @Test("They are listed page by page, and narrowed", arguments: Backend.available)
    func pages(_ backend: Backend) async throws {
        let world = try await World(backend)
        let merchant = try await merchant(backend, world, hearing: try await arrivals(world))
        let all = try await merchant.events(of: "ada", World.bundleID, limit: 100)
        #expect(Set(all.map(\.id)).count == all.count)
        var pages: [AccountEvent] = []
        while true {
            let page = try await merchant.events(
                of: "ada", World.bundleID, before: pages.last?.id, limit: 1)
            guard let one = page.first else { break }
            pages.append(one)
        }
        #expect(pages == all)
        func count(_ filter: AccountEventFilter) async throws -> Int {
            try await merchant.events(of: "ada", World.bundleID, where: filter, limit: 100).count
        }
        #expect(try await count(AccountEventFilter(entitlement: "club")) == all.count)
        #expect(try await count(AccountEventFilter(entitlement: "other")) == 0)
        #expect(try await count(AccountEventFilter(environment: .sandbox)) == 0)
        let purchase = try #require(all.first?.originalTransactionID)
        #expect(
            try await count(AccountEventFilter(originalTransactionID: purchase)) == all.count)
        #expect(try await count(AccountEventFilter(originalTransactionID: "1")) == 0)
        // Nobody has said anything of these.
        #expect(try await merchant.events(of: "bea", World.bundleID, limit: 10).isEmpty)
        // A cursor that names no event any more goes on at its moment.
        let moment = World.instant("2026-02-01").milliseconds
        let rest = try await merchant.events(
            of: "ada", World.bundleID, before: "\(moment)-0-1-0", limit: 10)
        #expect(lines(rest) == ["2026-01-01 bought SUBSCRIBED"])
    }
}
