import Foundation
import MerchantRules
import SubscriptionRules
import Testing

/// Random price campaigns with channels that fail, judged by `ChargeJudge`: nobody is charged more
/// without what the documents demand.
@Suite("Random price campaigns")
struct RandomCampaignTests {
    /// How many campaigns are played; `PERENNIAL_CAMPAIGN_SEEDS` says otherwise.
    private static let count =
        ProcessInfo.processInfo.environment["PERENNIAL_CAMPAIGN_SEEDS"].flatMap { Int($0) } ?? 2000

    private static let storefronts: [(code: String, currency: String)] = [
        ("USA", "USD"), ("USA", "USD"), ("DEU", "EUR"), ("GBR", "GBP"), ("IND", "INR"),
    ]

    // MARK: Making them

    /// A campaign over some of a subscription's items, in every storefront.
    private static func campaign(
        _ dice: inout Dice, over items: [CampaignSubscriber.Item], _ route: PriceChangeRoute
    ) -> PriceCampaign {
        let differences: [Int64] = [-2_000, 1_000, 1_000, 2_000, 5_000, 6_000, 30_000, 51_000]
        var targets: [String: [String: Int64]] = [:]
        for item in items {
            let price = max(item.price + dice.one(of: differences), 1_000)
            for storefront in storefronts {
                targets[item.sku, default: [:]][storefront.code] = price
            }
        }
        var campaign = Sample.campaign([:], route)
        campaign.targets = targets
        campaign.whenSilent = dice.one(of: PriceCampaign.SilencePolicy.allCases)
        campaign.whenDeclined = dice.one(of: PriceCampaign.DeclinePolicy.allCases)
        return campaign
    }

    private static func subscriber(
        _ dice: inout Dice, itemCount: Int, _ period: CalendarPeriod, at now: Instant
    ) -> CampaignSubscriber {
        let (storefront, code) = dice.one(of: storefronts)
        let isInTrial = dice.happens(oneIn: 8)
        let items = ["news", "sport", "films"].prefix(itemCount).map { sku in
            var item = Sample.item(
                sku, dice.one(of: [5_000, 10_000, 20_000, 60_000, 100_000]),
                offer: isInTrial ? Sample.trial(period) : nil)
            if dice.happens(oneIn: 3) {
                item.lastIncrease = now - .days(dice.one(of: [60, 150, 300, 420]))
            }
            return item
        }
        let days = period.months.map { $0 * 30 } ?? 7
        var subscriber = Sample.subscriber(
            "1", items, period, storefront: storefront,
            currency: Currency(code: code) ?? Sample.dollars)
        subscriber.renews = now + .days(1 + dice.below(min(days, 100)))
        subscriber.periodStart = min(subscriber.renews - .days(days), now)
        subscriber.purchased = subscriber.periodStart
        if dice.happens(oneIn: 10) { subscriber.email = nil }
        if dice.happens(oneIn: 5) { subscriber.pushTokens = [] }
        return subscriber
    }

    private static func life(
        _ seed: UInt64, fault: PlantedCampaignFault? = nil
    ) -> CampaignLife {
        var dice = Dice(seed)
        let now = moment("2026-02-15")
        let period = dice.one(of: CalendarPeriod.billing)
        let subscriber = Self.subscriber(&dice, itemCount: 1 + dice.below(3), period, at: now)
        let campaign = Self.campaign(&dice, over: subscriber.items, .merchantManaged)
        let trouble = dice.one(of: ChannelTrouble.allCases)
        var life = CampaignLife(
            campaign, subscriber, at: now, trouble: trouble, fault: fault, dice: dice)
        life.live(until: now + .days(200))
        return life
    }

    // MARK: What holds

    @Test("Nobody is charged more without what the documents demand, whatever channel fails")
    func charges() {
        var increases: [ChannelTrouble: Int] = [:]
        var unchanged: [CampaignOutcome: Int] = [:]
        for seed in 0..<UInt64(Self.count) {
            let life = Self.life(seed)
            let judge = life.judge
            #expect(judge.findings.isEmpty, "seed \(seed), \(life.trouble): \(judge.findings)")
            increases[life.trouble, default: 0] += judge.increases.count
            guard judge.increases.isEmpty else { continue }
            // Who stays at the old price has another outcome, with its reason. A lower price of
            // an item needs nobody's word, and has one of its own.
            #expect(life.record.outcome != .increased, "seed \(seed)")
            #expect(life.record.outcome != .lowered || judge.hasFallen, "seed \(seed)")
            unchanged[life.record.outcome, default: 0] += 1
        }
        // The judge had something to judge in all of them.
        for trouble in ChannelTrouble.allCases where trouble != .addressGone {
            #expect(increases[trouble, default: 0] > 0, "\(trouble)")
        }
        #expect(unchanged.count > 3, "\(unchanged)")
    }

    @Test("Each planted fault is found", arguments: PlantedCampaignFault.allCases)
    func planted(_ fault: PlantedCampaignFault) {
        let seeds = (0..<UInt64(Self.count)).lazy
        let found = seeds.first { !Self.life($0, fault: fault).judge.findings.isEmpty }
        #expect(found != nil, "\(fault)")
    }

    // MARK: The calendar

