import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// How the customers are given out.
    private static let customerPages = Paging(
        "customers", "Oldest first.", of: .named("Customer"), .after,
        .integer("The id of the last one of the page before."))

    /// The accounts of the environment, page by page.
    static let listCustomers = Endpoint.operatorOnly(
        .get, "/connect/v1/customers", "listCustomers",
        OperationDescription(
            .theOperator, "List the accounts of this environment",
            detail: "In the order in which they were made.",
            parameters: [
                .query("bundleId", .text("Only those that bought something in this app.", 1...255))
            ] + customerPages.parameters,
            success: customerPages.success("A page of accounts.", "Accounts."),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        try await customerPages.page(input) { after, limit in
            try await call.store.customers(
                of: input.parameter("bundleId")?.string, in: call.environment,
                after: after ?? 0, limit: limit)
        } writing: { customer, json in
            json.elementObject { customer.write(to: &$0) }
        }
    }

    /// One account with its subscriptions.
    static let getCustomer = Endpoint.operatorOnly(
        .get, "/connect/v1/customers/{account}", "getCustomer",
        OperationDescription(
            .theOperator, "Get an account and what it bought", parameters: [accountParameter],
            success: .ok("The account.", .named("Customer")),
            failures: [.init(.notFound, "unknownAccount")])
    ) { call, _ in
        try await customer(call)
    }

    /// Moves an account to another storefront, changes its Sandbox speed, or what becomes of its
    /// purchases.
    static let changeCustomer = Endpoint.operatorOnly(
        .patch, "/connect/v1/customers/{account}", "changeCustomer",
        OperationDescription(
            .theOperator, "Change an account",
            detail: "Running subscriptions keep their storefront; a new speed holds from the next "
                + "period on. What waits for an approval goes on waiting, and renewals go on.",
            parameters: [accountParameter],
            body: .members(
                .object(
                    "What to change; what is not given stays.",
                    .optional("storefront", .storefront("Where the account is at home.")),
                    .optional(
                        "email",
                        .text(
                            "Where its mails go; empty for the account's own name, where that "
                                + "is an address.", 0...254)),
                    .optional("sandboxSpeed", speedSchema),
                    .optional("allowsPurchasesAndRenewals", allowsPurchases),
                    .optional("asksToBuy", asksToBuy),
                    .optional("interruptsPurchases", interruptsPurchases),
                    .optional("canMakePayments", canMakePayments),
                    .optional("sharesNewPurchases", sharesNew))),
            success: .ok("The account as it is now.", .named("Customer")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownAccount"),
                .init(.conflict, "sandboxOnly"),
            ])
    ) { call, input in
        let speed = input.integer("sandboxSpeed").flatMap { SandboxSpeed(rawValue: Int($0)) }
        guard speed == nil || call.environment == .sandbox else {
            throw ErrorBody(
                .conflict, "sandboxOnly",
                "Periods have their true lengths in Production",
                remedy: "set `sandboxSpeed` in Sandbox",
                field: "sandboxSpeed")
        }
        let allows = input.boolean("allowsPurchasesAndRenewals")
        guard allows == nil || call.environment == .sandbox else {
            throw ErrorBody(
                .conflict, "sandboxOnly",
                "Only Sandbox has this switch",
                remedy: "set the payment method in Production",
                field: "allowsPurchasesAndRenewals")
        }
        let account = call.text("account")
        if let email = input.text("email") {
            try await call.store.setEmail(
                email.isEmpty ? nil : email, account: account, in: call.environment)
        }
        if let storefront = input.storefront("storefront") {
            try await call.store.setStorefront(
                storefront, account: account, in: call.environment)
        }
        if let speed { try await call.store.setSandboxSpeed(speed, account: account) }
        if let allows {
            try await call.store.setPaymentMethod(
                allows ? .approves : .declines(until: nil, left: nil), account: account,
                in: .sandbox)
        }
        let buying = BuyingChange(
            asksToBuy: input.boolean("asksToBuy"),
            interruptsPurchases: input.boolean("interruptsPurchases"),
            canMakePayments: input.boolean("canMakePayments"))
        if buying != BuyingChange() {
            try await call.store.setBuying(buying, account: account, in: call.environment)
        }
        if let shares = input.boolean("sharesNewPurchases") {
            try await call.store.setSharesNewPurchases(
                shares, account: account, in: call.environment)
        }
        return try await customer(call)
    }

    /// Makes the built-in bank decline, answer later, or approve again.
    static let setPaymentMethod = Endpoint.operatorOnly(
        .put, "/connect/v1/customers/{account}/payment-method", "setPaymentMethod",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Give an account another payment method",
            detail: "One that does not decline is tried at once on every renewal that failed or "
                + "has no answer.",
            parameters: [accountParameter], body: .members(paymentMethodRequestSchema),
            success: .nothing("Set."),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownAccount"),
            ])
    ) { call, input in
        let method: PaymentMethod =
            switch input.text("behaviour") {
            case "decline":
                .declines(
                    until: input.moment("until"), left: input.integer("count").map(Int.init))
            case "later":
                .answersLater(
                    after: input.span("after"), isPaid: input.text("answer") != "declined")
            default: .approves
            }
        try await call.store.setPaymentMethod(
            method, account: call.text("account"), in: call.environment)
        return .empty(.noContent)
    }

    private static func customer(_ call: Call) async throws -> Response {
        let (customer, subscriptions, places) = try await call.store.customer(
            account: call.text("account"), in: call.environment)
        let purchases = try await call.store.purchases(
            account: customer.account, in: call.environment, limit: mostPurchases)
        let shared = try await call.store.shared(with: customer.account, in: call.environment)
        return .object { json in
            customer.write(to: &json)
            json.array("sharedByFamily") { json in
                for one in shared { json.elementObject { one.write(to: &$0) } }
            }
            json.array("subscriptions") { json in
                for one in subscriptions {
                    guard let place = places[one.id] else { continue }
                    json.elementObject { one.write(to: &$0, of: customer, in: place) }
                }
            }
            json.array("purchases") { json in
                for one in purchases { json.elementObject { one.write(to: &$0) } }
            }
        }
    }

    private static let accountParameter = OperationDescription.Parameter.path(
        "account", .text("The account, percent-encoded.", 1...256))

    private static let speedSchema = Schema.numbers(
        "How many minutes a month lasts in Sandbox.",
        SandboxSpeed.allCases.map { Int64($0.rawValue) })

    private static let allowsPurchases = Schema.boolean(
        "Sandbox's switch: false lets the payment method decline everything, true lets it approve.")
    private static let asksToBuy = Schema.boolean(
        "Whether somebody else approves each purchase and change of plan, as for a child: see "
            + "/connect/v1/purchase-requests.")
    private static let interruptsPurchases = Schema.boolean(
        "Whether each purchase and change of plan fails as interrupted, until it is settled there.")
    private static let canMakePayments = Schema.boolean(
        "Whether the account may pay for anything; renewals go on anyway.")
    private static let sharesNew = Schema.boolean(
        "Whether the account shares what it buys from now on with its family.")

    private static let behaviour = Schema.Member.required(
        "behaviour", .choice("What it does.", ["approve", "decline", "later"]))

    private static let declining: [Schema.Member] = [
        .optional(
            "until",
            .moment("Declines before this moment, then approves; later than the clock shows.")),
        .optional(
            "count", .integer("Declines so many charges, then approves.", 1...1_000_000)),
    ]

    private static let answeringLater: [Schema.Member] = [
        .optional(
            "after",
            .text(
                "After how long it answers; absent for when the operator does. Of what a customer "
                    + "asks for nothing waits longer than 24 hours: it is given up then.",
                2...64, .span)),
        .optional(
            "answer", .choice("What it answers then; paid unless given.", ["paid", "declined"])),
    ]

    private static let paymentMethodRequestSchema = Schema(
        kind: .variants(
            Schema.Variants(
                key: behaviour,
                members: [
                    ("approve", []), ("decline", declining), ("later", answeringLater),
                ],
                code: "onlyWithAnotherBehaviour")), about: "How bills are answered.")

    private static let paymentMethodSchema = Schema.object(
        "How bills are answered.", [behaviour] + declining + answeringLater)

    static let customerSchema = Schema.object(
        "An account in one environment.",
        .required("id", .integer("Its number.")),
        .required("account", .text("The name that the customer signs in with.")),
        .required("environment", environmentSchema),
        .required("storefront", .storefront("Where it is at home.")),
        .required("locale", .text("The customer's language.")),
        .optional("email", .text("Where its mails go, where that was set.")),
        .required("created", .moment("When it was made.")),
        .required("sandboxSpeed", speedSchema),
        .required("asksToBuy", asksToBuy),
        .required("interruptsPurchases", interruptsPurchases),
        .required("canMakePayments", canMakePayments),
        .required("sharesNewPurchases", sharesNew),
        .required("paymentMethod", paymentMethodSchema),
        .optional(
            "subscriptions",
            .list("Its subscriptions in all apps; not in lists.", of: .named("Subscription"))),
        .optional(
            "sharedByFamily",
            .list(
                "What others of its family share with it, or shared; not in lists.",
                of: .object(
                    "What a family member has of another one's purchase.",
                    .required("purchaser", .text("Who bought it.")),
                    .required("bundleId", .text("The app that sold it.")),
                    .required("productId", .text("The product of its newest period.")),
                    .required(
                        "originalTransactionId",
                        .identifier("The member's own original transaction.")),
                    .required(
                        "sourceOriginalTransactionId",
                        .identifier("The purchaser's original transaction.")),
                    .required("entitled", .boolean("Whether the member has access now.")),
                    .required("since", .moment("Since when, the last time.")),
                    .optional(
                        "expires",
                        .moment("Until when access is paid for, grace included.")),
                    .optional("ended", .moment("When sharing ended for the member."))))),
        .optional(
            "purchases",
            .list(
                "What else it bought in all apps, the \(mostPurchases) that changed last; not in "
                    + "lists.",
                of: .object(
                    "A purchase.", .required("transactionId", .identifier("Its transaction.")),
                    .required("bundleId", .text("The app that sold it.")),
                    .required("productId", .text("What was bought.")),
                    .required("quantity", .integer("How many.")),
                    .required("purchased", .moment("When.")),
                    .required("price", .total("What was paid")),
                    .required("currency", .currency()),
                    .optional("revoked", .moment("When the price was given back."))))))

    /// Nobody reads a longer list of purchases; the API's history has all.
    private static let mostPurchases = 200
}

