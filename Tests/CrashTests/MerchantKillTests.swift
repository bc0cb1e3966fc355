import Foundation
import Storage
import TestFloor
import TestSupport
import Testing

@Suite("Crashes of merchants", .serialized)
struct MerchantKillTests {
    /// How many texts are under way at once.
    private static let lanes = 12

    @Test(
        "Whichever merchant is killed, what was answered 200 is kept once and processed",
        arguments: Backend.available)
    func killed(_ backend: Backend) async throws {
        let plan = MerchantKillPlan(backend)
        say("\(plan)")
        let letters = try await MerchantLetters(customers: plan.customers)
        let folder = try Folder("merchants-\(backend.rawValue)")
        let expected = try await undisturbed(letters, folder.url.appendingPathComponent("calm"))
        let fleet = try await MerchantFleet(
            backend, processes: plan.processes, seed: plan.seed,
            in: folder.url.appendingPathComponent("killed"))
        try await live(fleet, plan, letters)
        let database = try fleet.openDatabase()
        let books = try await processed(database)
        #expect(fleet.end().allSatisfy { $0 == 0 }, "a process that is ended ends in order")
        try await look(at: database, for: letters, "\(plan)")
        await database.close()
        say(
            """
            \(plan): \(fleet.killed) kills, \(letters.all.count) texts, \(fleet.repeated) sent \
            again, \(fleet.complaints.count) lines of complaints
            """)
        for complaint in fleet.complaints.prefix(5) { say(String(complaint)) }
        #expect(fleet.killed == plan.kills)
        #expect(books.differences(from: expected) == [], "\(plan)")
        // It is removed with the folder.
        withExtendedLifetime(folder) {}
    }

    /// What one merchant has that nobody kills, and that gets everything once and in order.
    private func undisturbed(_ letters: MerchantLetters, _ folder: URL) async throws -> Tables {
        let fleet = try await MerchantFleet(.sqlite, processes: 1, seed: 1, in: folder)
        for letter in letters.all { try await fleet.take(letter) }
        let database = try fleet.openDatabase()
        let books = try await processed(database)
        await database.close()
        #expect(fleet.end() == [0])
        return books
    }

    /// Posts everything in any order, again and again until all kills were done.
    private func live(
        _ fleet: MerchantFleet, _ plan: MerchantKillPlan, _ letters: MerchantLetters
    ) async throws {
        let steps = Steps()
        var random = SeededGenerator(seed: plan.seed)
        async let kills: Void = kill(fleet, plan, letters.all.count, steps)
        do {
            repeat {
                try await post(letters.all.shuffled(using: &random), to: fleet, steps)
            } while fleet.killed < plan.kills
        } catch {
            steps.end()
            try? await kills
            throw error
        }
        try await kills
    }

    private func post(
        _ letters: [MerchantLetter], to fleet: MerchantFleet, _ steps: Steps
    ) async throws {
        try await withThrowingTaskGroup { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    for index in stride(from: lane, to: letters.count, by: Self.lanes) {
                        try await fleet.take(letters[index])
                        // Whoever had an answer and lost it sends the same again, to anybody.
                        if index.isMultiple(of: 4) { try await fleet.take(letters[index]) }
                        steps.step()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Kills any process at random moments, all while everything is posted once.
    private func kill(
        _ fleet: MerchantFleet, _ plan: MerchantKillPlan, _ count: Int, _ steps: Steps
    ) async throws {
        var random = SeededGenerator(seed: plan.seed &+ 1)
        let pause = max(count / (plan.kills + 1), 1)
        for _ in 0..<plan.kills {
            guard await steps.wait(for: 1 + Int(random.next() % UInt64(2 * pause))) else { return }
            spin(milliseconds: Int(random.next() % 10))
            try await fleet.kill(Int(random.next() % UInt64(plan.processes)))
        }
    }

    /// What is kept once nothing waits any more: processes that live go on with what those that
    /// were killed have left.
    private func processed(_ database: any Database) async throws -> Tables {
        while try await database.read({ try $0.exists("SELECT 1 FROM inbox WHERE state = 0") }) {
            await pause()
        }
        return try await Tables(
            database, named: Array(Self.columns.keys), columns: Self.columns)
    }

    /// Everything but numbers, how often something came and changed, and from where it was known
    /// first.
    private static let columns = [
        "inbox": """
        uuid, type, subtype, environment, signed_at, state, problem, original_transaction_id,
        transaction_id, body
        """,
        "account": "name",
        "account_token t LEFT JOIN account a ON a.id = t.account": "t.token, a.name",
        "purchase p LEFT JOIN account a ON a.id = p.account":
            "p.environment, p.original_transaction_id, p.app_account_token, a.name",
        "transaction_register r JOIN purchase p ON p.id = r.purchase": """
        p.original_transaction_id, r.transaction_id, r.product_id, r.purchased_at, r.expires_at,
        r.revoked_at, r.signed_at, r.digest
        """,
        "renewal_register r JOIN purchase p ON p.id = r.purchase": """
        p.original_transaction_id, r.next_product_id, r.renews, r.is_in_billing_retry,
        r.expiration_intent, r.signed_at, r.digest
        """,
    ]

    /// Every notification was answered 200, so it is in the inbox once, and processed.
    private func look(
        at database: any Database, for letters: MerchantLetters, _ plan: String
    ) async throws {
        let kept = try await database.read { session in
            try session.rows("SELECT uuid, state FROM inbox").map { row in
                "\(try row.text(0)) \(try row.integer(1))"
            }
        }
        #expect(kept.sorted() == letters.uuids.map { "\($0) 1" }.sorted(), "\(plan)")
    }

    /// Writes a line at once, also where nobody sits at a terminal.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
