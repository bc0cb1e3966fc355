import Storage
import SubscriptionRules

/// What a family member has of another one's purchase. How a subscription stands is read from the
/// purchaser's: there is one truth, and renewals, failures and ends reach the members by it.
struct FamilyShare {
    /// The member's original transaction.
    let id: Int64
    /// The purchaser's original transaction.
    let source: Int64
    /// The purchaser's subscription; nil for what is bought once.
    let subscription: Int64?
    let app: Int64
    let purchaser: Int64
    let member: Int64
    let groupID: String?
    let firstPurchased: Instant
    /// The member's newest transaction.
    var newest: Int64
    /// When the member got it, the last time.
    var since: Instant
    /// When and why it ended, and why the purchaser's subscription was over by then, if it was;
    /// nil while it goes on.
    var end: (moment: Instant, why: Ending, expired: ExpirationReason?)?

    /// Why a member has lost what was shared.
    enum Ending: String, Sendable, CaseIterable {
        /// The member left the family, or was removed, or the family was ended.
        case left
        /// The purchaser left.
        case purchaserLeft
        /// The purchaser stopped sharing.
        case stopped
        /// The purchaser hid what was bought once.
        case hidden
        /// The purchaser changed to a product that is not shared.
        case notShareable
    }

    var isOpen: Bool { end == nil }

    static let columns = """
        h.id, h.source, h.subscription, h.app, h.purchaser, h.member, h.group_id, \
        h.first_purchased_at, h.newest, h.since, h.ended_at, h.ending, h.expiration_reason
        """
    static let columnCount = 13
}

extension FamilyShare {
    /// Reads the columns of `columns`, which start at `first`.
    init(_ row: Row, first: Int = 0) throws(StorageError) {
        let row = StoredRow(row, of: "family_share", FamilyShare.columns, first: first)
        id = try row.identifier(0)
        source = try row.identifier(1)
        subscription = try row.identifierOrNil(2)
        app = try row.identifier(3)
        purchaser = try row.identifier(4)
        member = try row.identifier(5)
        groupID = try row.textOrNil(6)
        firstPurchased = try row.instant(7)
        newest = try row.identifier(8)
        since = try row.instant(9)
        guard let moment = try row.instantOrNil(10) else { return }
        end = (moment, try row.value(11), row.isNull(12) ? nil : try row.value(12))
    }

