import Journal
import Storage
import SubscriptionRules

/// What a purchaser chooses for a purchase that a family can share.
public enum SharingChange: String, Sendable, Hashable, CaseIterable {
    case on, off
    /// What is bought once is hidden: nobody of the family has it any more (FAM-6).
    case hidden
}

extension Store {
    /// Shares a purchase of the customer on a device with the family, or stops that (FAM-3). It
    /// holds as long as the purchase, and without a family for one that is joined later.
    ///
    /// - Parameter id: the original transaction.
    /// - Throws: `StoreError.unknown(.originalTransaction)`; `.family(.isShared)`,
    ///   `.family(.notShareable)`; `.setting(.invalid)` for a subscription that is to be hidden.
    public func setSharing(
        _ change: SharingChange, originalTransaction id: Int64, by device: DeviceSession
    ) async throws {
        try await write(about: .customer(device.customer)) { work in
            try work.setSharing(change, of: id) {
                $0.customer == device.customer && $0.app == device.app
            }
        }
    }

    /// The same for the operator, whoever bought it.
    ///
    /// - Throws: as for a device.
    public func setSharing(
        _ change: SharingChange, originalTransaction id: Int64, in environment: StoreEnvironment
    ) async throws {
        try await write(about: .transaction(id)) { work in
            try work.setSharing(change, of: id) { $0.environment == environment }
        }
    }

    /// Sets whether an account shares what it buys from now on (FAM-3). What it has keeps what
    /// held for it.
    ///
    /// - Throws: `StoreError.unknown(.account)`.
    public func setSharesNewPurchases(
        _ shares: Bool, account: String, in environment: StoreEnvironment
    ) async throws {
        try await write(about: .account(account, environment)) { work in
            let customer = try Customer.find(account: account, environment, in: work.session)
            guard let customer else { throw StoreError.unknown(.account, account) }
            try work.setSharesNewPurchases(shares, of: customer.id)
        }
    }

    /// Sets whether the customer on a device wants to hear of what can be shared, or is (HIG-27).
    public func setHearsOfSharing(_ hears: Bool, by device: DeviceSession) async throws {
        try await write(about: .customer(device.customer)) { work in
            guard var customer = try Customer.find(device.customer, in: work.session),
                customer.hearsOfSharing != hears
            else { return }
            customer.hearsOfSharing = hears
            try customer.update(in: work.session)
            work.record(.changedAccount) { $0.customer = customer.id }
        }
    }

    /// The same by the customer on a device.
    public func setSharesNewPurchases(_ shares: Bool, by device: DeviceSession) async throws {
        try await write(about: .customer(device.customer)) { work in
            try work.setSharesNewPurchases(shares, of: device.customer)
        }
    }
}

extension UnitOfWork {
    fileprivate func setSharing(
        _ change: SharingChange, of id: Int64, where belongs: (TransactionRecord) -> Bool
    ) throws {
        guard let found = try TransactionRecord.find(id, in: session), found.originalID == id,
            belongs(found)
        else { throw StoreError.unknown(.originalTransaction, String(id)) }
        guard found.source == nil else { throw StoreError.family(.isShared(String(id))) }
        try catchUp(customer: found.customer)
        let before = try sharedPurchase(source: id)
        let productID = before.newest.productID
        guard before.app.product(productID)?.isFamilyShareable == true,
            before.newest.type.canBeShared
        else { throw StoreError.family(.notShareable(productID)) }
        guard change != .hidden || before.record == nil else {
            throw StoreError.setting(
                .invalid(
                    "sharing",
                    reason: "only what is bought once can be hidden; turn sharing off instead"))
        }
        try SharingChoice.save(change == .on, of: id, in: session)
        record(.changedSharing) { entry in
            entry.app = found.app
            entry.customer = found.customer
            entry.subscription = found.subscription
            entry.event.transactionID = id
            entry.event.note = change.rawValue
        }
        try SharingWork(self, try sharedPurchase(source: id), at: now).settle(
            why: change == .hidden ? .hidden : .stopped)
    }

    fileprivate func setSharesNewPurchases(_ shares: Bool, of id: Int64) throws {
        try catchUp(customer: id)
        guard let customer = try Customer.find(id, in: session),
            customer.sharesNewPurchases != shares
        else { return }
        // What was decided by the old setting stays, and is the purchase's own from here on.
        for purchase in try sharedPurchases(of: customer) where !purchase.isOver {
            guard try SharingChoice.find(purchase.source, in: session) == nil,
                purchase.app.product(purchase.newest.productID)?.isFamilyShareable == true
            else { continue }
            try SharingChoice.save(purchase.isShared, of: purchase.source, in: session)
        }
        try Customer.setSharesNew(shares, of: id, in: session)
        record(.changedSharing) { entry in
            entry.customer = id
            entry.event.note = shares ? "sharesNew" : "keepsNew"
        }
    }
}
