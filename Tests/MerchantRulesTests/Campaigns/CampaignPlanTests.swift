import MerchantRules
import SubscriptionRules
import Testing

@Suite("Plan of a price campaign")
struct CampaignPlanTests {
    @Test("A campaign waits for the week of what another one has asked (ACC-12)")
    func otherCampaign() {
        var first = Story()
        first.goes(to: "2026-02-16")
        #expect(first.sent.count == 3)
        let asked = first.record.recentRequests(at: first.now)
        #expect(asked.count == 3)
        #expect(first.record.recentRequests(at: moment("2026-02-23")).isEmpty)
        var second = Story(at: "2026-02-16")
        second.record = second.campaign.begin(
            for: second.subscriber, at: second.now, asked: asked)
        second.goes(to: "2026-02-22")
        #expect(second.sent.isEmpty)
        second.goes(to: "2026-04-15")
        #expect(!second.sent.isEmpty)
    }

    /// A change of one price, and what it asks for.
    struct Row: CustomTestStringConvertible, Sendable {
        let period: CalendarPeriod
        let old: Int64
        let new: Int64
        var increased: String?
        let path: ConsentDecision.Path
        var testDescription: String { "\(period.iso8601) \(old) to \(new)" }
    }

    /// The examples of TAB-7.2.
    static let table = [
        Row(period: .month, old: 9_990, new: 14_980, path: .notice),
        Row(period: .month, old: 10_000, new: 15_000, path: .notice),
        Row(period: .month, old: 10_000, new: 15_010, path: .consent),
        Row(period: .month, old: 4_990, new: 9_990, path: .notice),
        Row(period: .month, old: 4_990, new: 10_000, path: .consent),
        Row(period: .month, old: 12_000, new: 17_500, path: .notice),
        Row(period: .week, old: 990, new: 4_990, path: .notice),
        Row(period: CalendarPeriod(6, .month), old: 59_990, new: 89_990, path: .consent),
        Row(period: .year, old: 99_990, new: 149_990, path: .notice),
        Row(period: .year, old: 99_990, new: 150_000, path: .consent),
        Row(period: .year, old: 39_990, new: 79_990, path: .notice),
        Row(period: .month, old: 10_000, new: 10_100, increased: "2025-03-15", path: .consent),
        Row(period: .month, old: 10_000, new: 10_100, increased: "2025-01-15", path: .notice),
        Row(period: .month, old: 10_000, new: 9_990, path: .none),
        Row(period: .month, old: 1_990, new: 3_990, path: .notice),
    ]

    private static let ends: [CalendarPeriod: String] = [
        .week: "2026-01-22", .month: "2026-02-15", CalendarPeriod(6, .month): "2026-07-15",
        .year: "2027-01-15",
    ]

    @Test("A campaign asks what each subscriber's own price demands (TAB-7.2)", arguments: table)
    func paths(row: Row) throws {
        let end = try #require(Self.ends[row.period])
        let subscriber = Sample.subscriber(
            "1", [Sample.item("news", row.old, increased: row.increased)], row.period,
            from: "2026-01-15", to: end)
        let campaign = Sample.campaign(["news": row.new], live: "2026-01-15")
        let plan = campaign.plan(for: subscriber, at: moment("2026-01-15"))
        let schedule = try #require(plan.schedule)
        #expect(schedule.path == row.path)
        #expect(plan.oldPrice == row.old)
        #expect(plan.newPrice == row.new)
        #expect(schedule.messages.isEmpty == (row.path == .none))
        #expect(schedule.calls.map(\.needsConsent) == [row.path == .consent])
        #expect(schedule.askedSKUs == (row.path == .consent ? ["news"] : []))
        let isSecond = row.increased != nil && row.path == .consent
        #expect(plan.warnings.map(\.code) == (isSecond ? ["secondIncreaseWithin12Months"] : []))
    }

