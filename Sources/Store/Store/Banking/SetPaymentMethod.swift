import Storage
import SubscriptionRules

extension Store {
    /// Gives a customer's account another payment method. One that does not decline is tried at
    /// once on every renewal that failed or has no answer yet (REN-2).
    ///
    /// What was due before is charged to the old one.
    ///
    /// - Throws: `StoreError.unknown(.account)`, `.setting(.invalid)` for a count below 1, or a
    ///   moment that is not kept or not after the clock's.
    public func setPaymentMethod(
        _ method: PaymentMethod, account: String, in environment: StoreEnvironment
    ) async throws {
        if case .declines(_, let left?) = method, left < 1 {
            throw StoreError.setting(.invalid("count", reason: "it must be at least 1"))
        }
        if case .declines(let until?, _) = method, !Instant.storable.contains(until.milliseconds) {
            throw StoreError.setting(.invalid("until", reason: "it must be in 1970 to 2199"))
        }
        if case .answersLater(let after?, _) = method,
            !(1...Span.days(366).milliseconds).contains(after.milliseconds)
        {
            throw StoreError.setting(
                .invalid(
                    "after", reason: "it must be longer than nothing and at most 366 days"))
        }
        try await changeCustomer(account: account, in: environment) { work, customer in
            if case .declines(let until?, _) = method, until <= work.now {
                throw StoreError.setting(
                    .invalid(
                        "until",
                        reason: "it is not after the store's clock, which shows "
                            + work.now.plainText))
            }
            customer.paymentMethod = method
            try customer.update(in: work.session)
            try work.lookAtLetters(to: customer)
            if case .declines = method { return }
            try work.tryPaymentsAgain(ofCustomer: customer.id)
        }
    }

    /// Gives a customer's Production account a method of the bank outside, or takes it away. It is
    /// tried at once on every renewal that failed or has no answer yet (REN-2).
    ///
    /// - Parameter token: the bank's own name for the method.
    /// - Throws: `StoreError.unknown(.account)`, `.setting(.invalid)` for what cannot be such a
    ///   name, above all for a card's number.
    public func setBankMethod(_ token: String?, account: String) async throws {
        if let token, !BankMethod.isToken(token) {
            throw StoreError.setting(
                .invalid("method", reason: "it must be \(BankMethod.tokenRule)"))
        }
        try await changeCustomer(account: account, in: .production) { work, customer in
            customer.bankMethod = token.map { BankMethod(token: $0, refusal: nil) }
            try customer.update(in: work.session)
            if token != nil { try work.tryPaymentsAgain(ofCustomer: customer.id) }
        }
    }
}

extension UnitOfWork {
    /// Charges renewals that failed to the customer's present method.
    fileprivate func tryPaymentsAgain(ofCustomer id: Int64) throws {
        for id in try SubscriptionRecord.unpaid(ofCustomer: id, in: session) {
            let one = try subscription(id)
            let subscription = one.record.subscription
            // What is no longer on sale is left to its next attempt, which ends it.
            guard !subscription.isOver, subscription.owesInstalment || one.isNextForSale
            else { continue }
            try one.handle(.changedPaymentMethod, at: now)
        }
    }
}
