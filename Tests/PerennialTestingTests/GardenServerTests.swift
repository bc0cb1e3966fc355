import AppStoreWire
import PerennialTesting
import ServerAPIClient
import SubscriptionRules
import Testing

private let estate = "com.example.garden.estate.monthly"
private let vegetables = "com.example.garden.vegetables.monthly"

@Suite(
    "A developer's server does what it must",
    .perennial(.file("../../Examples/Garden.storekit")))
struct GardenServerTests {
    private let store: TestStore
    private let server: GardenServer

    init() async throws {
        let store = try TestStore.current
        let server = GardenServer(client: store.client, verifier: store.verifier) {
            try await store.now()
        }
        store.notifications.forward { payload in try await server.take(payload) }
        self.store = store
        self.server = server
    }

    /// A customer who subscribed, and whose app told the server.
    private func subscriber() async throws -> (TestCustomer, SignedTransaction) {
        let ada = try await store.customer("ada")
        let bought = try await ada.buy(estate)
        try await server.register("ada", bought.signed)
        return (ada, bought)
    }

    @Test("A renewal keeps access")
    func renewal() async throws {
        _ = try await subscriber()
        try await store.advance("P1M")
        let renewed = try await store.notifications.expect(.didRenew)
        #expect(renewed.answer == 200)
        #expect(
            try await server.access("ada")
                == GardenServer.Access(product: estate, renews: true, problem: nil))
    }

    @Test("A grace period keeps access while the bank declines")
    func grace() async throws {
        try await store.setGracePeriod(.sixteenDays)
        let (ada, _) = try await subscriber()
        try await ada.declinePayments()
        try await store.advance("P1M")
        try await store.notifications.expect(.didFailToRenew, .gracePeriod)
        #expect(try await server.access("ada")?.problem == .payment)
        try await store.advance("P16D")
        try await store.notifications.expect(.gracePeriodExpired)
        #expect(try await server.access("ada") == nil)
        try await ada.approvePayments()
        try await store.notifications.expect(.didRenew, .billingRecovery)
        let now = try await server.access("ada")
        #expect(now != nil && now?.problem == nil)
    }

    @Test("A refund ends access at once, and its reversal returns it")
    func refund() async throws {
        let (_, bought) = try await subscriber()
        try await store.refund(bought)
        try await store.notifications.expect(.refund, about: bought)
        #expect(try await server.access("ada") == nil)
        try await store.reverseRefund(of: bought)
        try await store.notifications.expect(.refundReversed, about: bought)
        #expect(try await server.access("ada") != nil)
    }

    @Test("Who does not agree to a price increase loses access")
    func priceIncrease() async throws {
        _ = try await subscriber()
        try await store.setPrice(of: estate, to: 19_990, existing: .pay)
        try await store.advance("P4D")
        try await store.notifications.expect(.priceIncrease, .pending)
        #expect(try await server.access("ada")?.problem == .consent)
        try await store.advance("P1M")
        try await store.notifications.expect(.expired, .priceIncrease)
        #expect(try await server.access("ada") == nil)
    }

    @Test("A lost renewal is caught up with")
    func lostNotification() async throws {
        _ = try await subscriber()
        try await store.faults.lose(.didRenew)
        try await store.advance("P1M")
        #expect(try await server.access("ada") == nil)
        try await server.catchUp()
        #expect(try await server.access("ada") != nil)
    }

    @Test("A repeated notification writes one mail")
    func duplicate() async throws {
        let (ada, _) = try await subscriber()
        try await store.faults.repeat(.didFailToRenew, times: 2)
        try await ada.declinePayments()
        try await store.advance("P1M")
        #expect(store.notifications.names.count { $0 == "DID_FAIL_TO_RENEW" } == 3)
        #expect(await server.mails.count == 1)
    }

    @Test("An upgrade counts at once, and a downgrade from the renewal on")
    func upgrade() async throws {
        let ben = try await store.customer("ben")
        try await server.register("ben", try await ben.buy(vegetables).signed)
        try await store.advance("P1D")
        try await ben.changePlan(to: estate)
        #expect(try await server.access("ben")?.product == estate)
        try await ben.changePlan(to: vegetables)
        #expect(try await server.access("ben")?.product == estate)
        try await store.advance("P1M")
        #expect(try await server.access("ben")?.product == vegetables)
    }

    @Test("A family member has access as long as the family shares")
    func family() async throws {
        let (ada, _) = try await subscriber()
        let ben = try await store.customer("ben")
        try await store.family(ada, ben)
        let shared = try #require(try await ben.transactions().first)
        try await server.register("ben", shared.signed)
        #expect(try await server.access("ben") != nil)
        try await ben.leaveFamily()
        try await store.notifications.expect(.revoke, about: shared)
        #expect(try await server.access("ben") == nil)
        #expect(try await server.access("ada") != nil)
    }
}
