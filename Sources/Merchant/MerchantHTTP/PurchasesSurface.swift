import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import SubscriptionRules

/// Whose purchases are: asked beforehand, and claimed where nobody has them.
enum PurchasesSurface {
    static let endpoints: [Endpoint] = [getOwner, claimPurchase, claimOrder, listUnowned]

    private static let originalSchema = Schema.text("The original transaction.", 1...64)
    private static let original = OperationDescription.Parameter.path(
        "originalTransactionId", originalSchema)
    private static let environments = Schema.choice(
        "Where it was bought; where it is known, Production first, unless given.",
        MerchantEnvironment.allCases.map(\.name))

    private static let owner = ObjectForm<PurchaseOwner>(
        "Whose a purchase is, as one account sees it.",
        .text("originalTransactionId", "The original transaction id.", \.originalTransactionID),
        .optionalText(
            "environment", "Where it was bought; absent where it was never heard of.",
            \.environmentName),
        .choice("owner", "Who has it.", \.holder),
        .optionalText(
            "account", "The account that owns it; not for whoever shows the app's token.", \.owner),
        .choice(
            "post",
            "What comes of it if the account sends the newest transaction, as a device does: it "
                + "has it, gets it, or the error that it is refused with. A renewal alone changes "
                + "no owner.", \.onPost),
        .optional(
            "postFirst",
            .choice(
                "What comes of it if the account sends the transaction of a first purchase, no "
                    + "renewal; absent where that is the same.",
                PurchaseOutcome.allCases.map(\.rawValue)), \.firstPostName),
        .choice("restore", "What comes of it if the customer restores it.", \.onRestore))

