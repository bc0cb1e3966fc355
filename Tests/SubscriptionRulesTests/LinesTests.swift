import SubscriptionRules
import TestFloor
import Testing

@Suite("Subscriptions of several lines")
struct LinesTests {
    private static let news = Plan.Line(sku: "news", price: 4_990)
    private static let sport = Plan.Line(sku: "sport", price: 2_990)
    private static let chess = Plan.Line(sku: "chess", price: 1_000)

    private static func bundle(
        _ lines: [Plan.Line], _ period: CalendarPeriod = .month
    ) -> Plan {
        Plan(
            productID: "bundle", level: 1, period: period, lines: lines,
            currency: SamplePlans.dollars)
    }

    private static let three = bundle([news, sport, chess])

    private static func offered(_ line: Plan.Line, _ offer: AppliedOffer) -> Plan.Line {
        Plan.Line(sku: line.sku, price: line.price, offer: offer)
    }

    private static func promotion(_ periods: Int, _ price: Int64) -> AppliedOffer {
        AppliedOffer(
            Offer(
                kind: .promotional, id: "hello", mode: price == 0 ? .freeTrial : .payAsYouGo,
                period: .month, periodCount: periods, basePrice: price),
            in: .usa)
    }

    @Test("A period charges every line, and keeps what each was charged")
    func charges() {
        var world = LifecycleWorld(buying: Self.three, at: "2026-01-31")
        world.advance(to: moment("2026-03-01"))
        #expect(
            world.opened.map(\.newestPeriod.charges) == [
                [4_990, 2_990, 1_000], [4_990, 2_990, 1_000],
            ])
        #expect(world.opened.map(\.newestPeriod.price) == [8_980, 8_980])
        #expect(world.charges.map(\.bill.amount.milliunits) == [8_980, 8_980])
        #expect(text(world.subscription.newestPeriod.end) == "2026-03-31")
    }

    @Test("Each line's offer runs out by itself and changes no date")
    func offers() {
        var world = LifecycleWorld(
            buying: Self.bundle([
                Self.offered(Self.news, Self.promotion(3, 990)),
                Self.offered(Self.sport, Self.promotion(1, 0)), Self.chess,
            ]), at: "2026-01-15")
        world.advance(to: moment("2026-04-20"))
        #expect(
            world.opened.map(\.newestPeriod.charges) == [
                [990, 0, 1_000], [990, 2_990, 1_000], [990, 2_990, 1_000], [4_990, 2_990, 1_000],
            ])
        #expect(world.opened.map { text($0.newestPeriod.end) }.last == "2026-05-15")
        let used = OfferUse(kind: .promotional, id: "hello", at: moment("2026-01-15"))
        #expect(world.subscription.offersUsed == [used, used])
    }

    @Test("A free line beside a paid one is no free trial: the whole is proper to be extended")
    func freeBesidePaid() throws {
        let free = Self.offered(Self.news, Self.promotion(1, 0))
        let mixed = LifecycleWorld(buying: Self.bundle([free, Self.sport]), at: "2026-01-15")
        #expect(mixed.subscription.phase == .discountedPayAsYouGo)
        let allFree = LifecycleWorld(
            buying: Self.bundle([free, Self.offered(Self.sport, Self.promotion(1, 0))]),
            at: "2026-01-15")
        #expect(allFree.subscription.phase == .freeTrial)
    }

    @Test("Lines are raised each on its own day, by notice and by consent")
    func raises() throws {
        var world = LifecycleWorld(buying: Self.three, at: "2026-01-15")
        // Twelve times the price is asked for 27 days before 15 February; what goes live a week
        // later, and is a fifth more, is told as long before 15 March.
        try world.send(.priceWasChanged(of: "chess", to: 12_000), at: "2026-01-16", expecting: [])
        world.advance(to: "2026-01-22", expecting: [.priceIncrease(isAccepted: false)])
        try world.send(.priceWasChanged(of: "news", to: 5_990), at: "2026-01-23", expecting: [])
        #expect(world.subscription.comingIncreases.map(\.line.sku) == ["news", "chess"])
        let renewed = ServerNotification.didRenew(afterBillingProblem: false)
        #expect(world.subscription.agreesToIncreases == false)
        try world.send(
            .answeredPriceIncrease(agrees: true), at: "2026-02-14",
            expecting: [.priceIncrease(isAccepted: true)])
        #expect(world.subscription.increases["news"]?.isAccepted == nil)
        world.advance(
            to: "2026-03-16", expecting: [renewed, .priceIncrease(isAccepted: true), renewed])
        #expect(
            world.opened.map(\.newestPeriod.charges) == [
                [4_990, 2_990, 1_000], [4_990, 2_990, 12_000], [5_990, 2_990, 12_000],
            ])
        #expect(
            world.subscription.lastIncreases == [
                "news": moment("2026-03-15"), "chess": moment("2026-02-15"),
            ])
    }

    @Test("Without the one answer that is asked for the whole subscription ends (INC-4)")
    func unanswered() throws {
        var world = LifecycleWorld(buying: Self.three, at: "2026-01-15")
        try world.send(.priceWasChanged(of: "chess", to: 12_000), at: "2026-01-16", expecting: [])
        world.advance(
            to: "2026-02-16",
            expecting: [.priceIncrease(isAccepted: false), .expired(.priceIncrease)])
        #expect(!world.subscription.isEntitled)
    }

    @Test("One answer agrees to every line, and each is charged from its own renewal on (INC-12)")
    func agrees() throws {
        var world = LifecycleWorld(buying: Self.three, at: "2026-01-15")
        for sku in ["news", "chess"] {
            try world.send(.priceWasChanged(of: sku, to: 12_000), at: "2026-01-16", expecting: [])
        }
        world.advance(to: "2026-02-10", expecting: [.priceIncrease(isAccepted: false)])
        try world.send(
            .answeredPriceIncrease(agrees: true), at: "2026-02-11",
            expecting: [.priceIncrease(isAccepted: true)])
        world.advance(to: "2026-02-16", expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.subscription.newestPeriod.charges == [12_000, 2_990, 12_000])
        #expect(world.subscription.increases.isEmpty)
        #expect(Set(world.subscription.lastIncreases.keys) == ["news", "chess"])
        #expect(world.subscription.lastIncreases["sport"] == nil)
    }

    @Test("Whoever declines one line's price hears no more of the others', until agreeing (INC-8)")
    func declines() throws {
        var world = LifecycleWorld(buying: Self.three, at: "2026-01-15")
        try world.send(.priceWasChanged(of: "chess", to: 12_000), at: "2026-01-16", expecting: [])
        world.advance(to: "2026-01-25", expecting: [.priceIncrease(isAccepted: false)])
        // It would be told on 16 February.
        try world.send(.priceWasChanged(of: "news", to: 5_990), at: "2026-01-25", expecting: [])
        var leaving = world
        try leaving.send(
            .answeredPriceIncrease(agrees: false), at: "2026-01-26",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        #expect(leaving.subscription.increases["news"]?.schedule == nil)
        var staying = leaving
        leaving.advance(to: "2026-02-16", expecting: [.expired(.voluntary)])
        try staying.send(
            .answeredPriceIncrease(agrees: true), at: "2026-01-27",
            expecting: [
                .didChangeRenewalStatus(enabled: true), .priceIncrease(isAccepted: true),
            ])
        staying.advance(
            to: "2026-02-17",
            expecting: [
                .didRenew(afterBillingProblem: false), .priceIncrease(isAccepted: true),
            ])
        #expect(staying.subscription.newestPeriod.charges == [4_990, 2_990, 12_000])
    }

    @Test("The same price again changes nothing, least of all what was agreed")
    func samePriceAgain() throws {
        var world = LifecycleWorld(buying: Self.three, at: "2026-01-15")
        let change = Event.priceWasChanged(of: "chess", to: 12_000)
        try world.send(change, at: "2026-01-16", expecting: [])
        world.advance(to: "2026-01-25", expecting: [.priceIncrease(isAccepted: false)])
        try world.send(
            .answeredPriceIncrease(agrees: true), at: "2026-01-26",
            expecting: [.priceIncrease(isAccepted: true)])
        let before = world.subscription
        try world.send(change, at: "2026-02-01", expecting: [])
        #expect(world.subscription == before)
    }

    @Test("A line's offer counts by the plan's periods, also for the day of a new price (INC-6)")
    func offerOfOtherLength() throws {
        // Three discounted half-years, though the offer counts months: the price that was shown
        // comes on 15 July of the next year, the new one half a year later.
        let offered = Self.offered(Self.news, Self.promotion(3, 990))
        var world = LifecycleWorld(
            buying: Self.bundle([offered, Self.sport], CalendarPeriod(6, .month)),
            at: "2026-01-15")
        try world.send(.priceWasChanged(of: "news", to: 5_990), at: "2026-01-16", expecting: [])
        let schedule = try #require(world.subscription.increases["news"]?.schedule)
        #expect(text(schedule.renewal) == "2028-01-15")
        world.advance(to: moment("2028-01-16"))
        #expect(
            world.opened.map(\.newestPeriod.charges) == [
                [990, 2_990], [990, 2_990], [990, 2_990], [4_990, 2_990], [5_990, 2_990],
            ])
    }

    @Test("A price that falls while the bill waits lowers its own line alone (PRC-4)")
    func lowered() throws {
        var world = LifecycleWorld(buying: Self.three, at: "2026-01-15")
        world.bank.answersLater = true
        world.advance(to: moment("2026-02-16"))
        let bill = try #require(world.subscription.outstanding?.bill)
        try world.send(.priceWasChanged(of: "news", to: 3_990), at: "2026-02-17", expecting: [])
        try world.send(
            .billWasPaid(bill.id), at: "2026-02-18",
            expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.subscription.newestPeriod.charges == [4_990, 2_990, 1_000])
        #expect(world.subscription.plan.lines.map(\.price) == [3_990, 2_990, 1_000])
        #expect(world.subscription.lastIncreases.isEmpty)
    }

    @Test("A change of lines at once gives the unused share of all of them back (CHG-2)")
    func change() throws {
        var world = LifecycleWorld(buying: Self.three, at: "2026-01-01")
        try world.send(
            chose(Self.bundle([Self.news, Self.sport])), at: "2026-01-16 12:00",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.refunds == [1: 4_490])
        #expect(world.subscription.newestPeriod.charges == [4_990, 2_990])
        #expect(throws: Refusal.alreadySubscribed) {
            try world.send(
                chose(Self.bundle([Self.sport, Self.news])), at: moment("2026-01-17"))
        }
    }

    @Test(
        "What is given back is shared by the lines, to the last cent",
        arguments: [
            (8_980, [4_990, 2_990, 1_000], [4_990, 2_990, 1_000]),
            (4_490, [4_990, 2_990, 1_000], [2_500, 1_490, 500]),
            (10, [4_990, 2_990, 1_000], [10, 0, 0]), (0, [4_990, 10], [0, 0]), (5, [], []),
            (0, [0, 0], [0, 0]), (7, [3, 4], [3, 4]), (3, [3, 4], [1, 2]),
        ] as [(Int64, [Int64], [Int64])])
    func shares(_ amount: Int64, _ lines: [Int64], _ shares: [Int64]) {
        let money = Money(milliunits: amount, SamplePlans.dollars)
        #expect(money.shared(inProportionTo: lines) == shares)
    }

    @Test("Shares make the whole and never more than their line, in any currency")
    func randomShares() {
        var random = SeededGenerator(seed: 11)
        for currency in [SamplePlans.dollars, Storefront(code: "JPN")!.currency] {
            for _ in 0..<2_000 {
                let lines = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    Int64.random(in: 0...1_000_000, using: &random) * currency.step
                }
                let total = lines.reduce(0, +)
                let part = total == 0 ? 0 : Int64.random(in: 0...total, using: &random)
                let amount = Money(milliunits: currency.rounded(part), currency)
                guard amount.milliunits <= total else { continue }
                let shares = amount.shared(inProportionTo: lines)
                #expect(total == 0 || shares.reduce(0, +) == amount.milliunits)
                #expect(zip(shares, lines).allSatisfy { 0 <= $0 && $0 <= $1 })
                #expect(shares.allSatisfy(currency.allows))
            }
        }
    }
}
