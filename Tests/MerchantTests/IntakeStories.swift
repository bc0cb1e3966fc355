import AppStoreSigning
import AppStoreWire
import Logging
import Merchant
import MerchantRules
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// From a signed notification to access and its reason, whatever the order (ING-1 to ING-7).
@Suite("Merchant: notifications", .timeLimit(.minutes(15)))
struct IntakeStories {
    private static let token = "6f1e4c2a-0b7d-4a57-9c3e-1d2f3a4b5c6d"

    /// Ada has a plan, and the merchant has her purchase from the app.
    private func subscribed(
        _ backend: Backend, to product: String = "gold.monthly",
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws -> (MerchantWorld, DeviceSession, JWSTransactionDecodedPayload) {
        let world = try await MerchantWorld(backend, configure: configure)
        let ada = try await world.world.device()
        let signed = try #require(
            try await world.world.store.purchase(
                PurchaseRequest(productID: product, appAccountToken: Self.token), by: ada))
        _ = try await world.merchant.take(
            transaction: signed, from: "ada", of: World.bundleID)
        try await world.deliver()
        return (world, ada, try JWSText.decode(signed))
    }

    @Test("A purchase, its renewals and its end", arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let (world, ada, first) = try await subscribed(backend)
        #expect(try await world.access() == ["club active until 2026-02-01 renews"])
        try await world.advance(to: "2026-02-01")
        #expect(try await world.access() == ["club active until 2026-03-01 renews"])
        _ = try await world.world.store.change(
            subscription: Int64(first.originalTransactionId)!, [.renewal(isOn: false)], by: ada)
        try await world.deliver()
        #expect(try await world.access() == ["club active until 2026-03-01"])
        try await world.advance(to: "2026-03-01")
        #expect(try await world.access() == ["club expired until 2026-03-01"])
    }

    @Test(
        "Access ends by itself where no event comes, and a renewal on day 59 restores it",
        arguments: Backend.available)
    func silence(_ backend: Backend) async throws {
        let (world, _, _) = try await subscribed(backend)
        try await world.world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
        // What failed is not delivered: the last that is known is a renewal to come.
        #expect(try await world.access() == ["club expired until 2026-02-01"])
        try await world.deliver()
        #expect(try await world.access() == ["club billingRetry until 2026-02-01 renews"])
        _ = try await world.world.store.advance(to: World.instant("2026-03-31"))
        try await world.deliver()
        try await world.world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        try await world.advance(to: "2026-04-01T12:00:00Z")
        #expect(try await world.access().first?.hasPrefix("club active") == true)
    }

    @Test("Grace is access until its end", arguments: Backend.available)
    func grace(_ backend: Backend) async throws {
        let (world, _, _) = try await subscribed(backend) { $0.gracePeriod = .sixteenDays }
        try await world.world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        try await world.advance(to: "2026-02-02")
        #expect(try await world.access() == ["club gracePeriod until 2026-02-17 renews"])
        // Nothing comes any more.
        _ = try await world.world.store.advance(to: World.instant("2026-02-18"))
        #expect(try await world.access() == ["club billingRetry until 2026-02-17 renews"])
    }

    @Test(
        "A renewal that is delivered after the refund of the same transaction opens nothing",
        arguments: Backend.available)
    func lateRenewal(_ backend: Backend) async throws {
        let (world, _, _) = try await subscribed(backend)
        _ = try await world.world.store.advance(to: World.instant("2026-02-01"))
        let renewals = world.world.listener.takeArrivals()
        let newest = try #require(renewals.last?.transaction?.transactionId)
        // A later instant, as its signature has.
        _ = try await world.world.store.advance(to: World.instant("2026-02-03"))
        try await world.world.store.refund(
            transaction: Int64(newest)!, .full, reason: .other, in: .production)
        try await world.deliver()
        #expect(try await world.access() == ["club refunded until 2026-02-03"])
        for renewal in renewals { try await world.receive(renewal) }
        try await world.merchant.settle()
        #expect(try await world.access() == ["club refunded until 2026-02-03"])
        try await world.world.store.reverseRefund(
            transaction: Int64(newest)!, in: .production)
        try await world.deliver()
        // The refund has turned renewal off.
        #expect(try await world.access() == ["club active until 2026-03-01"])
    }

    @Test("A refund of an earlier period takes nothing", arguments: Backend.available)
    func earlierPeriod(_ backend: Backend) async throws {
        let (world, _, first) = try await subscribed(backend)
        try await world.advance(to: "2026-02-02")
        try await world.world.store.refund(
            transaction: Int64(first.transactionId)!, .full, reason: .other, in: .production)
        try await world.deliver()
        #expect(try await world.access() == ["club active until 2026-03-01 renews"])
    }

