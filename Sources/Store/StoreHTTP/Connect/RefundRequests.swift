import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// How the requests are given out.
    private static let requestPages = Paging(
        "refundRequests", "Newest first.", of: .named("RefundRequest"), .before,
        .integer("The id of the last one of the page before."))

    /// Customers' requests for refunds.
    static let listRefundRequests = Endpoint.operatorOnly(
        .get, "/connect/v1/refund-requests", "listRefundRequests",
        OperationDescription(
            .theOperator, "List the requests for refunds of this environment",
            detail: "Of all apps, newest first, with what the developer said of each.",
            parameters: [
                .query(
                    "state",
                    .choice("Only those.", RefundRequest.State.allCases.map(\.rawValue)))
            ] + requestPages.parameters,
            success: requestPages.success("A page of requests.", "Requests."))
    ) { call, input in
        let state = input.parameter("state")?.string.flatMap(RefundRequest.State.init(rawValue:))
        return try await requestPages.page(input) { before, limit in
            try await call.store.refundRequests(
                state, before: before, limit: limit, in: call.environment)
        } writing: { entry, json in
            json.elementObject { entry.write(to: &$0) }
        }
    }

    /// Grants a request.
    static let grantRefund = Endpoint.operatorOnly(
        .post, "/connect/v1/refund-requests/{id}/grant", "grantRefund", canRehearse: true,
        OperationDescription(
            .theOperator, "Grant a request for a refund",
            detail: "What a merchant asks back item by item is given back as each item says, "
                + "whatever the extent.", parameters: [requestParameter],
            body: .members(.object("How much is given back.", extent)),
            success: .ok("Refunded.", .named("Refund")),
            failures: [.init(.notFound, "unknownRefundRequest")] + refusals)
    ) { call, input in
        let (id, revocation) = try await call.store.decide(
            refundRequest: try request(call), granting: input.extent, in: call.environment)
        guard let revocation else { preconditionFailure("a grant gives something back") }
        return try await refund(revocation, of: id, call)
    }

    /// Declines a request.
    static let declineRefund = Endpoint.operatorOnly(
        .post, "/connect/v1/refund-requests/{id}/decline", "declineRefund", canRehearse: true,
        OperationDescription(
            .theOperator, "Decline a request for a refund", parameters: [requestParameter],
            success: .nothing("Declined."),
            failures: [.init(.notFound, "unknownRefundRequest")])
    ) { call, _ in
        try await call.store.decide(
            refundRequest: try request(call), granting: nil, in: call.environment)
        return .empty(.noContent)
    }

    private static func request(_ call: Call) throws -> Int64 {
        try call.pathIdentifier("id", of: .refundRequest)
    }

    private static let requestParameter = OperationDescription.Parameter.path(
        "id", .identifier("The request."))

    static let refundRequestSchema = Schema.object(
        "A customer's request to get the price of a transaction back.",
        .required("id", .integer("Its number.")),
        .required("bundleId", .text("The app.")),
        .required("account", .text("Who asks.")),
        .required("productId", .text("What was bought.")),
        .required("quantity", .integer("How many.")),
        .required("transactionId", .identifier("The transaction.")),
        .required("originalTransactionId", .identifier("The first one, or the same.")),
        .required("price", .total("What was paid")),
        .required("currency", .currency()),
        .required(
            "reason", .choice("Why.", RefundRequest.Reason.allCases.map(\.rawValue))),
        .required("requested", .moment("When it was made.")),
        .required(
            "state",
            .choice("How far it has come.", RefundRequest.State.allCases.map(\.rawValue))),
        .optional("decides", .moment("When a policy decides at the latest.")),
        .optional("decided", .moment("When it was decided.")),
        .optional(
            "refunded", .total("What was given back; absent after the refund was reversed")),
        .optional("percentage", .integer("The same in thousandths of a per cent.", 1...100_000)),
        .optional(
            "consumption",
            .object(
                "What the developer said about the purchase.",
                .optional(
                    "preference",
                    .choice(
                        "What the developer would like.",
                        ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"])),
                .optional(
                    "percentage",
                    .integer("How much was used up, in thousandths of a per cent.", 0...100_000)),
                .required("answer", .anything("The members of the answer that Apple publishes.")))))
}

extension RefundRequestEntry {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", request.id)
        json.field("bundleId", bundleID)
        json.field("account", account)
        json.field("productId", productID)
        json.field("quantity", quantity)
        json.field("transactionId", String(request.transactionID))
        json.field("originalTransactionId", String(originalTransactionID))
        json.field("price", price.milliunits)
        json.field("currency", price.currency.code)
        json.field("reason", request.reason.rawValue)
        json.field("requested", request.requested.iso8601)
        json.field("state", request.state.rawValue)
        json.field("decides", request.decidesAt?.iso8601)
        json.field("decided", request.decided?.iso8601)
        json.field("refunded", refunded?.milliunits)
        json.field("percentage", percentage)
        guard let consumption = request.consumption else { return }
        json.object("consumption") { json in
            json.field("preference", consumption.preference?.rawValue)
            json.field("percentage", consumption.percentage)
            let isJSON = (try? JSONValue(parsing: consumption.body.utf8)) != nil
            if isJSON {
                json.rawField("answer", consumption.body.utf8)
            } else {
                json.field("answer", consumption.body)
            }
        }
    }
}
