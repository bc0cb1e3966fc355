import SubscriptionRules

extension UnitOfWork {
    /// Asks the bank to collect a bill, and keeps it unless it is paid at once: then its
    /// transaction bears its number and says the rest. One without an answer is carried out when
    /// the answer comes.
    ///
    /// - Returns: the bill as far as it has come: `paid`, `declined`, `pending` or `sent`.
    /// - Throws: `BillDeclined` for what the customer chose; nothing of it happens then.
    func collect(
        _ bill: BillRecord, from customer: inout Customer, at moment: Instant
    ) throws -> BillRecord {
        var bill = bill
        switch decide(bill, by: &customer, at: moment) {
        case .paid:
            bill.state = .paid
        case .declined:
            bill.state = .declined
            guard !bill.isChosen else { throw BillDeclined(bill: bill, customer: customer) }
            stage(bill)
        case .pending(let answer, let answersAt):
            bill.state = .pending
            (bill.answer, bill.answersAt) = (answer, answersAt)
            stage(bill)
        case .asked(let method):
            bill.state = .sent
            stage(bill)
            stage(Errand(collecting: bill, from: method, next: machineNow))
        }
        return bill
    }

    /// What the bank says of a bill: the built-in one at once or later, one outside never here.
    /// Sandbox payments are nobody's money and never leave the store.
    private func decide(
        _ bill: BillRecord, by customer: inout Customer, at moment: Instant
    ) -> PaymentMethod.Decision {
        guard let bank, customer.environment == .production else {
            return customer.paymentMethod.decide(on: bill.amount, at: moment)
        }
        guard bill.amount.milliunits > 0 else { return .paid }
        guard let method = customer.bankMethod, bank.canCollect(bill.amount),
            method.refusal?.allowsAnother(isPresent: bill.isChosen) ?? true
        else { return .declined }
        return .asked(method.token)
    }
}
