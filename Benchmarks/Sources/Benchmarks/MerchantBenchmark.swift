import AppStoreSigning
import Crypto
import Foundation
import Logging
import Merchant
import Storage
import StoragePostgres
import StorageSQLite

/// A merchant against the limits of the same run: raw verifications, plain inserts and reads of the
/// same rows, and a route of the same server that does nothing.
struct MerchantBenchmark: Sendable {
    let customers: Int
    let notifications: Int
    let rounds: Int
    /// How many requests for a customer are made in each round.
    let calls: Int
    /// Of a PostgreSQL database that is measured as well.
    let databaseURL: String?
    /// The program that verifies with Apple's library; nil for none.
    let appleLibrary: String?

    private static let lanes = 16

    /// Opens an empty database, of which there is one at a time.
    private typealias Opening = @Sendable (_ name: String) async throws -> any Database

    func run() async throws -> [any Figure] {
        let mail = try MerchantMail()
        progress("  \(notifications) notifications are signed …")
        let letters = try (0..<notifications).map { try mail.letter(of: $0, charge: 0) }
        let verifications = Self.verificationsOfOneProcessor(rounds)
        var figures: [any Figure] = [try await verify(letters, mail, verifications)]
        if let appleLibrary {
            let rate = try await Self.verify(letters, mail, by: appleLibrary, rounds)
            figures.append(
                Result(
                    name: "the same by Apple's library", rate: rate,
                    limitName: "three raw P-256 verifications each", limit: verifications / 3))
        }
        for figure in figures { progress("  " + figure.line) }
        figures += try await Fixture.withFolder { folder in
            try await measure("SQLite", mail, letters, verifications) { name in
                try SQLiteDatabase(path: folder + "/\(name).sqlite")
            }
        }
        guard let databaseURL else { return figures }
        let server = try PostgresDatabase(url: databaseURL, connections: 1)
        figures += try await measure("PostgreSQL", mail, letters, verifications) { _ in
            try PostgresDatabase(
                url: try await Fixture.freshSchema(in: server, at: databaseURL))
        }
        await server.close()
        return figures
    }

    private func measure(
        _ name: String, _ mail: MerchantMail, _ letters: [MerchantMail.Letter],
        _ verifications: Double, _ open: Opening
    ) async throws -> [any Figure] {
        let figures =
            try await takeIn(name, mail, letters, verifications, open)
            + answer(name, mail, open)
        // What follows may take long, and be interrupted.
        for figure in figures { progress("  " + figure.line) }
        return figures
    }

    // MARK: Verifying

    /// Raw verifications a second on one processor, the median of some rounds.
    private static func verificationsOfOneProcessor(_ rounds: Int) -> Double {
        let key = P256.Signing.PrivateKey()
        let digest = SHA256.hash(data: Data("a signing input".utf8))
        guard let signature = try? key.signature(for: digest) else {
            preconditionFailure("nothing can be signed")
        }
        let count = 10_000
        let rates = (0..<rounds).map { _ in
            let start = ContinuousClock.now
            for _ in 0..<count {
                precondition(key.publicKey.isValidSignature(signature, for: digest))
            }
            return Double(count) / (start.duration(to: .now) / .seconds(1))
        }
        return median(rates)
    }

