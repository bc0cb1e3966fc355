import DueWork
import Logging
import Outbox
import Storage
import SubscriptionRules
import Synchronization
import TestFloor
import Testing

/// That another program than the store can deliver, and what it is given.
@Suite("A second program's outbox", .timeLimit(.minutes(15)))
struct OutboxTests {
    /// Receivers that remember what came, and fail when told.
    private final class Receivers: Post {
        struct Arrival: Sendable {
            let url: String
            let body: String

            /// The person and the number.
            var text: String { body.split(separator: " ").prefix(2).joined(separator: " ") }
        }

        private let state = Mutex((arrivals: [Arrival](), deaf: Set<String>()))
        private let onArrival: @Sendable (Arrival) async -> Void

        init(_ onArrival: @escaping @Sendable (Arrival) async -> Void = { _ in }) {
            self.onArrival = onArrival
        }

        var arrivals: [Arrival] { state.withLock { $0.arrivals } }

        func fail(_ urls: String...) { state.withLock { $0.deaf = Set(urls) } }

        func post(_ body: [UInt8], to url: String) async -> PostOutcome {
            let arrival = Arrival(url: url, body: String(decoding: body, as: UTF8.self))
            let isDeaf = state.withLock { state in
                state.arrivals.append(arrival)
                return state.deaf.contains(url)
            }
            await onArrival(arrival)
            return isDeaf ? .answered(status: 503) : .answered(status: 200)
        }
    }

    private static let start = Instant(milliseconds: 1_800_000_000_000)

    private func database(_ backend: Backend) async throws -> any Database {
        let database = try await backend.makeDatabase()
        try await database.migrate(Reminders.migrations)
        return database
    }

    private func reminders(
        _ backend: Backend, _ receivers: Receivers
    ) async throws -> Reminders {
        reminders(in: try await database(backend), receivers)
    }

    private func reminders(in database: any Database, _ receivers: Receivers) -> Reminders {
        Reminders(database: database, clock: ManualClock(Self.start), post: receivers)
    }

    @discardableResult
    private func deliver(_ outbox: Outbox<Reminders>) async throws -> Int {
        var count = 0
        while let tried = try await outbox.deliver(DueMessages()) { count += tried }
        return count
    }

    @Test(
        "What is about one person comes in order, and everything once",
        arguments: Backend.available, [1, 3, 32])
    func order(_ backend: Backend, _ atOnce: Int) async throws {
        let receivers = Receivers { _ in await Task.yield() }
        let reminders = try await reminders(backend, receivers)
        let people = ["ada", "bea", "cleo"]
        try await reminders.add((0..<60).map { (Int64(1 + $0 % 2), people[$0 / 4 % 3]) })
        #expect(try await deliver(reminders.outbox(atOnce: atOnce)) == 60)
        let arrivals = receivers.arrivals
        #expect(Set(arrivals.map(\.body)).count == 60)
        for url in ["http://1.example/", "http://2.example/"] {
            if atOnce == 1 {
                let all = arrivals.filter { $0.url == url }
                    .compactMap { Int($0.text.split(separator: " ")[1]) }
                #expect(all == all.sorted())
            }
            for person in people {
                let numbers = arrivals.filter { $0.url == url && $0.text.hasPrefix(person) }
                    .compactMap { Int($0.text.split(separator: " ")[1]) }
                #expect(numbers.count == 10)
                #expect(numbers == numbers.sorted())
            }
        }
        #expect(try await deliver(reminders.outbox()) == 0)
    }

    @Test(
        "What is about one person goes out once what came of everything before it is kept",
        arguments: Backend.available)
    func kept(_ backend: Backend) async throws {
        let database = try await database(backend)
        let early = Mutex<[String]>([])
        let receivers = Receivers { arrival in
            let words = arrival.text.split(separator: " ")
            let unkept = try? await database.read { session in
                try session.exists(
                    """
                    SELECT 1 FROM reminder
                    WHERE person = \(String(words[0])) AND id < \(Int(words[1]) ?? 0)
                        AND attempts = 0
                    """)
            }
            if unkept != false { early.withLock { $0.append(arrival.text) } }
        }
        let reminders = reminders(in: database, receivers)
        // Some fail, which holds up nothing behind them.
        receivers.fail("http://2.example/")
        try await reminders.add((0..<60).map { (Int64(1 + $0 % 2), ["ada", "bea"][$0 % 2]) })
        #expect(try await deliver(reminders.outbox()) == 60)
        #expect(early.withLock { $0 } == [])
    }