    /// Writes it, for the first time or again.
    func save(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO family_share (id, source, subscription, app, purchaser, member, group_id,
                first_purchased_at, newest, since, ended_at, ending, expiration_reason)
            VALUES (\(id), \(source), \(subscription), \(app), \(purchaser), \(member),
                \(groupID), \(firstPurchased), \(newest), \(since), \(end?.moment),
                \(end?.why.rawValue), \(end?.expired?.rawValue))
            ON CONFLICT (id) DO UPDATE SET newest = excluded.newest, since = excluded.since,
                ended_at = excluded.ended_at, ending = excluded.ending,
                expiration_reason = excluded.expiration_reason
            """)
    }

    /// Who has something of a purchase, or had it, in the order of first access.
    static func all(ofSource source: Int64, in session: any Session) throws -> [FamilyShare] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM family_share h WHERE h.source = \(source) ORDER BY h.id
            """
        ).map { try FamilyShare($0) }
    }

    /// What a member has or had of others, in the order of first access.
    static func all(ofMember member: Int64, in session: any Session) throws -> [FamilyShare] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM family_share h WHERE h.member = \(member) ORDER BY h.id
            """
        ).map { try FamilyShare($0) }
    }

    /// Whether a member had something of a group before.
    static func exists(
        member: Int64, app: Int64, groupID: String, in session: any Session
    ) throws -> Bool {
        try session.exists(
            """
            SELECT 1 FROM family_share h
            WHERE h.member = \(member) AND h.app = \(app) AND h.group_id = \(groupID)
            """)
    }

    /// The groups in which a member has access to an app's subscription that another one bought.
    static func groups(
        of member: Int64, app: Int64, in session: any Session
    ) throws -> Set<String> {
        let open = try session.rows(
            """
            SELECT \(raw: columns) FROM family_share h
            WHERE h.member = \(member) AND h.app = \(app) AND h.ended_at IS NULL
                AND h.group_id IS NOT NULL
            """
        ).map { try FamilyShare($0) }
        let entitled = try open.filter { share in
            guard let id = share.subscription,
                let record = try SubscriptionRecord.find(id, in: session)
            else { return false }
            return record.subscription.isEntitled
        }
        return Set(entitled.compactMap(\.groupID))
    }

    /// The purchases of which somebody has something that goes on, all of these customers' and to
    /// these customers.
    static func openSources(
        ofCustomer customer: Int64, in session: any Session
    ) throws -> [Int64] {
        try session.rows(
            """
            SELECT DISTINCT h.source FROM family_share h
            WHERE h.ended_at IS NULL AND (h.member = \(customer) OR h.purchaser = \(customer))
            ORDER BY h.source
            """
        ).map { try $0.integer(0) }
    }

    /// The share whose original transaction this is.
    static func find(_ id: Int64, in session: any Session) throws -> FamilyShare? {
        try session.row("SELECT \(raw: columns) FROM family_share h WHERE h.id = \(id)")
            .map { try FamilyShare($0) }
    }
}

/// What a purchaser chose for single purchases.
enum SharingChoice {
    static func find(_ source: Int64, in session: any Session) throws -> Bool? {
        try session.row("SELECT is_shared FROM sharing_choice WHERE source = \(source)")
            .map { try $0.integer(0) != 0 }
    }

    static func save(_ isShared: Bool, of source: Int64, in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO sharing_choice (source, is_shared) VALUES (\(source), \(isShared))
            ON CONFLICT (source) DO UPDATE SET is_shared = excluded.is_shared
            """)
    }
}

extension TransactionRecord {
    /// The members' transactions that come from one of the purchaser's.
    static func shared(from source: Int64, in session: any Session) throws -> [TransactionRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM store_transaction t
            WHERE t.source = \(source) ORDER BY t.id
            """
        ).map { try TransactionRecord($0) }
    }

    /// The first transaction of a purchase that was bought at a moment.
    static func first(
        ofSource source: Int64, purchased moment: Instant, in session: any Session
    ) throws -> Int64? {
        let row = try session.row(
            """
            SELECT MIN(t.id) FROM store_transaction t
            WHERE t.original_id = \(source) AND t.purchased_at = \(moment)
            """)
        return try row.flatMap { try $0.isNull(0) ? nil : $0.integer(0) }
    }

    /// What a customer bought once in all apps and has not been given back, oldest first.
    static func boughtOnce(
        byCustomer customer: Int64, in session: any Session
    ) throws -> [TransactionRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM store_transaction t
            WHERE t.customer = \(customer) AND t.source IS NULL AND t.revoked_at IS NULL
                AND t.kind = \(ProductType.nonConsumable.rawValue) ORDER BY t.id
            """
        ).map { try TransactionRecord($0) }
    }
}

/// Since when products can be shared that were sold before without it.
extension App {
    mutating func loadShareable(_ session: any Session) throws {
        for row in try session.rows(
            "SELECT product_id, since, number FROM shareable_product WHERE app = \(id)")
        {
            let row = StoredRow(row, of: "shareable_product", "product_id, since, number")
            shareableSince[ExactText(try row.text(0))] = ShareableSince(
                moment: try row.instant(1), number: try row.identifierOrNil(2))
        }
    }

    func saveShareable(
        _ productID: String, since moment: Instant, number: Int64, in session: any Session
    ) throws {
        try session.execute(
            """
            INSERT INTO shareable_product (app, product_id, since, number)
            VALUES (\(id), \(productID), \(moment), \(number))
            ON CONFLICT (app, product_id) DO NOTHING
            """)
    }
}
