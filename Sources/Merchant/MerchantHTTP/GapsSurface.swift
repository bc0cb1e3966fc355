import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// What was missed: what looks have found, and asking the store now.
enum GapsSurface {
    static let endpoints: [Endpoint] = [listGaps, healGaps, testNotifications]

    private static let gap = ObjectForm<GapReport>(
        "What one kind of look for what was missed has found, or has found so far, in one "
            + "environment of an app.",
        .text("bundleId", "The app.", \.bundleID),
        .text("environment", "Production or Sandbox.", \.environment.name),
        .choice(
            "kind",
            "What is looked at: failures are notifications that the store could not deliver, "
                + "history is all of them, statuses are subscriptions that should have changed "
                + "and of which nothing was heard, test is a test notification.", \.kind),
        .choice(
            "state",
            "Whether it runs, was interrupted and will go on where it was, or is done.", \.state),
        .moment("since", "From when notifications are looked at.", \.since),
        .moment("until", "Up to when.", \.until),
        .moment("started", "When it began.", \.started),
        .moment("moved", "When it got on last.", \.moved),
        .optionalMoment("ended", "When it was done.", \.ended),
        .integer("read", "How many notifications or subscriptions it has read so far.", \.read),
        .integer("healed", "How many notifications were missing here and were taken.", \.healed),
        .integer("changed", "How many subscriptions had changed.", \.changed),
        .optionalBoolean(
            "arrived",
            "Whether the test notification came in here; absent for other kinds, and until that "
                + "is known.", \.arrived),
        .texts(
            "sendAttempts",
            "What the store says of each of its attempts to deliver the test notification, in "
                + "Apple's words; empty for other kinds.", \.sendAttempts),
        .optionalText(
            "problem", "What could not be taken, or why it ended early: the last of it.",
            \.problem))

    private struct GapList: Sendable { let gaps: [GapReport] }

    private static let gaps = ObjectForm<GapList>(
        "What looking for what was missed has found.",
        .list("gaps", "By app, environment and kind.", \.gaps, of: gap))

    /// What the last look of each kind has found, or finds now.
    static let listGaps = Endpoint.tokenHolder(
        .get, "/v1/operator/gaps", "listGaps",
        OperationDescription(
            .theOperator, "List what looks for what was missed have found",
            detail: "The last look of each kind, or the one that runs with how far it is.",
            success: .ok("A report for each kind, environment and app.", gaps.schema))
    ) { call, _ in
        let list = GapList(gaps: try await call.merchant.gaps())
        return .object { gaps.write(list, to: &$0) }
    }

    /// Asks the store what was missed.
    static let healGaps = Endpoint.tokenHolder(
        .post, "/v1/operator/gaps/heal", "healGaps",
        OperationDescription(
            .theOperator, "Ask the store what was missed, and take it",
            detail: "The whole history of notifications first, then the subscriptions whose period "
                + "has ended without a word. Answers when what was found has been processed; where "
                + "another process looks already, with how far that is.",
            body: .members(
                .object(
                    "From when.",
                    .optional(
                        "since",
                        .moment(
                            "From when notifications are looked at: a day before the end of the "
                                + "last look, the first time all that the store keeps.")))),
            success: .ok("A report for each kind, environment and app.", gaps.schema))
    ) { call, input in
        let list = GapList(gaps: try await call.merchant.heal(since: input.moment("since")))
        return .object { gaps.write(list, to: &$0) }
    }

    /// Asks the store for a test notification.
    static let testNotifications = Endpoint.tokenHolder(
        .post, "/v1/operator/gaps/test", "testNotifications",
        OperationDescription(
            .theOperator, "Ask the store for a test notification, and whether it arrived here",
            detail: "In each environment of each app whose store can be asked. Answers once the "
                + "store has a result, at most after a minute for each.",
            success: .ok("A report for each environment and app.", gaps.schema))
    ) { call, _ in
        let list = GapList(gaps: try await call.merchant.test())
        return .object { gaps.write(list, to: &$0) }
    }
}
