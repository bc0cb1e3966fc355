import MerchantRules
import SubscriptionRules
import Testing

@Suite("Rehearsal of a price campaign")
struct CampaignRehearsalTests {
    private static func everybody(
        _ answer: RehearsedAnswers.Answer
    ) throws -> RehearsedAnswers {
        try #require(
            RehearsedAnswers(
                seed: "one", agreeing: answer == .agree ? 1000 : 0,
                declining: answer == .decline ? 1000 : 0,
                cancelling: answer == .cancel ? 1000 : 0))
    }

    private static func bills(_ rehearsal: CampaignRehearsal) -> [String] {
        rehearsal.bills.map { "\(text($0.moment)) \($0.amount)" }
    }

    /// What becomes of a request for consent: by route and answer the outcome and the bills.
    struct Row: CustomTestStringConvertible, Sendable {
        let route: PriceChangeRoute
        let answer: RehearsedAnswers.Answer
        let outcome: CampaignOutcome
        let bills: [String]
        var testDescription: String { "\(route) \(answer)" }
    }

    static let requests = [
        Row(
            route: .merchantManaged, answer: .agree, outcome: .increased,
            bills: ["2026-03-15 15010"]),
        Row(
            route: .merchantManaged, answer: .decline, outcome: .declined,
            bills: ["2026-03-15 10000"]),
        Row(
            route: .merchantManaged, answer: .silent, outcome: .silent,
            bills: ["2026-03-15 10000"]),
        Row(route: .merchantManaged, answer: .cancel, outcome: .cancelled, bills: []),
        Row(route: .storeManaged, answer: .agree, outcome: .increased, bills: ["2026-03-15 15010"]),
        Row(route: .storeManaged, answer: .decline, outcome: .declined, bills: []),
        Row(route: .storeManaged, answer: .silent, outcome: .lapsed, bills: []),
        Row(route: .storeManaged, answer: .cancel, outcome: .cancelled, bills: []),
    ]

    @Test("Each answer to a request leads to its outcome and its bills", arguments: requests)
    func consent(row: Row) throws {
        let rehearsal = Sample.campaign(["news": 15_010], row.route).rehearse(
            Sample.subscriber(), answers: try Self.everybody(row.answer),
            at: moment("2026-02-15"))
        #expect(rehearsal.outcome == row.outcome)
        #expect(Self.bills(rehearsal) == row.bills)
        #expect(rehearsal.answer == row.answer)
        // What the store sends the merchant does not.
        let sends = rehearsal.steps.contains { step in
            if case .action(.send) = step.happening { true } else { false }
        }
        #expect(sends == (row.route == .merchantManaged))
        #expect(
            zip(rehearsal.steps, rehearsal.steps.dropFirst()).allSatisfy { $0.moment <= $1.moment })
    }

    @Test("A weekly notice charges the old price three times, then the new one (ACC-6)")
    func weekly() throws {
        let subscriber = Sample.subscriber(
            "1", [Sample.item("news", 990)], .week, from: "2026-02-05", to: "2026-02-12")
        for answer in [RehearsedAnswers.Answer.silent, .agree, .decline] {
            let rehearsal = Sample.campaign(["news": 1_990], live: "2026-02-05").rehearse(
                subscriber, answers: try Self.everybody(answer), at: moment("2026-02-05"))
            #expect(
                Self.bills(rehearsal) == [
                    "2026-02-12 990", "2026-02-19 990", "2026-02-26 990", "2026-03-05 1990",
                ])
            #expect(rehearsal.outcome == .increased)
            let pushes = rehearsal.steps.filter { step in
                guard case .action(.send(let message)) = step.happening else { return false }
                return message.channel == .push
            }
            #expect(pushes.map { text($0.moment) } == (answer == .silent ? ["2026-02-26"] : []))
        }
    }

    @Test("A bundle is billed as its explanation says, answered or not (ACC-5, ACS-3)")
    func bundle() throws {
        let subscriber = Sample.subscriber(
            "1",
            [
                Sample.item("news", 9_990), Sample.item("sport", 4_990, ends: ["replay"]),
                Sample.item("replay", 2_990), Sample.item("films", 7_990),
            ])
        let prices: [String: Int64] = ["news": 10_990, "sport": 10_990, "films": 6_990]
        for route in PriceChangeRoute.ofMerchants {
            for answer in [RehearsedAnswers.Answer.agree, .silent] {
                let rehearsal = Sample.campaign(prices, route).rehearse(
                    subscriber, answers: try Self.everybody(answer), at: moment("2026-02-15"))
                guard case .included(let explanation) = rehearsal.plan.decision else {
                    Issue.record("the subscriber is left out")
                    return
                }
                let bill = try #require(explanation.bills.first)
                #expect(
                    rehearsal.bills.map(\.amount)
                        == [answer == .agree ? bill.ifAgreed : bill.ifUnanswered])
                let unanswered: CampaignOutcome = route == .storeManaged ? .lapsed : .silent
                #expect(rehearsal.outcome == (answer == .agree ? .increased : unanswered))
            }
        }
    }

    @Test("In Korea who does not agree to the end of an offer is not charged (KOR-5)")
    func korea() throws {
        let won = try #require(Currency(code: "KRW"))
        let item = Sample.item("news", 5_900_000, offer: Sample.trial(CalendarPeriod(2, .month)))
        let subscriber = Sample.subscriber(
            "1", [item], from: "2025-03-01", to: "2025-05-01", storefront: "KOR", currency: won)
        let campaign = Sample.campaign(["news": 6_900_000], live: "2025-04-01", in: "KOR")
        let agreed = campaign.rehearse(
            subscriber, answers: try Self.everybody(.agree), at: moment("2025-04-01"))
        #expect(Self.bills(agreed) == ["2025-05-01 5900000", "2025-06-01 6900000"])
        #expect(agreed.outcome == .increased)
        let silent = campaign.rehearse(
            subscriber, answers: try Self.everybody(.silent), at: moment("2025-04-01"))
        #expect(Self.bills(silent) == [])
        #expect(silent.outcome == .lapsed)
    }

    @Test("A price of App Store Connect is rehearsed without a call or a message of ours")
    func appStoreConnect() throws {
        var subscriber = Sample.subscriber("1", from: "2026-03-15", to: "2026-04-15")
        subscriber.isAdvancedCommerce = false
        let rehearsal = Sample.campaign(["news": 10_990], .appStoreConnect, live: "2026-04-01")
            .rehearse(
                subscriber, answers: try Self.everybody(.silent), at: moment("2026-03-20"))
        #expect(Self.bills(rehearsal) == ["2026-04-15 10000", "2026-05-15 10990"])
        #expect(rehearsal.outcome == .increased)
        let actions = rehearsal.steps.filter { step in
            if case .action = step.happening { true } else { false }
        }
        #expect(actions.isEmpty)
    }

    @Test("A lower price is charged at the next renewal, and nobody answers anything")
    func lowered() throws {
        let rehearsal = Sample.campaign(["news": 8_000]).rehearse(
            Sample.subscriber(), answers: try Self.everybody(.cancel), at: moment("2026-02-15"))
        #expect(Self.bills(rehearsal) == ["2026-03-15 8000"])
        #expect(rehearsal.outcome == .lowered)
    }

    @Test("Where one item fell and nobody could be asked about the other, the price was lowered")
    func loweredInPart() {
        var story = Story(
            Sample.campaign(["news": 8_000, "chess": 19_990]),
            Sample.subscriber("1", [Sample.item("news", 10_000), Sample.item("chess", 10_000)]))
        story.silent = [.mail]
        story.happens(.callSucceeded(skus: ["news"]))
        story.goes(to: "2026-02-16")
        story.happens(.unreachable(.consent, .mail))
        #expect(story.record.state == .blocked(.noMailAddress))
        story.goes(to: "2026-03-15")
        story.renews(at: 18_000, until: "2026-04-15")
        #expect(story.code == .applied)
        #expect(story.record.outcome == .lowered)
    }

    @Test("The merchant who cancels those who decline charges them nothing more")
    func cancels() throws {
        var campaign = Sample.campaign()
        campaign.whenDeclined = .cancel
        let rehearsal = campaign.rehearse(
            Sample.subscriber(), answers: try Self.everybody(.decline), at: moment("2026-02-15"))
        #expect(rehearsal.outcome == .declined)
        #expect(rehearsal.bills.isEmpty)
    }

    @Test("Answers follow from seed and identifier, in the shares that were asked for")
    func shares() throws {
        let answers = try #require(
            RehearsedAnswers(seed: "spring", agreeing: 500, declining: 200, cancelling: 100))
        let identifiers = (0..<10_000).map { String(2_000_000_000_000 + $0) }
        let given = identifiers.map { answers.answer(of: $0) }
        for (answer, share) in [
            (RehearsedAnswers.Answer.agree, 5_000), (.decline, 2_000), (.cancel, 1_000),
            (.silent, 2_000),
        ] {
            #expect(abs(given.count { $0 == answer } - share) < 250)
        }
        #expect(given == identifiers.map { answers.answer(of: $0) })
        let other = try #require(
            RehearsedAnswers(seed: "autumn", agreeing: 500, declining: 200, cancelling: 100))
        #expect(given != identifiers.map { other.answer(of: $0) })
        let delays = identifiers.map { answers.delay(of: $0) }
        #expect(delays.allSatisfy { $0 >= .minutes(1) && $0 <= .days(3) })
    }

    @Test(
        "Shares that are none are refused",
        arguments: [(-1, 0, 0), (1001, 0, 0), (500, 400, 101), (0, -5, 10)])
    func refused(agreeing: Int, declining: Int, cancelling: Int) {
        #expect(
            RehearsedAnswers(
                seed: "", agreeing: agreeing, declining: declining, cancelling: cancelling) == nil)
        #expect(RehearsedAnswers(seed: "", agreeing: 0, withinDays: 0) == nil)
    }
}
