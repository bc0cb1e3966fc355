import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// What an app brought, by month, storefront and product.
    static let getProceeds = Endpoint.operatorOnly(
        .get, "/connect/v1/apps/{bundleId}/proceeds", "getProceeds",
        OperationDescription(
            .theOperator, "Get what an app brought",
            detail: "By month (UTC), storefront and product, from the ledger. As CSV with "
                + "`format=csv` or `Accept: text/csv`: a header line, then `paid` and `refunded` "
                + "as decimal numbers with the currency's decimals, `commission` and `proceeds` "
                + "with three, since they are divided to the thousandth. In every line paid - "
                + "refunded = commission + proceeds.",
            parameters: [
                bundleIDParameter,
                .query("from", .moment("The first moment that counts; all time unless given.")),
                .query("to", .moment("The first moment that counts no longer.")),
                .query(
                    "format", .choice("json unless given, or unless CSV is accepted.", formats)),
            ],
            success: .ok(
                "What it brought.",
                .object(
                    "Proceeds.",
                    .required(
                        "lines",
                        .list("By month, storefront and product.", of: .named("ProceedsLine"))))),
            or: [.ok("As CSV, the same.", .text("A line for each."), as: "text/csv")],
            failures: [.init(.badRequest, "endBeforeStart"), .init(.notFound, "unknownApp")])
    ) { call, input in
        let (from, to) = (input.momentParameter("from"), input.momentParameter("to"))
        if let from, let to, to <= from {
            throw ErrorBody(
                .badRequest, "endBeforeStart", "`to` must be later than `from`.", field: "to")
        }
        let lines = try await call.store.proceeds(
            bundleID: call.text("bundleId"), from: from, to: to, in: call.environment)
        guard call.wantsCSV(input) else {
            return .object { json in
                json.array("lines") { json in
                    for line in lines { json.elementObject { line.write(to: &$0) } }
                }
            }
        }
        return .text(
            ProceedsTable(lines: lines).csv,
            contentType: "text/csv; charset=utf-8; header=present")
    }

    private static let ledgerPages = Paging(
        "entries", "In the order asked for.", of: .named("LedgerEntry"), .after,
        .integer("The sequence of the last one of the page before."), usual: 200, most: 1000)

    /// All money that moved.
    static let listLedger = Endpoint.operatorOnly(
        .get, "/connect/v1/ledger", "listLedger",
        OperationDescription(
            .theOperator, "List all money that moved in this environment",
            detail: "Of all apps. What customer, developer and store gain makes nothing together.",
            parameters: [
                .query("account", .text("Only what this account paid and got.", 1...256)),
                .query("order", .choice("oldestFirst unless given.", orders)),
            ] + ledgerPages.parameters,
            success: ledgerPages.success("A page of the ledger.", "Entries."),
            failures: [.init(.notFound, "unknownAccount")])
    ) { call, input in
        try await ledgerPages.page(input) { after, limit in
            try await call.store.ledger(
                of: input.parameter("account")?.string,
                newestFirst: input.parameter("order")?.string == "newestFirst",
                after: after, limit: limit, in: call.environment)
        } writing: { line, json in
            json.elementObject { line.write(to: &$0) }
        }
    }

    static let formats = ["json", "csv"]

    private static let orders = ["oldestFirst", "newestFirst"]

    static let proceedsLineSchema = Schema.object(
        "What a product brought in a storefront in a month. Reversals of refunds are taken off, "
            + "so that a month can have less than none.",
        .required("month", .text("The month in UTC, such as 2026-03.", 7...7)),
        .required("storefront", .storefront("The storefront.")),
        .required("productId", .text("The product.")),
        .required("currency", .currency()),
        .required("charges", .integer("How many charges there were.")),
        .required(
            "refunds",
            .integer("How many charges were given back, in full or in part.", Int64.min...Int64.max)
        ),
        .required("paid", .gain("What customers paid")),
        .required("refunded", .gain("What customers got back")),
        .required("commission", .gain("What the store keeps of the rest")),
        .required("proceeds", .gain("What the developer gets of the rest")))

    static let ledgerEntrySchema = Schema.object(
        "Money that moved between a customer, a developer and the store.",
        .required("sequence", .integer("Its place in the ledger.")),
        .required("at", .moment("When it moved.")),
        .required("kind", .choice("Why.", LedgerEntry.Kind.allCases.map(\.rawValue))),
        .required("transactionId", .identifier("The transaction that was charged.")),
        .required("account", .text("Who bought it.")),
        .required("bundleId", .text("The app that sold it.")),
        .required("productId", .text("What was bought.")),
        .optional("sku", .text("The line that it is about, where there are several.")),
        .required("currency", .currency()),
        .required("customer", .gain("What the customer gains")),
        .required("developer", .gain("What the developer gains")),
        .required("store", .gain("What the store gains")))
}

extension Schema {
    /// Money that somebody gains, or loses where it is negative.
    fileprivate static func gain(_ about: String) -> Schema {
        integer(
            "\(about), in milliunits of the currency; may be negative.", Int64.min...Int64.max)
    }
}

extension LedgerLine {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("sequence", entry.sequence)
        json.field("at", entry.at.iso8601)
        json.field("kind", entry.kind.rawValue)
        json.field("transactionId", String(entry.transactionID))
        json.field("account", account)
        json.field("bundleId", bundleID)
        json.field("productId", productID)
        json.field("sku", entry.sku)
        json.field("currency", currency.code)
        json.field("customer", entry.customer)
        json.field("developer", entry.developer)
        json.field("store", entry.store)
    }
}

extension ProceedsLine {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("month", month)
        json.field("storefront", storefront.code)
        json.field("productId", productID)
        json.field("currency", currency.code)
        json.field("charges", charges)
        json.field("refunds", refunds)
        json.field("paid", paid)
        json.field("refunded", refunded)
        json.field("commission", commission)
        json.field("proceeds", proceeds)
    }
}

extension Call {
    /// What is asked for by name counts more than what is accepted.
    func wantsCSV(_ input: Input) -> Bool {
        if let format = input.parameter("format")?.string { return format == "csv" }
        let csv = weight(of: "text/csv")
        return csv > 0 && csv >= weight(of: "application/json")
    }

    /// How welcome a type is that `Accept` names (RFC 9110, 12.4.2), in thousandths; 0 where it is
    /// not named.
    private func weight(of type: String) -> Int {
        let ranges = (request.headers[.accept] ?? "").lowercased().split(separator: ",")
        return ranges.compactMap { range -> Int? in
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard parts.first == type else { return nil }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            return quality.map { Int((Double($0) ?? 0) * 1000) } ?? 1000
        }.max() ?? 0
    }
}
