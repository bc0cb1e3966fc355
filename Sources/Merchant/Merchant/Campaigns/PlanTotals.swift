import FoundationEssentials
import MerchantRules
import Storage
import SubscriptionRules

/// What a plan adds up to.
public struct PlanTotals: Codable, Hashable, Sendable {
    /// How many subscribers have a decision for a reason.
    public struct Count: Codable, Hashable, Sendable {
        /// A `PlanDecision`.
        public var decision: String
        public var reason: String
        public var count: Int64

        /// The reason as a sentence.
        public var sentence: String {
            PlanReasons.sentence(PlanDecision(rawValue: decision) ?? .leftOut, reason)
        }
    }

    /// Money in one currency, in milliunits.
    public struct Money: Codable, Hashable, Sendable {
        public var currency: String
        /// How many subscribers are included.
        public var subscribers: Int64 = 0
        /// What a period of each costs today, summed up.
        public var oldPrice: Int64 = 0
        /// What it will cost.
        public var newPrice: Int64 = 0
        /// What new prices bring more in a year if everybody agrees and stays; of an outage what
        /// the days are worth that are given away, below zero.
        public var stake: Int64 = 0
    }

    /// How many have something in common, such as a warning.
    public struct Named: Codable, Hashable, Sendable {
        public var name: String
        public var count: Int64
    }

    /// How many subscribers were looked at: the counts add up to it.
    public var audience: Int64 = 0
    public var counts: [Count] = []
    /// How many days all are given together; 0 for prices.
    public var days: Int64 = 0
    public var money: [Money] = []
    /// How many of those who are not left out cannot be reached on a channel.
    public var unreachable: [Named] = []
    public var warnings: [Named] = []

    func text() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    init() {}

    init(kept text: String) throws(StorageError) {
        guard let totals = try? JSONDecoder().decode(PlanTotals.self, from: Data(text.utf8)) else {
            throw StorageError(.corrupt, "a plan's totals cannot be read")
        }
        self = totals
    }
}

extension PlanTotals {
    /// Counts a subscriber. Everybody is counted here once, so the counts add up.
    mutating func add(_ row: PlannedRow, _ detail: PlanDetail, of subscriber: CampaignSubscriber?) {
        audience += 1
        let place = counts.firstIndex {
            $0.decision == row.decision.rawValue && $0.reason == row.reason
        }
        if let place {
            counts[place].count += 1
        } else {
            counts.append(
                Count(decision: row.decision.rawValue, reason: row.reason, count: 1))
        }
        for code in Set(detail.warnings.map(\.code)) { Self.count(code, in: &warnings) }
        guard let subscriber, row.decision == .included || row.decision == .blocked else { return }
        for channel in PriceMessage.Channel.allCases where !subscriber.isReachable(by: channel) {
            Self.count(channel.rawValue, in: &unreachable)
        }
        if row.decision == .included { add(money: row, of: subscriber) }
    }

    private mutating func add(money row: PlannedRow, of subscriber: CampaignSubscriber) {
        let code = subscriber.currency.code
        let place: Int
        if let known = money.firstIndex(where: { $0.currency == code }) {
            place = known
        } else {
            money.append(Money(currency: code))
            place = money.count - 1
        }
        let (old, new) = (row.oldPrice ?? 0, row.newPrice ?? 0)
        money[place].subscribers += 1
        money[place].oldPrice += old
        money[place].newPrice += new
        if let given = row.days {
            days += given
            money[place].stake -= old * given / subscriber.period.usualDays
        } else {
            money[place].stake += subscriber.period.inAYear(new - old)
        }
    }

    private static func count(_ name: String, in list: inout [Named]) {
        if let place = list.firstIndex(where: { $0.name == name }) {
            list[place].count += 1
        } else {
            list.append(Named(name: name, count: 1))
        }
    }

    /// The same in a fixed order: what is included first, then the most frequent.
    var inOrder: PlanTotals {
        var totals = self
        let decisions = PlanDecision.allCases.map(\.rawValue)
        totals.counts.sort { first, second in
            let places = [first, second].map { decisions.firstIndex(of: $0.decision) ?? 0 }
            return (places[0], -first.count, first.reason)
                < (places[1], -second.count, second.reason)
        }
        totals.money.sort { $0.currency < $1.currency }
        totals.unreachable.sort { $0.name < $1.name }
        totals.warnings.sort { $0.name < $1.name }
        return totals
    }
}

extension CalendarPeriod {
    /// What an amount a period comes to in a year: a year has twelve months, and 365 days.
    fileprivate func inAYear(_ amount: Int64) -> Int64 {
        if let months { return amount * 12 / Int64(months) }
        return amount * 365 / usualDays
    }

    /// About how many days a period has; a year has 365.
    fileprivate var usualDays: Int64 {
        if let days { return Int64(days) }
        return Int64(months ?? 1) * 365 / 12
    }
}