    @Test(
        "An upgrade that comes before the purchase ends in the same", arguments: Backend.available)
    func upgradeFirst(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let ada = try await world.world.device()
        for product in ["silver.monthly", "gold.monthly"] {
            _ = try await world.world.store.purchase(
                PurchaseRequest(productID: product, appAccountToken: Self.token), by: ada)
            _ = try await world.world.store.advance(to: World.instant("2026-01-11"))
        }
        try await world.world.store.settle()
        let arrivals = world.world.listener.takeArrivals()
        for arrival in arrivals.reversed() { try await world.receive(arrival) }
        try await world.merchant.settle()
        // Nobody has said whose it is.
        #expect(try await world.access().isEmpty)
        let signed = try #require(
            arrivals[0].notification.data?.signedTransactionInfo)
        let customer = try await world.merchant.take(
            transaction: signed, from: "ada", of: World.bundleID)
        #expect(customer.lines == ["club active until 2026-02-11 renews"])
    }

    @Test("A notification is kept once, however often it comes", arguments: Backend.available)
    func repetition(_ backend: Backend) async throws {
        let (world, _, _) = try await subscribed(backend)
        let first = try #require(world.world.listener.arrivals.first)
        let version = try await world.merchant.customer("ada", of: World.bundleID).version
        #expect(try await world.receive(first) == .repeated)
        try await world.merchant.settle()
        #expect(try await world.merchant.customer("ada", of: World.bundleID).version == version)
    }

    @Test("What another certificate has signed is refused", arguments: Backend.available)
    func foreign(_ backend: Backend) async throws {
        let (world, _, _) = try await subscribed(backend)
        let other = try CertificateChain.make(
            notBefore: Instant.earliest.milliseconds, notAfter: Instant.latest.milliseconds)
        let setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID, rootDER: [other.rootDER])
        let merchant = try await Merchant(
            database: try await backend.borrowDatabase(for: .merchant), apps: [setup],
            time: { World.instant("2026-01-02") }, log: .init(label: "test"))
        let arrival = try #require(world.world.listener.arrivals.first)
        await #expect(throws: MerchantError.self) {
            try await merchant.receive(arrival.signedPayload, for: World.bundleID)
        }
        #expect(try await merchant.deadLetters(limit: 10).isEmpty)
    }

    @Test("What is meant for another app is kept aside", arguments: Backend.available)
    func misdirected(_ backend: Backend) async throws {
        let (world, _, _) = try await subscribed(backend)
        var setup = try AppSetup(
            bundleID: "com.example.other", appAppleID: 7, rootDER: [World.chain.rootDER])
        setup.forward = ["https://one.example/apple"]
        let (apps, database) = ([setup], try await backend.borrowDatabase(for: .merchant))
        func opened(_ day: String) async throws -> Merchant {
            let now = World.instant(day)
            return try await Merchant(
                database: database, apps: apps, time: { now }, log: .init(label: "test"))
        }
        let merchant = try await opened("2026-01-02")
        let arrival = try #require(world.world.listener.arrivals.first)
        #expect(
            try await merchant.receive(arrival.signedPayload, for: "com.example.other")
                == .setAside)
        let dead = try await merchant.deadLetters(limit: 10)
        #expect(dead.map(\.state) == [.dead])
        let problem = try #require(dead[0].problem)
        await #expect(throws: MerchantError.stillSetAside(dead[0].id, problem)) {
            try await merchant.replay(dead[0].id)
        }
        // It goes nowhere, and is not kept for ever: anybody can send what is another app's.
        #expect(try await merchant.forwarded(limit: 10).isEmpty)
        #expect(try await opened("2026-01-31").removeSetAside() == 0)
        #expect(try await opened("2026-02-02").removeSetAside() == 1)
        #expect(try await merchant.deadLetters(limit: 10).isEmpty)
    }

    @Test(
        "What was meant for an environment that is taken since is replayed under a new number",
        arguments: Backend.available)
    func takenSince(_ backend: Backend) async throws {
        let (world, _, _) = try await subscribed(backend)
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID, rootDER: [World.chain.rootDER])
        setup.environments = [.sandbox]
        let now = World.instant("2026-01-02")
        let merchant = try await Merchant(
            database: try await backend.borrowDatabase(for: .merchant), apps: [setup],
            time: { now }, log: .init(label: "test"))
        let arrival = try #require(world.world.listener.arrivals.first)
        #expect(
            try await merchant.receive(arrival.signedPayload, for: World.bundleID) == .setAside)
        let dead = try #require(try await merchant.deadLetters(limit: 1).first)
        // Nothing is done for an app that is not served.
        try await merchant.serve([])
        await #expect(throws: MerchantError.unknownApp(World.bundleID)) {
            try await merchant.replay(dead.id)
        }
        #expect(try await merchant.deadLetters(limit: 1) == [dead])
        setup.environments = [.production]
        try await merchant.serve([setup])
        let replayed = try await merchant.replay(dead.id)
        #expect(replayed.state == .processed)
        #expect(replayed.id != dead.id)
        #expect(replayed.problem == nil)
        #expect(try await merchant.deadLetters(limit: 1).isEmpty)
        // It is no dead letter any more.
        await #expect(throws: MerchantError.unknownDeadLetter(dead.id)) {
            try await merchant.replay(dead.id)
        }
    }

    @Test(
        "Purchases come by their latest transactions, whichever arrived first",
        arguments: Backend.available)
    func order(_ backend: Backend) async throws {
        let (world, ada, first) = try await subscribed(backend)
        try await world.advance(to: "2026-01-03")
        let coins = try #require(
            try await world.world.store.purchase(PurchaseRequest(productID: "coins"), by: ada))
        _ = try await world.merchant.take(transaction: coins, from: "ada", of: World.bundleID)
        func purchases() async throws -> [String] {
            try await world.merchant.customer("ada", of: World.bundleID).purchases
                .map(\.access.transaction.productID)
        }
        #expect(try await purchases() == ["coins", first.productId])
        try await world.advance(to: "2026-02-02")
        #expect(try await purchases() == [first.productId, "coins"])
    }
}
