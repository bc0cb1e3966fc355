import Journal
import Mail
import Storage
public import SubscriptionRules

extension Store {
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
