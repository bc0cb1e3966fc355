import Storage
import SubscriptionRules
import TestSupport

/// What a year came to, as the database has it: every sentence that is wrong is a finding.
struct FleetBooks {
    private(set) var findings: [String] = []
    /// How many periods were charged.
    let charges: Int
    /// How many of them by themselves.
    let renewals: Int

    /// At how many moments of the store's clock somebody bought.
    let moments: Int

    private let transactions: [Books.Transaction]
    private let now: Int64

    init(_ database: any Database, customers: Int) async throws {
        transactions = try await Books.transactions(in: database)
        renewals = transactions.count(where: \.isRenewal)
        moments = Set(transactions.filter { !$0.isRenewal }.map(\.purchased)).count
        let lines = try await Books.lines(after: 0, in: database)
        charges = lines.count(where: \.isCharge)
        let (clock, accounts, renewing) = try await database.read { session in
            (
                try session.row("SELECT clock_value FROM world")?.integer(0) ?? 0,
                try session.rows("SELECT id, account FROM customer"),
                try session.rows("SELECT id FROM subscription WHERE renews = 1")
            )
        }
        now = clock
        let names = Dictionary(
            uniqueKeysWithValues: try accounts.map { (try $0.integer(0), try $0.text(1)) })
        if Set(names.values) != Set((0..<customers).map(Crowd.account)) {
            findings.append("\(names.count) customers are there, and not those that came")
        }
        let bySubscription = Dictionary(grouping: transactions) { $0.subscription ?? 0 }
        if bySubscription.count != customers {
            findings.append("\(bySubscription.count) subscriptions for \(customers) customers")
        }
        let renewingIDs = Set(try renewing.map { try $0.integer(0) })
        for (id, periods) in bySubscription {
            look(at: periods, of: id, renews: renewingIDs.contains(id), names)
        }
        look(at: lines)
        try await look(atNoticesIn: database, customers)
    }

    /// One period follows the other, from the first purchase until now.
    private mutating func look(
        at periods: [Books.Transaction], of id: Int64, renews: Bool, _ names: [Int64: String]
    ) {
        let account = names[periods[0].customer] ?? "nobody"
        func wrong(_ what: String) { findings.append("\(account), subscription \(id): \(what)") }
        for (period, next) in zip(periods, periods.dropFirst()) {
            let end = period.expires ?? 0
            let isInOrder =
                next.isRenewal
                ? next.purchased == end : period.isUpgraded && next.purchased < end
            if !isInOrder { wrong("\(next.id) does not follow on \(period.id)") }
        }
        for period in periods where !(28...31).contains(days(of: period)) {
            wrong("\(period.id) is \(days(of: period)) days long")
        }
        let number = Int(account.split(separator: "-").last ?? "") ?? 0
        let bought = 1 + upgrades(in: periods, by: Crowd.habit(number))
        if periods.count(where: { !$0.isRenewal }) != bought { wrong("not bought \(bought) times") }
        guard let last = periods.last else { return }
        if renews, last.refunded == 0, last.expires ?? 0 <= now {
            wrong("the period after \(last.id) is owed")
        }
        if !renews, Crowd.habit(number) != .asksForRefund { wrong("it does not renew any more") }
    }

    /// How often somebody with such a habit goes up. Whoever has a change of mind goes up again
    /// where the lower plan began meanwhile, since the clock goes on.
    private func upgrades(in periods: [Books.Transaction], by habit: Crowd.Habit) -> Int {
        switch habit {
        case .upgrades: 1
        case .changesItsMind: periods.contains { $0.product == "club.bronze" } ? 1 : 0
        case .stays, .downgrades, .asksForRefund: 0
        }
    }

    private func days(of period: Books.Transaction) -> Int64 {
        let length = (period.expires ?? 0) - period.purchased
        return length / Span.days(1).milliseconds
    }

    /// Each period was charged once, what was given back is booked, and the sum is nothing.
    private mutating func look(at lines: [Books.Line]) {
        let sum = lines.reduce(0) { $0 + $1.refunded - $1.charged + $1.developer + $1.store }
        if sum != 0 { findings.append("the ledger comes to \(sum)") }
        if lines.contains(where: { $0.declined > 0 }) { findings.append("a charge was declined") }
        let byTransaction = Dictionary(grouping: lines) { $0.transaction ?? 0 }
        for transaction in transactions {
            let booked = byTransaction[transaction.id] ?? []
            if booked.filter(\.isCharge).map(\.charged) != [transaction.price] {
                findings.append("\(transaction.id) was not charged once")
            }
            let back = booked.filter { $0.refunded > 0 }.map(\.refunded)
            if back != (transaction.refunded > 0 ? [transaction.refunded] : []) {
                findings.append("\(transaction.id) was not given back once")
            }
        }
        if byTransaction.count != transactions.count {
            findings.append("the ledger is about other transactions than those that are there")
        }
    }

    /// What happened was told, each thing once.
    private mutating func look(atNoticesIn database: any Database, _ customers: Int) async throws {
        let (kinds, requests, revoked) = try await database.read { session in
            (
                try session.rows(
                    "SELECT kind, COALESCE(subkind, ''), COUNT(*) FROM notification GROUP BY 1, 2"),
                try session.row(
                    "SELECT COUNT(*), COUNT(DISTINCT transaction_id) FROM refund_request"),
                try session.row(
                    "SELECT COUNT(*) FROM store_transaction WHERE revoked_at IS NOT NULL")
            )
        }
        var told: [String: Int] = [:]
        for row in kinds {
            told["\(try row.text(0))/\(try row.text(1))"] = try row.int(2)
            told[try row.text(0), default: 0] += try row.int(2)
        }
        func habit(_ habit: Crowd.Habit) -> Int {
            (0..<customers).count { Crowd.habit($0) == habit }
        }
        let asked = habit(.asksForRefund)
        for (what, count, expected) in [
            ("renewals told", told["DID_RENEW"], renewals),
            ("first purchases told", told["SUBSCRIBED/INITIAL_BUY"], customers),
            (
                "upgrades told", told["DID_CHANGE_RENEWAL_PREF/UPGRADE"],
                transactions.count { !$0.isRenewal } - customers
            ),
            (
                "downgrades told", told["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"],
                habit(.downgrades) + habit(.changesItsMind)
            ),
            ("refunds told", told["REFUND"], try revoked?.int(0) ?? 0),
            ("requests told", told["CONSUMPTION_REQUEST"], asked),
            ("requests", try requests?.int(0), asked),
            ("transactions of requests", try requests?.int(1), asked),
        ] where count ?? 0 != expected {
            findings.append("\(count ?? 0) \(what), not \(expected)")
        }
    }
}
