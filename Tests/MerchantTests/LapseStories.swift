import AppStoreSigning
import AppStoreWire
import Merchant
import MerchantRules
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What is kept of a grace period and of a price increase, and what is told of them.
@Suite("Merchant: lapses", .timeLimit(.minutes(15)))
struct LapseStories {
    private func bought(_ world: MerchantWorld) async throws -> (DeviceSession, String) {
        let ada = try await world.world.device()
        let signed = try #require(
            try await world.world.store.purchase(
                PurchaseRequest(productID: "gold.monthly"), by: ada))
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        try await world.world.store.settle()
        return (ada, signed)
    }

    private func lines(_ merchant: Merchant) async throws -> [String] {
        try await merchant.events(of: "ada", World.bundleID, limit: 100).map { one in
            "\(one.happening.at.iso8601.prefix(10)) \(one.happening.kind.rawValue)"
        }
    }

    @Test(
        "Access that nobody paid for ended with the grace period, in whatever order the news came",
        arguments: Backend.available)
    func unpaid(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend) { $0.gracePeriod = .sixteenDays }
        let (_, signed) = try await bought(world)
        try await world.world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        _ = try await world.world.store.advance(to: World.instant("2026-04-10"))
        try await world.world.store.settle()
        let arrivals = world.world.listener.takeArrivals()
        for order in [arrivals, arrivals.reversed()] {
            let merchant = try await MerchantWorld.merchant(on: backend, of: world.world)
            _ = try await merchant.take(transaction: signed, from: "ada", of: World.bundleID)
            for arrival in order {
                _ = try await merchant.receive(arrival.signedPayload, for: World.bundleID)
            }
            try await merchant.settle()
            let customer = try await merchant.customer("ada", of: World.bundleID)
            #expect(customer.lines == ["club expired until 2026-02-17"])
            #expect(
                try await lines(merchant) == [
                    "2026-04-02 ended", "2026-02-17 graceEnded", "2026-02-01 graceBegan",
                    "2026-01-01 bought",
                ])
        }
    }

    @Test(
        "Who turns renewal off in the grace period had access until then",
        arguments: Backend.available)
    func cancelled(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend) { $0.gracePeriod = .sixteenDays }
        let (ada, signed) = try await bought(world)
        try await world.world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        try await world.advance(to: "2026-02-05")
        #expect(try await world.access() == ["club gracePeriod until 2026-02-17 renews"])
        let first: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        _ = try await world.world.store.change(
            subscription: Int64(first.originalTransactionId)!, [.renewal(isOn: false)], by: ada)
        try await world.deliver()
        #expect(try await world.access() == ["club expired until 2026-02-05"])
        #expect(
            try await lines(world.merchant) == [
                "2026-02-05 ended", "2026-02-01 graceBegan", "2026-01-01 bought",
            ])
    }

    @Test(
        "A renewal that needs consent is told with it, and is still said to come",
        arguments: Backend.available)
    func consent(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        _ = try await bought(world)
        let arrival = try #require(world.world.listener.takeArrivals().first)
        let signer = JWSSigner(chain: World.chain)
        var payload = try JWSText.members(arrival.signedPayload)
        var data = try #require(payload["data"]?.object)
        let info = try #require(data["signedRenewalInfo"]?.string)
        var members = try JWSText.members(info)
        members["priceIncreaseStatus"] = .integer(0)
        data["signedRenewalInfo"] = .string(try signer.sign(JSONValue.object(members)))
        payload["data"] = .object(data)
        let text = try signer.sign(JSONValue.object(payload))
        _ = try await world.merchant.receive(text, for: World.bundleID)
        try await world.merchant.settle()
        #expect(try await world.access() == ["club active until 2026-02-01 renews"])
        let next = try await world.merchant.events(of: "ada", World.bundleID, limit: 1).first
        #expect(next?.happening.kind == .willRenew)
        #expect(next?.happening.needsConsent == true)
    }
}
