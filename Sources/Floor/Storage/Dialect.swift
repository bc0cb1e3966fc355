/// The words in which the two databases differ; all other SQL is one text for both.
public enum Dialect: Sendable, Hashable, CaseIterable {
    /// SQLite 3.37 or later (STRICT tables).
    case sqlite
    /// PostgreSQL 14 or later (pipelines).
    case postgres

    /// Whether several processes may use a database at once, and change it beside each other; a
    /// file has one process, and so one writer.
    public var isShared: Bool {
        switch self {
        case .sqlite: false
        case .postgres: true
        }
    }

    /// The type of a column of 64-bit integers.
    public var integer: String {
        switch self {
        case .sqlite: "INTEGER"
        case .postgres: "BIGINT"
        }
    }

    /// The type of a single integer column that is the primary key; the caller numbers the rows.
    public var integerKey: String {
        switch self {
        case .sqlite: "INTEGER PRIMARY KEY"
        case .postgres: "BIGINT PRIMARY KEY"
        }
    }

    /// The type of a column of bytes.
    public var bytes: String {
        switch self {
        case .sqlite: "BLOB"
        case .postgres: "BYTEA"
        }
    }

    /// What follows the closing parenthesis of CREATE TABLE.
    public var tableOptions: String {
        switch self {
        case .sqlite: " STRICT"
        case .postgres: ""
        }
    }

    /// The month in UTC, such as `2026-03`, of a column of milliseconds since 1970.
    public func month(ofMilliseconds column: String) -> String {
        switch self {
        case .sqlite: "strftime('%Y-%m', \(column) / 1000, 'unixepoch')"
        case .postgres: "to_char(to_timestamp(\(column) / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')"
        }
    }

    /// What the database's own clock shows, in milliseconds since 1970.
    public var now: String {
        switch self {
        case .sqlite: "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"
        case .postgres: "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)"
        }
    }

    /// What follows a SELECT of a row that is about to change; SQLite's single writer needs
    /// nothing. Who refers to the row by a foreign key need not wait.
    public var lockRow: String {
        switch self {
        case .sqlite: ""
        case .postgres: " FOR NO KEY UPDATE"
        }
    }

    /// The same for the rows of some tables, of those that nobody else has locked.
    ///
    /// - Parameter tables: their names in the query.
    public func lockFreeRows(of tables: String) -> String {
        switch self {
        case .sqlite: ""
        case .postgres: " FOR NO KEY UPDATE OF \(tables) SKIP LOCKED"
        }
    }
}
