import MerchantRules
import SubscriptionRules
import Testing

@Suite("One subscriber in a price campaign")
struct CampaignStoryTests {
    /// A campaign of which subscribers are only told.
    private static func notice() -> Story { Story(Sample.campaign(["news": 10_990])) }

    @Test("A request goes out weekly on each channel until the renewal (ACC-1, ACC-12)")
    func requests() {
        var story = Story()
        story.goes(to: "2026-03-15")
        let days = ["2026-02-16", "2026-02-23", "2026-03-02", "2026-03-09"]
        #expect(story.sent == days.flatMap { ["\($0) mail", "\($0) sheet", "\($0) push"] })
        #expect(story.calls.isEmpty)
        #expect(story.record.outcome == .notified)
        story.renews(at: 10_000, until: "2026-04-15")
        #expect(story.code == .carriedOver)
        #expect(story.record.outcome == .silent)
        // The policy is to leave it there.
        story.goes(to: "2026-05-15")
        #expect(story.sent.count == 12)
    }

    @Test("Who is asked again hears of it before the next renewal, at the old price (ACP-10)")
    func keepsAsking() {
        var campaign = Sample.campaign()
        campaign.whenSilent = .keepAsking
        var story = Story(campaign)
        story.goes(to: "2026-03-15")
        story.renews(at: 10_000, until: "2026-04-15")
        story.goes(to: "2026-03-20")
        #expect(story.code == .carriedOver)
        #expect(story.sent.count == 15)
        #expect(story.sent.last == "2026-03-19 push")
        story.happens(.agreed(.consent))
        #expect(story.calls == [["news"]])
        story.happens(.callSucceeded(skus: ["news"]))
        story.now = moment("2026-04-15")
        story.renews(at: 15_010, until: "2026-05-15")
        #expect(story.record.outcome == .increased)
    }

    @Test("Consent is kept before the call, ends the requests, and the price rises (ACC-8)")
    func agrees() {
        var story = Story()
        story.goes(to: "2026-02-18")
        let actions = story.happens(.agreed(.consent))
        #expect(story.answers.map(\.isAgreed) == [true])
        #expect(story.answers.map(\.newPrice) == [15_010])
        #expect(story.answers.map(\.renewal) == [moment("2026-03-15")])
        #expect(actions == [.record(story.answers[0]), .call(skus: ["news"])])
        #expect(story.code == .callable)
        #expect(story.record.outcome == .agreed)
        story.happens(.callSucceeded(skus: ["news"]))
        #expect(story.code == .called)
        story.goes(to: "2026-03-15")
        #expect(story.sent.count == 3)
        story.renews(at: 15_010, until: "2026-04-15")
        #expect(story.code == .applied)
        #expect(story.record.outcome == .increased)
    }

    @Test("Consent in the last day before a renewal counts for the next one (ACC-10, ACP-2)")
    func agreesLate() {
        var story = Story()
        story.goes(to: "2026-03-14 00:01")
        story.happens(.agreed(.consent))
        #expect(story.calls.isEmpty)
        #expect(story.record.nextMoment == nil)
        story.now = moment("2026-03-15")
        story.renews(at: 10_000, until: "2026-04-15")
        #expect(story.code == .consented)
        story.goes(to: "2026-04-15")
        #expect(story.calls == [["news"]])
        #expect(story.sent.count == 12)
    }

    @Test("Nobody agrees to what was never asked")
    func neverAsked() {
        var story = Story()
        let early = story.happens(.agreed(.consent))
        #expect(early.isEmpty)
        #expect(story.code == .planned)
        #expect(story.answers.isEmpty)
        // An answer after a refund is none.
        story.goes(to: "2026-02-18")
        story.happens(.refunded)
        let late = story.happens(.agreed(.consent))
        #expect(late.isEmpty)
        #expect(story.code == .withdrawn)
    }

    /// One item of which the subscriber is told, and one to which the subscriber must agree.
    private static func both() -> Story {
        Story(
            Sample.campaign(["news": 10_990, "chess": 19_990]),
            Sample.subscriber("1", [Sample.item("news", 10_000), Sample.item("chess", 10_000)]))
    }

