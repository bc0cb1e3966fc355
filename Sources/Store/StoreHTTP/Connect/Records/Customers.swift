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
            let sheet = CustomerSheet(customer)
            json.elementObject { CustomerForm.customer.write(sheet, to: &$0) }
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
                CustomerForm.settings.changes("What to change; what is not given stays.")),
            success: .ok("The account as it is now.", .named("Customer")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownAccount"),
                .init(.conflict, "sandboxOnly"),
            ])
    ) { call, input in
        let speed = try CustomerForm.speed.given(in: input)
        guard speed == nil || call.environment == .sandbox else {
            throw ErrorBody(
                .conflict, "sandboxOnly",
                "Periods have their true lengths in Production",
                remedy: "set `sandboxSpeed` in Sandbox",
                field: CustomerForm.speed.name)
        }
        let allows = try CustomerForm.allowsPurchases.given(in: input)
        guard allows == nil || call.environment == .sandbox else {
            throw ErrorBody(
                .conflict, "sandboxOnly",
                "Only Sandbox has this switch",
                remedy: "set the payment method in Production",
                field: CustomerForm.allowsPurchases.name)
        }
        let account = call.text("account")
        if let email = try CustomerForm.email.given(in: input) {
            try await call.store.setEmail(email, account: account, in: call.environment)
        }
        if let storefront = try CustomerForm.storefront.given(in: input) {
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
            asksToBuy: try CustomerForm.asksToBuy.given(in: input),
            interruptsPurchases: try CustomerForm.interruptsPurchases.given(in: input),
            canMakePayments: try CustomerForm.canMakePayments.given(in: input))
        if buying != BuyingChange() {
            try await call.store.setBuying(buying, account: account, in: call.environment)
        }
        if let shares = try CustomerForm.sharesNewPurchases.given(in: input) {
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
            parameters: [accountParameter], body: .members(PaymentForm.request),
            success: .nothing("Set."),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownAccount"),
            ])
    ) { call, input in
        let method: PaymentMethod =
            switch try PaymentForm.behaviour.value(in: input) {
            case .approve: .approves
            case .decline:
                .declines(
                    until: try PaymentForm.until.value(in: input),
                    left: try PaymentForm.count.value(in: input))
            case .later:
                .answersLater(
                    after: input.span(PaymentForm.after.name),
                    isPaid: try PaymentForm.isPaid.value(in: input) ?? true)
            }
        try await call.store.setPaymentMethod(
            method, account: call.text("account"), in: call.environment)
        return .empty(.noContent)
    }

    private static func customer(_ call: Call) async throws -> Response {
        let (customer, subscriptions, places) = try await call.store.customer(
            account: call.text("account"), in: call.environment)
        let purchases = try await call.store.purchases(
            account: customer.account, in: call.environment, limit: CustomerForm.mostPurchases)
        let shared = try await call.store.shared(with: customer.account, in: call.environment)
        var sheet = CustomerSheet(customer)
        sheet.shared = shared.map { SharedPurchaseSheet($0) }
        sheet.purchases = purchases.map { PurchaseSheet($0) }
        return .object { [sheet] json in
            CustomerForm.customer.write(sheet, to: &json)
            json.array("subscriptions") { json in
                for one in subscriptions {
                    guard let place = places[one.id] else { continue }
                    json.elementObject { one.write(to: &$0, of: customer, in: place) }
                }
            }
        }
    }

    private static let accountParameter = OperationDescription.Parameter.path(
        "account", .text("The account, percent-encoded.", 1...256))

    static let customerSchema = CustomerForm.customer.schema(
        and: .optional(
            "subscriptions",
            .list("Its subscriptions in all apps; not in lists.", of: .named("Subscription"))))
}
