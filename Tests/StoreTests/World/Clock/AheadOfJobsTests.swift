import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

/// Commands that come while a job is under way: it makes no difference who is first.
@Suite("Ahead of jobs")
struct AheadOfJobsTests {
    @Test(
        "Whether a job or a command of the customer comes first, the rows are the same",
        arguments: Backend.available, 1...8)
    func anyOrder(_ backend: Backend, _ seed: Int) async throws {
        let plot = Plot(seed: UInt64(seed))
        let patient = try await plot.play(.jobsFirst, on: backend)
        let hasty = try await plot.play(.anyOrder, on: backend)
        #expect(hasty.said == patient.said)
        for (account, lines) in patient.rows {
            let other = hasty.rows[account] ?? []
            let place = zip(lines, other).first { $0 != $1 }.map { "\($0)\n\($1)" }
            #expect(other == lines, "\(account): \(place ?? "one has more")")
        }
        #expect(hasty.jobs == patient.jobs)
        #expect(hasty.differences == [])
        #expect(hasty.ahead == 0, "who was ahead is forgotten with the last job")
    }

    @Test("The plots have jobs that commands are ahead of")
    func isWorthIt() async throws {
        var most = 0
        for seed in 1...3 {
            most = max(most, try await Plot(seed: UInt64(seed)).play(.anyOrder, on: .sqlite).most)
        }
        #expect(most > 1)
    }
}

/// A random story of a few customers and an operator on a clock that runs while nobody sweeps.
private struct Plot {
    enum Manner {
        /// Everything that is due is done before every command.
        case jobsFirst
        /// Any number of pieces of it, by a store that is now and then opened anew.
        case anyOrder
    }

    enum Deed {
        case buy(Int, String)
        case renewal(Int, isOn: Bool)
        case pays(Int, Bool)
        case askBack(Int)
        case price(String, Int64, days: Int64, ScheduledPrice.Existing)
        case extendAll(String, number: Int)
    }

    struct Ending {
        /// What the store answered to each command.
        var said: [String] = []
        /// What there is of each customer, without numbers that depend on others.
        var rows: [String: [String]] = [:]
        var jobs: [String] = []
        var differences: [String] = []
        var ahead = 0
        /// How many were ahead of a job at most.
        var most = 0
    }

    private static let start = World.instant("2026-01-15")
    private static let customers = 5
    private static let plans = [
        "gold.monthly", "silver.monthly", "silver.yearly", "bronze.weekly", "silver.trial",
        "news.monthly",
    ]
    private let seed: UInt64
    private let deeds: [(hours: Int64, deed: Deed)]

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        var deeds: [(Int64, Deed)] = []
        for customer in 0..<Self.customers {
            deeds.append((0, .buy(customer, Self.plans.randomElement(using: &random)!)))
        }
        for number in 0..<40 {
            let pause = Int64.random(in: 0..<60, using: &random)
            deeds.append((pause, Self.deed(number, &random)))
        }
        self.deeds = deeds
    }

    private static func deed(_ number: Int, _ random: inout SeededGenerator) -> Deed {
        let customer = Int.random(in: 0..<customers, using: &random)
        let plan = plans.randomElement(using: &random)!
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: return .buy(customer, plan)
        case 5: return .renewal(customer, isOn: false)
        case 6: return .renewal(customer, isOn: true)
        case 7, 8: return .pays(customer, Bool.random(using: &random))
        case 9: return .askBack(customer)
        case 10..<14:
            return .price(
                plan, Int64.random(in: 3...25, using: &random) * 1_000 + 990,
                days: Int64.random(in: 0...3, using: &random),
                Bool.random(using: &random) ? .apply : .preserve)
        default: return .extendAll(plan, number: number)
        }
    }

    func play(_ manner: Manner, on backend: Backend) async throws -> Ending {
        let machine = ManualClock(Self.start)
        let database = try await backend.borrowDatabase()
        var random = SeededGenerator(seed: seed)
        func open() async throws -> World {
            try await World(
                database: database, at: "2026-01-15", mode: .running, machine: machine,
                batchSize: manner == .jobsFirst ? 1000 : 1)
        }
        var world = try await open()
        var devices: [DeviceSession] = []
        for customer in 0..<Self.customers {
            devices.append(try await world.device("customer\(customer)"))
        }
        var ending = Ending()
        for (hours, deed) in deeds {
            machine.set(machine.now + .hours(Int(hours)))
            switch manner {
            case .jobsFirst: try await world.store.settle()
            case .anyOrder:
                if Int.random(in: 0..<5, using: &random) == 0 { world = try await open() }
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    _ = try await world.store.sweep(to: machine.now)
                }
            }
            ending.said.append(try await answer(deed, devices, world))
            ending.most = max(ending.most, try await Self.ahead(world))
        }
        try await world.store.settle()
        ending.ahead = try await Self.ahead(world)
        ending.differences = try await JournalFold.differences(in: database)
        ending.jobs = try await world.jobLines()
        for customer in 0..<Self.customers {
            let account = "customer\(customer)"
            ending.rows[account] = try await world.lines(of: account)
        }
        return ending
    }

    private static func ahead(_ world: World) async throws -> Int {
        try await world.database.read { session in
            try session.rows("SELECT customer FROM customer_ahead").count
        }
    }

    private func answer(
        _ deed: Deed, _ devices: [DeviceSession], _ world: World
    ) async throws -> String {
        do {
            try await `do`(deed, devices, world)
            return "done"
        } catch let error as StoreError {
            return error.reasonWithoutNumbers
        }
    }

    private func `do`(_ deed: Deed, _ devices: [DeviceSession], _ world: World) async throws {
        let store = world.store
        switch deed {
        case .buy(let customer, let product):
            _ = try await store.purchase(
                PurchaseRequest(productID: product), by: devices[customer])
        case .renewal(let customer, let isOn):
            guard let one = try await first(customer, world) else { return }
            try await store.change(
                subscription: one.id, [.renewal(isOn: isOn)], by: devices[customer])
        case .pays(let customer, let approves):
            try await store.setPaymentMethod(
                approves ? .approves : .declines(until: nil, left: nil),
                account: "customer\(customer)", in: .production)
        case .askBack(let customer):
            guard let one = try await first(customer, world) else { return }
            try await store.requestRefund(
                transaction: one.id, .other, by: devices[customer])
        case .price(let product, let price, let days, let existing):
            try await store.schedule(
                PriceOrder(
                    productID: product, storefront: Storefront(code: "USA")!, price: price,
                    start: try await store.now() + .days(Int(days)), existing: existing),
                bundleID: World.bundleID)
        case .extendAll(let product, let number):
            try await store.massExtend(
                MassExtensionOrder(
                    productID: product, request: try ExtensionRequest(days: 5, reasonCode: 3),
                    requestIdentifier: "order \(number)"),
                for: world.caller())
        }
    }

    private func first(_ customer: Int, _ world: World) async throws -> Subscription? {
        try await world.store.customer(account: "customer\(customer)", in: .production).1.first
    }
}

