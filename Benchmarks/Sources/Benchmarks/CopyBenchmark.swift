import AppStoreSigning
import Foundation
import Storage
import StoragePostgres
import StorageSQLite
import Store

/// How long copies of a whole world take, beside the plainest copy of the same rows.
struct CopyBenchmark {
    /// Of a PostgreSQL database that is measured as well.
    let url: String?
    let subscribers: Int
    let rounds: Int

    func run() async throws -> [any Figure] {
        let chain = try Fixture.chain()
        var figures = try await onSQLite(chain)
        if let url { figures += try await onPostgres(url, chain) }
        return figures
    }

    /// Held against `cp` of the database's files, brought to the disk.
    private func onSQLite(_ chain: CertificateChain) async throws -> [any Figure] {
        try await Fixture.withFolder { folder in
            progress("  SQLite, \(subscribers) subscribers are made …")
            let database = try SQLiteDatabase(path: folder + "/store.sqlite")
            let store = try await Fixture.store(database, chain: chain)
            let first = min(subscribers, 1000)
            try await Fixture.fill(store, subscribers: first)
            try await Fixture.multiply(in: database, by: subscribers / first)
            let figures = try await measure("SQLite", store, chain, limit: "cp") {
                for suffix in ["", "-wal"] {
                    try Self.copyFile(folder + "/store.sqlite" + suffix, to: folder + "/plain")
                }
            }
            await database.close()
            return figures
        }
    }

    /// Held against new tables of the same rows, without keys and indexes. A database that is in
    /// use is nobody's template.
    private func onPostgres(
        _ url: String, _ chain: CertificateChain
    ) async throws -> [any Figure] {
        let place = url + (url.contains("?") ? "&" : "?") + "options=-csearch_path%3Dbench"
        let server = try PostgresDatabase(url: url, connections: 1)
        try await server.write { session in
            for schema in try Self.schemas(session) {
                try session.execute("DROP SCHEMA \"\(raw: schema)\" CASCADE")
            }
            try session.execute("CREATE SCHEMA bench")
        }
        let database = try PostgresDatabase(url: place)
        let store = try await Fixture.store(database, chain: chain)
        progress("  PostgreSQL, \(subscribers) subscribers are made …")
        let first = min(subscribers, 1000)
        try await Fixture.fill(store, subscribers: first)
        try await Fixture.multiply(in: database, by: subscribers / first)
        let figures = try await measure(
            "PostgreSQL", store, chain, limit: "CREATE TABLE … AS"
        ) {
            try await server.write { session in
                try session.liftLimits()
                try session.execute("DROP SCHEMA IF EXISTS \"bench.plain\" CASCADE")
                try session.execute("CREATE SCHEMA \"bench.plain\"")
                let tables = try session.rows(
                    "SELECT tablename::text FROM pg_tables WHERE schemaname = 'bench'")
                for table in try tables.map({ try $0.text(0) }) {
                    try session.execute(
                        "CREATE TABLE \"bench.plain\".\(raw: table) AS TABLE bench.\(raw: table)")
                }
            }
        }
        await database.close()
        await server.close()
        return figures
    }

    /// The schema of benchmarks and its copies.
    private static func schemas(_ session: any Session) throws -> [String] {
        try session.rows(
            """
            SELECT nspname::text FROM pg_namespace
            WHERE nspname = 'bench' OR starts_with(nspname::text, 'bench.')
            """
        ).map { try $0.text(0) }
    }

    private static func copyFile(_ path: String, to copy: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let copying = Process()
        copying.executableURL = URL(fileURLWithPath: "/bin/cp")
        copying.arguments = [path, copy]
        try copying.run()
        copying.waitUntilExit()
        precondition(copying.terminationStatus == 0, "cp fails")
        try FileHandle(forUpdating: URL(fileURLWithPath: copy)).synchronize()
    }

    /// Copies a world in every way, and back, in each round.
    private func measure(
        _ place: String, _ store: Store, _ chain: CertificateChain, limit: String,
        plain: () async throws -> Void
    ) async throws -> [any Figure] {
        var times: [String: [Double]] = [:]
        var size: Int64 = 0
        for round in 1...max(1, rounds) {
            progress("  \(place), round \(round) …")
            times["limit", default: []].append(try await seconds(plain))
            times["snapshot", default: []].append(
                try await seconds { size = try await store.snapshot("bench").size })
            times["fork", default: []].append(
                try await seconds { try await Self.openFork(of: store, chain) })
            times["rewind", default: []].append(
                try await seconds { try await store.rewind(to: "bench") })
            try await store.removeFork("bench")
            try await store.removeSnapshot("bench")
        }
        let plainest = median(times["limit"] ?? [])
        return ["snapshot", "fork", "rewind"].map { name in
            CopyFigure(
                name: "\(name) of \(subscribers) subscribers on \(place)", size: size,
                seconds: median(times[name] ?? []), limitName: limit, limit: plainest)
        }
    }

    /// Makes a fork, opens a store in it and waits until that answers.
    private static func openFork(of store: Store, _ chain: CertificateChain) async throws {
        try await store.fork("bench")
        let database = try await store.openFork("bench")
        _ = try await Fixture.store(database, chain: chain).now()
        await database.close()
    }
}

/// How long a copy takes, beside a plain one of the same rows.
struct CopyFigure: Figure {
    let name: String
    /// Of the copy, in bytes.
    let size: Int64
    /// Median over the rounds.
    let seconds: Double
    let limitName: String
    /// Median over the rounds.
    let limit: Double

    var line: String {
        "\(name), \(size / 1_000_000) MB: \(text(seconds)) s, \(text(seconds / limit)) times "
            + "\(limitName) (\(text(limit)) s)"
    }

    var json: String {
        "{\"name\":\"\(name)\",\"bytes\":\(size),\"seconds\":\(text(seconds)),"
            + "\"limit\":\"\(limitName)\",\"limitSeconds\":\(text(limit))}"
    }

    private func text(_ number: Double) -> String { String(format: "%.2f", number) }
}
