import AppStoreWire
import HTTPSurface
import Hummingbird
import Merchant
import SubscriptionRules

/// The notifications that are to go on to other servers, and have not arrived.
enum ForwardedList {
    private static let form = ObjectForm<ForwardedNotification>(
        "A notification that is to go on to another server.",
        .integer("id", "Its number, in the order in which notifications were accepted.", \.id),
        .text("bundleId", "The app.", \.bundleID),
        .text("url", "Where it goes on to.", \.target),
        .moment("accepted", "When it was accepted, by the machine's clock.", \.acceptedAt),
        .integer("attempts", "How often it was sent.", \.attempts),
        .optionalMoment(
            "nextAttempt", "When it is sent next; absent where it was given up.", \.nextAttempt),
        .text("state", "What has become of it: waiting or givenUp.", \.stateName),
        .optionalText("problem", "What came of the last attempt.", \.problem))

    private static let paging = Paging(
        "forwarded", "The newest first.", of: form.schema, .before,
        .identifier("The number of the last one."))

    static let endpoint = Endpoint.tokenHolder(
        .get, "/v1/operator/forwarded", "listForwarded",
        OperationDescription(
            .theOperator, "List notifications that have not arrived where they are forwarded to",
            detail: "What has arrived is not kept; what could not be sent within three days is "
                + "given up, and listed for a month.",
            parameters: paging.parameters + [
                .query(
                    "state",
                    .choice("Only these.", ForwardedNotification.State.allCases.map(\.name)))
            ],
            success: paging.success("Those that have not arrived.", "A page of them."))
    ) { call, input in
        let wanted = input.parameter("state")?.string
        let state = ForwardedNotification.State.allCases.first { $0.name == wanted }
        return try await paging.page(input) { before, limit in
            try await call.merchant.forwarded(state, before: before, limit: limit)
        } writing: { one, json in
            json.elementObject { form.write(one, to: &$0) }
        }
    }
}

extension ForwardedNotification.State {
    fileprivate var name: String {
        switch self {
        case .waiting: "waiting"
        case .givenUp: "givenUp"
        }
    }
}

extension ForwardedNotification {
    fileprivate var stateName: String { state.name }
}