    /// Notifications verified a second, one after the other, with both texts in each.
    private func verify(
        _ letters: [MerchantMail.Letter], _ mail: MerchantMail, _ verifications: Double
    ) async throws -> Result {
        let verifier = SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: [mail.chain.rootDER]),
            bundleID: Fixture.bundleID, environment: .production, appAppleID: MerchantMail.appleID)
        var rates: [Double] = []
        for _ in 0..<rounds {
            let time = try await seconds {
                for letter in letters {
                    _ = try await verifier.verifyNotification(letter.signedPayload)
                    _ = try await verifier.verifyTransaction(letter.transaction)
                    _ = try await verifier.verifyRenewalInfo(letter.renewal)
                }
            }
            rates.append(Double(letters.count) / time)
        }
        return Result(
            name: "notifications verified on one processor", rate: median(rates),
            limitName: "three raw P-256 verifications each", limit: verifications / 3)
    }

    /// The same by a program that uses Apple's library, a process of its own.
    private static func verify(
        _ letters: [MerchantMail.Letter], _ mail: MerchantMail, by program: String, _ rounds: Int
    ) async throws -> Double {
        try await Fixture.withFolder { folder in
            let input = URL(filePath: folder + "/notifications")
            let lines =
                [Data(mail.chain.rootDER).base64EncodedString()]
                + letters.flatMap { [$0.signedPayload, $0.transaction, $0.renewal] }
            try Data(lines.joined(separator: "\n").utf8).write(to: input)
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = [Fixture.bundleID, "\(MerchantMail.appleID)", "\(rounds)"]
            let output = Pipe()
            process.standardInput = try FileHandle(forReadingFrom: input)
            process.standardOutput = output
            try process.run()
            let printed = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            let text = String(decoding: printed, as: UTF8.self)
            guard process.terminationStatus == 0,
                let rate = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
            else { fatalError("Apple's library ended with \(process.terminationStatus): \(text)") }
            return rate
        }
    }

    // MARK: Taking in

    /// Notifications taken over HTTP, which keeps each and processes none, against a route that
    /// does nothing and the same inserts; then the processing of all of them.
    private func takeIn(
        _ name: String, _ mail: MerchantMail, _ letters: [MerchantMail.Letter],
        _ verifications: Double, _ open: Opening
    ) async throws -> [any Figure] {
        var (empties, taken) = ([RequestFigure.Round](), [RequestFigure.Round]())
        var processed: [Double] = []
        for round in 1...rounds {
            progress("  round \(round): notifications on \(name) …")
            let inserts = try await plainInserts(letters, mail, try await open("plain-\(round)"))
            let database = try await open("inbox-\(round)")
            let merchant = try await merchant(in: database, mail)
            let (empty, outcome) = try await Fixture.serveMerchant(merchant) { port in
                (
                    try await Load(
                        port: port, connections: Self.lanes, total: letters.count
                    ) { _ in Self.emptyRequest }.run(),
                    try await Load(
                        port: port, connections: Self.lanes, total: letters.count
                    ) { letters[$0].request }.run()
                )
            }
            empties.append(RequestFigure.Round(outcome: empty, bound: empty.rate))
            taken.append(
                RequestFigure.Round(
                    outcome: outcome, bound: 1 / (1 / empty.rate + 1 / inserts)))
            let time = try await seconds { try await merchant.settle() }
            processed.append(Double(letters.count) / time)
            await database.close()
        }
        return [
            RequestFigure("an empty route of a merchant on \(name)", empties),
            RequestFigure("notifications taken on \(name)", taken),
            Result(
                name: "notifications processed on \(name)", rate: median(processed),
                limitName: "three raw P-256 verifications each", limit: verifications / 3),
        ]
    }

    /// The same rows a second, each in a transaction of its own, sixteen at once.
    private func plainInserts(
        _ letters: [MerchantMail.Letter], _ mail: MerchantMail, _ database: any Database
    ) async throws -> Double {
        // It makes the tables.
        _ = try await merchant(in: database, mail)
        let time = try await atOnce(letters.count) { index in
            let letter = letters[index]
            _ = try await database.write(.together) { session in
                try session.execute(
                    """
                    INSERT INTO inbox (app, environment, uuid, type, subtype, signed_at,
                        received_at, repeats, state, body)
                    VALUES ((SELECT MIN(id) FROM app), 1, \(letter.uuid), 'SUBSCRIBED',
                        'INITIAL_BUY', \(letter.signedAt), \(letter.signedAt), 0, 0,
                        \(letter.signedPayload))
                    """)
            }
        }
        await database.close()
        return Double(letters.count) / time
    }

    // MARK: Answering

    /// What customers have: asked for over HTTP, against a route that does nothing; and worked out
    /// anew for all of them, against plain reads of the same rows.
    private func answer(
        _ name: String, _ mail: MerchantMail, _ open: Opening
    ) async throws -> [any Figure] {
        let database = try await open("customers")
        let merchant = try await merchant(in: database, mail)
        progress("  \(customers) customers on \(name) …")
        let names = try await MerchantCrowd(mail: mail, customers: customers)
            .fill(merchant, database)
        var (empties, answers) = ([RequestFigure.Round](), [RequestFigure.Round]())
        var (rebuilt, read) = ([Double](), [Double]())
        for round in 1...rounds {
            progress("  round \(round): customers on \(name) …")
            let (empty, outcome) = try await Fixture.serveMerchant(merchant) { port in
                (
                    try await Load(port: port, connections: Self.lanes, total: calls) { _ in
                        Self.emptyRequest
                    }.run(),
                    try await Load(port: port, connections: Self.lanes, total: calls) { index in
                        // Spread over all of them, so that no cache of pages helps.
                        Self.request(for: names[(index &* 7919) % names.count])
                    }.run()
                )
            }
            empties.append(RequestFigure.Round(outcome: empty, bound: empty.rate))
            answers.append(RequestFigure.Round(outcome: outcome, bound: empty.rate))
            let time = try await atOnce(names.count) { index in
                let customer = try await merchant.customer(names[index], of: Fixture.bundleID)
                precondition(customer.entitlements.count == 1, "a customer has nothing")
            }
            rebuilt.append(Double(names.count) / time)
            read.append(try await plainReads(names, database))
        }
        await database.close()
        return [
            RequestFigure("an empty route beside \(names.count) customers on \(name)", empties),
            RequestFigure("what one of \(names.count) customers has, on \(name)", answers),
            Result(
                name: "customers worked out anew on \(name)", rate: median(rebuilt),
                limitName: "plain reads of the same rows", limit: median(read)),
        ]
    }

    private func plainReads(_ names: [String], _ database: any Database) async throws -> Double {
        let time = try await atOnce(names.count) { index in
            let name = names[index]
            let count = try await database.read { session in
                let account = try session.row(
                    """
                    SELECT id, version FROM account
                    WHERE app = (SELECT MIN(id) FROM app) AND name = \(name)
                    """)
                let id = try account?.integer(0) ?? 0
                let owned: SQL = "(SELECT id FROM purchase WHERE account = \(id))"
                let transactions = try session.rows(
                    "SELECT * FROM transaction_register WHERE purchase IN \(owned)")
                let renewals = try session.rows(
                    "SELECT * FROM renewal_register WHERE purchase IN \(owned)")
                return transactions.count + renewals.count
            }
            precondition(count > 0, "a customer has no rows")
        }
        return Double(names.count) / time
    }

    // MARK: What they share

    private func merchant(
        in database: any Database, _ mail: MerchantMail
    ) async throws -> Merchant {
        try await Merchant(
            database: database, apps: [try mail.setup()], time: { Fixture.start },
            log: Logger(label: "bench"))
    }

    private static let emptyRequest = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private static func request(for account: String) -> String {
        "GET /v1/apps/\(Fixture.bundleID)/accounts/\(account) HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer \(Fixture.merchantToken)\r\n\r\n"
    }

    /// How many seconds something takes that is done so often, sixteen at a time.
    private func atOnce(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Double {
        try await seconds {
            try await withThrowingTaskGroup { group in
                for lane in 0..<Self.lanes {
                    group.addTask {
                        for index in stride(from: lane, to: count, by: Self.lanes) {
                            try await body(index)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
