import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Which commands go beside each other. One that forgets whom it is about would go alone, or be
/// made anew alone, and nothing but its slowness would say so.
@Suite(
    "What goes beside others, and what goes alone",
    .enabled(if: Backend.available.contains(.postgres), "there is no PostgreSQL server"),
    .timeLimit(.minutes(15)))
struct CompanyTests {
    private let log: StatementLog
    private let world: World

    init() async throws {
        log = StatementLog(try await Backend.makeShared(1)[0])
        world = try await World(database: log) { $0.refundPolicy = .operatorDecides }
    }

    private var store: Store { world.store }

    /// Does something, and says how each change of it went.
    @discardableResult
    private func expect<T: Sendable>(
        _ companies: [Company], _ about: Comment, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> T
    ) async throws -> T {
        log.clear()
        let result = try await body()
        #expect(log.companies == companies, about, sourceLocation: sourceLocation)
        return result
    }

    private func buy(_ product: String, by device: DeviceSession) async throws -> Int64 {
        let signed = try #require(
            try await store.purchase(PurchaseRequest(productID: product), by: device))
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return try #require(Int64(transaction.transactionId))
    }

    @Test("What a customer does goes beside others, at once")
    func customers() async throws {
        try await expect([.together], "who is new signs in") { try await world.device("bea") }
        try await expect([.together], "and signs in again") { try await world.device("bea") }
        let ada = try await world.device()
        let id = try await expect([.together], "buys a subscription") {
            try await buy("silver.monthly", by: ada)
        }
        let coins = try await expect([.together], "buys coins") {
            try await buy("coins", by: ada)
        }
        for change in [
            SubscriptionChange.product("gold.monthly"), .product("bronze.monthly"),
            .renewal(isOn: false), .renewal(isOn: true),
        ] {
            try await expect([.together], "\(change)") {
                try await store.change(subscription: id, [change], by: ada)
            }
        }
        try await expect([.together], "keeps new purchases from the family") {
            try await store.setSharesNewPurchases(false, by: ada)
        }
        try await expect([.together], "finishes") {
            try await store.finish(transaction: coins, by: ada)
        }
        let request = try await expect([.together], "asks for a refund") {
            try await store.requestRefund(transaction: coins, .other, by: ada)
        }
        try await expect([.together], "the developer tells of it") {
            try await store.consumption(
                of: coins, Consumption(preference: .decline, percentage: 0, body: "{}"),
                for: world.caller())
        }
        try await expect([.together], "and it is decided") {
            try await store.decide(refundRequest: request.id, granting: nil, in: .production)
        }
        await #expect(throws: StoreError.unknown(.refundRequest, "7")) {
            try await expect([.together], "one that there is not") {
                try await store.decide(refundRequest: 7, granting: nil, in: .production)
            }
        }
        try await store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await expect([.together], "is declined") { try await buy("coins", by: ada) }
        }
        try await world.check()
    }

    @Test("What is done about a customer goes beside others, at once")
    func aboutCustomers() async throws {
        let ada = try await world.device()
        let id = try await buy("silver.monthly", by: ada)
        let coins = try await buy("coins", by: ada)
        try await expect([.together], "finish") {
            try await store.finish(
                transaction: coins, bundleID: World.bundleID, in: .production)
        }
        try await expect([.together], "app account token") {
            try await store.setAppAccountToken(
                "11111111-2222-4333-8444-555555555555", originalTransaction: id,
                bundleID: World.bundleID, in: .production)
        }
        try await expect([.together], "extension") {
            try await store.extend(
                originalTransaction: id, try ExtensionRequest(days: 7, reasonCode: 1),
                requestIdentifier: "one", for: world.caller())
        }
        try await expect([.together], "the operator's extension") {
            try await store.extend(
                subscription: id, try ExtensionRequest(days: 7, reasonCode: 1),
                requestIdentifier: "two", in: .production)
        }
        try await expect([.together], "refund") {
            try await store.refund(transaction: coins, .full, reason: .other, in: .production)
        }
        try await expect([.together], "its reversal") {
            try await store.reverseRefund(transaction: coins, in: .production)
        }
        try await expect([.together], "notification at will") {
            try await store.provoke(Provocation(.didRenew), subscription: id, in: .production)
        }
        try await expect([.together], "test notification") {
            try await store.requestTestNotification(bundleID: World.bundleID, in: .production)
        }
        for method in [PaymentMethod.answersLater(after: nil, isPaid: true), .approves] {
            try await expect([.together], "payment method") {
                try await store.setPaymentMethod(method, account: "ada", in: .production)
            }
        }
        try await expect([.together], "storefront") {
            try await store.setStorefront(
                Storefront(code: "NOR")!, account: "ada", in: .production)
        }
        _ = try await world.device(in: .sandbox)
        try await expect([.together], "speed") {
            try await store.setSandboxSpeed(.sixtyMinutes, account: "ada")
        }
        try await expect([.together], "cancelling") {
            try await store.cancel(
                subscription: id, .prorated, reason: .other, in: .production)
        }
        try await world.check()
    }

    @Test("A bank's answer, what is due and what is delivered go beside others, at once")
    func background() async throws {
        let ada = try await world.device()
        try await store.setPaymentMethod(
            .answersLater(after: nil, isPaid: true), account: "ada", in: .production)
        let bought = try await store.buy(PurchaseRequest(productID: "bronze.weekly"), by: ada)
        let bill = try #require(bought.pendingBill)
        try await expect([.together], "a bank's answer") {
            try await store.answer(bill: bill, .paid, in: .production)
        }
        try await store.setPaymentMethod(.approves, account: "ada", in: .production)
        try await expect([.together], "heard of") { try await store.beat() }
        log.clear()
        try await store.settle()
        #expect(log.companies.count > 1)
        #expect(log.companies.allSatisfy { $0 == .together }, "delivering")
        #expect(world.listener.takeArrivals().map(\.name) == ["SUBSCRIBED/INITIAL_BUY"])
        log.clear()
        _ = try await store.advance(to: World.instant("2026-01-20"))
        // The clock goes from event to event, and then to its end: nothing else goes alone.
        let renewals = world.listener.takeArrivals().count
        #expect(renewals == 2)
        #expect(log.companies.count { $0 == .alone } == renewals + 1)
        try await world.check()
    }

    @Test("What belongs to nobody goes alone")
    func alone() async throws {
        let bundleID = World.bundleID
        try await expect([.alone], "settings") {
            try await store.configure(bundleID: bundleID) { $0.name = "Other" }
        }
        try await expect([.alone], "price") {
            try await world.schedule("silver.monthly", 11_990, live: "2026-05-05")
        }
        for account in ["ada", "bea"] { _ = try await world.device(account) }
        let family = try await expect([.alone], "family") {
            try await store.createFamily(organiser: "ada", in: .production)
        }
        try await expect([.alone], "who joins it") {
            try await store.join(family: family, account: "bea", in: .production)
        }
        try await expect([.alone], "its end") {
            try await store.endFamily(family, in: .production)
        }
        try await expect([.alone], "deliveries") { try await store.setDelivering(true) }
        try await expect([.alone], "fault rule") {
            try await store.addFault(
                FaultRule(.calls(.fail(.accountNotFound), operation: "getTransactionInfo")),
                in: .production)
        }
        try await expect([.alone], "a call that it decides about") {
            try await store.judgeCall(to: "getTransactionInfo", by: world.caller())
        }
    }

    @Test("What turns out to be about more than its customer is made anew, alone")
    func anew() async throws {
        let ada = try await world.device()
        _ = try await buy("silver.monthly", by: ada)
        try await expect([.alone], "mass extension") {
            try await store.massExtend(
                MassExtensionOrder(
                    productID: "silver.monthly",
                    request: try ExtensionRequest(days: 7, reasonCode: 3),
                    requestIdentifier: "11111111-2222-4333-8444-555555555555"),
                for: world.caller())
        }
        try await expect([.together, .alone], "a purchase while it is under way") {
            try await buy("coins", by: ada)
        }
        try await store.settle()
        try await expect([.together], "and after it") { try await buy("coins", by: ada) }
        try await store.configure(bundleID: World.bundleID) {
            $0.smallBusiness = true
            $0.heedsSmallBusinessLimit = true
        }
        try await expect([.together, .alone], "one that counts towards a limit") {
            try await buy("coins", by: ada)
        }
        try await world.check()
    }
}
