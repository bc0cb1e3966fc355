import AppStoreWire
import Foundation
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing
import TimeAndChance

@Suite("Crashes of an outage campaign", .serialized)
struct OutageKillTests {
    @Test(
        "However often the merchant is killed, each subscriber is extended once and accounted for",
        arguments: Backend.available)
    func killed(_ backend: Backend) async throws {
        let plan = OutageKillPlan(backend)
        say("\(plan)")
        let house = try await OutageHouse(plan)
        let failing = try await provoke(house, plan)
        let began = SystemTime.uptime()
        try await house.start()
        try await live(house, plan, failing: failing.count)
        try await finish(house)
        let time = SystemTime.uptime() - began
        let report = try await house.merchant.operate("GET", Self.path)
        look(at: report, plan, failing: failing.count)
        try await lookAtSubscribers(house, plan, failing: failing.below)
        try await lookAtStore(house, plan, failing: failing.count)
        #expect(house.killed == plan.kills)
        let codes = await house.end()
        #expect(codes == [0, 0], "a process that is ended ends in order")
        say(
            """
            \(plan): \(failing.count) extensions failed first, \(house.complaints.count) lines of \
            complaints, \(time)
            """)
        for complaint in house.complaints.prefix(5) { say(String(complaint)) }
    }

    private static let path = "/v1/operator/outages/\(World.bundleID)/outage"

    // MARK: Running it

