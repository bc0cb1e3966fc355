import DueWork
import Storage

/// All tables of the store. Instants are milliseconds, money is milliunits, truth is 0 or 1.
///
/// A released migration never changes: a new table or column is one more at the end of the list.
enum Schema {
    static let migrations = [
        Migration("0001 store") { dialect in statements(dialect) }
    ]

    private static func statements(_ dialect: Dialect) -> [String] {
        var statements = Claim.table(dialect) + ProcessRecord.table(dialect) + numbers(dialect)
        for table in tables { statements += table.statements(dialect) }
        return statements
    }

    /// A table stands behind those that it refers to.
    private static let tables: [TableDefinition] = [
        world, apps, catalogue, customers, sharingWithPublishers, devices, subscriptions, journal,
        ledger, bills, purchasesThatWait, prices, refunds, extensions, offers, families,
        notifications, faults, letters,
    ].flatMap { $0 }

    /// Processes that write beside each other draw numbers from a sequence, for which nobody
    /// waits; the only writer of a file counts them in the world's row.
    private static func numbers(_ dialect: Dialect) -> [String] {
        dialect.isShared ? ["CREATE SEQUENCE store_number INCREMENT BY \(Numbers.block)"] : []
    }
}
