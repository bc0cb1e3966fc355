import Storage
public import SubscriptionRules

/// What a person looks for by a few words or a number.
public struct SearchMatch: Sendable {
    /// What was found.
    public enum Kind: String, Sendable, CaseIterable {
        /// An account whose name begins so.
        case account
        /// A subscription with this identifier.
        case subscription
        /// A transaction with this identifier.
        case transaction
        /// An order with this identifier.
        case order
        /// A subscription to the product of this name.
        case product
    }

    public let kind: Kind
    /// Whose it is.
    public let customer: Customer
    /// The subscription; nil for an account that was found by its name, and for a purchase that
    /// is none.
    public let subscription: Subscription?
    /// What was bought, of a subscription what runs now, as its state says; nil for an account
    /// that was found by its name.
    public let productID: String?
    /// Who bought what a family member has: the subscription is the purchaser's.
    public var purchaser: Customer?
}

extension Store {
    /// Finds accounts by the beginning of their names, and purchases by a whole identifier: of a
    /// transaction, an order or a product.
    ///
    /// - Parameter limit: how many at most.
    public func search(
        _ text: String, in environment: StoreEnvironment, limit: Int
    ) async throws -> [SearchMatch] {
        try await read { reader in
            var matches = try reader.matches(ofNumber: text, in: environment)
            let accounts = try Customer.page(
                of: environment, beginning: text, limit: limit, in: reader.session)
            matches += accounts.map {
                SearchMatch(kind: .account, customer: $0, subscription: nil, productID: nil)
            }
            let rest = limit - matches.count
            for app in reader.apps.all where rest > 0 {
                matches += try SubscriptionRecord.ofProduct(
                    text, app: app.id, in: environment, limit: rest, session: reader.session
                ).map { record, customer in
                    SearchMatch(
                        kind: .product, customer: customer, subscription: record.subscription,
                        productID: text)
                }
            }
            return Array(matches.prefix(limit))
        }
    }
}

extension StoreReader {
    /// What a number names: a subscription is named by its first transaction.
    fileprivate func matches(
        ofNumber text: String, in environment: StoreEnvironment
    ) throws -> [SearchMatch] {
        let order = OrderID.transactionID(text)
        guard let id = Int64(text) ?? order,
            let transaction = try TransactionRecord.find(id, in: session),
            let customer = try Customer.find(transaction.customer, in: session),
            customer.environment == environment
        else { return [] }
        let record = try transaction.subscription.flatMap {
            try SubscriptionRecord.find($0, in: session)
        }
        let kind: SearchMatch.Kind =
            order == id ? .order : record?.subscription.id == id ? .subscription : .transaction
        return [
            SearchMatch(
                kind: kind, customer: customer, subscription: record?.subscription,
                productID: record?.subscription.plan.productID ?? transaction.productID,
                purchaser: try purchaser(ofSource: transaction.source))
        ]
    }

    private func purchaser(ofSource source: Int64?) throws -> Customer? {
        guard let source, let paid = try TransactionRecord.find(source, in: session) else {
            return nil
        }
        return try Customer.find(paid.customer, in: session)
    }
}