extension StoreError {
    /// The refusal, where identifiers differ from world to world.
    fileprivate var reasonWithoutNumbers: String {
        "\(self)".replacing(#/\d{6,}/#, with: "#")
    }
}

extension World {
    /// What came of every job.
    fileprivate func jobLines() async throws -> [String] {
        try await database.read { session in
            let prices = try session.rows(
                """
                SELECT product_id, starts_at, price, cohort_price, state, subscribers
                FROM price_change ORDER BY id
                """)
            let orders = try session.rows(
                """
                SELECT request_identifier, created_at, succeeded, failed,
                    CASE WHEN completed_at IS NULL THEN 'open' ELSE 'done' END
                FROM mass_extension ORDER BY id
                """)
            return (prices + orders).map(\.line)
        }
    }

    /// All rows of a customer, with identifiers as places among the customer's own.
    fileprivate func lines(of account: String) async throws -> [String] {
        try await database.read { session in
            let row = try session.row("SELECT id FROM customer WHERE account = \(account)")
            let customer = try #require(row).integer(0)
            let queries: [SQL] = [
                """
                SELECT \(raw: SubscriptionRecord.columns) FROM subscription s
                WHERE customer = \(customer) ORDER BY id
                """,
                """
                SELECT id, original_id, product_id, purchased_at, expires_at, price, is_upgraded,
                    refunded, revoked_at, commission
                FROM store_transaction WHERE customer = \(customer) ORDER BY id
                """,
                """
                SELECT at, kind, subscription, transaction_id, amount, detail FROM journal
                WHERE customer = \(customer) ORDER BY sequence
                """,
                """
                SELECT l.at, l.kind, l.transaction_id, l.customer, l.developer, l.store
                FROM ledger l JOIN store_transaction t ON t.id = l.transaction_id
                WHERE t.customer = \(customer) ORDER BY l.sequence
                """,
                """
                SELECT kind, subkind, created_at, status, subscription FROM notification
                WHERE customer = \(customer) ORDER BY id
                """,
                """
                SELECT transaction_id, state, decide_at, decided_at FROM refund_request
                WHERE customer = \(customer) ORDER BY id
                """,
            ]
            var places: [String: Int] = [:]
            // A bill that is paid at once is its transaction.
            let bills = try session.rows(
                """
                SELECT id FROM store_transaction WHERE customer = \(customer)
                UNION SELECT id FROM bill WHERE customer = \(customer) ORDER BY id
                """)
            for row in bills { places["\(try row.integer(0))"] = places.count }
            return try queries.flatMap { try session.rows($0) }.map { row in
                row.line.replacing(#/\d{15,}/#) { match in
                    places[String(match.output)].map { "#\($0)" } ?? String(match.output)
                }
            }
        }
    }
}

extension Row {
    fileprivate var line: String {
        "|"
            + values.map { value in
                switch value {
                case .null: "-"
                case .integer(let number): "\(number)"
                case .text(let text): text
                case .bytes: "bytes"
                }
            }.joined(separator: "|") + "|"
    }
}
