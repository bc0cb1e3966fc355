import Journal
import Outbox
import Store
import SubscriptionRules
import Timeline

/// A subscription to which very much happened, of all kinds, and everything was told to a server.
struct LongLife {
    let store: Store
    let account = "long"
    /// How many events it has at least.
    let events: Int

    private static let other = "club.plus"

    /// Plays it, to its end, so that nothing of it is in the way of what comes later.
    ///
    /// - Returns: the life as it is drawn.
    func play() async throws -> Life {
        try await store.importCatalogue(
            Catalogue(
                groups: [SubscriptionGroup(id: "club", referenceName: "Club")],
                products: [
                    Product(
                        id: Self.other, type: .autoRenewableSubscription, basePrice: 4_990,
                        subscription: SubscriptionTerms(groupID: "club", level: 2, period: .month))
                ]), bundleID: Fixture.bundleID)
        try await store.configure(bundleID: Fixture.bundleID) {
            $0.notificationURL = "https://server.example.com/notifications"
        }
        let device = try await store.signIn(
            SignInRequest(bundleID: Fixture.bundleID, account: account), in: .production,
            token: "token-\(account)")
        _ = try await store.buy(PurchaseRequest(productID: "club.monthly"), by: device)
        guard let id = try await subscription?.id else {
            preconditionFailure("nothing was subscribed to")
        }
        var month = 0
        while try await entries(of: id).count < events - 1 {
            try await act(in: month, id, by: device)
            _ = try await store.advance(by: CalendarStep(iso8601: "P1M")!)
            month += 1
        }
        try await store.end(subscription: id)
        _ = try await store.settle()
        try await store.configure(bundleID: Fixture.bundleID) { $0.notificationURL = nil }
        return try await life(id)
    }

    /// What happens in a month besides a renewal; nothing while one is not paid.
    private func act(in month: Int, _ id: Int64, by device: DeviceSession) async throws {
        guard case .active? = try await subscription?.state else { return }
        switch month % 8 {
        case 1: try await decline(1)
        case 2:
            try await store.change(subscription: id, [.renewal(isOn: false)], by: device)
            try await store.change(subscription: id, [.renewal(isOn: true)], by: device)
        case 3: try await store.change(subscription: id, [.product(Self.other)], by: device)
        case 4:
            _ = try await store.extend(
                subscription: id, ExtensionRequest(days: 7, reasonCode: 1),
                requestIdentifier: "month-\(month)", in: .production)
        case 5: try await store.change(subscription: id, [.product("club.monthly")], by: device)
        case 6: try await decline(3)
        case 7:
            _ = try await store.cancel(
                subscription: id, .prorated, reason: .other, in: .production)
            _ = try await store.buy(PurchaseRequest(productID: "club.monthly"), by: device)
        default: break
        }
    }

    private func decline(_ charges: Int) async throws {
        try await store.setPaymentMethod(
            .declines(until: nil, left: charges), account: account, in: .production)
    }

    private var subscription: Subscription? {
        get async throws {
            try await store.customer(account: account, in: .production).1.first
        }
    }

    private func entries(of id: Int64) async throws -> [TimelineEntry] {
        try await store.timeline(subscription: id, after: 0, limit: 2 * events)
    }

    private func life(_ id: Int64) async throws -> Life {
        let one = try await store.subscription(id).1
        var life = Life(
            id: String(id), account: account, productID: one.plan.productID, state: "expired",
            renewsAutomatically: one.renewsAutomatically, expires: one.newestPeriod.end,
            price: one.newestPeriod.price, currency: one.plan.currency.code,
            entries: try await entries(of: id), now: try await store.now())
        life.expired = life.now
        return life
    }
}

/// A developer's server that takes everything.
struct Everything: Post {
    func post(_ body: [UInt8], to url: String) async -> PostOutcome { .answered(status: 200) }
}
