import MerchantRules
import SubscriptionRules
import Testing

@Suite("Campaign after an outage")
struct OutageCampaignTests {
    private static let now = moment("2026-03-01")

    private static func campaign(
        _ days: OutageCampaign.DaysRule = .fixed(3), from start: String = "2026-02-20",
        to end: String = "2026-02-20 02:00"
    ) -> OutageCampaign {
        OutageCampaign(
            name: "outage", bundleID: "com.example.news", from: moment(start), to: moment(end),
            products: ["generic"], days: days)
    }

    @Test(
        "A day is given for each that the outage has begun, 1 to 90 (EXT-2)",
        arguments: [
            ("2026-02-20", 1), ("2026-02-20 02:00", 1), ("2026-02-21", 1),
            ("2026-02-21 00:01", 2), ("2026-02-25 12:00", 6), ("2026-12-31", 90),
        ])
    func begunDays(end: String, days: Int) {
        #expect(Self.campaign(.forEachBegunDay, to: end).grantedDays == days)
    }

    @Test(
        "A fixed number of days is kept within 1 to 90",
        arguments: [(-1, 1), (0, 1), (7, 7), (91, 90)])
    func fixedDays(wanted: Int, days: Int) {
        #expect(Self.campaign(.fixed(wanted)).grantedDays == days)
    }

    @Test("A dry run says the new date, and that a second extension is the last for a while")
    func dryRun() {
        var subscriber = Sample.subscriber()
        let plan = Self.campaign().plan(for: subscriber, at: Self.now)
        #expect(plan.decision == .extended(to: moment("2026-03-18")))
        #expect(plan.days == 3)
        #expect(plan.warnings.isEmpty)
        subscriber.extensions = [moment("2025-12-01")]
        let second = Self.campaign().plan(for: subscriber, at: Self.now)
        #expect(second.decision == .extended(to: moment("2026-03-18")))
        #expect(second.warnings == [.extensionLimit])
        // Renewal may be off.
        subscriber.expectation = .willNotRenew
        #expect(Self.campaign().refusal(of: subscriber, at: Self.now) == nil)
    }

    /// Somebody who is not extended.
    struct Out: CustomTestStringConvertible, Sendable {
        let name: String
        let decision: OutagePlan.Decision
        let change: @Sendable (inout CampaignSubscriber, inout OutageCampaign) -> Void
        var testDescription: String { name }
    }

    static let outs = [
        Out(name: "family member", decision: .notEligible(.familyMember)) { one, _ in
            one.isFamilyMember = true
        },
        Out(name: "trial", decision: .notEligible(.inFreeOffer)) { one, _ in
            one.items[0].offer = Sample.trial(.month)
        },
        Out(name: "never paid", decision: .notEligible(.neverPaid)) { one, _ in
            one.paidPeriods = 0
        },
        Out(name: "retry", decision: .notEligible(.inBillingRetry)) { one, _ in
            one.status = .billingRetry
        },
        Out(name: "grace", decision: .notEligible(.inGraceAfterExpiry)) { one, _ in
            one.status = .grace
            one.renews = moment("2026-02-28")
        },
        Out(name: "expired", decision: .notEligible(.expired)) { one, _ in one.status = .expired },
        Out(name: "refunded", decision: .notEligible(.revoked)) { one, _ in
            one.status = .revoked
        },
        Out(name: "two already", decision: .notEligible(.limitReached)) { one, _ in
            one.extensions = [moment("2025-06-01"), moment("2025-12-01")]
        },
        Out(name: "sandbox", decision: .leftOut(.otherEnvironment)) { one, _ in
            one.environment = .sandbox
        },
        Out(name: "other product", decision: .leftOut(.otherProduct)) { one, _ in
            one.productID = "films"
        },
        Out(name: "other storefront", decision: .leftOut(.otherStorefront)) { _, campaign in
            campaign.storefronts = ["CAN"]
        },
        Out(name: "other account", decision: .leftOut(.otherAccount)) { _, campaign in
            campaign.accounts = ["account 2"]
        },
        Out(name: "no account", decision: .leftOut(.otherAccount)) { one, campaign in
            one.account = nil
            campaign.accounts = ["account 1"]
        },
        Out(name: "other entitlement", decision: .leftOut(.otherEntitlement)) { _, campaign in
            campaign.entitlement = "films"
        },
        Out(name: "bought afterwards", decision: .leftOut(.boughtAfterwards)) { one, campaign in
            one.purchased = moment("2026-02-20 02:00")
            campaign.accounts = ["account 1"]
        },
    ]

