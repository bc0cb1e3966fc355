import Storage
import SubscriptionRules

/// What becomes of what an account wants to buy; what is nil stays as it is.
public struct BuyingChange: Sendable, Hashable {
    /// Whether somebody else approves each purchase, as for a child (ATB-1).
    public var asksToBuy: Bool?
    /// Whether each purchase is interrupted until the customer settles something (INT-4).
    public var interruptsPurchases: Bool?
    /// Whether it may pay for anything at all (CAN-1).
    public var canMakePayments: Bool?

    /// Makes a change.
    public init(
        asksToBuy: Bool? = nil, interruptsPurchases: Bool? = nil, canMakePayments: Bool? = nil
    ) {
        self.asksToBuy = asksToBuy
        self.interruptsPurchases = interruptsPurchases
        self.canMakePayments = canMakePayments
    }
}

extension Store {
    /// Sets what becomes of what an account wants to buy from now on. What waits already goes on
    /// waiting, and what renews goes on renewing.
    ///
    /// - Throws: `StoreError.unknown(.account)`.
    public func setBuying(
        _ change: BuyingChange, account: String, in environment: StoreEnvironment
    ) async throws {
        try await changeCustomer(account: account, in: environment) { work, customer in
            customer.asksToBuy = change.asksToBuy ?? customer.asksToBuy
            customer.interruptsPurchases =
                change.interruptsPurchases ?? customer.interruptsPurchases
            customer.canMakePayments = change.canMakePayments ?? customer.canMakePayments
            try customer.update(in: work.session)
        }
    }
}
