import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import SubscriptionRules

/// What operators look at: the merchant's health, its customers, and who changed what.
enum OverviewSurface {
    static let endpoints: [Endpoint] = [showOverview, listCustomers, listAudit]

    // MARK: Health

    private static let source = ObjectForm<MerchantOverview.Source>(
        "One environment of an app.",
        .text("bundleId", "The app.", \.bundleID),
        .text("environment", "Production or Sandbox.", \.environment.name),
        .optionalMoment(
            "lastNotification", "When the newest notification came that was accepted.",
            \.lastNotification),
        .optionalMoment(
            "lastGapLook", "Up to when the last look for missed notifications has read.",
            \.lastGapLook),
        .optionalText("gapProblem", "Why that look ended early.", \.gapProblem),
        .optionalMoment(
            "certificatesEnd", "When the first of the certificates ends that are trusted.",
            \.trustEnds))

    private static let overview = ObjectForm<MerchantOverview>(
        "The merchant's health.",
        .moment("asOf", "What its clock shows.", \.asOf),
        .integer(
            "verified",
            "How many notifications this process has verified since it began, repetitions too.",
            \.verified),
        .integer("refused", "How many it has refused since then.", \.refused),
        .integer("waiting", "How many notifications wait to be processed.", \.inbox.waiting),
        .optionalMoment("oldestWaiting", "When the oldest of them came.", \.inbox.oldestWaiting),
        .integer("deadLetters", "How many could not be processed.", \.inbox.deadLetters),
        .integer(
            "unownedPurchases",
            "How many purchases no account has claimed, counted up to \(CappedCount.limit).",
            \.inbox.unownedPurchases.count),
        .boolean(
            "unownedPurchasesIsExact", "Whether these are all; false where there are more.",
            \.inbox.unownedPurchases.isExact),
        .list("sources", "By app and environment.", \.sources, of: source))

    /// One page of health.
    static let showOverview = Endpoint.tokenHolder(
        .get, "/v1/operator/overview", "showOverview",
        OperationDescription(
            .theOperator, "Show the merchant's health",
            success: .ok("What waits, and when it was told something last.", overview.schema))
    ) { call, _ in
        let found = try await call.merchant.overview()
        return .object { overview.write(found, to: &$0) }
    }

    // MARK: Customers

    private static let customer = ObjectForm<ListedCustomer>(
        "A customer of an app.",
        .text("bundleId", "The app.", \.bundleID),
        .text("account", "The app's name for it.", \.customer.account),
        .integer("version", "Grows with each change.", \.customer.version),
        .list(
            "entitlements", "By name.", \.customer.entitlements, of: CustomerForms.entitlement))

    private static let page = ObjectForm<CustomerPage>(
        "A page of customers.",
        .list("customers", "By app and name.", \.customers, of: customer),
        .optionalText(
            "next",
            "What `after` is for the next page, which may be empty; absent after the last one.",
            \.next?.text))

    /// Customers by name, and by what they have.
    static let listCustomers = Endpoint.tokenHolder(
        .get, "/v1/operator/customers", "listCustomers",
        OperationDescription(
            .theOperator, "List customers",
            detail: "A filter by entitlement or state is judged account by account, 500 a page: a "
                + "page may have fewer entries than `limit`, or none, and have a `next`.",
            parameters: [
                .query("app", .text("Only of this app.", 1...255)),
                .query("search", .text("How the account's name begins.", 1...255)),
                .query(
                    "entitlement", .text("Only those that this is or was unlocked for.", 1...255)),
                .query(
                    "state",
                    .choice(
                        "Only those for whom it, or anything, is unlocked (active), or was "
                            + "(ended).", ["active", "ended"])),
                .query("after", .text("`next` of the page before.", 1...300)),
                .query("limit", .integer("How many at most; 50 unless given.", 1...200)),
            ],
            success: .ok("The customers.", page.schema),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        var cursor: CustomerCursor?
        if let text = input.parameter("after")?.string {
            cursor = CustomerCursor(text)
            guard cursor != nil else {
                throw ErrorBody(
                    .badRequest, "invalidMember", "`after` is the `next` of a page.",
                    field: "after")
            }
        }
        let filter = CustomerFilter(
            bundleID: input.parameter("app")?.string, prefix: input.parameter("search")?.string,
            entitlement: input.parameter("entitlement")?.string,
            isActive: input.parameter("state")?.string.map { $0 == "active" })
        let found = try await call.merchant.customers(
            where: filter, after: cursor,
            limit: input.parameter("limit")?.integer.map { Int($0) } ?? 50)
        return .object { page.write(found, to: &$0) }
    }

    // MARK: Who changed what

    private static let entry = ObjectForm<AuditEntry>(
        "Something that the operator or a server changed.",
        .integer("id", "Its number, in the order of time.", \.id),
        .moment("at", "When it began, by the machine's clock.", \.act.at),
        .text("scope", "What the token opens: server or operator.", \.act.scope),
        .optionalText("bundleId", "The app that it is about.", \.act.bundleID),
        .text(
            "operation",
            "The operation's name in this description, or rotateToken: `merchant tokens rotate`.",
            \.act.route),
        .optionalText(
            "subject", "The account, or the number of whatever else it is about.",
            \.act.subject),
        .optionalText(
            "otherName", "The other name that the account of an `addAlias` gets.",
            \.act.otherName),
        .text(
            "result",
            "done, the code with which it was refused, failed, or begun where its end was not "
                + "written: it may have been done.", \.result))

    private static let paging = Paging(
        "entries", "The newest first.", of: entry.schema, .before,
        .identifier("The number of the last one."))

    /// The audit log.
    static let listAudit = Endpoint.tokenHolder(
        .get, "/v1/operator/audit", "listAudit",
        OperationDescription(
            .theOperator, "List what the operator and servers have changed",
            parameters: paging.parameters + [
                .query("scope", .choice("Only with such a token.", ["server", "operator"])),
                .query("app", .text("Only about this app.", 1...255)),
                .query("operation", .text("Only this operation.", 1...64)),
                .query("subject", .text("Only about this account or number.", 1...255)),
            ],
            success: paging.success("The entries.", "A page of them."))
    ) { call, input in
        let filter = AuditFilter(
            scope: input.parameter("scope")?.string, bundleID: input.parameter("app")?.string,
            route: input.parameter("operation")?.string,
            subject: input.parameter("subject")?.string)
        return try await paging.page(input) { before, limit in
            try await call.merchant.audit(where: filter, before: before, limit: limit)
        } writing: { line, json in
            json.elementObject { entry.write(line, to: &$0) }
        }
    }
}