    @Test(
        "The worked dates before a renewal come out (TAB-7.3)",
        arguments: [
            ("2026-03-01", "2025-12-31", "2026-02-02", "2026-02-22"),
            ("2026-03-31", "2026-01-30", "2026-03-04", "2026-03-24"),
            ("2028-03-01", "2028-01-01", "2028-02-03", "2028-02-23"),
            ("2026-01-15", "2025-11-16", "2025-12-19", "2026-01-08"),
        ])
    func dates(renewal: String, sixty: String, twentySeven: String, seven: String) throws {
        for (months, first) in [(12, sixty), (6, sixty), (3, sixty), (1, twentySeven)] {
            let day = BillingZone.utc.wallClock(at: moment(renewal)).date.adding(months: -months)
            let period = months == 12 ? CalendarPeriod.year : CalendarPeriod(months, .month)
            let subscriber = Sample.subscriber(
                "1", [Sample.item("news", 10_000)], period, from: day.iso8601, to: renewal)
            func schedule(_ price: Int64) throws -> CampaignSchedule {
                let campaign = Sample.campaign(["news": price], live: day.iso8601)
                let plan = campaign.plan(for: subscriber, at: moment(day.iso8601))
                return try #require(plan.schedule)
            }
            let asked = try schedule(100_000)
            #expect(asked.renewal == moment(renewal))
            for channel in PriceMessage.Channel.allCases {
                #expect(asked.sends(.consent, channel).first == first)
            }
            let told = try schedule(10_100)
            #expect(told.sends(.notice, .mail) == [twentySeven])
            #expect(told.sends(.notice, .sheet) == [twentySeven])
            #expect(told.sends(.notice, .push) == [seven])
            #expect(told.calls.map { text($0.opens) } == [seven])
            #expect(told.calls.map(\.closes) == [moment(renewal) - .days(1)])
        }
    }

    /// Somebody whom a campaign does not reach, or not yet.
    struct Out: CustomTestStringConvertible, Sendable {
        let name: String
        let decision: SubscriberPlan.Decision
        var prices: [String: Int64] = ["news": 15_010]
        var change: @Sendable (inout CampaignSubscriber, inout PriceCampaign) -> Void
        var testDescription: String { name }
    }

    static let outs = [
        Out(name: "sandbox", decision: .leftOut(.otherEnvironment)) { one, _ in
            one.environment = .sandbox
        },
        Out(name: "other product", decision: .leftOut(.otherProduct)) { one, _ in
            one.items[0].sku = "sport"
        },
        Out(name: "other storefront", decision: .leftOut(.otherStorefront)) { one, _ in
            one.storefront = "CAN"
        },
        Out(name: "other route", decision: .leftOut(.otherRoute)) { one, _ in
            one.isAdvancedCommerce = false
        },
        Out(name: "the same price", decision: .leftOut(.paysItAlready)) { one, _ in
            one.items[0].price = 15_010
        },
        Out(name: "a higher price", decision: .leftOut(.paysMore)) { one, campaign in
            one.items[0].price = 16_000
            campaign.direction = .increases
        },
        Out(name: "a lower price", decision: .leftOut(.paysLess)) { _, campaign in
            campaign.direction = .decreases
        },
        Out(name: "excluded account", decision: .leftOut(.excludedAccount)) { _, campaign in
            campaign.exclusions.accounts = ["account 1"]
        },
        Out(name: "excluded storefront", decision: .leftOut(.excludedStorefront)) { _, campaign in
            campaign.exclusions.storefronts = ["USA"]
        },
        Out(name: "excluded item", decision: .leftOut(.excludedProduct)) { _, campaign in
            campaign.exclusions.products = ["news"]
        },
        Out(name: "excluded product", decision: .leftOut(.excludedProduct)) { _, campaign in
            campaign.exclusions.products = ["generic"]
        },
        Out(name: "family member", decision: .leftOut(.familyMember)) { one, _ in
            one.isFamilyMember = true
        },
        Out(name: "expired", decision: .leftOut(.ended)) { one, _ in one.status = .expired },
        Out(name: "revoked", decision: .leftOut(.ended)) { one, _ in one.status = .revoked },
        Out(name: "India", decision: .leftOut(.noIncreasesInStorefront)) { one, campaign in
            one.storefront = "IND"
            campaign.targets = ["news": ["IND": 15_010]]
        },
        Out(name: "a digit too many", decision: .leftOut(.priceNotAllowed)) { _, campaign in
            campaign.targets = ["news": ["USA": 15_015]]
        },
        Out(name: "below zero", decision: .leftOut(.priceNotAllowed)) { _, campaign in
            campaign.targets = ["news": ["USA": -10]]
        },
        Out(name: "end of time", decision: .leftOut(.neverRenews)) { one, _ in
            one.renews = .latest
        },
        Out(name: "retry", decision: .blocked(.inBillingRetry)) { one, _ in
            one.status = .billingRetry
        },
        Out(name: "grace", decision: .blocked(.inBillingRetry)) { one, _ in one.status = .grace },
        Out(name: "renewal off", decision: .blocked(.renewalOff)) { one, _ in
            one.expectation = .willNotRenew
        },
        Out(name: "no address", decision: .blocked(.noMailAddress)) { one, _ in one.email = nil },
    ]

