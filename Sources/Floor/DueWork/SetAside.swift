package import Logging
package import Storage
import Synchronization

/// A row that due work had to be left undone for.
public struct DamagedRow: Sendable, Hashable {
    /// The table's name.
    public let table: String
    public let id: Int64
    /// What is wrong, without what the row holds.
    public let reason: String
}

/// That work on one row failed because of what is stored. Nothing of the transaction was kept, and
/// it is done again without the row.
package struct Damage: Error {
    package let row: DamagedRow

    package init(_ table: String, _ id: Int64, _ error: StorageError) {
        row = DamagedRow(table: table, id: id, reason: error.message)
    }

    /// Runs the work on one row; `corrupt` becomes this row's damage.
    package static func of<Value>(
        _ table: String, _ id: Int64, _ work: () throws -> Value
    ) throws -> Value {
        do {
            return try work()
        } catch let error as StorageError where error.code == .corrupt {
            throw Damage(table, id, error)
        }
    }
}

/// The rows that due work passes over, so that one that is damaged holds up no other. They are
/// found anew by every process: a row that was repaired meanwhile is worked on again.
package final class SetAside: Sendable {
    private let known = Mutex<[String: [Int64: String]]>([:])
    private let log: Logger
    private let remedy: String

    /// - Parameter remedy: what the operator does about one, for the log.
    package init(log: Logger, remedy: String) {
        self.log = log
        self.remedy = remedy
    }

    /// The rows that were set aside, table by table in the order of their identifiers.
    package var rows: [DamagedRow] {
        known.withLock { known in
            known.sorted { $0.key < $1.key }.flatMap { table, rows in
                rows.sorted { $0.key < $1.key }.map {
                    DamagedRow(table: table, id: $0.key, reason: $0.value)
                }
            }
        }
    }

    /// Looks at every row again: they are others now.
    package func forget() { known.withLock { $0 = [:] } }

    /// The identifiers of a table's rows that were set aside.
    package func identifiers(of table: String) -> Set<Int64> {
        known.withLock { Set($0[table]?.keys.map { $0 } ?? []) }
    }

    /// Sets a row aside, and says so once.
    ///
    /// - Returns: whether it was not yet.
    @discardableResult
    package func add(_ row: DamagedRow) -> Bool {
        let isNew = known.withLock {
            $0[row.table, default: [:]].updateValue(row.reason, forKey: row.id) == nil
        }
        guard isNew else { return false }
        log.error(
            "a damaged row was set aside: nothing happens to it any more; \(remedy)",
            metadata: ["row": "\(row.table) \(row.id)", "reason": "\(row.reason)"])
        return true
    }

    /// Reads a row whose identifier is `id`; one that cannot be read is set aside.
    ///
    /// - Returns: nil for a row that was set aside, now or before.
    package func read<Value>(
        _ table: String, _ id: Int64, _ read: () throws -> Value
    ) throws -> Value? {
        guard !known.withLock({ $0[table]?[id] != nil }) else { return nil }
        do {
            return try read()
        } catch let error as StorageError where error.code == .corrupt {
            add(DamagedRow(table: table, id: id, reason: error.message))
            return nil
        }
    }
}

extension Session {
    /// The first of the rows of a query, in its order, that can be read; those that cannot are set
    /// aside.
    ///
    /// - Parameter query: it has the identifier as its first column, and no limit yet.
    package func first<Value>(
        _ table: String, _ query: SQL, passingOver aside: SetAside,
        _ read: (Row) throws -> Value
    ) throws -> Value? {
        while true {
            let passed = aside.identifiers(of: table)
            let rows = try rows(query + " LIMIT \(passed.count + 1)")
            for row in rows {
                let id = try row.integer(0)
                guard !passed.contains(id) else { continue }
                if let value = try aside.read(table, id, { try read(row) }) { return value }
            }
            guard rows.count > passed.count else { return nil }
            // Another one was set aside just now, so that more lies behind it.
            guard aside.identifiers(of: table).count > passed.count else { return nil }
        }
    }
}