    @Test("Consent to one item raises no other that has come to need it (ACC-5)")
    func consentOfOthers() {
        var story = Self.both()
        story.goes(to: "2026-02-18")
        story.happens(.agreed(.consent))
        #expect(story.answers.map(\.skus) == [["chess"]])
        story.happens(.callSucceeded(skus: ["chess"]))
        // Another campaign has raised it meanwhile.
        story.subscriber.items[0].lastIncrease = moment("2026-02-15")
        story.happens(.periodMoved)
        story.goes(to: "2026-03-15")
        #expect(story.calls == [["chess"]])
        #expect(story.faults.isEmpty)
        story.happens(.agreed(.consent))
        #expect(story.answers.last?.skus.contains("news") == true)
    }

    @Test("A notice whose mail is refused raises nothing, whatever was agreed besides (ACC-3)")
    func noticeWithoutMail() {
        var story = Self.both()
        story.silent = [.mail]
        story.goes(to: "2026-02-18")
        story.happens(.agreed(.consent))
        story.happens(.unreachable(.notice, .mail))
        story.goes(to: "2026-03-15")
        #expect(story.calls == [["chess"]])
    }

    @Test("A refusal ends the requests, and the merchant's policy decides about the renewal")
    func declines() {
        for policy in PriceCampaign.DeclinePolicy.allCases {
            var campaign = Sample.campaign()
            campaign.whenDeclined = policy
            var story = Story(campaign)
            story.goes(to: "2026-02-18")
            let actions = story.happens(.declined(.consent))
            #expect(actions.contains(.cancelRenewal) == (policy == .cancel))
            #expect(story.code == .declined)
            story.goes(to: "2026-03-15")
            #expect(story.sent.count == 3)
            story.happens(.renewalTurnedOff)
            #expect(story.record.outcome == .declined)
        }
    }

    @Test("Who changes their mind before the call is heeded, afterwards is recorded only")
    func changesMind() {
        var story = Story()
        story.goes(to: "2026-02-18")
        story.happens(.declined(.consent))
        story.happens(.agreed(.consent))
        #expect(story.calls == [["news"]])
        #expect(story.answers.map(\.isAgreed) == [false, true])
        story.happens(.callSucceeded(skus: ["news"]))
        story.happens(.declined(.consent))
        #expect(story.code == .called)
        #expect(story.answers.map(\.isAgreed) == [false, true, false])
    }

    @Test("A notice goes out once, and the call comes after the push (ACC-3, ACP-2)")
    func noticeUnseen() {
        var story = Self.notice()
        story.goes(to: "2026-03-07")
        #expect(story.sent == ["2026-02-16 mail", "2026-02-16 sheet"])
        #expect(story.calls.isEmpty)
        story.goes(to: "2026-03-08")
        #expect(story.sent.last == "2026-03-08 push")
        #expect(story.calls == [["news"]])
        story.happens(.callSucceeded(skus: ["news"]))
        story.goes(to: "2026-03-15")
        story.renews(at: 10_990, until: "2026-04-15")
        #expect(story.record.outcome == .increased)
    }

    @Test(
        "Who has seen the notice gets no push; the mail is never left out (ACC-3)",
        arguments: [
            (CampaignEvent.seen(.notice), SubscriberState.Code.communicating),
            (.acknowledged, .acknowledged), (.agreed(.notice), .acknowledged),
        ])
    func noticeSeen(event: CampaignEvent, code: SubscriberState.Code) {
        var story = Self.notice()
        story.goes(to: "2026-02-17")
        story.happens(event)
        #expect(story.code == code)
        #expect(story.record.outcome == .seen)
        story.goes(to: "2026-03-10")
        #expect(story.sent == ["2026-02-16 mail", "2026-02-16 sheet"])
        #expect(story.calls == [["news"]])
    }

