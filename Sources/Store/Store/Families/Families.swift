import Storage
public import SubscriptionRules

/// A purchase that a family can share, and who has it.
public struct SharedEntry: Sendable {
    /// Who bought it.
    public let purchaser: String
    /// The app that sold it.
    public let bundleID: String
    /// The product of the newest period.
    public let productID: String
    /// The purchaser's original transaction.
    public let originalTransactionID: Int64
    /// Whether the purchaser shares it.
    public let isShared: Bool
    /// Who has it now, in the order of first access.
    public let holders: [Holder]

    /// A member who has what another one bought.
    public struct Holder: Sendable, Hashable {
        public let account: String
        /// The member's own original transaction.
        public let originalTransactionID: Int64
        /// Since when, the last time.
        public let since: Instant
    }
}

/// What a family member has, or had, of another one's purchase.
public struct SharedWithMember: Sendable, Hashable {
    /// Who bought it.
    public let purchaser: String
    /// The app that sold it.
    public let bundleID: String
    /// The product of the newest period.
    public let productID: String
    /// The member's own original transaction.
    public let originalTransactionID: Int64
    /// The purchaser's original transaction.
    public let source: Int64
    /// Since when, the last time.
    public let since: Instant
    /// Until when access is paid for, grace included; nil for what was bought once.
    public let expires: Instant?
    /// When sharing ended for the member; nil while it goes on.
    public let ended: Instant?
    /// Whether the member has access now.
    public let isEntitled: Bool
}

extension Store {
    /// What others of the family share with an account, or shared, in the order of first access.
    ///
    /// - Throws: `StoreError.unknown(.account)`.
    public func shared(
        with account: String, in environment: StoreEnvironment
    ) async throws -> [SharedWithMember] {
        try await read { reader in
            let customer = try Customer.find(account: account, environment, in: reader.session)
            guard let customer else { throw StoreError.unknown(.account, account) }
            let shares = try FamilyShare.all(ofMember: customer.id, in: reader.session)
            let accounts = try Customer.accounts(
                of: Set(shares.map(\.purchaser)), in: reader.session)
            return try shares.compactMap { share in
                try reader.shared(share, by: accounts[share.purchaser] ?? "")
            }
        }
    }

    /// The families of an environment, or the one that an account is in.
    ///
    /// - Parameter after: the number of the last one of the page before.
    /// - Throws: `StoreError.unknown(.account)`.
    public func families(
        account: String? = nil, in environment: StoreEnvironment, after: Int64, limit: Int
    ) async throws -> [Family] {
        try await read { reader in
            guard let account else {
                return try Family.page(
                    environment, after: after, limit: limit, in: reader.session)
            }
            let customer = try Customer.find(account: account, environment, in: reader.session)
            guard let customer else { throw StoreError.unknown(.account, account) }
            let family = try Family.find(ofCustomer: customer.id, in: reader.session)
            return family.map { $0.id > after ? [$0] : [] } ?? []
        }
    }

    /// A family, and what its members bought that can be shared and is not over.
    ///
    /// - Throws: `StoreError.unknown(.family)`.
    public func family(
        _ id: Int64, in environment: StoreEnvironment
    ) async throws -> (Family, [SharedEntry]) {
        try await read { reader in
            guard let family = try Family.find(id, environment, in: reader.session) else {
                throw StoreError.unknown(.family, String(id))
            }
            return (family, try family.members.flatMap { try reader.shared(by: $0.customer) })
        }
    }

    /// The family of the customer on a device, if there is one, and what its members bought in
    /// this app that can be shared; without a family what the customer bought.
    public func family(
        for device: DeviceSession
    ) async throws -> (Customer, Family?, [SharedEntry]) {
        try await read { reader in
            let customer = try reader.account(device)
            let family = try Family.find(ofCustomer: customer.id, in: reader.session)
            let members = family?.members.map(\.customer) ?? [customer.id]
            let app = try reader.apps[device.app]
            let entries = try members.flatMap { try reader.shared(by: $0) }
            // What others keep for themselves is their business.
            let told = entries.filter {
                $0.bundleID == app.bundleID && ($0.isShared || $0.purchaser == customer.account)
            }
            return (customer, family, told)
        }
    }
}

extension StoreReader {
    fileprivate func shared(
        _ share: FamilyShare, by purchaser: String
    ) throws -> SharedWithMember? {
        let product: String
        var (expires, isEntitled): (Instant?, Bool) = (nil, share.isOpen)
        if let id = share.subscription {
            guard let one = try SubscriptionRecord.find(id, in: session)?.subscription else {
                return nil
            }
            product = one.plan.productID
            expires = one.newestPeriod.end
            if case .grace(_, let until) = one.state { expires = until }
            isEntitled = share.isOpen && one.isEntitled
        } else {
            guard let bought = try TransactionRecord.find(share.source, in: session) else {
                return nil
            }
            product = bought.productID
            isEntitled = share.isOpen && bought.revocation == nil
        }
        return SharedWithMember(
            purchaser: purchaser, bundleID: try apps[share.app].bundleID, productID: product,
            originalTransactionID: share.id, source: share.source, since: share.since,
            expires: expires, ended: share.end?.moment, isEntitled: isEntitled)
    }

    /// What a customer bought that a family can share, oldest first.
    fileprivate func shared(by id: Int64) throws -> [SharedEntry] {
        guard let purchaser = try Customer.find(id, in: session) else {
            throw Stored.missing("customer \(id)", for: "a family")
        }
        let records = try SubscriptionRecord.all(ofCustomer: id, in: session)
        let once = try TransactionRecord.boughtOnce(byCustomer: id, in: session)
        let subscriptions = try records.filter { !$0.subscription.isOver }.compactMap { record in
            let one = record.subscription
            return try entry(
                one.id, of: try apps[record.app], one.plan.productID, bought: one.serviceStart,
                by: purchaser)
        }
        return try subscriptions
            + once.compactMap { one in
                try entry(
                    one.id, of: try apps[one.app], one.productID, bought: one.purchased,
                    by: purchaser)
            }
    }

    private func entry(
        _ source: Int64, of app: App, _ productID: String, bought: Instant, by purchaser: Customer
    ) throws -> SharedEntry? {
        guard app.product(productID)?.isFamilyShareable == true else { return nil }
        let choice = try SharingChoice.find(source, in: session)
        let shares = try FamilyShare.all(ofSource: source, in: session).filter(\.isOpen)
        let accounts = try Customer.accounts(of: Set(shares.map(\.member)), in: session)
        return SharedEntry(
            purchaser: purchaser.account, bundleID: app.bundleID, productID: productID,
            originalTransactionID: source,
            isShared: try app.isShared(
                productID, source: source, bought: bought, choice: choice, by: purchaser,
                in: session),
            holders: shares.map { share in
                SharedEntry.Holder(
                    account: accounts[share.member] ?? "", originalTransactionID: share.id,
                    since: share.since)
            })
    }
}

extension App {
    /// Whether a purchase of a product is shared, as its purchaser chose or would (FAM-3).
    func isShared(
        _ productID: String, source: Int64, bought: Instant, choice: Bool?,
        by purchaser: Customer, in session: any Session
    ) throws -> Bool {
        guard let product = product(productID) else { return false }
        return FamilySharing.isShared(
            product,
            isOlder: try isOlderThanSharing(
                product.id, source: source, bought: bought, in: session), choice: choice,
            sharesNew: purchaser.sharesNewPurchases)
    }
}