    /// Lets about a twentieth of the extensions fail in the call for all.
    ///
    /// - Returns: how many fail, and that those fail whose number's last two digits are below it.
    private func provoke(
        _ house: OutageHouse, _ plan: OutageKillPlan
    ) async throws -> (count: Int, below: Int) {
        var below = 0
        var count = 0
        while count * 20 < plan.subscribers, below < 100 {
            below += 1
            count = try await house.folder.count(
                "SELECT COUNT(*) FROM subscription WHERE id % 100 < \(below)")
        }
        try await house.tell(#"{"failingExtensions":\#(below)}"#)
        return (count, below)
    }

    /// Kills the merchant at random moments: while it writes everybody down, while results come
    /// in, and while it makes calls of its own for those that failed.
    private func live(_ house: OutageHouse, _ plan: OutageKillPlan, failing: Int) async throws {
        var random = SeededGenerator(seed: plan.seed)
        // Each of the three parts weighs as much, though few calls are made.
        let weight = max(plan.subscribers / max(failing, 1), 1)
        let all = 2 * plan.subscribers + failing * (weight - 1)
        let moments = (0..<plan.kills).map { _ in
            Int(random.next() % UInt64(max(all * 19 / 20, 1)))
        }.sorted()
        for (number, moment) in moments.enumerated() {
            try await wait(for: house) { progress in
                progress.written + progress.extended + progress.retried * (weight - 1) >= moment
            }
            spin(milliseconds: Int(random.next() % 30))
            try await house.kill()
            let progress = try await house.progress()
            say(
                """
                kill \(number + 1): \(progress.written) written down, \(progress.extended) \
                extended, \(progress.retried) of them by a call of their own
                """)
        }
    }

    private func finish(_ house: OutageHouse) async throws {
        try await wait(for: house) { _ in false }
        let isDone = try await house.isDone()
        #expect(isDone, "the campaign does not come to its end")
    }

    /// Waits for something, or for the end. What the merchant could not be told while it was dead
    /// is told again an hour later: where nothing moves any more the clock is moved.
    private func wait(
        for house: OutageHouse,
        until isReached: ((written: Int, extended: Int, retried: Int)) -> Bool
    ) async throws {
        var last = try await house.progress()
        var moved = SystemTime.uptime()
        var hours = 0
        while !isReached(last), try await !house.isDone(), hours < 100 {
            await SystemTime.wait(.milliseconds(20))
            let progress = try await house.progress()
            if progress != last { moved = SystemTime.uptime() }
            last = progress
            guard SystemTime.uptime() - moved > .seconds(5) else { continue }
            moved = SystemTime.uptime()
            // Moving the clock would carry out what the store is at, in one go.
            let isAtWork = try await house.folder.count(
                "SELECT COUNT(*) FROM mass_extension WHERE completed_at IS NULL")
            guard isAtWork == 0 else { continue }
            try await house.advance(#"{"by":"PT1H"}"#)
            hours += 1
        }
    }

    // MARK: What came of it

    private func look(at report: JSONValue, _ plan: OutageKillPlan, failing: Int) {
        let counts = (report["counts"]?.array ?? []).map { count in
            "\(count["outcome"]?.string ?? "") \(count["reason"]?.string ?? "") "
                + "\(count["count"]?.integer ?? 0)"
        }
        let expected = [
            "extended mass \(plan.subscribers - failing)", "extended retry \(failing)",
        ]
        #expect(counts == expected.filter { !$0.hasSuffix(" 0") }, "\(plan)")
        #expect(report["audience"]?.integer == Int64(plan.subscribers), "\(plan)")
        #expect(report["retried"]?.integer == Int64(failing), "\(plan)")
        #expect(report["state"]?.string == "done", "\(plan)")
        let calls = report["calls"]?.array ?? []
        #expect(calls.count == 1)
        #expect(calls.first?["succeeded"]?.integer == Int64(plan.subscribers - failing))
        #expect(calls.first?["failed"]?.integer == Int64(failing))
    }

    /// Each subscriber stands in the list once, with the calls that were made for it alone.
    private func lookAtSubscribers(
        _ house: OutageHouse, _ plan: OutageKillPlan, failing below: Int
    ) async throws {
        let end = OutageHouse.extendedEnd.iso8601
        let extended = "extended mass \(OutageHouse.days) \(end) - false"
        let retried = "extended retry \(OutageHouse.days) \(end) leftOutOfMany true"
        var known: Set<String> = []
        var wrong: [String] = []
        var after: Int64 = 0
        var hasMore = true
        while hasMore {
            let page = try await house.merchant.operate(
                "GET", "\(Self.path)/subscribers?limit=200&after=\(after)")
            let subscribers = page["subscribers"]?.array ?? []
            for one in subscribers {
                let id = one["originalTransactionId"]?.string ?? ""
                let isFailing = (Int64(id) ?? 0) % 100 < Int64(below)
                let isKnown = !known.insert(id).inserted
                let found = Self.line(one)
                if isKnown || found != (isFailing ? retried : extended) {
                    wrong.append("\(id) \(found)")
                }
            }
            after = subscribers.last?["id"]?.integer ?? after
            hasMore = page["hasMore"] == .bool(true) && !subscribers.isEmpty
        }
        #expect(known.count == plan.subscribers, "\(plan)")
        #expect(wrong.isEmpty, "\(plan): \(wrong.count), such as \(wrong.prefix(3))")
    }

    private static func line(_ one: JSONValue) -> String {
        let words = ["outcome", "reason"].map { one[$0]?.string ?? "-" }
        let days = one["days"]?.integer ?? 0
        let calls = one["calls"]?.integer ?? 0
        let (end, failure) = (one["end"]?.string ?? "-", one["failure"]?.string ?? "-")
        return "\(words[0]) \(words[1]) \(days) \(end) \(failure) \(calls > 0)"
    }

    /// The store's own records: one call for all, and one extension each.
    private func lookAtStore(
        _ house: OutageHouse, _ plan: OutageKillPlan, failing: Int
    ) async throws {
        let folder = house.folder
        let extended = try await folder.count(
            """
            SELECT COUNT(*) FROM subscription
            WHERE term_end = \(OutageHouse.extendedEnd.milliseconds)
                AND first_extension IS NOT NULL AND second_extension IS NULL
            """)
        #expect(extended == plan.subscribers, "\(plan)")
        let entries = try await folder.count(
            """
            SELECT COUNT(*) FROM (SELECT subscription FROM journal WHERE kind = 'wasExtended'
                GROUP BY subscription HAVING COUNT(*) = 1) AS once
            """)
        #expect(entries == plan.subscribers, "\(plan)")
        let all = try await folder.count(
            "SELECT COUNT(*) FROM journal WHERE kind = 'wasExtended'")
        #expect(all == plan.subscribers, "\(plan)")
        #expect(try await folder.count("SELECT COUNT(*) FROM mass_extension") == 1)
        let failures = try await folder.count("SELECT SUM(failed) FROM mass_extension")
        #expect(failures == failing, "\(plan)")
    }

    /// Writes a line at once, also where nobody sits at a terminal.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