    @Test("Who is not extended is named before any call, with why (EXT-3, EXT-4)", arguments: outs)
    func notExtended(out: Out) {
        var (subscriber, campaign) = (Sample.subscriber(), Self.campaign())
        out.change(&subscriber, &campaign)
        let plan = campaign.plan(for: subscriber, at: Self.now)
        #expect(plan.decision == out.decision)
        let state = OutageCampaignState(plan, of: campaign, at: Self.now)
        #expect([.notEligible, .leftOut].contains(state.outcome))
        #expect(state.nextMoment == nil)
    }

    @Test(
        "Which failures of a single call are tried again",
        arguments: [
            (ExtensionFailure.refused(code: 4_030_004), ExtensionFailure.Retry.onceItChanges),
            (.refused(code: 4_030_005), .never), (.refused(code: 4_030_007), .never),
            (.refused(code: 4_000_009), .never), (.refused(code: 4_010_000), .never),
            (.refused(code: 4_040_005), .later), (.refused(code: 4_040_006), .later),
            (.refused(code: 4_290_000), .later), (.refused(code: 5_000_000), .later),
            (.refused(code: 5_000_001), .later), (.noAnswer, .later), (.leftOutOfMany, .later),
        ])
    func retries(failure: ExtensionFailure, retry: ExtensionFailure.Retry) {
        #expect(failure.retry == retry)
        #expect(ExtensionFailure(code: failure.code) == failure)
        #expect(ExtensionFailure(code: "something") == nil)
    }

    /// One subscription of a campaign.
    private struct Life {
        var campaign = OutageCampaignTests.campaign()
        var subscriber = Sample.subscriber()
        var state: OutageCampaignState
        var now = OutageCampaignTests.now

        init(accounts: Set<String>? = nil) {
            campaign.accounts = accounts
            state = OutageCampaignState(
                campaign.plan(for: subscriber, at: now), of: campaign, at: now)
        }

        @discardableResult
        mutating func happens(_ event: OutageCampaignState.Event) -> [OutageCampaignState.Action] {
            state.handle(event, at: now, of: campaign, for: subscriber)
        }
    }

    @Test("Who fell out of a call for many is called singly, until it is extended once")
    func mass() {
        var life = Life()
        #expect(life.state.nextMoment == nil)
        life.state.state = .requested
        #expect(life.state.outcome == .waiting)
        life.happens(.failed(.leftOutOfMany, retryAfter: nil))
        #expect(life.state.nextMoment == life.now)
        let first = life.happens(.momentReached)
        #expect(first == [.extend(days: 3, attempt: 1)])
        #expect(life.state.state == .retried)
        life.happens(.failed(.refused(code: 5_000_001), retryAfter: nil))
        #expect(life.state.nextMoment == life.now + .minutes(5))
        let early = life.happens(.momentReached)
        #expect(early.isEmpty)
        life.now = life.now + .minutes(5)
        let second = life.happens(.momentReached)
        #expect(second == [.extend(days: 3, attempt: 2)])
        let end = moment("2026-03-18")
        let told = life.happens(.extended(to: end))
        #expect(told == [.tell(to: end)])
        // The store's answer and its notification are one piece of news.
        let again = life.happens(.extended(to: end))
        #expect(again.isEmpty)
        life.happens(.failed(.noAnswer, retryAfter: nil))
        #expect(life.state.outcome == .extended)
    }

