public import Storage
internal import StoragePostgres
internal import StorageSQLite
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The databases that every behaviour of the store is tested on.
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
    public func makeDatabase() async throws -> any Database {
        switch self {
        case .sqlite: try SQLiteDatabase.ephemeral()
        case .postgres: try await Self.makePostgresSchema()
        }
    }

    // A schema takes a hundredth of the time that a database takes.
    private static func makePostgresSchema() async throws -> any Database {
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
        return try PostgresDatabase(
            url: "\(url)\(separator)options=-csearch_path%3D\(schema)", connections: 2)
    }

    private static let count = Atomic(0)
    private static let postgresURL = environment("PERENNIAL_TEST_POSTGRES")
    private static let server = postgresURL.map { url in
        Result { try PostgresDatabase(url: url, connections: 1) }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