    @Test("Without the mail nothing rises: a dead address blocks, a late mail moves the renewal")
    func mail() {
        var dead = Self.notice()
        dead.silent = [.mail]
        dead.goes(to: "2026-02-16")
        dead.happens(.unreachable(.notice, .mail))
        #expect(dead.record.state == .blocked(.noMailAddress))
        #expect(dead.record.nextMoment == nil)
        var late = Self.notice()
        late.silent = [.mail]
        late.goes(to: "2026-02-18")
        #expect(late.record.schedule?.renewal == moment("2026-03-15"))
        late.silent = []
        late.happens(.sent(.notice, .mail))
        #expect(late.record.schedule?.renewal == moment("2026-04-15"))
        late.goes(to: "2026-04-14")
        // Neither mail nor sheet is repeated.
        #expect(late.sent == ["2026-02-16 sheet", "2026-04-08 push"])
        #expect(late.calls == [["news"]])
        // A mail that the relay has for a day is in time.
        var inTime = Self.notice()
        inTime.silent = [.mail]
        inTime.goes(to: "2026-02-17")
        inTime.happens(.sent(.notice, .mail))
        #expect(inTime.record.schedule?.renewal == moment("2026-03-15"))
    }

    @Test("A message on its way is wanted until an answer, or until the campaign waits")
    func wanted() {
        var story = Story()
        story.silent = [.mail]
        story.goes(to: "2026-02-16")
        #expect(story.record.waits(for: .consent, on: .mail))
        #expect(!story.record.waits(for: .consent, on: .sheet))
        #expect(!story.record.waits(for: .notice, on: .mail))
        var answered = story
        answered.happens(.declined(.consent))
        #expect(!answered.record.waits(for: .consent, on: .mail))
        story.happens(.enteredRetry)
        #expect(!story.record.waits(for: .consent, on: .mail))
        // It may have arrived, so that the next request on the channel waits for its week.
        story.silent = []
        story.happens(.recovered)
        story.goes(to: "2026-04-15")
        let mails = story.asked[.mail] ?? []
        #expect(!mails.isEmpty)
        #expect(mails.allSatisfy { $0 >= moment("2026-02-23") })
    }

    @Test("A push that is never taken holds up the call, and one to nobody does not")
    func push() {
        var story = Self.notice()
        story.silent = [.push]
        story.goes(to: "2026-03-10")
        #expect(story.calls.isEmpty)
        story.happens(.unreachable(.notice, .push))
        #expect(story.calls == [["news"]])
    }

