import AppStoreSigning
import AppStoreWire
import ArgumentParser
import FoundationEssentials
import Storage
import StoragePostgres
import StorageSQLite
import Store
import Timeline

/// Reads everything that a stopped store has kept, and says what is damaged.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check all data of a stopped store, and report damage.",
        discussion: """
            Reads every row as the store does. Checks the references between rows, and that \
            certificates, keys and database belong together. Changes nothing. Exits with 1 if \
            something is wrong.

              perennial world check
              perennial world check --data /srv/store --database-url postgres://store@db/store --json
            """)

    @Option(
        help: ArgumentHelp(
            "The store's directory. (default: perennial-data, without --database-url)",
            valueName: "directory"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The store's PostgreSQL database; nobody must serve it meanwhile.", valueName: "url"))
    var databaseURL: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let report = try await StoreCheck(data: data, databaseURL: databaseURL).report()
        if json {
            Output.line(try PrettyJSON.text(of: report.jsonBytes()))
        } else {
            for line in report.words { Output.line(line) }
        }
        // The report has said everything.
        if !report.findings.isEmpty { throw Failure.refused("") }
    }
}

/// A stopped store that is looked at: its directory, its database, or both.
struct StoreCheck {
    let data: String?
    let databaseURL: String?

    /// - Throws: `Failure` where there is nothing to look at, or somebody serves it.
    func report() async throws -> CheckReport {
        guard data != nil || databaseURL == nil else {
            return try await report(in: nil, ownership: nil)
        }
        let path = data ?? "perennial-data"
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure.refused("There is no directory \(path): name the store's with --data.")
        }
        let directory = try DataDirectory(path)
        var findings: [CheckFinding] = []
        var ownership: WorldOwnership?
        do {
            let identity = try Identity(stored: directory)
            ownership = WorldOwnership(
                rootDER: identity.chain.rootDER, mustExist: true, adopts: false)
        } catch let failure as Failure {
            findings.append(CheckFinding(place: directory.path, what: failure.message))
        }
        var report = try await report(in: directory, ownership: ownership)
        report.putFirst(findings)
        return report
    }

    private func report(
        in directory: DataDirectory?, ownership: WorldOwnership?
    ) async throws -> CheckReport {
        let database = try database(in: directory)
        let isWatched = Output.isWatched
        let check = WorldCheck(database, ownership: ownership) { part, rows in
            if isWatched { Output.complain(rows == 0 ? "\(part) …" : "\(part) … \(rows)") }
        }
        do {
            let report = try await check.run()
            await database.close()
            return report
        } catch let error as StorageError {
            await database.close()
            guard error.code == .corrupt else {
                throw Failure.refused("The database cannot be checked: \(error.message)")
            }
            var report = CheckReport()
            report.findings = [CheckFinding(place: "the database", what: error.message)]
            return report
        }
    }

    private func database(in directory: DataDirectory?) throws -> any Database {
        do {
            // Nobody waits for what a check reads, which may be millions of rows.
            var limits = DatabaseLimits()
            limits.statement = nil
            if let databaseURL { return try PostgresDatabase(url: databaseURL, limits: limits) }
            guard let directory, directory.exists(directory.database) else {
                throw Failure.refused(
                    "There is no \(directory?.database ?? "database"): put it back from a backup, "
                        + "or name its database with --database-url.")
            }
            return try SQLiteDatabase(path: directory.database)
        } catch let error as StorageError {
            throw Failure.refused(
                "The database cannot be opened, so no row can be named: \(error.message). Put the "
                    + "last good backup back.")
        }
    }
}

extension CheckReport {
    /// Puts what else was found before the rest. What the driver and the rows both tell of is
    /// named once.
    mutating func putFirst(_ others: [CheckFinding]) {
        findings = (others + findings).reduce(into: []) { all, finding in
            if !all.contains(finding) { all.append(finding) }
        }
    }

    /// What was found, in words.
    var words: [String] {
        let read = rows.map { "\(counted($0.count, "row")) of \($0.table)" }
        let lines =
            rows.isEmpty
            ? []
            : ["read"]
                + Passage.lines(
                    read.map { Passage.Part($0) }, separator: ", ", width: Style().columns - 2,
                    style: Style()
                ).map { "  " + $0 }
        guard !findings.isEmpty else { return lines + ["nothing is wrong"] }
        return lines + findings.map { "\($0.place): \($0.what)" } + [
            "\(counted(findings.count, "finding")): put the last good backup back, files and "
                + "database of one moment, or mend what is named here while the store is stopped"
        ]
    }

    func jsonBytes() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.object("rows") { json in
                for (table, count) in rows { json.field(named: table, Int64(count)) }
            }
            json.array("findings") { json in
                for finding in findings {
                    json.elementObject { json in
                        json.field("place", finding.place)
                        json.field("what", finding.what)
                    }
                }
            }
        }
        return json.bytes
    }
}
