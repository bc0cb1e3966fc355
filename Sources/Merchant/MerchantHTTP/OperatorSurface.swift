import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// What whoever runs a merchant looks at and does.
enum OperatorSurface {
    static let endpoints: [Endpoint] =
        [
            listDeadLetters, replayDeadLetter, ForwardedList.endpoint, settle,
        ] + GapsSurface.endpoints + RebuildSurface.endpoints

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
            detail: "A letter that was set aside is taken in again under another number, if the "
                + "configuration now accepts it.",
            parameters: [.path("id", .identifier("Its number."))],
            success: .ok(
                "The letter. Its state is `dead` if it failed again.",
                CustomerForms.notification.schema),
            failures: [
                .init(.notFound, "unknownDeadLetter"), .init(.notFound, "unknownApp"),
                .init(.conflict, "setAside"),
            ])
    ) { call, _ in
        guard let id = call.parameter("id").flatMap(Int64.init) else {
            throw MerchantError.unknownDeadLetter(0)
        }
        let letter = try await call.merchant.replay(id)
        return .object { CustomerForms.notification.write(letter, to: &$0) }
    }

    /// Waits for all that was accepted.
    static let settle = Endpoint.tokenHolder(
        .post, "/v1/operator/settle", "settleMerchant",
        OperationDescription(
            .theOperator, "Wait until everything accepted so far has been processed",
            detail: "And until everything that is due of campaigns was done. What the store takes "
                + "longer for is not waited for.",
            success: .nothing("It has been processed."))
    ) { call, _ in
        try await call.merchant.settle()
        try await call.merchant.workOnCampaigns(patience: .seconds(10))
        // A store beside it is done in moments, Apple's in hours.
        let patience: Duration = call.site.server.processesFirst ? .seconds(10) : .zero
        try await call.merchant.settleOutages(patience: patience)
        return .empty(.noContent)
    }
}
