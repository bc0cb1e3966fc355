import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Gives the price of a transaction back, with or without a request.
    static let refundTransaction = Endpoint.operatorOnly(
        .post, "/connect/v1/transactions/{transactionId}/refund", "refundTransaction",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Refund a transaction",
            detail: "With or without the customer's request. A refund of a subscription's running "
                + "period ends access at once; of a merchant's plan an earlier transaction of the "
                + "same cycle ends the items that it paid for.",
            parameters: [transactionParameter], body: .members(refundBody),
            success: .ok("Refunded.", .named("Refund")),
            failures: [
                .init(.notFound, "unknownTransaction"), .init(.conflict, "familyShared"),
            ] + refusals)
    ) { call, input in
        let id = try transaction(call)
        let revocation = try await call.store.refund(
            transaction: id, input.extent, reason: input.reason, in: call.environment)
        return try await refund(revocation, of: id, call)
    }

    /// Takes a refund back.
    static let reverseRefund = Endpoint.operatorOnly(
        .post, "/connect/v1/transactions/{transactionId}/reverse-refund", "reverseRefund",
        OperationDescription(
            .theOperator, "Reverse a refund",
            detail: "The customer lost the dispute: pays again, and has access again until the "
                + "agreed end, where the refund ended a running period. What it ended in a grace "
                + "period or in billing retry stays over. Items of a merchant's plan come back "
                + "until then and do not renew.",
            parameters: [transactionParameter],
            success: .ok(
                "Reversed.",
                .object(
                    "A refund that was reversed.",
                    bought + [
                        .required("price", .total("What was paid, and is again")),
                        .required("currency", .currency()),
                    ])),
            failures: [
                .init(.notFound, "unknownTransaction"), .init(.conflict, "notRefunded"),
                .init(.conflict, "notRefundable"), .init(.conflict, "reversedByBank"),
                .init(.conflict, "familyShared"),
            ])
    ) { call, _ in
        let id = try transaction(call)
        try await call.store.reverseRefund(transaction: id, in: call.environment)
        let bought = try await call.store.boughtPeriod(transaction: id, in: call.environment)
        return .object { json in
            bought.write(to: &json, of: id, in: call.environment)
            json.field("price", bought.price.milliunits)
            json.field("currency", bought.price.currency.code)
        }
    }

    /// Customer support's cancellation.
    static let cancelSubscription = Endpoint.operatorOnly(
        .post, "/connect/v1/subscriptions/{originalTransactionId}/cancel", "cancelSubscription",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Cancel a subscription as customer support does",
            detail: "Refunds its newest transaction and ends it at once.",
            parameters: [subscriptionParameter], body: .members(refundBody),
            success: .ok("Cancelled.", .named("Refund")),
            failures: [
                .init(.notFound, "unknownSubscription"), .init(.conflict, "notActive"),
            ] + refusals)
    ) { call, input in
        let id = try call.pathIdentifier(
            "originalTransactionId", of: .originalTransaction)
        let (transactionID, revocation) = try await call.store.cancel(
            subscription: id, input.extent, reason: input.reason, in: call.environment)
        return try await refund(revocation, of: transactionID, call)
    }

    /// What was given back, and of what.
    static func refund(
        _ revocation: Revocation, of id: Int64, _ call: Call
    ) async throws -> Response {
        let bought = try await call.store.boughtPeriod(transaction: id, in: call.environment)
        return .object { json in
            bought.write(to: &json, of: id, in: call.environment)
            json.field("price", bought.price.milliunits)
            revocation.write(to: &json)
        }
    }

    private static func transaction(_ call: Call) throws -> Int64 {
        try call.pathIdentifier("transactionId", of: .transaction)
    }

    private static let transactionParameter = OperationDescription.Parameter.path(
        "transactionId", .identifier("The transaction."))

    /// Why a transaction cannot be refunded.
    static let refusals: [OperationDescription.Failure] = [
        .init(.conflict, "alreadyRevoked"), .init(.conflict, "nothingPaid"),
        .init(.conflict, "nothingLeft"), .init(.conflict, "notRefundable"),
    ]

    static let extent = Schema.Member.optional(
        "extent",
        .choice(
            "The whole price, or the unused share of the period; full unless given.",
            RefundablePeriod.Extent.allCases.map(\.rawValue)))

    private static let refundBody = Schema.object(
        "How much is given back, and why.", extent,
        .optional(
            "reason",
            .choice(
                "Why; other unless given.", Revocation.Reason.allCases.map(\.name))))

    /// What a transaction bought.
    private static let bought: [Schema.Member] = [
        .required("transactionId", .identifier("The transaction.")),
        .required("originalTransactionId", .identifier("The first one, or the same.")),
        .required("environment", environmentSchema),
        .required("productId", .text("What was bought.")),
        .required("quantity", .integer("How many.")),
        .required("purchased", .moment("When, or when the subscription's period began.")),
        .optional("expires", .moment("The end of the subscription's period.")),
    ]

    static let refundSchema = Schema.object(
        "A refund.",
        bought + [
            .required("price", .total("What was paid")),
            .required("refunded", .total("What was given back")),
            .required("currency", .currency()),
            .required(
                "extent",
                .choice("How much that is.", RefundablePeriod.Extent.allCases.map(\.rawValue))),
            .optional(
                "percentage", .integer("The same in thousandths of a per cent.", 1...100_000)),
            .optional("reason", .choice("Why.", Revocation.Reason.allCases.map(\.name))),
            .required("revoked", .moment("When.")),
        ])
}

extension BoughtPeriod {
    fileprivate func write(
        to json: inout JSONWriter, of id: Int64, in environment: StoreEnvironment
    ) {
        json.field("transactionId", String(id))
        json.field("originalTransactionId", String(originalID))
        json.field("environment", environment.wire)
        json.field("productId", productID)
        json.field("quantity", quantity)
        json.field("purchased", start.iso8601)
        json.field("expires", end?.iso8601)
    }
}

extension Revocation {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("refunded", refunded.milliunits)
        json.field("currency", refunded.currency.code)
        let extent: RefundablePeriod.Extent = kind == .refundProrated ? .prorated : .full
        json.field("extent", extent.rawValue)
        json.field("percentage", percentage)
        json.field("reason", reason?.name)
        json.field("revoked", moment.iso8601)
    }
}

extension Revocation.Reason {
    fileprivate var name: String {
        switch self {
        case .other: "other"
        case .problemWithApp: "problemWithApp"
        }
    }
}

extension Input {
    /// How much is given back: everything unless said otherwise.
    var extent: RefundablePeriod.Extent {
        text("extent").flatMap(RefundablePeriod.Extent.init(rawValue:)) ?? .full
    }

    fileprivate var reason: Revocation.Reason {
        text("reason") == Revocation.Reason.problemWithApp.name ? .problemWithApp : .other
    }
}
