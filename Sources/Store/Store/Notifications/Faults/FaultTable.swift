import AppStoreWire
import DueWork
import Storage
import SubscriptionRules
import TimeAndChance

/// A rule by which the outside goes wrong, and its counters.
struct FaultRecord {
    let id: Int64
    let environment: StoreEnvironment
    /// The app that it is for; nil for all.
    let app: Int64?
    let effect: FaultRule.Effect
    let percent: Int
    let seed: String
    let most: Int?
    private(set) var candidates: Int64 = 0
    private(set) var applied: Int64 = 0
    let created: Instant

    var isSpent: Bool { most.map { applied >= Int64($0) } ?? false }

    /// Counts a candidate and decides by the seed and its number; only while it is not spent.
    ///
    /// - Returns: the candidate's number when it is taken.
    mutating func take() -> Int64? {
        guard !isSpent else { return nil }
        candidates += 1
        let drawn = DerivedNumber.below(100, seed: seed, purpose: "choice", number: candidates)
        guard drawn < Int64(percent) else { return nil }
        applied += 1
        return candidates
    }

    static let columns = """
        id, environment, kind, app, notification_kind, notification_subkind, operation, \
        duration, times, error_code, percent, seed, most, candidates, applied, created_at
        """

    /// The rules of both environments, or of one, in the order in which they were made.
    /// Those that cannot be read are set aside.
    static func all(
        in environment: StoreEnvironment? = nil, passingOver aside: SetAside,
        _ session: any Session
    ) throws -> [FaultRecord] {
        var sql: SQL = "SELECT \(raw: columns) FROM fault"
        if let environment { sql += " WHERE environment = \(environment)" }
        return try session.rows(sql + " ORDER BY id").compactMap { row in
            try aside.read("fault", row.integer(0)) { try FaultRecord(row) }
        }
    }

    func insert(in session: any Session) throws {
        let parts = effect.parts
        try session.execute(
            """
            INSERT INTO fault (\(raw: FaultRecord.columns))
            VALUES (\(id), \(environment), \(parts.kind.rawValue), \(app),
                \(parts.type?.rawValue), \(parts.subtype?.rawValue), \(parts.operation),
                \(parts.duration?.milliseconds), \(parts.times), \(parts.errorCode), \(percent),
                \(seed), \(most), \(candidates), \(applied), \(created))
            """)
    }

    /// Takes rules of an environment away.
    ///
    /// - Parameter id: only this one; nil for all.
    /// - Returns: how many there were.
    static func remove(
        _ id: Int64? = nil, in environment: StoreEnvironment, _ session: any Session
    ) throws -> Int {
        var sql: SQL = "DELETE FROM fault WHERE environment = \(environment)"
        if let id { sql += " AND id = \(id)" }
        return try session.execute(sql)
    }

    func saveCounters(in session: any Session) throws {
        try session.execute(
            """
            UPDATE fault SET candidates = \(candidates), applied = \(applied) WHERE id = \(id)
            """)
    }
}

extension FaultRecord {
    init(
        id: Int64, environment: StoreEnvironment, app: Int64?, rule: FaultRule, seed: String,
        created: Instant
    ) {
        self.id = id
        self.environment = environment
        self.app = app
        effect = rule.effect
        percent = rule.percent
        self.seed = seed
        most = rule.most
        self.created = created
    }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "fault", FaultRecord.columns)
        id = try row.identifier(0)
        environment = try row.value(1)
        app = try row.identifierOrNil(3)
        let kind: FaultKind = try row.value(2)
        let effect = FaultRule.Effect(
            FaultParts(
                kind: kind, type: try row.textOrNil(4).map(NotificationTypeV2.init(rawValue:)),
                subtype: try row.textOrNil(5).map(Subtype.init(rawValue:)),
                operation: try row.textOrNil(6),
                duration: row.isNull(7) ? nil : try row.span(7),
                times: try row.countOrNil(8),
                errorCode: try row.integerOrNil(9, in: 0...Stored.largestNumber)))
        guard let effect else { throw row.contradiction("a \(kind.rawValue) lasts some time") }
        self.effect = effect
        percent = try row.count(10)
        seed = try row.text(11)
        most = try row.countOrNil(12)
        candidates = try row.integer(13, in: 0...Stored.largestNumber)
        applied = try row.integer(14, in: 0...Stored.largestNumber)
        created = try row.instant(15)
    }
}

/// An effect as columns; what belongs to one kind only is nil in the others.
private struct FaultParts {
    var kind: FaultKind
    var type: NotificationTypeV2?
    var subtype: Subtype?
    var operation: String?
    var duration: Span?
    var times: Int?
    var errorCode: Int64?
}

extension FaultRule.Effect {
    fileprivate var parts: FaultParts {
        var parts = FaultParts(kind: FaultRule(self).kind)
        switch self {
        case .notifications(let fault, let type, let subtype):
            (parts.type, parts.subtype) = (type, subtype)
            switch fault {
            case .drop, .lose: break
            case .repeats(let times): parts.times = times
            case .delay(let span), .reorder(let span): parts.duration = span
            }
        case .calls(let fault, let operation):
            parts.operation = operation
            switch fault {
            case .fail(let error): parts.errorCode = error.code
            case .limit(let pause): parts.duration = pause
            case .slow(let span): parts.duration = span
            }
        }
        return parts
    }

    /// - Returns: nil for one that lasts some time and does not say how long.
    fileprivate init?(_ parts: FaultParts) {
        func notifications(_ fault: NotificationFault) -> FaultRule.Effect {
            .notifications(fault, type: parts.type, subtype: parts.subtype)
        }
        func calls(_ fault: CallFault) -> FaultRule.Effect {
            .calls(fault, operation: parts.operation)
        }
        let effect: FaultRule.Effect? =
            switch parts.kind {
            case .dropNotifications: notifications(.drop)
            case .loseNotifications: notifications(.lose)
            case .repeatNotifications: notifications(.repeats(times: parts.times ?? 1))
            case .delayNotifications: parts.duration.map { notifications(.delay($0)) }
            case .reorderNotifications: parts.duration.map { notifications(.reorder(within: $0)) }
            case .failCalls:
                calls(parts.errorCode.map(CallFault.fail(code:)) ?? .fail(.generalInternal))
            case .limitCalls: calls(.limit(pause: parts.duration))
            case .slowCalls: parts.duration.map { calls(.slow($0)) }
            }
        guard let effect else { return nil }
        self = effect
    }
}
