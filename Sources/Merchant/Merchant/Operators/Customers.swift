import MerchantRules
import Storage

/// Which customers are listed; all where nothing is said.
public struct CustomerFilter: Hashable, Sendable {
    public var bundleID: String?
    /// How the account's name begins.
    public var prefix: String?
    /// Only those that this is or was unlocked for.
    public var entitlement: String?
    /// Whether it is unlocked now, or was before: of the one entitlement, or of any.
    public var isActive: Bool?

    public init(
        bundleID: String? = nil, prefix: String? = nil, entitlement: String? = nil,
        isActive: Bool? = nil
    ) {
        self.bundleID = bundleID
        self.prefix = prefix
        self.entitlement = entitlement
        self.isActive = isActive
    }

    fileprivate func takes(_ customer: MerchantCustomer) -> Bool {
        guard entitlement != nil || isActive != nil else { return true }
        let chosen = customer.entitlements.filter { entitlement == nil || $0.id == entitlement }
        guard !chosen.isEmpty else { return false }
        return isActive.map { $0 == chosen.contains { $0.access.isGranted } } ?? true
    }
}

/// A customer of an app.
public struct ListedCustomer: Hashable, Sendable {
    public let bundleID: String
    public let customer: MerchantCustomer
}

/// A page of customers.
public struct CustomerPage: Hashable, Sendable {
    public let customers: [ListedCustomer]
    /// Where the next page begins, which may be empty; nil after the last one.
    public let next: CustomerCursor?
}

/// The customer after which a page begins.
public struct CustomerCursor: Hashable, Sendable {
    fileprivate let app: Int64
    fileprivate let name: String

    fileprivate init(app: Int64, name: String) {
        self.app = app
        self.name = name
    }

    /// Nil for a text that none was written as.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let app = Int64(parts[0]) else { return nil }
        self.init(app: app, name: String(parts[1]))
    }

    public var text: String { "\(app):\(name)" }
}

extension Merchant {
    /// How many accounts one page looks at: what they have is computed for each.
    private static let mostJudged = 500

    /// Customers by app and name. A filter by what they have is judged account by account, so a
    /// page may have fewer entries than asked for although others follow.
    ///
    /// - Throws: `MerchantError.unknownApp` where the filter names one.
    public func customers(
        where filter: CustomerFilter = CustomerFilter(), after cursor: CustomerCursor? = nil,
        limit: Int
    ) async throws -> CustomerPage {
        let chosen = try filter.bundleID.map { [try app($0)] } ?? Array(apps.values)
        var found: [ListedCustomer] = []
        var judged = 0
        for app in chosen.sorted(by: { $0.id < $1.id }) where app.id >= cursor?.app ?? 0 {
            var last = cursor?.app == app.id ? cursor?.name : nil
            while true {
                let names = try await names(of: app.id, after: last, beginning: filter.prefix)
                for name in names {
                    let customer = try await customer(name, of: app.setup.bundleID)
                    last = name
                    judged += 1
                    if filter.takes(customer) {
                        found.append(
                            ListedCustomer(bundleID: app.setup.bundleID, customer: customer))
                    }
                    if found.count >= limit || judged >= Self.mostJudged {
                        return CustomerPage(
                            customers: found, next: CustomerCursor(app: app.id, name: name))
                    }
                }
                if names.count < Self.batch { break }
            }
        }
        return CustomerPage(customers: found, next: nil)
    }

    private static let batch = 100

    /// The next names in the order of their bytes.
    private func names(
        of app: Int64, after last: String?, beginning prefix: String?
    ) async throws -> [String] {
        try await database.read { session in
            var query: SQL = "SELECT name FROM account WHERE app = \(app)"
            if let last { query += " AND name > \(last)" }
            if let prefix {
                // No text that begins with it comes after the last character that there is.
                query += " AND name >= \(prefix) AND name < \(prefix + "\u{10FFFF}")"
            }
            query += " ORDER BY name LIMIT \(Self.batch)"
            return try session.rows(query).map { row throws(StorageError) in try row.text(0) }
        }
    }
}