    @Test("Who is left out or has to wait is so with a reason and without dates", arguments: outs)
    func leftOut(out: Out) {
        var (subscriber, campaign) = (Sample.subscriber(), Sample.campaign(out.prices))
        out.change(&subscriber, &campaign)
        let plan = campaign.plan(for: subscriber, at: moment("2026-02-15"))
        #expect(plan.decision == out.decision)
        #expect(plan.schedule == nil)
        #expect(plan.newPrice == plan.oldPrice)
        let record = campaign.begin(for: subscriber, at: moment("2026-02-15"))
        #expect(record.nextMoment == nil)
        #expect([.leftOut, .blocked].contains(record.outcome))
    }

    @Test("Every reason says so in a sentence")
    func sentences() {
        let sentences =
            LeftOutReason.allCases.map(\.sentence) + BlockReason.allCases.map(\.sentence)
            + OutageLeftOutReason.allCases.map(\.sentence)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.count > 20 })
    }

    @Test("A weekly notice raises the price at the fourth renewal (TAB-7.3, ACC-6)")
    func weekly() throws {
        let subscriber = Sample.subscriber(
            "1", [Sample.item("news", 990)], .week, from: "2026-02-05", to: "2026-02-12")
        let plan = Sample.campaign(["news": 1_990], live: "2026-02-05")
            .plan(for: subscriber, at: moment("2026-02-05"))
        let schedule = try #require(plan.schedule)
        #expect(schedule.renewal == moment("2026-03-05"))
        #expect(schedule.sends(.notice, .mail) == ["2026-02-06"])
        #expect(schedule.sends(.notice, .push) == ["2026-02-26"])
        #expect(schedule.calls.map(\.opens) == [moment("2026-02-26")])
        #expect(schedule.calls.map(\.closes) == [moment("2026-03-04")])
        #expect(plan.warnings.isEmpty)
    }

    @Test("A lower price is called at once and nobody is told (ACP-12)")
    func decrease() throws {
        let plan = Sample.campaign(["news": 8_000], live: "2026-02-20")
            .plan(for: Sample.subscriber(), at: moment("2026-02-20"))
        let schedule = try #require(plan.schedule)
        #expect(schedule.messages.isEmpty)
        #expect(schedule.calls.map(\.opens) == [moment("2026-02-20")])
        #expect(schedule.renewal == moment("2026-03-15"))
        // Somebody without an address gets it too.
        var other = Sample.subscriber()
        other.email = nil
        #expect(
            Sample.campaign(["news": 8_000]).plan(for: other, at: moment("2026-02-20")).schedule
                != nil)
    }

    @Test("An increase comes after a running offer, and the end of one in Korea is asked besides")
    func korea() throws {
        let won = try #require(Currency(code: "KRW"))
        let item = Sample.item("news", 5_900_000, offer: Sample.trial(CalendarPeriod(2, .month)))
        let subscriber = Sample.subscriber(
            "1", [item], from: "2025-03-01", to: "2025-05-01", storefront: "KOR", currency: won)
        let plan = Sample.campaign(["news": 6_900_000], live: "2025-04-01", in: "KOR")
            .plan(for: subscriber, at: moment("2025-04-01"))
        let schedule = try #require(plan.schedule)
        #expect(schedule.path == .notice)
        #expect(schedule.renewal == moment("2025-06-01"))
        #expect(schedule.sends(.notice, .mail) == ["2025-05-05"])
        let conversion = try #require(schedule.conversion)
        #expect(conversion.moment == moment("2025-05-01"))
        #expect(conversion.skus == ["news"])
        #expect(conversion.oldPrice == 0)
        #expect(conversion.newPrice == 5_900_000)
        #expect(text(conversion.opens) == "2025-03-31 15:00")
        #expect(text(conversion.closes) == "2025-04-30 15:00")
        for channel in PriceMessage.Channel.allCases {
            #expect(
                schedule.sends(.koreanConversion, channel)
                    == ["2025-04-01", "2025-04-08", "2025-04-15", "2025-04-22", "2025-04-29"])
        }
    }

    @Test("Items of a bundle that need no consent share a call and their messages (ACC-4, ACC-5)")
    func bundle() throws {
        let subscriber = Sample.subscriber(
            "1",
            [
                Sample.item("news", 9_990), Sample.item("sport", 4_990),
                Sample.item("films", 7_990), Sample.item("games", 5_000),
            ])
        let plan = Sample.campaign(["news": 10_990, "sport": 5_990, "games": 10_010])
            .plan(for: subscriber, at: moment("2026-02-15"))
        let schedule = try #require(plan.schedule)
        #expect(schedule.path == .consent)
        #expect(schedule.askedSKUs == ["games"])
        #expect(plan.oldPrice == 27_970)
        #expect(plan.newPrice == 34_980)
        let shared = schedule.calls.filter { !$0.needsConsent }
        #expect(shared.map(\.skus) == [["news", "sport"]])
        #expect(shared.map(\.difference) == [2_000])
        #expect(schedule.calls.filter(\.needsConsent).map(\.skus) == [["games"]])
        let notices = schedule.messages.filter { $0.occasion == .notice }
        #expect(notices.map(\.channel) == [.mail, .sheet, .push])
        #expect(notices.allSatisfy { $0.skus == ["news", "sport"] })
    }

    @Test("What would break a rule or reach nobody is said before")
    func warnings() {
        var subscriber = Sample.subscriber()
        subscriber.pushTokens = []
        subscriber.account = nil
        subscriber.hasPendingChange = true
        let plan = Sample.campaign(live: "2026-02-25").plan(
            for: subscriber, at: moment("2026-02-25"))
        #expect(
            plan.warnings == [
                .noticeTooShort(renewal: moment("2026-03-15")), .twoChangesInOneCycle,
                .unreachableBy(.sheet), .unreachableBy(.push),
            ])
        let onDay = Sample.campaign(live: "2026-03-15").plan(
            for: Sample.subscriber(), at: moment("2026-03-15"))
        #expect(onDay.warnings.contains(.changeOnRenewalDay(moment("2026-03-15"))))
        #expect(Set(plan.warnings.map(\.code)).isSubset(of: PlanWarning.codes))
    }

    @Test("A price of App Store Connect reaches the renewals of its own table (INC-3)")
    func appStoreConnect() throws {
        var subscriber = Sample.subscriber()
        subscriber.isAdvancedCommerce = false
        for (live, mail, renewal) in [
            ("2026-04-01", "2026-04-18", "2026-05-15"), ("2026-03-10", "2026-03-19", "2026-04-15"),
        ] {
            subscriber.periodStart = moment(live == "2026-04-01" ? "2026-03-15" : "2026-02-15")
            subscriber.renews = moment(live == "2026-04-01" ? "2026-04-15" : "2026-03-15")
            let plan = Sample.campaign(["news": 10_990], .appStoreConnect, live: live)
                .plan(for: subscriber, at: moment("2026-03-01"))
            let schedule = try #require(plan.schedule)
            #expect(schedule.sends(.notice, .mail) == [mail])
            #expect(schedule.renewal == moment(renewal))
            #expect(schedule.calls.isEmpty)
        }
    }
}
