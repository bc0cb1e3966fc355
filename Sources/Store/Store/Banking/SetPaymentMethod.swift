import Journal
import Mail
import Storage
public import SubscriptionRules

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

    /// Moves an account to another storefront; running subscriptions keep theirs.
    ///
    /// - Throws: `StoreError.unknown(.account)`.
    public func setStorefront(
        _ storefront: Storefront, account: String, in environment: StoreEnvironment
    ) async throws {
        try await changeCustomer(account: account, in: environment) { work, customer in
            customer.storefront = storefront
            try customer.update(in: work.session)
        }
    }

    /// Sets where a customer's mails go; nil for the account's own name, where that is an address.
    ///
    /// - Throws: `StoreError.unknown(.account)`, `.setting(.invalid)` for what is no address.
    public func setEmail(
        _ email: String?, account: String, in environment: StoreEnvironment
    ) async throws {
        if let email, EmailAddress(email) == nil {
            throw StoreError.setting(
                .invalid("email", reason: "it must be \(EmailAddress.rule)"))
        }
        try await changeCustomer(account: account, in: environment) { work, customer in
            customer.email = email
            try customer.update(in: work.session)
            try work.lookAtLetters(to: customer)
        }
    }

    /// Sets how fast an account's Sandbox subscriptions renew, from the next period on (SBX-2).
    ///
    /// - Throws: `StoreError.unknown(.account)`.
    public func setSandboxSpeed(_ speed: SandboxSpeed, account: String) async throws {
        try await changeCustomer(account: account, in: .sandbox) { work, customer in
            customer.sandboxSpeed = speed
            try customer.update(in: work.session)
        }
    }

    /// Changes an account, after everything that is due by now for its customer.
    func changeCustomer(
        account: String, in environment: StoreEnvironment,
        _ change: @escaping @Sendable (UnitOfWork, inout Customer) throws -> Void
    ) async throws {
        try await write(about: .account(account, environment)) { work in
            guard
                let customer = try Customer.find(account: account, environment, in: work.session)
            else { throw StoreError.unknown(.account, account) }
            try work.catchUp(customer: customer.id)
            guard var customer = try Customer.find(customer.id, in: work.session) else { return }
            work.record(.changedAccount) { $0.customer = customer.id }
            try change(work, &customer)
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