    @Test("Chosen accounts are called one by one, and the store's pause is kept")
    func single() {
        var life = Life(accounts: ["account 1"])
        #expect(life.state.nextMoment == life.now)
        let actions = life.happens(.momentReached)
        #expect(actions == [.extend(days: 3, attempt: 1)])
        #expect(life.state.state == .requested)
        let later = life.now + .hours(1)
        life.happens(.failed(.refused(code: 4_290_000), retryAfter: later))
        #expect(life.state.nextMoment == later)
    }

    @Test("Whose state forbids it is extended once the state has changed, and not before")
    func changes() {
        var life = Life()
        life.state.state = .requested
        life.subscriber.status = .billingRetry
        life.happens(.failed(.leftOutOfMany, retryAfter: nil))
        #expect(life.state.state == .notEligible(.inBillingRetry))
        let still = life.happens(.changed)
        #expect(still.isEmpty)
        life.subscriber.status = .active
        let called = life.happens(.changed)
        #expect(called == [.extend(days: 3, attempt: 1)])
        // The registers know no reason, so it waits for news.
        life.happens(.failed(.refused(code: 4_030_004), retryAfter: nil))
        #expect(life.state.nextMoment == nil)
        #expect(life.state.outcome == .waiting)
        life.state.isStopped = true
        #expect(life.state.outcome == .failed)
        let afterwards = life.happens(.changed)
        #expect(afterwards.isEmpty)
    }

    @Test(
        "What cannot pass is final",
        arguments: [
            (4_030_005, OutageCampaignState.State.notEligible(.limitReached)),
            (4_030_007, .notEligible(.familyMember)),
            (4_000_009, .failed(.refused(code: 4_000_009))),
        ])
    func lasting(code: Int, state: OutageCampaignState.State) {
        var life = Life()
        life.state.state = .requested
        life.happens(.failed(.leftOutOfMany, retryAfter: nil))
        life.happens(.momentReached)
        life.happens(.failed(.refused(code: code), retryAfter: nil))
        #expect(life.state.state == state)
        #expect(life.state.nextMoment == nil)
        let actions = life.happens(.changed)
        #expect(actions.isEmpty)
    }

    @Test("A failure that does not pass ends after ten calls")
    func exhausted() {
        var life = Life(accounts: ["account 1"])
        var calls = 0
        while let next = life.state.nextMoment, calls < 100 {
            life.now = max(life.now, next)
            calls += life.happens(.momentReached).count
            life.happens(.failed(.noAnswer, retryAfter: nil))
        }
        #expect(calls == OutageCampaignState.mostAttempts)
        #expect(life.state.outcome == .failed)
    }

    @Test("Every state answers every event, and stands in one place of the report")
    func everything() {
        let end = moment("2026-03-18")
        let states: [OutageCampaignState.State] = [
            .planned, .requested, .retried, .extended(to: end), .failed(.noAnswer),
            .failed(.refused(code: 4_030_004)), .notEligible(.limitReached),
            .notEligible(.inBillingRetry), .leftOut(.otherProduct),
        ]
        let events: [OutageCampaignState.Event] = [
            .momentReached, .extended(to: end),
            .failed(.refused(code: 4_030_005), retryAfter: nil), .changed,
        ]
        for state in states {
            for event in events {
                var life = Life()
                life.state = OutageCampaignState(state: state, attempts: 1)
                let actions = life.happens(event)
                #expect(OutageCampaignState.Outcome.allCases.contains(life.state.outcome))
                #expect(actions.count <= 1)
                if case .extended = state { #expect(life.state.state == state) }
                if event == .extended(to: end), state != .leftOut(.otherProduct) {
                    #expect(life.state.outcome == .extended)
                }
            }
        }
    }
}
