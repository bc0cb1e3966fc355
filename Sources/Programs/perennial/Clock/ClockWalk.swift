import AppStoreWire
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules

/// Moves a store's clock beside a merchant from moment to moment, so that campaigns do everything
/// on its day.
struct ClockWalk: Sendable {
    let client: StoreClient
    let merchant: MerchantClient
    /// What the clock showed last.
    private(set) var now: Instant
    /// How many events of subscriptions have happened on the way.
    private(set) var changes: Int64 = 0
    /// How often in turn something was overdue.
    private var overdue = 0

    init(_ client: StoreClient, beside merchant: MerchantClient) async throws {
        self.client = client
        self.merchant = merchant
        now = try await Self.clock(client).moment("now")
    }

    /// Goes on to the next moment at which campaigns have something to do, a day at most: of what
    /// has no moment, such as a renewal, they hear within a day. Returns when they have done it.
    ///
    /// - Parameters:
    ///   - end: it goes no further.
    ///   - stop: where it stops as well.
    /// - Returns: what the store answered.
    @discardableResult
    mutating func step(to end: Instant, stoppingAt stop: Instant? = nil) async throws -> Answer {
        var next = min(end, now + .days(1))
        if let due = try await merchant.nextCampaignMoment() {
            // What is overdue still could not be done.
            overdue = due > now ? 0 : overdue + 1
            next = min(next, due > now ? due : now + patience)
        }
        if let stop, stop > now { next = min(next, stop) }
        let answer = try await advance(to: next)
        _ = try await merchant.settle()
        now = try answer.moment("now")
        return answer
    }

    /// How long what is overdue waits: a pace may hold it up for a second, a file that cannot be
    /// read for ever. Twice as long each time, an hour at most.
    private var patience: Span {
        min(.seconds(1 << min(max(overdue - 1, 0), 12)), .hours(1))
    }

    private mutating func advance(to next: Instant) async throws -> Answer {
        do {
            let answer = try await client.send(
                .POST, StorePath("connect", "v1", "clock", "advance")
            ) { json in
                json.field("to", next.iso8601)
            }
            changes += try answer.integer("changes")
            return answer
        } catch let failure as Failure where failure.refusal == "clockWouldGoBack" {
            // A clock that runs has come there by itself.
            let clock = try await Self.clock(client)
            return Answer(
                value: .object([
                    "now": .string(try clock.text("now")), "changes": .integer(0),
                ]), source: clock.source)
        }
    }

    private static func clock(_ client: StoreClient) async throws -> Answer {
        try await client.get(StorePath("connect", "v1", "clock"))
    }
}
