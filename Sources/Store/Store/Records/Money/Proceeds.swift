import Storage
public import SubscriptionRules

/// What one product, or one SKU of several, brought in one storefront in one month, in milliunits
/// of its currency.
public struct ProceedsLine: Sendable, Hashable {
    /// The month in UTC, such as `2026-03`.
    public let month: String
    public let storefront: Storefront
    public let productID: String
    public let currency: Currency
    /// How many charges there were.
    public fileprivate(set) var charges: Int64
    /// How many charges were given back, in full or in part, reversals taken off.
    public fileprivate(set) var refunds: Int64
    /// What customers paid.
    public fileprivate(set) var paid: Int64
    /// What customers got back, reversals taken off.
    public fileprivate(set) var refunded: Int64
    /// What the store keeps of the rest.
    public fileprivate(set) var commission: Int64
    /// What the developer gets of the rest.
    public fileprivate(set) var proceeds: Int64
}

extension Store {
    /// What an app brought, by month, storefront and product, from the ledger.
    ///
    /// - Parameters:
    ///   - start: the first moment that counts; nil for all time.
    ///   - end: the first moment that no longer counts; nil for all time.
    /// - Throws: `StoreError.unknown(.app)`.
    public func proceeds(
        bundleID: String, from start: Instant?, to end: Instant?,
        in environment: StoreEnvironment
    ) async throws -> [ProceedsLine] {
        try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            let sums = try LedgerEntry.sums(
                app: app.id, environment, from: start, to: end, in: reader.session)
            var lines: [ProceedsKey: ProceedsLine] = [:]
            for sum in sums {
                let key = ProceedsKey(sum)
                try lines[key, default: ProceedsLine(of: sum)].add(sum)
            }
            return lines.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The ledger of an environment, page by page, in order or newest first.
    ///
    /// - Parameters:
    ///   - account: only what this one paid and got; nil for all.
    ///   - after: the sequence of the last entry of the page before; nil for the first page.
    /// - Throws: `StoreError.unknown(.account)`.
    public func ledger(
        of account: String? = nil, newestFirst: Bool = false, after: Int64?, limit: Int,
        in environment: StoreEnvironment
    ) async throws -> [LedgerLine] {
        try await read { reader in
            let customer = try account.map { account in
                let customer = try Customer.find(account: account, environment, in: reader.session)
                guard let customer else { throw StoreError.unknown(.account, account) }
                return customer.id
            }
            return try LedgerEntry.page(
                of: environment, customer: customer, newestFirst: newestFirst, after: after,
                limit: limit, in: reader.session
            ).map { sale in
                LedgerLine(
                    entry: sale.entry, currency: sale.currency, productID: sale.productID,
                    account: sale.account, bundleID: try reader.apps[sale.app].bundleID)
            }
        }
    }
}

/// An entry of the ledger, and what was sold to whom.
public struct LedgerLine: Sendable {
    /// The money that moved.
    public let entry: LedgerEntry
    /// What it is counted in.
    public let currency: Currency
    /// What was bought.
    public let productID: String
    /// Who bought it.
    public let account: String
    /// The app that sold it.
    public let bundleID: String
}

private struct ProceedsKey: Hashable, Comparable {
    let month: String
    let storefront: String
    let product: String
    let currency: String

    init(_ sum: LedgerEntry.Sum) {
        month = sum.month
        storefront = sum.storefront.code
        product = sum.productID
        currency = sum.currency.code
    }

    static func < (left: ProceedsKey, right: ProceedsKey) -> Bool {
        (left.month, left.storefront, left.product, left.currency)
            < (right.month, right.storefront, right.product, right.currency)
    }
}

extension ProceedsLine {
    /// A line of nothing.
    fileprivate init(of sum: LedgerEntry.Sum) {
        self.init(
            month: sum.month, storefront: sum.storefront, productID: sum.productID,
            currency: sum.currency, charges: 0, refunds: 0, paid: 0, refunded: 0, commission: 0,
            proceeds: 0)
    }

    /// - Throws: `StorageError` with `.overflow` where the line does not fit into 64 bits.
    fileprivate mutating func add(_ sum: LedgerEntry.Sum) throws(StorageError) {
        switch sum.kind {
        case .charge: charges += sum.entries
        case .proration, .refund: refunds += sum.entries
        case .reversal: refunds -= sum.entries
        }
        switch sum.kind {
        case .charge: paid = try paid.exactly(0, minus: sum.customer)
        case .proration, .refund, .reversal: refunded = try refunded.exactly(sum.customer)
        }
        commission = try commission.exactly(sum.store)
        proceeds = try proceeds.exactly(sum.developer)
    }
}

extension Int64 {
    /// The sum with another number, less a third.
    ///
    /// - Throws: `StorageError` with `.overflow`.
    func exactly(_ more: Int64, minus less: Int64 = 0) throws(StorageError) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(more)
        let (difference, isTooSmall) = sum.subtractingReportingOverflow(less)
        guard !isTooLarge, !isTooSmall else {
            throw StorageError(.overflow, "a sum of the ledger does not fit into 64 bits")
        }
        return difference
    }
}
