import Storage
public import SubscriptionRules

/// People who share what they buy: an organiser and up to five others, in one environment.
public struct Family: Sendable {
    /// Its number.
    public let id: Int64
    /// Where all its members have their accounts.
    public let environment: StoreEnvironment
    /// When it was made.
    public let created: Instant
    /// Who is in it, the organiser first, then in the order of joining.
    public internal(set) var members: [Member]

    /// Somebody in a family.
    public struct Member: Sendable, Hashable {
        let customer: Int64
        /// The name that the member signs in with.
        public let account: String
        /// 0 is the organiser's; two members never have the same.
        let place: Int
        /// When the member joined.
        public let joined: Instant
        /// Whether the member shares new purchases (FAM-3).
        public let sharesNewPurchases: Bool

        /// Whether the family is the member's own.
        public var isOrganiser: Bool { place == 0 }
    }

    static let columns = "f.id, f.environment, f.created_at"
    static let memberColumns = "m.family, m.customer, m.place, m.joined_at"

    /// Reads a family without its members.
    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "family", Family.columns)
        id = try row.identifier(0)
        environment = try row.value(1)
        created = try row.instant(2)
        members = []
    }

    init(id: Int64, environment: StoreEnvironment, created: Instant) {
        (self.id, self.environment, self.created) = (id, environment, created)
        members = []
    }
}

extension Family.Member {
    /// Reads `Family.memberColumns`; what is the account's own is given.
    init(_ row: Row, account: String, sharesNew: Bool) throws(StorageError) {
        let row = StoredRow(row, of: "family_member of family", Family.memberColumns)
        customer = try row.identifier(1)
        self.account = account
        place = Int(try row.integer(2, in: 0...Int64(FamilySharing.mostMembers - 1)))
        joined = try row.instant(3)
        sharesNewPurchases = sharesNew
    }
}

extension Family {
    func insert(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO family (id, environment, created_at)
            VALUES (\(id), \(environment), \(created))
            """)
    }

    /// Takes somebody in, whose row names the organiser from now on.
    func insert(_ member: Member, organiser: Int64, in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO family_member (customer, family, place, joined_at)
            VALUES (\(member.customer), \(id), \(Int64(member.place)), \(member.joined))
            """)
        try session.execute(
            "UPDATE customer SET organiser = \(organiser) WHERE id = \(member.customer)")
    }

    /// Lets somebody go.
    static func removeMember(_ customer: Int64, in session: any Session) throws {
        try session.execute("DELETE FROM family_member WHERE customer = \(customer)")
        try session.execute("UPDATE customer SET organiser = NULL WHERE id = \(customer)")
    }

    /// Forgets a family that nobody is in any more.
    func delete(in session: any Session) throws {
        try session.execute("DELETE FROM family WHERE id = \(id)")
    }

    static func find(
        _ id: Int64, _ environment: StoreEnvironment, in session: any Session
    ) throws -> Family? {
        try first("f.id = \(id) AND f.environment = \(environment)", in: session)
    }

    /// The family that a customer is in.
    static func find(ofCustomer customer: Int64, in session: any Session) throws -> Family? {
        try first(
            "f.id = (SELECT m.family FROM family_member m WHERE m.customer = \(customer))",
            in: session)
    }

    private static func first(_ condition: SQL, in session: any Session) throws -> Family? {
        try session.row("SELECT \(raw: columns) FROM family f WHERE " + condition).map { row in
            var family = try Family(row)
            family.members = try members(of: [family.id], in: session)[family.id] ?? []
            return family
        }
    }

    /// The families of an environment in the order in which they were made.
    static func page(
        _ environment: StoreEnvironment, after: Int64, limit: Int, in session: any Session
    ) throws -> [Family] {
        var families = try session.rows(
            """
            SELECT \(raw: columns) FROM family f
            WHERE f.environment = \(environment) AND f.id > \(after) ORDER BY f.id LIMIT \(limit)
            """
        ).map { try Family($0) }
        guard !families.isEmpty else { return [] }
        let members = try members(of: families.map(\.id), in: session)
        for place in families.indices {
            families[place].members = members[families[place].id] ?? []
        }
        return families
    }

    private static func members(
        of families: [Int64], in session: any Session
    ) throws -> [Int64: [Member]] {
        let rows = try session.rows(
            """
            SELECT \(raw: memberColumns), c.account, c.shares_new
            FROM family_member m JOIN customer c ON c.id = m.customer
            WHERE m.family IN (\(list: families)) ORDER BY m.joined_at, m.place
            """)
        var members: [Int64: [Member]] = [:]
        for row in rows {
            members[try row.integer(0), default: []].append(
                try Member(row, account: try row.text(4), sharesNew: row.integer(5) != 0))
        }
        return members
    }
}

extension Customer {
    /// Everybody in the families of some organisers.
    static func ofOrganisers(_ ids: Set<Int64>, in session: any Session) throws -> [Int64] {
        guard !ids.isEmpty else { return [] }
        return try session.rows(
            "SELECT id FROM customer WHERE organiser IN (\(list: ids.sorted()))"
        ).map { try $0.integer(0) }
    }

    /// Locks the rows of organisers that nobody else has locked.
    ///
    /// - Returns: whose rows are locked now.
    static func lockFree(_ ids: Set<Int64>, in session: any Session) throws -> Set<Int64> {
        guard !ids.isEmpty else { return [] }
        let lock = session.dialect.lockFreeRows(of: "c")
        return Set(
            try session.rows(
                """
                SELECT c.id FROM customer c WHERE c.id IN (\(list: ids.sorted()))
                ORDER BY c.id\(raw: lock)
                """
            ).map { try $0.integer(0) })
    }

    /// Sets whether a customer shares new purchases with the family.
    static func setSharesNew(_ shares: Bool, of id: Int64, in session: any Session) throws {
        try session.execute("UPDATE customer SET shares_new = \(shares) WHERE id = \(id)")
    }
}