extension SharedWithMember {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("purchaser", purchaser)
        json.field("bundleId", bundleID)
        json.field("productId", productID)
        json.field("originalTransactionId", String(originalTransactionID))
        json.field("sourceOriginalTransactionId", String(source))
        json.field("entitled", isEntitled)
        json.field("since", since.iso8601)
        json.field("expires", expires?.iso8601)
        json.field("ended", ended?.iso8601)
    }
}

extension Purchase {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("transactionId", String(transactionID))
        json.field("bundleId", bundleID)
        json.field("productId", productID)
        json.field("quantity", quantity)
        json.field("purchased", purchased.iso8601)
        json.field("price", price.milliunits)
        json.field("currency", price.currency.code)
        json.field("revoked", revoked?.iso8601)
    }
}

extension Customer {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", id)
        json.field("account", account)
        json.field("environment", environment.wire)
        json.field("storefront", storefront.code)
        json.field("locale", locale)
        json.field("email", email)
        json.field("created", created.iso8601)
        json.field("sandboxSpeed", sandboxSpeed.rawValue)
        json.field("asksToBuy", asksToBuy)
        json.field("interruptsPurchases", interruptsPurchases)
        json.field("canMakePayments", canMakePayments)
        json.field("sharesNewPurchases", sharesNewPurchases)
        json.object("paymentMethod") { json in
            switch paymentMethod {
            case .approves:
                json.field("behaviour", "approve")
            case .declines(let until, let left):
                json.field("behaviour", "decline")
                json.field("until", until?.iso8601)
                json.field("count", left)
            case .answersLater(let after, let isPaid):
                json.field("behaviour", "later")
                json.field("after", after?.iso8601)
                json.field("answer", isPaid ? "paid" : "declined")
            }
        }
    }
}
