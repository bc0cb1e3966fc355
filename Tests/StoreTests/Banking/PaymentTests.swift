import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("A bank outside: payments")
struct PaymentTests {
    @Test("What the bank pays at once is bought at once", arguments: Backend.available)
    func paid(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        let bought = try await it.buy("silver.monthly")
        #expect(bought.signedTransaction != nil && bought.pendingBill == nil)
        try await it.world.store.settle()
        #expect(it.told() == ["SUBSCRIBED/INITIAL_BUY"])
        #expect(try await it.buy("coins").signedTransaction != nil)
        try await it.advance(to: "2026-04-20")
        #expect(it.told().count { $0 == "DID_RENEW" } == 3)
        #expect(it.bank.payments.values.map(\.present).count { $0 } == 2)
        #expect(it.bank.payments.count == 5)
        try await it.checkBooks()
    }

    @Test("What it declines is not bought, and voided at the bank", arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        it.bank.decide(.declined(.soft))
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await it.buy("silver.monthly")
        }
        #expect(it.bank.payments.values.map(\.status) == ["voided"])
        // The next one is another bill.
        #expect(try await it.buy("silver.monthly").signedTransaction != nil)
        #expect(it.bank.payments.count == 2)
        try await it.checkBooks()
    }

    @Test(
        "The next bill waits until the bank has let go of the one that it declined",
        arguments: Backend.available)
    func oneAtATime(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        let first = try await it.declinedAndNotVoided()
        let second = try await it.ask("coins")
        #expect(it.bank.payments.keys.map { $0 } == [first])
        try await it.wait(.minutes(5))
        #expect(it.bank.payments[first]?.status == "voided")
        #expect(try await it.state(second) == .paid)
        try await it.checkBooks()
    }

    @Test("A bill that was never sent is given up without the bank", arguments: Backend.available)
    func neverSent(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        let first = try await it.declinedAndNotVoided()
        let second = try await it.ask("coins")
        // A day on the store's clock, and no time for the bank.
        _ = try await it.world.store.advance(to: World.instant("2026-01-16"))
        #expect(try await it.state(second) == .void)
        try await it.wait(.days(2))
        #expect(it.bank.payments.keys.map { $0 } == [first])
        try await it.checkBooks()
    }

    @Test(
        "Nobody is asked to pay nothing, too little, or without a method",
        arguments: Backend.available)
    func notAsked(_ backend: Backend) async throws {
        let it = try await BankWorld(backend, method: nil) { $0.least = 1000 }
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await it.buy("silver.monthly")
        }
        try await it.world.store.setBankMethod("pm_1", account: "ada")
        await #expect(throws: StoreError.purchase(.paymentDeclined)) { try await it.buy("coins") }
        #expect(try await it.buy("silver.trial").signedTransaction != nil)
        #expect(!it.bank.requests.contains { $0.hasPrefix("POST") })
        try await it.checkBooks()
    }

    @Test("Sandbox never asks the bank", arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        let ada = try await it.world.device(in: .sandbox)
        let bought = try await it.world.store.buy(
            PurchaseRequest(productID: "silver.monthly"), by: ada)
        #expect(bought.signedTransaction != nil && it.bank.payments.isEmpty)
    }

    @Test(
        "What looks like a card number is no method",
        arguments: ["4242424242424242", "4242-4242-4242-4242", "", "pm 1", "pm_ä"])
    func method(_ token: String) async throws {
        let it = try await BankWorld(.sqlite)
        await #expect(throws: StoreError.self) {
            try await it.world.store.setBankMethod(token, account: "ada")
        }
        #expect(try await it.buy("coins").signedTransaction != nil)
        #expect(it.bank.payments.values.map(\.method) == ["pm_1"])
    }

    @Test(
        "A method that was declined for good is not asked again until there is another",
        arguments: Backend.available, [DeclineClass.hard, .method, .authenticate])
    func hard(_ backend: Backend, _ reason: DeclineClass) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("silver.monthly")
        it.bank.decide(always: .declined(reason))
        try await it.advance(to: "2026-03-01")
        #expect(it.told() == ["DID_FAIL_TO_RENEW"])
        #expect(it.bank.payments.count == 2)
        it.bank.decide(always: .paid)
        // A customer who is there can confirm a payment, and nothing else.
        if reason == .authenticate {
            #expect(try await it.buy("coins").signedTransaction != nil)
        } else {
            await #expect(throws: StoreError.purchase(.paymentDeclined)) {
                try await it.buy("coins")
            }
        }
        try await it.world.store.setBankMethod("pm_2", account: "ada")
        try await it.world.store.settle()
        #expect(it.told().contains("DID_RENEW/BILLING_RECOVERY"))
        #expect(try await it.world.shows(id).first?.hasPrefix("1 ") == true)
        try await it.checkBooks()
    }

    @Test("A soft decline is tried again by the store", arguments: Backend.available)
    func soft(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        _ = try await it.own("silver.monthly")
        it.bank.decide(.declined(.soft))
        try await it.advance(to: "2026-02-20")
        #expect(it.told() == ["DID_FAIL_TO_RENEW", "DID_RENEW/BILLING_RECOVERY"])
        #expect(
            it.bank.payments.sorted { $0.key < $1.key }.map(\.value.status) == [
                "paid", "voided", "paid",
            ])
        try await it.checkBooks()
    }

    @Test(
        "A plan change waits for the bank, and its credit goes back", arguments: Backend.available)
    func planChange(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("silver.monthly")
        try await it.advance(to: "2026-01-30")
        let ada = try await it.ada()
        it.bank.decide(.declined(.soft))
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await it.world.store.change(subscription: id, [.product("gold.monthly")], by: ada)
        }
        it.bank.decide(.pending)
        try await it.world.store.change(subscription: id, [.product("gold.monthly")], by: ada)
        try await it.world.store.settle()
        #expect(it.told().isEmpty && it.bank.refunds.isEmpty)
        let bill = try #require(it.bank.payments.first { $0.value.status == "pending" }).key
        it.bank.answer(bill, "paid")
        try await it.hear("p\(bill)")
        #expect(it.told() == ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(it.bank.refunds.values.map(\.payment) == [id])
        try await it.checkBooks()
    }
}