    @Test(
        "A receiver that fails is tried again by the schedule, and costs no other",
        arguments: Backend.available)
    func schedule(_ backend: Backend) async throws {
        let receivers = Receivers()
        let reminders = try await reminders(backend, receivers)
        receivers.fail("http://1.example/")
        try await reminders.add([(1, "ada"), (2, "bea")])
        let outbox = reminders.outbox()
        // Three attempts: at once, an hour later, and two hours after that.
        for (minutes, expected) in [(0, 2), (59, 0), (60, 1), (179, 0), (180, 1), (100_000, 0)] {
            reminders.clock.set(Self.start + .minutes(minutes))
            #expect(try await deliver(outbox) == expected, "after \(minutes) minutes")
        }
        let toAda = receivers.arrivals.filter { $0.url == "http://1.example/" }
        #expect(toAda.count == 3)
        // Every attempt repeats one text.
        #expect(Set(toAda.map(\.body)).count == 1)
        let rows = try await reminders.database.read { session in
            try session.rows("SELECT attempts, arrived, next_attempt FROM reminder ORDER BY id")
        }
        #expect(
            rows.map(\.values) == [
                [.integer(3), .integer(0), .null], [.integer(1), .integer(1), .null],
            ])
    }

    @Test("What is due goes out in the order of its moments", arguments: Backend.available)
    func moments(_ backend: Backend) async throws {
        let receivers = Receivers()
        let reminders = try await reminders(backend, receivers)
        receivers.fail("http://1.example/")
        try await reminders.add([(1, "ada")])
        let outbox = reminders.outbox(atOnce: 1)
        try await deliver(outbox)
        receivers.fail()
        reminders.clock.set(Self.start + .minutes(30))
        try await reminders.add([(1, "bea")])
        reminders.clock.set(Self.start + .minutes(60))
        try await deliver(outbox)
        #expect(receivers.arrivals.map(\.text) == ["ada 1", "bea 2", "ada 1"])
    }

    @Test(
        "However much waits behind what one person is being told, another is told meanwhile",
        arguments: Backend.available)
    func queue(_ backend: Backend) async throws {
        let gate = Gate()
        let told = Gate()
        let receivers = Receivers { arrival in
            if arrival.text == "ada 1" { await gate.wait() }
            if arrival.text == "bea 61" { told.open() }
        }
        let reminders = try await reminders(backend, receivers)
        try await reminders.add(Array(repeating: (1, "ada"), count: 60) + [(1, "bea")])
        let delivering = Task { try await deliver(reminders.outbox()) }
        await told.wait()
        #expect(receivers.arrivals.map(\.text) == ["ada 1", "bea 61"])
        gate.open()
        #expect(try await delivering.value == 61)
    }

    @Test(
        "What came of a post and is not kept is an error, and goes out again",
        arguments: Backend.available)
    func notKept(_ backend: Backend) async throws {
        let receivers = Receivers()
        var reminders = try await reminders(backend, receivers)
        try await reminders.add([(1, "ada")])
        reminders.isForgetful = true
        let forgetful = reminders.outbox()
        await #expect(throws: Reminders.Forgotten.self) {
            try await forgetful.deliver(DueMessages())
        }
        #expect(receivers.arrivals.count == 1)
        try await reminders.database.write { session in
            try session.execute("UPDATE claim SET held_until = 0")
        }
        reminders.isForgetful = false
        #expect(try await deliver(reminders.outbox()) == 1)
        #expect(receivers.arrivals.count == 2)
        #expect(Set(receivers.arrivals.map(\.body)).count == 1)
    }

    @Test("A lane that is silent holds up no other", arguments: Backend.available)
    func silence(_ backend: Backend) async throws {
        let gate = Gate()
        let told = Gate()
        let receivers = Receivers { arrival in
            if arrival.url == "http://1.example/" { await gate.wait() } else { told.open() }
        }
        let reminders = try await reminders(backend, receivers)
        try await reminders.add([(1, "ada"), (2, "bea")])
        let outbox = reminders.outbox()
        let delivering = Task {
            await outbox.serve("reminders", log: Logger(label: "test")) { _ in await Task.yield() }
        }
        await told.wait()
        while receivers.arrivals.count < 2 { await Task.yield() }
        try await reminders.add([(2, "cleo")])
        while receivers.arrivals.count < 3 { await Task.yield() }
        gate.open()
        delivering.cancel()
        await delivering.value
        #expect(receivers.arrivals.last?.text == "cleo 3")
    }

    @Test(
        "What one process had under way when it was lost goes out again with the same bytes",
        arguments: Backend.available)
    func takeover(_ backend: Backend) async throws {
        let gate = Gate()
        let first = Receivers { _ in await gate.wait() }
        let reminders = try await reminders(backend, first)
        try await reminders.add([(1, "ada"), (1, "ada"), (1, "bea")])
        let stopwatch = ManualStopwatch()
        let lost = reminders.outbox(atOnce: 1, claimTime: .minutes(10)) { stopwatch.reading }
        let delivering = Task { try await deliver(lost) }
        while first.arrivals.isEmpty { await Task.yield() }
        let second = Receivers()
        let other = Reminders(
            database: reminders.database, clock: reminders.clock, post: second
        ).outbox()
        // While the first one is heard of, the lane is its own.
        #expect(try await other.lanes().elsewhere.map(\.numbers) == [[1]])
        #expect(try await other.deliver(DueMessages(), in: Lane(in: "reminder", [1])) == 0)
        #expect(try await other.deliver(DueMessages()) == 0)
        #expect(try await other.deliver(DueMessages(waitsForOthers: false)) == nil)
        #expect(second.arrivals.isEmpty)
        stopwatch.reading = .seconds(601)
        try await reminders.database.write { session in
            try session.execute("UPDATE claim SET held_until = 0")
        }
        #expect(try await deliver(other) == 3)
        gate.open()
        _ = try await delivering.value
        // The first one began nothing more.
        #expect(first.arrivals.count == 1)
        let again = second.arrivals.filter { $0.text.hasPrefix("ada") }
        #expect(again.map(\.text) == ["ada 1", "ada 2"])
        #expect(again.first?.body == first.arrivals.first?.body)
    }

    @Test(
        "Where another process has kept a text meanwhile, that one goes out",
        arguments: Backend.available)
    func sealedElsewhere(_ backend: Backend) async throws {
        let receivers = Receivers()
        var reminders = try await reminders(backend, receivers)
        try await reminders.add([(1, "ada")])
        reminders.sealedMeanwhile = "ada 1 of another"
        #expect(try await deliver(reminders.outbox()) == 1)
        #expect(receivers.arrivals.map(\.body) == ["ada 1 of another"])
    }

    @Test(
        "Where another process takes the lane before the texts are kept, nothing goes out",
        arguments: Backend.available)
    func takenMeanwhile(_ backend: Backend) async throws {
        let receivers = Receivers()
        var reminders = try await reminders(backend, receivers)
        try await reminders.add([(1, "ada")])
        reminders.isTakenMeanwhile = true
        let lane = Lane(in: "reminder", [1])
        #expect(try await reminders.outbox().deliver(DueMessages(), in: lane) == 0)
        #expect(receivers.arrivals.isEmpty)
        let isSealed = try await reminders.database.read { session in
            try session.exists("SELECT 1 FROM reminder WHERE sealed IS NOT NULL")
        }
        #expect(!isSealed)
    }

    @Test(
        "As many as are taken up at once and cannot be read hold up no other",
        arguments: Backend.available)
    func muchDamage(_ backend: Backend) async throws {
        let receivers = Receivers()
        let reminders = try await reminders(backend, receivers)
        try await reminders.add(Array(repeating: (1, "ada"), count: 50) + [(1, "bea")])
        try await reminders.database.write { session in
            try session.execute("UPDATE reminder SET body = '' WHERE id <= 50")
        }
        _ = try await deliver(reminders.outbox())
        #expect(receivers.arrivals.map(\.text) == ["bea 51"])
    }

    @Test("A row that cannot be read holds up no other", arguments: Backend.available)
    func damage(_ backend: Backend) async throws {
        let receivers = Receivers()
        let reminders = try await reminders(backend, receivers)
        try await reminders.add([(1, "ada"), (1, "bea")])
        try await reminders.database.write { session in
            try session.execute("UPDATE reminder SET body = '' WHERE id = 1")
        }
        _ = try await deliver(reminders.outbox())
        #expect(receivers.arrivals.map(\.text) == ["bea 2"])
    }
}
