import SubscriptionRules
import Testing

@testable import ServerAPIClient

@Suite("The client of the App Store Server API, and Apple's limits")
struct PaceTests {
    /// When requests are sent that are asked for at once, until a time.
    private func times(
        _ limits: RequestLimits, _ quota: RequestQuota, until end: Duration
    ) -> [Duration] {
        let pace = RequestPace(limits)
        var times: [Duration] = []
        var uptime = Duration.zero
        while uptime < end, times.count < 1_000_000 {
            uptime += pace.take(quota, at: uptime)
            if uptime < end { times.append(uptime) }
        }
        return times
    }

    @Test(
        "In an hour no more is sent than Apple allows, and nearly all of it",
        arguments: [
            (RequestLimits.production, 50, 180_000), (.production, 1, 3_600),
            (.sandbox, 50, 18_000), (.sandbox, 1, 360), (RequestLimits(percent: 50), 10, 18_000),
        ] as [(RequestLimits, Int, Int)])
    func hour(limits: RequestLimits, perSecond: Int, allowed: Int) {
        let quota = RequestQuota("history", perSecond)
        let sent = times(limits, quota, until: .seconds(3600)).count
        #expect(sent <= allowed)
        #expect(sent >= allowed * 99 / 100)
    }

    @Test("A minute's worth goes out at once, what follows at an even pace")
    func burst() {
        let sent = times(.sandbox, RequestQuota("testNotification", 1), until: .seconds(60))
        #expect(sent.prefix { $0 == .zero }.count == 6)
        let rest = sent.dropFirst(6)
        #expect(rest.first.map { $0 > .seconds(10) && $0 < .seconds(11) } ?? false)
    }

    @Test("One endpoint does not hold up another")
    func apart() {
        let pace = RequestPace(.sandbox)
        for _ in 0..<100 { _ = pace.take(RequestQuota("testNotification", 1), at: .zero) }
        #expect(pace.take(RequestQuota("testNotification", 1), at: .zero) > .seconds(60))
        #expect(pace.take(RequestQuota("history", 50), at: .zero) == .zero)
    }

    @Test("Without limits nobody waits")
    func none() {
        let pace = RequestPace(.none)
        for _ in 0..<1000 {
            #expect(pace.take(RequestQuota("testNotification", 1), at: .zero) == .zero)
        }
    }
}
