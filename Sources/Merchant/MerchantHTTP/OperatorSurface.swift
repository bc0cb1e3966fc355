import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// What whoever runs a merchant looks at and does.
enum OperatorSurface {
    static let endpoints: [Endpoint] = [
        listDeadLetters, replayDeadLetter, ForwardedList.endpoint, listGaps, healGaps, settle,
    ]

    private static let paging = Paging(
        "deadLetters", "The newest first.", of: CustomerForms.notification.schema, .before,
        .identifier("The number of the last one."))

    /// What was accepted and could not be processed.
    static let listDeadLetters = Endpoint.tokenHolder(
        .get, "/v1/operator/dead-letters", "listDeadLetters",
        OperationDescription(
            .theOperator, "List what could not be processed", parameters: paging.parameters,
            success: paging.success("The dead letters.", "A page of them."))
    ) { call, input in
        try await paging.page(input) { before, limit in
            try await call.merchant.deadLetters(before: before, limit: limit)
        } writing: { letter, json in
            json.elementObject { CustomerForms.notification.write(letter, to: &$0) }
        }
    }

    /// Tries one again.
    static let replayDeadLetter = Endpoint.tokenHolder(
        .post, "/v1/operator/dead-letters/{id}/replay", "replayDeadLetter",
        OperationDescription(
            .theOperator, "Process a dead letter again",
            parameters: [.path("id", .identifier("Its number."))],
            success: .nothing("It was tried again."),
            failures: [.init(.notFound, "unknownDeadLetter")])
    ) { call, _ in
        guard let id = call.parameter("id").flatMap(Int64.init) else {
            throw MerchantError.unknownDeadLetter(0)
        }
        try await call.merchant.replay(id)
        return .empty(.noContent)
    }

    private static let gap = ObjectForm<GapReport>(
        "What looking for gaps has found in one environment of an app.",
        .text("bundleId", "The app.", \.bundleID),
        .text("environment", "Production or Sandbox.", \.environment.name),
        .moment("since", "From when notifications were looked at.", \.since),
        .moment("until", "Up to when.", \.until),
        .integer("seen", "How many the store has sent, or tried to send, in that time.", \.seen),
        .integer("healed", "How many of them were missing here and were taken.", \.healed),
        .integer(
            "asked",
            "How many subscriptions were asked for, since they should have changed and did not.",
            \.asked),
        .integer("changed", "How many of them had changed.", \.changed),
        .optionalText(
            "problem", "What could not be taken, or why looking ended early.", \.problem))

    private struct GapList: Sendable { let gaps: [GapReport] }

    private static let gaps = ObjectForm<GapList>(
        "What looking for gaps has found.",
        .list("gaps", "By app and environment.", \.gaps, of: gap))

    /// What the last look for gaps has found.
    static let listGaps = Endpoint.tokenHolder(
        .get, "/v1/operator/gaps", "listGaps",
        OperationDescription(
            .theOperator, "List what the last look for gaps has found",
            success: .ok("A report for each environment of an app.", gaps.schema))
    ) { call, _ in
        let list = GapList(gaps: try await call.merchant.gaps())
        return .object { gaps.write(list, to: &$0) }
    }

    /// Asks the store what was missed.
    static let healGaps = Endpoint.tokenHolder(
        .post, "/v1/operator/gaps/heal", "healGaps",
        OperationDescription(
            .theOperator, "Ask the store what was missed, and take it",
            detail: "The history of notifications first, then the subscriptions whose period has "
                + "ended without a word. Answers when what was found has been processed.",
            body: .members(
                .object(
                    "From when.",
                    .optional(
                        "since",
                        .moment(
                            "From when notifications are looked at: a day before the end of the "
                                + "last look, the first time all that the store keeps.")))),
            success: .ok("A report for each environment of an app.", gaps.schema))
    ) { call, input in
        let list = GapList(gaps: try await call.merchant.heal(since: input.moment("since")))
        return .object { gaps.write(list, to: &$0) }
    }

    /// Waits for all that was accepted.
    static let settle = Endpoint.tokenHolder(
        .post, "/v1/operator/settle", "settleMerchant",
        OperationDescription(
            .theOperator, "Wait until everything accepted so far has been processed",
            success: .nothing("It has been processed."))
    ) { call, _ in
        try await call.merchant.settle()
        return .empty(.noContent)
    }
}
