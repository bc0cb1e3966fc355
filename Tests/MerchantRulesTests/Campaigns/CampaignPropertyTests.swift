import MerchantRules
import SubscriptionRules
import Testing

/// What holds whatever happens, in whatever order.
@Suite("Price campaigns at random")
struct CampaignPropertyTests {
    /// Numbers that follow from a seed.
    private struct Chance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

        mutating func one<Element>(of all: [Element]) -> Element { all[below(all.count)] }
    }

    private static func story(_ chance: inout Chance, number: Int) -> Story {
        var campaign = Sample.campaign(
            ["news": chance.one(of: [8_000, 10_000, 10_990, 15_010])],
            chance.one(of: PriceChangeRoute.ofMerchants))
        campaign.whenSilent = chance.one(of: PriceCampaign.SilencePolicy.allCases)
        campaign.whenDeclined = chance.one(of: PriceCampaign.DeclinePolicy.allCases)
        var subscriber = Sample.subscriber("\(number)")
        if chance.below(10) == 0 { subscriber.email = nil }
        if chance.below(10) == 0 { subscriber.expectation = .willNotRenew }
        if chance.below(10) == 0 { subscriber.isFamilyMember = true }
        return Story(campaign, subscriber)
    }

    /// Something that happens, and what the registers know then.
    private static func event(_ chance: inout Chance, _ story: inout Story) -> CampaignEvent {
        let event = chance.one(of: CampaignTableTests.events)
        switch event {
        case .renewed:
            story.now = max(story.now, story.subscriber.renews)
            story.subscriber.periodStart = story.now
            story.subscriber.renews = story.now + .days(30)
            story.subscriber.expectation = .renews
            let isRaised = story.record.state == .called
            let price =
                isRaised
                ? story.record.schedule?.newPrice ?? 10_000 : story.subscriber.items[0].price
            story.subscriber.items[0].price = price
            return .renewed(price: price)
        case .recovered:
            story.subscriber.expectation = .renews
            story.subscriber.periodStart = story.now
            story.subscriber.renews = story.now + .days(30)
        case .enteredRetry: story.subscriber.expectation = .inBillingRetry
        case .renewalTurnedOff: story.subscriber.expectation = .willNotRenew
        case .renewalTurnedOn: story.subscriber.expectation = .renews
        case .periodMoved: story.subscriber.renews = story.subscriber.renews + .days(5)
        default: break
        }
        return event
    }

    @Test("Nobody is asked twice a week or charged unasked")
    func invariants() {
        for seed in 0..<40 {
            var chance = Chance(state: UInt64(seed))
            var stories = (0..<20).map { Self.story(&chance, number: $0) }
            for _ in 0..<30 {
                for index in stories.indices {
                    let end = stories[index].now + .hours(chance.below(24 * 6))
                    stories[index].goes(until: end)
                    let event = Self.event(&chance, &stories[index])
                    stories[index].happens(event)
                }
            }
            for story in stories {
                #expect(story.faults.isEmpty, "seed \(seed): \(story.faults)")
                for moments in story.asked.values {
                    let gaps = zip(moments, moments.dropFirst())
                    #expect(
                        gaps.allSatisfy { $1 >= $0 + .days(7) }, "seed \(seed): \(moments)")
                }
            }
        }
    }

    @Test("What is due is done: no moment comes twice")
    func progress() {
        for seed in 100..<140 {
            var chance = Chance(state: UInt64(seed))
            var story = Self.story(&chance, number: seed)
            for _ in 0..<60 {
                let end = story.now + .hours(chance.below(24 * 6))
                story.goes(until: end)
                if let next = story.record.nextMoment { #expect(next > story.now, "seed \(seed)") }
                let event = Self.event(&chance, &story)
                story.happens(event)
            }
        }
    }

    @Test("A rehearsal ends for everybody, twice in the same way")
    func rehearsals() throws {
        var chance = Chance(state: 7)
        let answers = try #require(
            RehearsedAnswers(seed: "x", agreeing: 400, declining: 200, cancelling: 200))
        var outcomes: Set<CampaignOutcome> = []
        for number in 0..<200 {
            let story = Self.story(&chance, number: number)
            let first = story.campaign.rehearse(
                story.subscriber, answers: answers, at: moment("2026-02-15"))
            let second = story.campaign.rehearse(
                story.subscriber, answers: answers, at: moment("2026-02-15"))
            #expect(first == second)
            #expect(first.outcome != .waiting)
            #expect(first.bills.count <= 3)
            outcomes.insert(first.outcome)
        }
        #expect(outcomes.isSuperset(of: [.increased, .leftOut]))
    }
}
