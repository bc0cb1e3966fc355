import Storage
public import SubscriptionRules
import Synchronization

/// How much of the limit of the Small Business Program a year has used up (COM-5).
public struct SmallBusinessStanding: Sendable, Hashable {
    /// The calendar year, in UTC.
    public let year: Int
    /// What the developer gained in it, of all apps in Production, in milliunits of US dollars.
    public let proceedsThisYear: Int64
    /// The same of the year before.
    public let proceedsLastYear: Int64
    /// Other currencies in which something was gained in one of the years. They are not counted:
    /// the store knows no rates of exchange.
    public let notCounted: [Currency]

    /// Whether the limit is exceeded, so that the standard commission holds.
    public var isExceeded: Bool {
        !SmallBusinessProgram.applies(
            proceedsLastYear: proceedsLastYear, proceedsThisYear: proceedsThisYear)
    }

    /// - Parameters:
    ///   - year: the year.
    ///   - gained: what was gained in a year, by currency.
    init(
        year: Int, _ gained: (Int) throws -> [Currency: Int64]
    ) rethrows {
        let (this, last) = (try gained(year), try gained(year - 1))
        self.year = year
        (proceedsThisYear, proceedsLastYear) = (this[.dollars] ?? 0, last[.dollars] ?? 0)
        let others = this.merging(last) { max($0, $1) }
            .filter { $0.key != .dollars && $0.value > 0 }
        notCounted = others.keys.sorted { $0.code < $1.code }
    }
}

extension Store {
    /// How much of the limit of the Small Business Program is used up, by the world's clock.
    public func smallBusinessStanding() async throws -> SmallBusinessStanding {
        try await read { [self] reader in
            let next = try world(reader.session).nextNumber
            // Changes beside each other commit in another order than that of their numbers.
            let isComplete = !reader.session.dialect.isShared
            return try SmallBusinessStanding(year: reader.now.yearInUTC) {
                try smallBusiness.proceeds(
                    in: $0, before: next, isComplete: isComplete, reader.session)
            }
        }
    }
}

/// What the developer gained in each calendar year. The ledger is the truth; what was summed once
/// is kept in memory, and only what came since is summed.
final class SmallBusinessWatch: Sendable {
    private struct Year {
        /// All entries of the ledger with lower numbers are in it.
        var next: Int64 = 0
        var proceeds: [Currency: Int64] = [:]
    }

    private let years = Mutex<[Int: Year]>([:])

    /// Sums everything anew: what was summed is no longer in the ledger.
    func forget() { years.withLock { $0 = [:] } }

    /// What was gained in a year by entries that are committed.
    ///
    /// - Parameter next: the number from which on numbers are still to be given out, as the
    ///   session sees it.
    /// - Parameter isComplete: whether nobody is still at work with a lower one, so that the sum is
    ///   worth keeping.
    func proceeds(
        in year: Int, before next: Int64, isComplete: Bool, _ session: any Session
    ) throws -> [Currency: Int64] {
        var known = years.withLock { $0[year] } ?? Year()
        // Whoever looks at an older state of the world may be told of a newer one.
        guard known.next < next else { return known.proceeds }
        let more = try LedgerEntry.proceeds(
            known.next..<next, from: .start(ofYear: year), to: .start(ofYear: year + 1),
            in: session)
        for (currency, amount) in more {
            known.proceeds[currency] = try (known.proceeds[currency] ?? 0).exactly(amount)
        }
        guard isComplete else { return known.proceeds }
        known.next = next
        years.withLock { years in
            if years[year].map({ $0.next < next }) ?? true { years[year] = known }
        }
        return known.proceeds
    }
}

extension UnitOfWork {
    /// Whether an app's charge of this moment has the reduced rate of the Small Business Program.
    func isInSmallBusinessProgram(_ app: App, at moment: Instant) throws -> Bool {
        guard app.settings.smallBusiness else { return false }
        guard app.settings.heedsSmallBusinessLimit else { return true }
        return try !smallBusinessStanding(at: moment).isExceeded
    }
}

extension Currency {
    /// In which the limit is counted.
    static let dollars: Currency = {
        guard let dollars = Currency(code: "USD") else {
            preconditionFailure("the App Store sells in US dollars")
        }
        return dollars
    }()
}

extension Instant {
    var yearInUTC: Int { BillingZone.utc.wallClock(at: self).date.year }

    fileprivate static func start(ofYear year: Int) -> Instant {
        BillingZone.utc.instant(of: CivilDate(year: year, month: 1, day: 1), milliseconds: 0)
    }
}
