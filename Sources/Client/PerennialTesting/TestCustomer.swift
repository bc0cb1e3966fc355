import Store
import SubscriptionRules
import TimeAndChance

/// Somebody with the app on a device, signed in to a test's store.
public struct TestCustomer: Sendable {
    public let account: String
    private let owner: TestStore
    private let device: DeviceSession

    init(
        _ owner: TestStore, _ account: String, _ storefront: Storefront?, _ device: String
    ) async throws {
        self.owner = owner
        self.account = account
        self.device = try await owner.store.signIn(
            SignInRequest(
                bundleID: owner.bundleID, account: account, storefront: storefront, device: device),
            in: owner.place, token: Randomness.token("device_"))
    }

    // MARK: Buying

    /// Buys a product.
    ///
    /// - Parameter appAccountToken: your name for the customer, a UUID in lower case.
    /// - Throws: ``PurchasePends`` where nothing was charged yet, and the store's refusal.
    @discardableResult
    public func buy(
        _ product: String, appAccountToken: String? = nil, quantity: Int = 1
    ) async throws -> SignedTransaction {
        let bought = try await owner.store.buy(
            PurchaseRequest(
                productID: product, quantity: quantity, appAccountToken: appAccountToken),
            by: device)
        return try await transaction(of: bought, product)
    }

    /// Redeems an offer code.
    @discardableResult
    public func redeem(_ code: String) async throws -> SignedTransaction {
        try await transaction(of: try await owner.store.redeem(code: code, by: device), code)
    }

    private func transaction(of bought: Bought, _ name: String) async throws -> SignedTransaction {
        try await owner.store.settle()
        guard let signed = bought.signedTransaction else { throw PurchasePends(name: name) }
        return try await owner.transaction(signed)
    }

    /// The customer's bank refuses every charge from now on, or so many.
    public func declinePayments(count: Int? = nil) async throws {
        try await pay(.declines(until: nil, left: count))
    }

    /// The customer's bank pays from now on; what failed is charged at once.
    public func approvePayments() async throws { try await pay(.approves) }

    private func pay(_ method: PaymentMethod) async throws {
        try await owner.store.setPaymentMethod(method, account: account, in: owner.place)
        try await owner.store.settle()
    }

    /// Asks for the price of a transaction back; `answerRefunds` of the store decides, some time
    /// later.
    public func requestRefund(of transaction: SignedTransaction) async throws {
        try await owner.store.requestRefund(
            transaction: try owner.number(of: transaction), .other, by: device)
        try await owner.store.settle()
    }

    // MARK: What the customer has

    /// Everything that the device sees, oldest first, two hundred at most.
    public func transactions() async throws -> [SignedTransaction] {
        let found = try await owner.store.transactions(
            for: device, unfinishedOnly: false, after: 0, limit: 200)
        var all: [SignedTransaction] = []
        for one in found { all.append(try await owner.transaction(one.signed)) }
        return all
    }

    /// The products that the customer has access to now.
    public func entitlements() async throws -> [String] {
        try await owner.store.entitlements(for: device).map(\.productID)
    }

    // MARK: Changing a subscription

    /// Moves the subscription to another product of its group: an upgrade at once, a downgrade with
    /// the next renewal.
    public func changePlan(to product: String, of one: SignedTransaction? = nil) async throws {
        try await change(.product(product), of: one)
    }

    /// Turns renewal off; access lasts until the end of the period.
    public func cancel(_ one: SignedTransaction? = nil) async throws {
        try await change(.renewal(isOn: false), of: one)
    }

    /// Turns renewal on again.
    public func resume(_ one: SignedTransaction? = nil) async throws {
        try await change(.renewal(isOn: true), of: one)
    }

    /// Answers a price increase that asks for consent.
    public func answerPriceIncrease(
        agrees: Bool, of one: SignedTransaction? = nil
    ) async throws {
        try await change(.priceIncrease(agrees: agrees), of: one)
    }

    /// Leaves the family; what it shared is lost at once.
    public func leaveFamily() async throws {
        try await owner.store.leaveFamily(by: device)
        try await owner.store.settle()
    }

    private func change(
        _ change: SubscriptionChange, of transaction: SignedTransaction?
    ) async throws {
        _ = try await owner.store.change(
            subscription: try await subscription(of: transaction), [change], by: device)
        try await owner.store.settle()
    }

    /// The number of the one subscription that the customer has, or of a transaction's.
    private func subscription(of transaction: SignedTransaction?) async throws -> Int64 {
        if let transaction, let number = Int64(transaction.originalID) { return number }
        let found = try await owner.store.subscriptions(for: device)
        guard let only = found.first, found.count == 1 else {
            throw TestStoreFailure(
                "\(account) has \(found.count) subscriptions, not one "
                    + "(\(found.map(\.productID).joined(separator: ", "))): name it by one of its "
                    + "transactions.")
        }
        return only.originalTransactionID
    }
}

/// A purchase charged nothing yet: somebody must approve it, the bank has not answered, or the plan
/// waits for the renewal.
public struct PurchasePends: Error, Sendable, Hashable, CustomStringConvertible {
    let name: String

    public var description: String { "\(name) was not charged yet." }
}
