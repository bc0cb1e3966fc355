import NaiveModel
import Store
import SubscriptionRules
import TestSupport

/// The bank's answers, told to the real store.
extension Player {
    func answerBill(_ number: Int?, _ answer: BankAnswer) async throws -> Outcome {
        // Bills are found by their number, so all have to be there.
        try await store.settle()
        guard let number else {
            let outcome = try await store.answer(bill: 4711, answer, in: .production).outcome
            return Outcome(outcome)
        }
        let name = naive.invoices[number].account
        let ids = try await billIDs(of: name)
        let place = naive.invoices[..<number].count { $0.account == name }
        guard ids.count > place else { return .unknownBill }
        return Outcome(
            try await store.answer(bill: ids[place], answer, in: name.environment).outcome)
    }

    /// A customer's bills in the order in which they were made: such as were paid at once are
    /// known by their transactions.
    func billIDs(of name: Account.Name) async throws -> [Int64] {
        let customer = try await store.customer(account: name.text, in: name.environment).0.id
        let transactions = try await Books.transactions(in: database)
            .filter { $0.customer == customer && $0.source == nil }.map(\.id)
        let others = try await bills(of: name).map(\.id)
        return Set(transactions + others).sorted()
    }

    /// A customer's bills that were not paid at once, or not for good, newest first.
    func bills(of name: Account.Name) async throws -> [BillRecord] {
        try await store.bills(
            nil, account: name.text, before: nil, limit: 100_000, in: name.environment
        ).map(\.bill)
    }
}

extension BillRecord {
    /// As `Invoice.line`.
    var line: String {
        "bill of \(NaiveCalendar.text(made)) for \(productID), \(amount.milliunits) "
            + "\(amount.currency.code), \(state.rawValue) since \(NaiveCalendar.text(changed))"
            + (answersAt.map { ", to be answered \(NaiveCalendar.text($0))" } ?? "")
            + (bill?.linesText ?? "")
    }
}

extension Invoice {
    /// In words for people.
    var line: String {
        "bill of \(NaiveCalendar.text(made)) for \(product), \(amount) \(country.currency), "
            + "\(state.rawValue) since \(NaiveCalendar.text(changed))"
            + (answersAt.map { ", to be answered \(NaiveCalendar.text($0))" } ?? "")
            // Of what was paid at once nothing but the transaction is kept.
            + (isPaidAtOnce ? "" : plan.map(linesText) ?? "")
    }

    private func linesText(_ plan: HeldPlan) -> String {
        let lines = zip(plan.lines, charges).map { line, charge in
            BilledLine.text(
                line.sku, line.price, charged: charge,
                line.offer.map { ($0.name ?? "introductory", line.offersLeft) })
        }
        return plan.billing.text + ": " + lines.joined(separator: "; ")
            + (unused > 0 ? "; \(unused) go back" : "")
    }
}

extension Bill {
    /// As `Invoice.linesText(_:)`.
    fileprivate var linesText: String {
        let credit = credit?.milliunits ?? modification?.credits.reduce(0) { $0 + $1.amount } ?? 0
        let lines = zip(plan.lines, charges).map { line, charge in
            BilledLine.text(
                line.sku, Int(line.price), charged: Int(charge),
                line.offer.map {
                    ($0.kind == .introductory ? "introductory" : $0.id, $0.periodsLeft)
                })
        }
        return Billing(plan.billing).text + ": " + lines.joined(separator: "; ")
            + (credit > 0 ? "; \(credit) go back" : "")
    }
}

/// A line of a bill, in words that both stores share.
private enum BilledLine {
    static func text(
        _ sku: String, _ price: Int, charged: Int, _ offer: (name: String, left: Int)?
    ) -> String {
        "\(sku) for \(price), charged \(charged)"
            + (offer.map { ", \($0.name) and \($0.left) more" } ?? "")
    }
}
