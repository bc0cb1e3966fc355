import Storage
public import SubscriptionRules

/// A bill as the operator sees it.
public struct BillEntry: Sendable {
    public let bill: BillRecord
    /// The app in which it was made.
    public let bundleID: String
    /// The account that pays it.
    public let account: String
}

extension Store {
    /// The bills of an environment that were not paid at once, newest first.
    ///
    /// - Parameters:
    ///   - state: only those in this state; nil for all.
    ///   - account: only those of this one; nil for all.
    ///   - before: the identifier of the last one of the page before; nil for the newest.
    /// - Throws: `StoreError.unknown(.account)`.
    public func bills(
        _ state: BillState?, account: String?, before: Int64?, limit: Int,
        in environment: StoreEnvironment
    ) async throws -> [BillEntry] {
        try await read { reader in
            let customer = try account.map { account in
                guard
                    let found = try Customer.find(
                        account: account, environment, in: reader.session)
                else { throw StoreError.unknown(.account, account) }
                return found.id
            }
            return try reader.entries(
                try BillRecord.all(
                    environment, state: state, customer: customer, before: before, limit: limit,
                    in: reader.session))
        }
    }

    /// One bill, also one that was paid at once.
    ///
    /// - Throws: `StoreError.unknown(.bill)`.
    public func bill(_ id: Int64, in environment: StoreEnvironment) async throws -> BillEntry {
        try await read { reader in
            let bill =
                try BillRecord.find(id, in: reader.session)
                ?? TransactionRecord.find(id, in: reader.session).flatMap {
                    $0.source == nil ? BillRecord(paidAtOnce: $0) : nil
                }
            guard let bill, bill.environment == environment,
                let entry = try reader.entries([bill]).first
            else { throw StoreError.unknown(.bill, String(id)) }
            return entry
        }
    }
}

extension StoreReader {
    fileprivate func entries(_ bills: [BillRecord]) throws -> [BillEntry] {
        let accounts = try Customer.accounts(of: Set(bills.map(\.customer)), in: session)
        return try bills.map { bill in
            guard let account = accounts[bill.customer] else {
                throw Stored.missing("customer \(bill.customer)", for: "bill \(bill.id)")
            }
            return BillEntry(
                bill: bill, bundleID: try apps[bill.app].bundleID, account: account)
        }
    }
}
