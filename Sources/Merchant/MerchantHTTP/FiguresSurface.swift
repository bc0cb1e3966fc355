import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import SubscriptionRules

/// What an app earns, and the transactions behind it.
enum FiguresSurface {
    static let endpoints: [Endpoint] = [getFigures, listTransactions]

    private static let day = ObjectForm<AppFigures.Day>(
        "What was bought on a day in one currency.",
        .text("day", "In UTC.", \.day), .text("currency", "The currency.", \.currency),
        .integer("transactions", "How many.", \.transactions),
        .integer("revenue", "The prices that were signed, in milliunits.", \.revenue),
        .integer(
            "refunded", "How much of that was refunded since, in milliunits.", \.refunded))

    private static let figures = ObjectForm<AppFigures>(
        "What an app earns, by the newest that was signed of each transaction.",
        .moment("asOf", "What the merchant's clock shows.", \.asOf),
        .integer(
            "active",
            "How many subscriptions are in a period that has not ended, refunded ones too.",
            \.active),
        .integer("trials", "How many of their periods cost nothing.", \.trials),
        .list(
            "days", "The first first; days without a transaction are left out.", \.days,
            of: day))

    private static let environments = OperationDescription.Parameter.query(
        "environment",
        .choice(
            "Of which environment; Production unless given.",
            MerchantEnvironment.allCases.map(\.name)))

    /// What an app earns.
    static let getFigures = Endpoint.tokenHolder(
        .get, "/v1/operator/apps/{bundleId}/figures", "getFigures",
        OperationDescription(
            .theOperator, "Say what an app earns, day by day",
            parameters: [
                CustomersSurface.bundleID, environments,
                .query(
                    "days",
                    .integer("How many days, today the last one; 30 unless given.", 1...366)),
            ],
            success: .ok("The figures.", figures.schema),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        let found = try await call.merchant.figures(
            of: try call.bundleID(), in: input.environment ?? .production,
            days: input.parameter("days")?.integer ?? 30)
        return .object { figures.write(found, to: &$0) }
    }

    private static let transaction = ObjectForm<EarnedTransaction>(
        "A transaction behind a figure.",
        .text("id", "Pass it as `after` to get the next page.", \.cursor),
        .text("transactionId", "The transaction.", \.transactionID),
        .text("originalTransactionId", "The purchase.", \.originalTransactionID),
        .text("environment", "Production or Sandbox.", \.environment.name),
        .optionalText("account", "The account that owns the purchase.", \.account),
        .text("productId", "The product.", \.productID),
        .moment("purchased", "When it was bought.", \.purchased),
        .optionalMoment("expires", "When it ends.", \.expires),
        .integer("price", "The price that was signed, in milliunits.", \.price),
        .text("currency", "The currency.", \.currency),
        .optionalMoment("revoked", "When it was taken back.", \.revoked))

    private static let paging = Paging(
        "transactions", "By date.", of: transaction.schema, .after,
        .text("The id of the last one.", 1...300))

    /// What a day's revenue is made of.
    static let listTransactions = Endpoint.tokenHolder(
        .get, "/v1/operator/apps/{bundleId}/transactions", "listEarnedTransactions",
        OperationDescription(
            .theOperator, "List the transactions of a day",
            parameters: [
                CustomersSurface.bundleID, environments,
                .query("day", .moment("The day in UTC, such as 2026-01-31; today unless given.")),
                .query("currency", .text("Only in this currency.", 3...3)),
            ] + paging.parameters,
            success: paging.success("The transactions.", "A page of them."),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        let bundleID = try call.bundleID()
        let day = input.parameter("day")?.string.flatMap { Instant(iso8601: $0) }
        let wanted: Instant
        if let day { wanted = day } else { wanted = try await call.merchant.now() }
        return try await paging.pageByName(input) { after, limit in
            try await call.merchant.transactions(
                of: bundleID, in: input.environment ?? .production, on: wanted,
                currency: input.parameter("currency")?.string,
                after: try after.map { try cursor($0) }, limit: limit)
        } writing: { one, json in
            json.elementObject { transaction.write(one, to: &$0) }
        }
    }

    private static func cursor(_ text: String) throws(ErrorBody) -> EarnedCursor {
        guard let cursor = EarnedCursor(text) else {
            throw ErrorBody(
                .badRequest, "invalidMember", "`after` is the `id` of an entry.", field: "after")
        }
        return cursor
    }
}