    /// A subscriber who needs a notice, and does nothing.
    private static func calm(
        _ period: CalendarPeriod, _ trouble: ChannelTrouble, to price: Int64 = 11_000,
        untilRenewal: Bool = false
    ) -> CampaignLife {
        let now = moment("2026-02-15")
        var subscriber = Sample.subscriber("1", [Sample.item("news", 10_000)], period)
        let step = CalendarStep(iso8601: period.iso8601)
        subscriber.renews = step?.applied(to: now) ?? .latest
        var life = CampaignLife(
            Sample.campaign(["news": price]), subscriber, at: now, trouble: trouble,
            isCalm: true, dice: Dice(1))
        life.live(until: untilRenewal ? subscriber.renews - .days(1) : now + .days(1000))
        return life
    }

    @Test(
        "A notice keeps its day without pushes and without the app",
        arguments: CalendarPeriod.billing, [ChannelTrouble.tokensGone, .appNeverOpened])
    func sameDay(_ period: CalendarPeriod, trouble: ChannelTrouble) {
        let usual = Self.calm(period, .nothing).judge
        let life = Self.calm(period, trouble)
        #expect(usual.increases.count == 1)
        #expect(life.judge.increases == usual.increases)
        #expect(life.judge.findings.isEmpty, "\(life.judge.findings)")
        #expect(life.record.outcome == .increased)
    }

    @Test("A relay that is down for two days puts the price off", arguments: CalendarPeriod.billing)
    func putOff(_ period: CalendarPeriod) throws {
        let usual = try #require(Self.calm(period, .nothing).judge.increases.first)
        let life = Self.calm(period, .relayDown)
        let late = try #require(life.judge.increases.first)
        #expect(late > usual)
        #expect(life.judge.findings.isEmpty, "\(life.judge.findings)")
    }

    @Test(
        "Without an address nobody pays more, and the reason stands",
        arguments: [11_000, 16_000, 70_000] as [Int64])
    func noAddress(price: Int64) {
        for period in CalendarPeriod.billing {
            #expect(Self.calm(period, .addressGone, to: price).judge.increases.isEmpty)
            let life = Self.calm(period, .addressGone, to: price, untilRenewal: true)
            #expect(life.record.state == .blocked(.noMailAddress), "\(period)")
        }
    }

    @Test(
        "Who is asked and never answers stays at the old price, whatever channel fails",
        arguments: [ChannelTrouble.nothing, .relayDown, .tokensGone, .appNeverOpened])
    func silent(_ trouble: ChannelTrouble) {
        for period in CalendarPeriod.billing {
            let life = Self.calm(period, trouble, to: 70_000)
            #expect(life.judge.increases.isEmpty)
            #expect(life.judge.findings.isEmpty, "\(life.judge.findings)")
            #expect(life.record.outcome == .silent, "\(period)")
        }
    }

    // MARK: Where the store tells

    @Test("A rehearsal of the store's routes charges more after consent, or after the notice")
    func rehearsals() throws {
        let now = moment("2026-02-15")
        var increases = 0
        for seed in 0..<UInt64(Self.count) {
            var dice = Dice(seed &+ 1_000_000)
            let route = dice.one(of: [PriceChangeRoute.appStoreConnect, .storeManaged])
            let period = dice.one(of: CalendarPeriod.billing)
            var subscriber = Self.subscriber(&dice, itemCount: 1, period, at: now)
            subscriber.isAdvancedCommerce = route != .appStoreConnect
            let campaign = Self.campaign(&dice, over: subscriber.items, route)
            let answers = try #require(
                RehearsedAnswers(
                    seed: "\(seed)", agreeing: 500, declining: 200, cancelling: 100))
            let rehearsal = campaign.rehearse(subscriber, answers: answers, at: now)
            let faults = Self.faults(of: rehearsal, subscriber, from: now)
            #expect(faults.isEmpty, "seed \(seed), \(route): \(faults)")
            let price = subscriber.items[0].price
            increases += rehearsal.bills.count { $0.amount > price }
        }
        #expect(increases > 0)
    }

    /// Bills that are too high for what happened before them.
    private static func faults(
        of rehearsal: CampaignRehearsal, _ subscriber: CampaignSubscriber, from start: Instant
    ) -> [String] {
        let months = subscriber.period.months ?? 0
        let item = ChargeJudge.Item(
            price: subscriber.items[0].price,
            lastIncrease: subscriber.items[0].lastIncrease?.milliseconds,
            isInOffer: subscriber.items[0].offer != nil)
        let judge = ChargeJudge(
            storefront: subscriber.storefront, months: months, hasDevice: false,
            periodStart: subscriber.periodStart.milliseconds, items: ["news": item])
        let raised = rehearsal.bills.first { $0.amount > item.price }
        guard let bill = raised else { return [] }
        var faults: [String] = []
        if item.isInOffer, bill == rehearsal.bills.first { faults.append("after an offer") }
        let hasAgreed = rehearsal.steps.contains { step in
            step.happening == .event(.agreed(.consent)) && step.moment < bill.moment
        }
        if hasAgreed { return faults }
        let reason = judge.reasonToAsk(item, bill.amount, at: bill.moment.milliseconds)
        if let reason { faults.append("nobody agreed, though \(reason)") }
        // INC-3: a week for plans of a week.
        let lead = Span.days(months == 0 ? 7 : 27)
        if bill.moment < start + lead { faults.append("too short a notice") }
        return faults
    }
}
