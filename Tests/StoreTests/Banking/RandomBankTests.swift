import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Whatever goes wrong, and in whatever order: when everything has settled, the bank's own books
/// say what the store's ledger says.
@Suite("A bank outside: at random")
struct RandomBankTests {
    @Test(
        "Nobody is charged twice, and nobody's money is lost",
        arguments: Backend.available, 1...12)
    func books(_ backend: Backend, _ seed: Int) async throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let it = try await BankWorld(backend)
        it.bank.listChanges(true)
        for _ in 0..<40 {
            it.bank.goWrong(
                (0..<Int.random(in: 0...4, using: &chance)).map { _ in
                    FakeBank.Mishap.allCases.randomElement(using: &chance)!
                })
            let verdicts: [FakeBank.Verdict] = [
                .paid, .paid, .paid, .pending, .declined(.soft), .declined(.hard),
            ]
            it.bank.decide(always: verdicts.randomElement(using: &chance)!)
            it.bank.refuseVoids(Bool.random(using: &chance))
            it.bank.refund(["done", "accepted", "done", "failed"].randomElement(using: &chance)!)
            try await happen(it, &chance)
            if Int.random(in: 0..<6, using: &chance) == 0 { try await it.restart() }
        }
        try await settle(it)
        let failed = it.bank.refunds.values.filter { $0.status == "failed" }
        var expected = it.bank.money
        for refund in failed { expected[refund.payment, default: 0] -= refund.amount }
        let left = try await it.ledger()
        let troubles = try await it.troubles()
        #expect(
            left == expected.filter { $0.value != 0 },
            "\(it.bank.payments) \(it.bank.refunds) \(troubles)")
        #expect(it.bank.collected.values.allSatisfy { $0 == 1 })
        #expect(it.bank.payments.values.allSatisfy { $0.status != "pending" })
        #expect(troubles.count == failed.count)
        let report = try await WorldCheck(it.world.database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.isEmpty, "\(report.findings)")
    }

    /// One thing that a customer, the operator, the bank or time does. What is refused is refused.
    private func happen(_ it: BankWorld, _ chance: inout SeededGenerator) async throws {
        let store = it.world.store
        let ada = try await it.ada()
        let bill = it.bank.payments.keys.sorted().randomElement(using: &chance) ?? 0
        let subscription = it.bank.payments.keys.min() ?? 0
        switch Int.random(in: 0..<14, using: &chance) {
        case 0, 1: _ = try? await it.buy("silver.monthly")
        case 2: _ = try? await it.buy("coins")
        case 3: _ = try? await it.buy("gold.monthly")
        case 4:
            let isOn = Bool.random(using: &chance)
            _ = try? await store.change(subscription: subscription, [.renewal(isOn: isOn)], by: ada)
        case 5:
            let method = "pm_\(Int.random(in: 1...9, using: &chance))"
            try await store.setBankMethod(method, account: "ada")
        case 6:
            _ = try? await store.refund(
                transaction: bill, .full, reason: .other, in: .production)
        case 7: it.bank.answer(bill, Bool.random(using: &chance) ? "paid" : "declined")
        case 8, 9:
            // What crosses with a refund of the store's is somebody's to look into.
            let isWhole = try await it.ledger()[bill] == it.bank.payments[bill]?.amount
            it.bank.goWrong([])
            if isWhole { it.bank.reverse(bill) } else { it.bank.restore(bill) }
            try await it.message("p\(bill)")
            try await store.settle()
        case 10:
            if let refund = it.bank.refunds.keys.sorted().randomElement(using: &chance) {
                it.bank.end(refund: refund, Bool.random(using: &chance) ? "done" : "failed")
            }
        case 11:
            for _ in 0..<Int.random(in: 1...2, using: &chance) {
                try await it.message("p\(bill)")
            }
        case 12: try await it.wait(.hours(Int.random(in: 1...30, using: &chance)))
        default:
            let days = Int.random(in: 1...20, using: &chance)
            let now = try await store.clockReading().now
            it.machine.set(it.machine.now + .days(days))
            _ = try await store.advance(to: now + .days(days))
        }
        if Bool.random(using: &chance) { try await store.settle() }
    }

    /// The bank decides what it has, and everybody hears of everything.
    private func settle(_ it: BankWorld) async throws {
        it.bank.goWrong([])
        it.bank.decide(always: .declined(.hard))
        it.bank.refuseVoids(false)
        it.bank.refund("done")
        for _ in 0..<12 {
            for (bill, payment) in it.bank.payments where payment.status == "pending" {
                it.bank.answer(bill, "declined")
            }
            for (refund, state) in it.bank.refunds where state.status == "accepted" {
                it.bank.end(refund: refund, "done")
            }
            try await it.wait(.days(1))
        }
    }
}
