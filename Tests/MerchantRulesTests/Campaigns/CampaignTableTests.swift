import MerchantRules
import SubscriptionRules
import Testing

/// Every state has an answer to every event.
@Suite("States and events of a price campaign")
struct CampaignTableTests {
    static let events: [CampaignEvent] = [
        .momentReached, .sent(.consent, .mail), .unreachable(.consent, .mail),
        .seen(.consent), .acknowledged, .agreed(.consent), .declined(.consent), .renewalTurnedOff,
        .renewalTurnedOn, .enteredRetry, .recovered, .renewed(price: 15_010), .periodMoved,
        .refunded, .productChanged, .expired(forLackOfConsent: true),
        .callSucceeded(skus: ["news"]), .callFailed(skus: ["news"], code: 1, isRetryable: false),
        .stopped,
    ]

    /// A story that has come to a state, on 18 February.
    static func story(in code: SubscriberState.Code) -> Story {
        var story = code == .acknowledged ? Story(Sample.campaign(["news": 10_990])) : Story()
        guard code != .planned else { return story }
        if code == .leftOut {
            var other = Sample.subscriber()
            other.isFamilyMember = true
            return Story(Sample.campaign(), other)
        }
        story.goes(to: "2026-02-18")
        switch code {
        case .planned, .leftOut, .communicating: break
        case .acknowledged: story.happens(.acknowledged)
        case .declined: story.happens(.declined(.consent))
        case .withdrawn: story.happens(.refunded)
        case .blocked: story.happens(.enteredRetry)
        case .carriedOver:
            story.now = moment("2026-03-15")
            story.renews(at: 10_000, until: "2026-04-15")
        case .consented, .callable, .called, .applied, .failed:
            story.happens(.agreed(.consent))
            switch code {
            case .consented:
                story.happens(.callFailed(skus: ["news"], code: 1, isRetryable: true))
            case .failed:
                story.happens(.callFailed(skus: ["news"], code: 1, isRetryable: false))
            case .called: story.happens(.callSucceeded(skus: ["news"]))
            case .applied:
                story.happens(.callSucceeded(skus: ["news"]))
                story.now = moment("2026-03-15")
                story.renews(at: 15_010, until: "2026-04-15")
            default: break
            }
        }
        return story
    }

    /// What becomes of each state, event by event in the order of `events`.
    static let table: [(SubscriberState.Code, [SubscriberState.Code])] = [
        (
            .planned,
            [
                .planned, .planned, .planned, .planned, .planned, .planned, .planned, .withdrawn,
                .planned, .blocked, .planned, .applied, .planned, .withdrawn, .withdrawn,
                .withdrawn, .called, .failed, .withdrawn,
            ]
        ),
        (
            .communicating,
            [
                .communicating, .communicating, .communicating, .communicating, .communicating,
                .callable, .declined, .withdrawn, .communicating, .blocked, .planned, .applied,
                .communicating, .withdrawn, .withdrawn, .withdrawn, .called, .failed, .withdrawn,
            ]
        ),
        (
            .consented,
            [
                .consented, .consented, .consented, .consented, .consented, .consented, .declined,
                .withdrawn, .consented, .blocked, .planned, .applied, .consented, .withdrawn,
                .withdrawn, .withdrawn, .called, .failed, .withdrawn,
            ]
        ),
        (
            .callable,
            [
                .callable, .callable, .callable, .callable, .callable, .callable, .callable,
                .withdrawn, .callable, .blocked, .callable, .applied, .callable, .withdrawn,
                .withdrawn, .withdrawn, .called, .failed, .withdrawn,
            ]
        ),
        (
            .called,
            [
                .called, .called, .called, .called, .called, .called, .called, .withdrawn, .called,
                .blocked, .called, .applied, .called, .withdrawn, .withdrawn, .withdrawn, .called,
                .called, .called,
            ]
        ),
        (
            .declined,
            [
                .declined, .declined, .declined, .declined, .declined, .callable, .declined,
                .declined, .declined, .declined, .declined, .declined, .declined, .declined,
                .declined, .declined, .declined, .declined, .declined,
            ]
        ),
        (
            .carriedOver,
            [
                .carriedOver, .carriedOver, .carriedOver, .carriedOver, .carriedOver, .consented,
                .declined, .withdrawn, .carriedOver, .blocked, .planned, .applied, .carriedOver,
                .withdrawn, .withdrawn, .withdrawn, .called, .failed, .withdrawn,
            ]
        ),
        (
            .blocked,
            [
                .blocked, .blocked, .blocked, .blocked, .blocked, .blocked, .blocked, .withdrawn,
                .blocked, .blocked, .planned, .applied, .blocked, .withdrawn, .withdrawn,
                .withdrawn, .blocked, .blocked, .withdrawn,
            ]
        ),
    ]

    @Test("What every event does in every running state is written down", arguments: table)
    func transitions(state: SubscriberState.Code, expected: [SubscriberState.Code]) {
        #expect(expected.count == Self.events.count)
        for (event, code) in zip(Self.events, expected) {
            var story = Self.story(in: state)
            #expect(story.code == state)
            story.happens(event)
            #expect(story.code == code, "\(event)")
        }
    }

    @Test(
        "Where it is over no event does anything",
        arguments: [SubscriberState.Code.applied, .failed, .leftOut, .withdrawn])
    func over(state: SubscriberState.Code) {
        for event in Self.events {
            var story = Self.story(in: state)
            let actions = story.happens(event)
            #expect(story.code == state, "\(event)")
            #expect(actions.isEmpty, "\(event)")
            #expect(story.record.nextMoment == nil)
        }
    }

    @Test("A notice that was acknowledged stays so, and needs no consent")
    func acknowledged() {
        for event in Self.events {
            var story = Self.story(in: .acknowledged)
            #expect(story.code == .acknowledged)
            story.happens(event)
            #expect(![.consented, .declined].contains(story.code), "\(event)")
        }
    }

    @Test("A state is read back from its code and its detail, and nothing else is")
    func codes() {
        for code in SubscriberState.Code.allCases {
            let state = Self.story(in: code).record.state
            #expect(SubscriberState(code: state.code, detail: state.detail) == state)
        }
        for code in [SubscriberState.Code.withdrawn, .blocked, .failed, .leftOut] {
            #expect(SubscriberState(code: code, detail: "nothing") == nil)
            #expect(SubscriberState(code: code, detail: nil) == nil)
        }
    }
}
