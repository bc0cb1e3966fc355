import MerchantRules
import SubscriptionRules
import Testing

/// What messages of a price campaign say, and what follows where several things are asked at once.
@Suite("Words and items of a price campaign")
struct CampaignTermsTests {
    /// One item of which the subscriber is told, and one to which the subscriber must agree.
    private static let both = Sample.campaign(["news": 10_990, "chess": 9_990])
    private static let subscriber = Sample.subscriber(
        "1", [Sample.item("news", 9_990), Sample.item("chess", 2_990)])

    private static func trial() throws -> CampaignSubscriber {
        let won = try #require(Currency(code: "KRW"))
        let item = Sample.item("news", 5_900_000, offer: Sample.trial(CalendarPeriod(2, .month)))
        return Sample.subscriber(
            "1", [item], from: "2025-03-01", to: "2025-05-01", storefront: "KOR", currency: won)
    }

    private static func korea(_ route: PriceChangeRoute = .merchantManaged) throws -> Story {
        Story(
            Sample.campaign(["news": 6_900_000], route, live: "2025-04-01", in: "KOR"),
            try trial(), at: "2025-04-01")
    }

    @Test("A notice names no price that needs consent, until that is there (ACC-5, ACC-7)")
    func notice() throws {
        var story = Story(Self.both, Self.subscriber)
        let notice = try #require(story.record.terms(about: .notice))
        #expect(notice.oldPrice == 12_980)
        #expect(notice.newPrice == 13_980)
        #expect(notice.renewal == moment("2026-03-15"))
        #expect(story.record.terms(about: .consent)?.newPrice == 20_980)
        #expect(story.record.terms(about: .koreanConversion) == nil)
        story.goes(to: "2026-02-18")
        story.happens(.agreed(.consent))
        #expect(story.answers.map(\.newPrice) == [20_980])
        #expect(story.record.terms(about: .notice)?.newPrice == 20_980)
    }

    @Test(
        "Silence charges what needs no consent, keeps the old price, or ends a Korean offer",
        arguments: [
            (.notice, .newPrice),
            (.consent, .oldPrice), (.koreanConversion, .ends),
        ] as [(CommunicationTimetable.Occasion, Silence)])
    func silence(_ occasion: CommunicationTimetable.Occasion, _ silence: Silence) {
        #expect(occasion.silence == silence)
    }

    @Test("The end of a Korean offer names the price of the day of purchase (KOR-1, KOR-9)")
    func conversion() throws {
        let story = try Self.korea()
        let terms = try #require(story.record.terms(about: .koreanConversion))
        #expect(terms.oldPrice == 0)
        #expect(terms.newPrice == 5_900_000)
        #expect(terms.renewal == moment("2025-05-01"))
        #expect(story.record.terms(about: .notice)?.newPrice == 6_900_000)
        #expect(story.record.terms(about: .notice)?.renewal == moment("2025-06-01"))
    }

    @Test(
        "Of two sheets the one that was seen takes back its own push only (ACC-3, ACC-5)",
        arguments: [(CommunicationTimetable.Occasion.consent, true), (.notice, false)])
    func push(seen: CommunicationTimetable.Occasion, isPushed: Bool) {
        var story = Story(Self.both, Self.subscriber)
        story.goes(to: "2026-02-18")
        story.happens(.seen(seen))
        story.happens(.agreed(.consent))
        story.goes(to: "2026-03-10")
        #expect(story.sent.contains("2026-03-08 push") == isPushed)
        #expect(story.record.seen == moment("2026-02-18"))
    }

    @Test("A rehearsal of a bundle ends with what is paid then, item by item (ACC-5)")
    func rehearsed() throws {
        let rows: [(RehearsedAnswers.Answer, Int64?)] = [
            (.agree, 20_980), (.silent, 13_980), (.decline, 13_980), (.cancel, nil),
        ]
        for (answer, price) in rows {
            let answers = try #require(
                RehearsedAnswers(
                    seed: "one", agreeing: answer == .agree ? 1000 : 0,
                    declining: answer == .decline ? 1000 : 0,
                    cancelling: answer == .cancel ? 1000 : 0))
            let played = Self.both.rehearse(
                Self.subscriber, answers: answers, at: moment("2026-02-15"))
            #expect(played.price == price, "\(answer)")
        }
    }

    @Test("Who does not agree to the end of a Korean offer is cancelled before it (KOR-5)")
    func unanswered() throws {
        var story = try Self.korea()
        story.goes(to: "2025-04-30")
        #expect(story.record.nextMoment == moment("2025-04-30 15:00"))
        var agreed = story
        agreed.happens(.agreed(.koreanConversion))
        agreed.goes(to: "2025-05-01")
        #expect(agreed.record.isRunning)
        var late = story
        late.now = moment("2025-05-01 00:01")
        #expect(!late.happens(.momentReached).contains(.cancelRenewal))
        #expect(late.record.isRunning)
        story.now = moment("2025-04-30 15:00")
        #expect(story.happens(.momentReached) == [.withdraw, .cancelRenewal])
        #expect(story.record.outcome == .lapsed)
    }

    @Test("Where the store asks for the end of a Korean offer, it also ends it (KOR-5, KOR-6)")
    func askedByStore() throws {
        var story = try Self.korea(.storeManaged)
        story.goes(to: "2025-04-30")
        story.now = moment("2025-04-30 15:00")
        #expect(!story.happens(.momentReached).contains(.cancelRenewal))
        #expect(story.record.isRunning)
    }
}
