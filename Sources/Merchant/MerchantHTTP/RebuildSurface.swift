import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// Rebuilding what is kept from what the store says.
enum RebuildSurface {
    static let endpoints: [Endpoint] = [
        beginRebuild, rereadHistory, listRebuilds, showRebuild, listFailedLines,
    ]

    private static let rebuild = ObjectForm<Rebuild>(
        "A rebuild, with how far it is.",
        .integer("id", "Its number.", \.id),
        .text("bundleId", "The app.", \.bundleID),
        .text("environment", "Production or Sandbox.", \.environment.name),
        .moment("started", "When it began.", \.started),
        .moment("moved", "When it got on last.", \.moved),
        .optionalMoment("ended", "When it was done.", \.ended),
        .integer("lines", "How many lines it has.", \.lines),
        .integer("read", "How many of them it has read so far.", \.read),
        .integer(
            "taken", "How many transactions and how much renewal information were news.",
            \.taken),
        .integer("failed", "How many lines brought nothing: each says why.", \.failed),
        .optionalText(
            "problem", "Why it stands still, where it does: it goes on by itself within the hour.",
            \.problem))

    private static let paging = Paging(
        "rebuilds", "The newest first.", of: rebuild.schema, .before,
        .identifier("The number of the last one."))

    private struct Failed: Sendable {
        let line: FailedLine
        var account: String? { line.line.account }
        var transactionID: String { line.line.transactionID }
        var id: Int64 { line.id }
        var problem: String { line.problem }
    }

    private static let failed = ObjectForm<Failed>(
        "A line that brought nothing.",
        .integer("id", "Its number.", \.id),
        .optionalText("account", "The account that it names.", \.account),
        .text("transactionId", "The transaction that it names.", \.transactionID),
        .text("problem", "Why it brought nothing.", \.problem))

    private static let failedPaging = Paging(
        "failures", "In their order.", of: failed.schema, .after,
        .identifier("The number of the last one."))

    private static let id = OperationDescription.Parameter.path(
        "id", .identifier("The number of the rebuild."))

    /// Begins a rebuild of a list of transactions.
    static let beginRebuild = Endpoint.tokenHolder(
        .post, "/v1/operator/rebuild", "beginRebuild",
        OperationDescription(
            .theOperator, "Rebuild from a list of transactions",
            detail: "Asks for the whole history and the statuses of each transaction's customer "
                + "and takes everything; what was asked for before is asked for what is newer. A "
                + "purchase that nobody owns becomes the account's that its line names. Answers "
                + "at once: the rebuild goes on, also after a restart, and says how far it is.",
            body: .members(
                .object(
                    "Whose customers.",
                    .required("bundleId", .text("The app.", 1...255)),
                    .optional(
                        "environment",
                        .choice(
                            "Whose store is asked: Production, where it is served.",
                            MerchantEnvironment.allCases.map(\.name))),
                    .required(
                        "lines",
                        .list(
                            "At most 10,000.",
                            of: .text(
                                "A transaction of the purchase, any of it, or the account and the "
                                    + "transaction with a comma between them.", 1...320),
                            atLeast: 1)))),
            success: .accepted("It has begun.", rebuild.schema),
            failures: [
                .init(.notFound, "unknownApp"), .init(.conflict, "noServerAPI"),
                .init(.badRequest, "invalidLine"),
            ])
    ) { call, input in
        let begun = try await call.merchant.rebuild(
            try lines(input.texts("lines") ?? []), of: input.requiredText("bundleId"),
            in: MerchantEnvironment(named: input.text("environment")))
        guard call.site.server.processesFirst else {
            return .object(status: .accepted) { rebuild.write(begun, to: &$0) }
        }
        try await call.merchant.workOnRebuilds()
        let done = try await call.merchant.rebuild(begun.id)
        return .object(status: .accepted) { rebuild.write(done, to: &$0) }
    }

