import AppStoreWire
import Foundation
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Crashes of one process among several", .serialized)
struct FleetCrashTests {
    private static let isPossible = Backend.available.contains(.postgres)

    @Test(
        "Whichever process is killed, each owed period is charged once and each notification told",
        .enabled(if: isPossible, "there is no PostgreSQL server"))
    func killed() async throws {
        let plan = KillPlan()
        say("\(plan)")
        let folder = try Folder("fleet")
        let steps = Steps()
        let arrivals = Steps()
        let inbox = try Inbox(steps, arrivals)
        defer { inbox.close() }
        let fleet = try await Fleet(folder, plan, notify: inbox.url, steps: steps)
        try await Takeovers.watch(fleet.database)
        try await live(fleet, plan, steps, arrivals)

        #expect(fleet.end().allSatisfy { $0 == 0 }, "a process that is ended ends in order")
        let takeovers = try await Takeovers(endingIn: fleet.database)
        let books = try await FleetBooks(fleet.database, customers: plan.customers)
        let deliveries = try await Deliveries(fleet.database, inbox, takeovers)
        await fleet.database.close()
        let account = fleet.account
        let errors = fleet.complaints.filter { !$0.hasPrefix("note: ") }
        say(
            """
            \(plan): \(account.killed.count) kills, \(account.repeated) requests repeated, \
            \(books.charges) charges, \(books.renewals) of them renewals, purchases at \
            \(books.moments) moments, \(deliveries.count) notifications, \
            \(takeovers.losers.count) lanes taken over, \
            \(takeovers.losers.count { !account.killed.contains($0) }) of them from the living, \
            \(deliveries.repeats) posts repeated, \(deliveries.failures) failed, \
            \(errors.count) lines of complaints
            """)
        for error in errors.prefix(5) { say(String(error)) }
        #expect(account.killed.count == plan.kills)
        #expect(takeovers.robberies == 0, "\(plan): a lane was taken before its claim was over")
        for findings in [books.findings, deliveries.findings] {
            let some = findings.prefix(10)
            #expect(some.isEmpty, "\(plan): \(findings.count) findings")
        }
        #expect(deliveries.overtakings.isEmpty, "\(plan)")
        let check = try ChildProcess(
            path: StoreProcess.program.path,
            arguments: [
                "world", "check", "--data", fleet.data(0).path, "--database-url", fleet.databaseURL,
            ], output: FileHandle.standardOutput.fileDescriptor)
        #expect(check.wait() == 0, "\(plan): perennial world check finds something")
    }

    /// Half of the customers come, then the others while a year goes by; meanwhile one process
    /// after the other is killed.
    private func live(
        _ fleet: Fleet, _ plan: KillPlan, _ steps: Steps, _ arrivals: Steps
    ) async throws {
        let crowd = Crowd(fleet: fleet)
        let half = plan.customers / 2
        async let kills: Void = kill(fleet, plan, steps)
        do {
            try await crowd.run(0..<half)
            var now = try await advance(fleet, by: "PT0S")
            let year = CalendarStep(iso8601: "P1Y")!.applied(to: now)
            say("half of the customers came, after \(steps.count) steps")
            async let others: Void = crowd.run(
                half..<plan.customers, keepingPaceWith: arrivals)
            now = try await {
                // Whoever has not come by then need wait no longer.
                defer { arrivals.end() }
                return try await advance(fleet, to: year)
            }()
            say("a year has gone by, after \(steps.count) steps")
            try await others
            say("all customers came, after \(steps.count) steps")
            // As long as there are kills left, there shall be something that they hit.
            while fleet.account.killed.count < plan.kills {
                now = try await advance(
                    fleet, to: CalendarStep(iso8601: "P1M")!.applied(to: now))
            }
        } catch {
            steps.end()
            try? await kills
            throw error
        }
        try await kills
        _ = try await advance(fleet, by: "PT0S")
    }

    /// Kills a process at random moments, every second time the one that delivers.
    private func kill(_ fleet: Fleet, _ plan: KillPlan, _ steps: Steps) async throws {
        var random = SeededGenerator(seed: plan.seed)
        for number in 0..<plan.kills {
            let pause = 1 + Int(random.next() % UInt64(2 * plan.pause))
            guard await steps.wait(for: pause) else { return }
            spin(milliseconds: Int(random.next() % 30))
            let victim = Int(random.next() % UInt64(plan.processes))
            if plan.isLong { say("kill \(number + 1) after \(steps.count) steps") }
            try await fleet.kill(number.isMultiple(of: 2) ? nil : victim)
        }
    }

    /// Writes a line at once, also where nobody sits at a terminal.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Moves the clock, at another process when the one that does it is killed.
    private func advance(_ fleet: Fleet, to moment: Instant) async throws -> Instant {
        try await advance(fleet, #"{"to":"\#(moment.iso8601)"}"#)
    }

    private func advance(_ fleet: Fleet, by step: String) async throws -> Instant {
        try await advance(fleet, #"{"by":"\#(step)"}"#)
    }

    private func advance(_ fleet: Fleet, _ body: String) async throws -> Instant {
        let clock = try await fleet.send(
            "POST", "/connect/v1/clock/advance", body, as: .theOperator)
        return try #require(Instant(iso8601: clock["now"]?.string ?? ""))
    }
}