    /// Whose a purchase is, before anybody pays or restores.
    static let getOwner = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/purchases/{originalTransactionId}/owner", "getPurchaseOwner",
        OperationDescription(
            .app, "Say whose a purchase is, and what sending it would do",
            detail: "Changes nothing. The app's token is told whether the account has it, another "
                + "account or nobody, and no name.",
            parameters: [
                CustomersSurface.bundleID, original,
                .query("account", .text("The account that would send it.", 0...255)),
                .query("environment", environments),
            ],
            success: .ok("Whose it is.", owner.schema),
            failures: [
                .init(.notFound, "unknownApp"), .init(.badRequest, "reservedAccount"),
                .init(.badRequest, "missingMember"),
            ])
    ) { call, input in
        guard let account = input.parameter("account")?.string else {
            throw ErrorBody(
                .badRequest, "missingMember",
                "Say which account would send it: add `?account=NAME`.", field: "account")
        }
        let found = try await call.merchant.owner(
            of: try call.pathText("originalTransactionId", originalSchema), asSeenBy: account,
            in: try call.bundleID(),
            MerchantEnvironment(named: input.parameter("environment")?.string))
        let told = try call.isTrusted() ? found : found.withoutName
        return .object { owner.write(told, to: &$0) }
    }

    /// Gives an account what nobody has.
    static let claimPurchase = Endpoint.tokenHolder(
        .post, "/v1/apps/{bundleId}/purchases/{originalTransactionId}/claim", "claimPurchase",
        OperationDescription(
            .server, "Give an account a purchase that nobody has",
            parameters: [CustomersSurface.bundleID, original],
            body: .members(
                .object(
                    "Who gets it.",
                    .required("account", .text("The account.", 1...255)),
                    .optional("environment", environments))),
            success: .ok("What the account has now.", CustomerForms.customer.schema),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownPurchase"),
                .init(.badRequest, "reservedAccount"), .init(.conflict, "ownedByAnother"),
            ])
    ) { call, input in
        try await claimed {
            try await call.merchant.claim(
                try call.pathText("originalTransactionId", originalSchema),
                for: input.requiredText("account"), of: try call.bundleID(),
                MerchantEnvironment(named: input.text("environment")))
        }
    }

    /// Gives an account what was bought with an order.
    static let claimOrder = Endpoint.tokenHolder(
        .post, "/v1/apps/{bundleId}/claims", "claimOrder",
        OperationDescription(
            .server, "Give an account what was bought with an order",
            detail: "Asks Look Up Order ID of the App Store Server API, takes the signed "
                + "transactions that it answers, and gives the account those that nobody has.",
            parameters: [CustomersSurface.bundleID],
            body: .members(
                .object(
                    "The order.",
                    .required("account", .text("The account.", 1...255)),
                    .required(
                        "orderId",
                        .text("The order, as it is on the receipt.", 1...64, .alphanumeric)))),
            success: .ok("What the account has now.", CustomerForms.customer.schema),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownOrder"),
                .init(.badRequest, "reservedAccount"), .init(.badRequest, "notVerified"),
                .init(.conflict, "ownedByAnother"), .init(.conflict, "noServerAPI"),
                .init(.badGateway, "storeUnavailable"),
            ])
    ) { call, input in
        try await claimed {
            try await call.merchant.claim(
                order: input.requiredText("orderId"), for: input.requiredText("account"),
                of: try call.bundleID())
        }
    }

    /// What an account has after a claim. A claim takes nothing from another account, however it is
    /// sent again.
    private static func claimed(
        _ claim: () async throws -> MerchantCustomer
    ) async throws -> Response {
        do {
            let customer = try await claim()
            return .object { CustomerForms.customer.write(customer, to: &$0) }
        } catch let error as MerchantError where error == .ownedByAnother {
            throw ErrorBody(
                .conflict, "ownedByAnother",
                "The purchase belongs to another account, and a claim takes nothing from one",
                remedy: "look up whose it is with `perennial merchant owner PURCHASE ACCOUNT`",
                field: "account")
        }
    }

    private static let purchase = ObjectForm<UnownedPurchase>(
        "A purchase that no account has.",
        .integer("id", "Its number, in the order in which purchases were heard of.", \.id),
        .text("bundleId", "The app.", \.bundleID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .text("originalTransactionId", "The original transaction id.", \.originalTransactionID),
        .optionalText("productId", "What was bought last.", \.productID),
        .optionalMoment("purchased", "When that was.", \.purchased),
        .optionalMoment("expires", "When that ends.", \.expires),
        .optionalMoment("erased", "When the account that had it was erased.", \.erased))

    private static let paging = Paging(
        "purchases", "The newest first.", of: purchase.schema, .before,
        .identifier("The number of the last one."))

    /// Lists what nobody has.
    static let listUnowned = Endpoint.tokenHolder(
        .get, "/v1/operator/unowned", "listUnowned",
        OperationDescription(
            .theOperator, "List the purchases that no account has",
            parameters: paging.parameters + [
                .query("bundleId", .text("Only of this app.", 1...255)),
                .query(
                    "environment",
                    .choice(
                        "Only of this environment.", MerchantEnvironment.allCases.map(\.name))),
                .query("productId", .text("Only where this was bought.", 1...255)),
            ],
            success: paging.success(
                "The purchases.", "A page of them.",
                [
                    .required(
                        "count",
                        .integer("How many there are in all, counted up to \(CappedCount.limit).")),
                    .required(
                        "countIsExact",
                        .boolean("Whether `count` is all of them; false where there are more.")),
                ]),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        let filter = UnownedFilter(
            bundleID: input.parameter("bundleId")?.string,
            environment: MerchantEnvironment(named: input.parameter("environment")?.string),
            productID: input.parameter("productId")?.string)
        let count = try await call.merchant.unownedCount(filter)
        return try await paging.page(input, others: { $0.add(count) }) { before, limit in
            try await call.merchant.unowned(filter, before: before, limit: limit)
        } writing: { one, json in
            json.elementObject { purchase.write(one, to: &$0) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ count: CappedCount) {
        field("count", count.count)
        field("countIsExact", count.isExact)
    }
}

extension PurchaseOwner {
    fileprivate var environmentName: String? { environment?.name }

    fileprivate var firstPostName: String? { onFirstPost == onPost ? nil : onFirstPost.rawValue }
}

extension MerchantEnvironment {
    /// The environment that Apple calls so; nil for nil and for any other word.
    init?(named word: String?) {
        guard let found = Self.allCases.first(where: { $0.name == word }) else { return nil }
        self = found
    }
}