    /// Reads lines as a body has them.
    private static func lines(_ texts: [String]) throws(ErrorBody) -> [RebuildLine] {
        guard texts.count <= Merchant.mostRebuildLines else {
            throw ErrorBody(
                .badRequest, "invalidLine",
                "There are \(texts.count) lines: send at most \(Merchant.mostRebuildLines) at a "
                    + "time.", field: "lines")
        }
        var lines: [RebuildLine] = []
        for (index, text) in texts.enumerated() {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let number = parts.last.map { String($0) } ?? ""
            let account = parts.dropLast().joined(separator: ",")
            let isNamed = parts.count > 1
            let isNumber =
                (1...64).contains(number.utf8.count)
                && number.utf8.allSatisfy { (33...126).contains($0) }
            guard isNumber, !isNamed || (1...255).contains(account.unicodeScalars.count) else {
                throw ErrorBody(
                    .badRequest, "invalidLine",
                    "Line \(index + 1) is no transaction: write `transactionId`, or "
                        + "`account,transactionId`.", field: "lines")
            }
            lines.append(RebuildLine(account: isNamed ? account : nil, transactionID: number))
        }
        return lines
    }

    /// Reads the whole history of notifications again.
    static let rereadHistory = Endpoint.tokenHolder(
        .post, "/v1/operator/rebuild/history", "rereadHistory",
        OperationDescription(
            .theOperator, "Rebuild from the whole history of notifications",
            detail: "All that the store keeps: 180 days, in Sandbox 30. Answers at once; the "
                + "history's report among the gaps says how far it is.",
            success: .accepted(
                "It has begun.",
                .object(
                    "What has begun.",
                    .required(
                        "begun",
                        .integer(
                            "How many environments of apps are read: not those in which somebody "
                                + "looks now.")))))
    ) { call, _ in
        let count = try await call.merchant.rereadHistory()
        if call.site.server.processesFirst { try await call.merchant.lookWhereDue() }
        return .object(status: .accepted) { $0.field("begun", Int64(count)) }
    }

    /// The rebuilds that there were.
    static let listRebuilds = Endpoint.tokenHolder(
        .get, "/v1/operator/rebuild", "listRebuilds",
        OperationDescription(
            .theOperator, "List the rebuilds, with how far they are",
            parameters: paging.parameters, success: paging.success("The rebuilds.", "A page."))
    ) { call, input in
        try await paging.page(input) { before, limit in
            try await call.merchant.rebuilds(before: before, limit: limit)
        } writing: { one, json in
            json.elementObject { rebuild.write(one, to: &$0) }
        }
    }

    /// One of them.
    static let showRebuild = Endpoint.tokenHolder(
        .get, "/v1/operator/rebuild/{id}", "showRebuild",
        OperationDescription(
            .theOperator, "Show how far a rebuild is", parameters: [id],
            success: .ok("The rebuild.", rebuild.schema),
            failures: [.init(.notFound, "unknownRebuild")])
    ) { call, _ in
        let found = try await call.merchant.rebuild(try call.rebuild())
        return .object { rebuild.write(found, to: &$0) }
    }

    /// Its lines that brought nothing.
    static let listFailedLines = Endpoint.tokenHolder(
        .get, "/v1/operator/rebuild/{id}/failures", "listFailedLines",
        OperationDescription(
            .theOperator, "List the lines of a rebuild that brought nothing",
            parameters: [id] + failedPaging.parameters,
            success: failedPaging.success("The lines.", "A page of them."),
            failures: [.init(.notFound, "unknownRebuild")])
    ) { call, input in
        let number = try call.rebuild()
        return try await failedPaging.page(input) { after, limit in
            try await call.merchant.failedLines(of: number, after: after, limit: limit)
        } writing: { line, json in
            json.elementObject { failed.write(Failed(line: line), to: &$0) }
        }
    }
}

extension Call {
    /// The rebuild that the path names.
    fileprivate func rebuild() throws -> Int64 {
        guard let id = parameter("id").flatMap({ Int64($0) }) else {
            throw MerchantError.unknownRebuild(0)
        }
        return id
    }
}
