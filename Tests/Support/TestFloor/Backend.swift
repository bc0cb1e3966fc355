public import Storage
internal import StoragePostgres
internal import StorageSQLite
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The databases that every behaviour is tested on.
public enum Backend: String, CaseIterable, Sendable {
    /// A temporary file.
    case sqlite
    /// A schema of its own on the server that `PERENNIAL_TEST_POSTGRES` names.
    case postgres

    /// Those that can be used here: without a server only SQLite, except in CI, where a server
    /// that is missing must not look like success.
    public static let available: [Backend] = {
        if postgresURL != nil { return allCases }
        precondition(
            environment("CI") == nil,
            "PERENNIAL_TEST_POSTGRES is not set: scripts/test-postgres start prints its value")
        return [.sqlite]
    }()

    /// Makes a fresh, empty database that shares nothing with any other.
    ///
    /// - Parameter connections: how many PostgreSQL has.
    public func makeDatabase(
        limits: DatabaseLimits = patience, connections: Int = 2
    ) async throws -> any Database {
        switch self {
        case .sqlite: try SQLiteDatabase.ephemeral(limits: limits)
        case .postgres: try await Self.makePostgresSchema(limits, connections)
        }
    }

    /// Whose tables a borrowed database has.
    public enum Tenant: CaseIterable, Sendable {
        case store
        case merchant
    }

    /// Borrows an empty database that shares nothing with any other at the time, mostly with its
    /// tables made already, which takes longer than most tests: it was somebody's before, and goes
    /// back, and is emptied, when the value is gone.
    public func borrowDatabase(for tenant: Tenant = .store) async throws -> any Database {
        guard let shelf = Self.shelves[Shelf(backend: self, tenant: tenant)] else {
            preconditionFailure("there is no shelf for a \(tenant) on \(self)")
        }
        return try await shelf.borrow()
    }

    private struct Shelf: Hashable {
        let backend: Backend
        let tenant: Tenant
    }

    private static let shelves: [Shelf: DatabaseShelf] = {
        // Temporary files go with the last who knows them, and at the end nobody lets go.
        atexit {
            for shelf in Backend.shelves.values { shelf.clear() }
        }
        let shelves = allCases.flatMap { backend in
            Tenant.allCases.map { tenant in
                (
                    Shelf(backend: backend, tenant: tenant),
                    DatabaseShelf { try await backend.makeDatabase() }
                )
            }
        }
        return Dictionary(uniqueKeysWithValues: shelves)
    }()

    /// So long that no test meets with them that is not about them, however many run beside it:
    /// thousands of them wait for the one connection that makes schemas.
    public static let patience: DatabaseLimits = {
        var limits = DatabaseLimits()
        limits.turn = .seconds(7200)
        limits.waiting = 100_000
        limits.lock = .seconds(7200)
        limits.statement = .seconds(7200)
        limits.idle = .seconds(7200)
        limits.silence = .seconds(60)
        limits.answer = .seconds(60)
        limits.connecting = .seconds(60)
        return limits
    }()

    private static func makePostgresSchema(
        _ limits: DatabaseLimits, _ connections: Int
    ) async throws -> any Database {
        try PostgresDatabase(
            url: try await makePostgresURL(), connections: connections, limits: limits)
    }

    /// Makes a fresh schema on the server for programs that are started with its URL, and a
    /// database that looks into it beside them.
    public static func makeServed() async throws -> (url: String, database: any Database) {
        let url = try await makePostgresURL()
        return (url, try PostgresDatabase(url: url, connections: 2, limits: patience))
    }

    /// Several databases in one fresh schema, each with connections of its own, as several
    /// processes have them.
    public static func makeShared(_ count: Int) async throws -> [any Database] {
        let url = try await makePostgresURL()
        return try (0..<count).map { _ in
            try PostgresDatabase(url: url, connections: 4, limits: patience)
        }
    }

    /// Another process's way into the schema of a URL of `makeServed`.
    public static func join(_ url: String) throws -> any Database {
        try PostgresDatabase(url: url, connections: 2, limits: patience)
    }

    /// The URL of a fresh, empty schema on the server that `PERENNIAL_TEST_POSTGRES` names. A
    /// schema takes a hundredth of the time that a database takes.
    public static func makePostgresURL() async throws -> String {
        guard let url = postgresURL, let server else {
            preconditionFailure("PERENNIAL_TEST_POSTGRES is not set")
        }
        let number = count.add(1, ordering: .relaxed).newValue
        let schema = "test_\(getpid())_\(number)"
        try await server.get().write { session in
            // An earlier process on the same server may have had the same number.
            try session.execute("DROP SCHEMA IF EXISTS \(raw: schema) CASCADE")
            try session.execute("CREATE SCHEMA \(raw: schema)")
        }
        let separator = url.contains("?") ? "&" : "?"
        // The host of the parameters takes the place of the one before them.
        let host = environment("PERENNIAL_TEST_POSTGRES_SOCKET").map { "host=\($0)&" } ?? ""
        return "\(url)\(separator)\(host)options=-csearch_path%3D\(schema)"
    }

    private static let count = Atomic(0)
    private static let postgresURL = environment("PERENNIAL_TEST_POSTGRES")
    private static let server = postgresURL.map { url in
        Result { try PostgresDatabase(url: url, connections: 1, limits: patience) }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