    @Test("After a missed call the old price is charged and notice begins anew")
    func missed() {
        var story = Self.notice()
        story.goes(to: "2026-02-20")
        // Nobody works on it until it is too late.
        story.now = moment("2026-03-14 12:00")
        story.happens(.momentReached)
        #expect(story.calls.isEmpty)
        story.now = moment("2026-03-15")
        story.renews(at: 10_000, until: "2026-04-15")
        story.goes(to: "2026-04-14")
        #expect(
            story.sent.filter { $0.hasSuffix("mail") } == ["2026-02-16 mail", "2026-03-19 mail"])
        #expect(story.calls == [["news"]])
    }

    @Test("A failed renewal pauses, and the recovery begins with full notice (INC-7, ACC-11)")
    func retry() {
        var story = Story()
        story.goes(to: "2026-02-20")
        story.subscriber.expectation = .inBillingRetry
        let actions = story.happens(.enteredRetry)
        #expect(actions == [.withdraw])
        #expect(story.record.outcome == .blocked)
        #expect(story.record.nextMoment == nil)
        story.now = moment("2026-03-20")
        story.subscriber.expectation = .renews
        story.subscriber.periodStart = moment("2026-03-20")
        story.subscriber.renews = moment("2026-04-20")
        story.happens(.recovered)
        #expect(story.code == .planned)
        #expect(story.record.schedule?.renewal == moment("2026-04-20"))
        story.goes(to: "2026-03-24")
        #expect(story.sent.last == "2026-03-24 push")
    }

    @Test("Who turns renewal off hears no more, until it is on again (INC-8, ACC-11)")
    func renewalOff() {
        var story = Story()
        story.goes(to: "2026-02-20")
        story.subscriber.expectation = .willNotRenew
        let actions = story.happens(.renewalTurnedOff)
        #expect(actions == [.withdraw])
        #expect(story.record.outcome == .cancelled)
        story.goes(to: "2026-03-01")
        #expect(story.sent.count == 3)
        story.subscriber.expectation = .renews
        story.happens(.renewalTurnedOn)
        #expect(story.code == .planned)
        #expect(story.record.schedule?.renewal == moment("2026-04-15"))
    }

    @Test("An extension moves the dates, and what was sent is not sent again (ACC-11)")
    func moved() {
        var story = Self.notice()
        story.goes(to: "2026-03-01")
        story.subscriber.renews = moment("2026-03-25")
        story.happens(.periodMoved)
        #expect(story.record.schedule?.renewal == moment("2026-03-25"))
        story.goes(to: "2026-03-24")
        #expect(story.sent == ["2026-02-16 mail", "2026-02-16 sheet", "2026-03-18 push"])
        #expect(story.calls == [["news"]])
    }

    @Test("A failed call is tried again with longer pauses, and a refused one ends it")
    func calls() {
        var story = Story()
        story.goes(to: "2026-02-18")
        story.happens(.agreed(.consent))
        story.happens(.callFailed(skus: ["news"], code: 5_000_001, isRetryable: true))
        #expect(story.code == .consented)
        #expect(story.record.nextMoment == moment("2026-02-18 00:05"))
        story.goes(to: "2026-02-18 00:05")
        story.happens(.callFailed(skus: ["news"], code: 5_000_001, isRetryable: true))
        #expect(story.record.nextMoment == moment("2026-02-18 00:15"))
        story.goes(to: "2026-02-18 00:15")
        #expect(story.calls.count == 3)
        story.happens(.callFailed(skus: ["news"], code: 4_000_001, isRetryable: false))
        #expect(story.record.state == .failed(4_000_001))
        #expect(story.record.nextMoment == nil)
    }

    @Test("What the store has taken is not stopped, what it has not is")
    func stops() {
        var asked = Story()
        asked.goes(to: "2026-02-18")
        asked.happens(.stopped)
        #expect(asked.record.outcome == .withdrawn)
        #expect(asked.record.nextMoment == nil)
        var called = Story()
        called.goes(to: "2026-02-18")
        called.happens(.agreed(.consent))
        // The call is on its way.
        called.happens(.stopped)
        #expect(called.code == .withdrawn)
        called.happens(.callSucceeded(skus: ["news"]))
        #expect(called.code == .called)
        called.happens(.stopped)
        #expect(called.code == .called)
    }

    @Test("Paused means that nothing goes out; answers are still taken")
    func paused() {
        var story = Story()
        story.goes(to: "2026-02-16")
        story.record.isPaused = true
        #expect(story.record.nextMoment == nil)
        story.now = moment("2026-02-25")
        story.happens(.agreed(.consent))
        #expect(story.code == .consented)
        #expect(story.calls.isEmpty)
        story.record.isPaused = false
        story.happens(.momentReached)
        #expect(story.calls == [["news"]])
    }

    @Test("In Korea the end of an offer is answered within its window, beside the price (KOR-2)")
    func korea() throws {
        let won = try #require(Currency(code: "KRW"))
        let item = Sample.item("news", 5_900_000, offer: Sample.trial(CalendarPeriod(2, .month)))
        let subscriber = Sample.subscriber(
            "1", [item], from: "2025-03-01", to: "2025-05-01", storefront: "KOR", currency: won)
        var story = Story(
            Sample.campaign(["news": 6_900_000], live: "2025-03-10", in: "KOR"), subscriber,
            at: "2025-03-10")
        story.goes(to: "2025-03-31 15:00")
        #expect(story.sent.map { $0.suffix(5) } == [" mail", "sheet", " push"])
        var late = story
        story.now = moment("2025-04-10")
        story.happens(.agreed(.koreanConversion))
        #expect(story.record.conversionAnswer?.isAgreed == true)
        #expect(story.answers.map(\.occasion) == [.koreanConversion])
        // The trial is free, and what was asked about is the price after it.
        #expect(story.answers.map(\.oldPrice) == [0])
        #expect(story.answers.map(\.newPrice) == [5_900_000])
        story.goes(to: "2025-04-30")
        #expect(story.sent.count == 3)
        late.now = moment("2025-04-30 15:00")
        late.happens(.agreed(.koreanConversion))
        #expect(late.record.conversionAnswer == nil)
    }
}
