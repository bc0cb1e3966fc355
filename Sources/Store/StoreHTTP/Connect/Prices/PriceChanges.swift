import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Where the one price stands that is scheduled for a product in a storefront.
    private static let path =
        "/connect/v1/apps/{bundleId}/products/{productId}/price-changes/{storefront}"

    /// Of which billing plan it is the price.
    private static let billing = Schema.Member.optional(
        "billingPlanType",
        .choice(
            "Whose price it is: of those who pay the period at once, which is so unless given, or "
                + "by the month under a commitment, whom a higher one reaches at its end.",
            BillingPlan.allCases.map(\.rawValue)))

    private static let place = [
        bundleIDParameter, productIDParameter,
        OperationDescription.Parameter.path("storefront", .storefront("The storefront.")),
    ]

    private static let unknownPlace: [OperationDescription.Failure] = [
        .init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct"),
        .init(.notFound, "unknownStorefront"),
    ]

    /// A price starts at one moment everywhere in its storefront (PRC-3).
    private static let start = Schema.Member.optional(
        "start", .moment("When it goes live, not in the past; at once unless given."))

    /// Schedules a price, for new purchases and perhaps for subscribers.
    static let schedulePrice = Endpoint.operatorOnly(
        .put, path, "schedulePrice", canRehearse: true,
        OperationDescription(
            .theOperator, "Schedule a price",
            detail: "One price is scheduled for a product in a storefront: another takes its "
                + "place, and it stays in the list as replaced. A lower price is charged to "
                + "everybody and nobody is told. A higher one is preserved for those who "
                + "subscribed before, or applied with notice or consent to those who pay the list "
                + "price; cohorts with a price of their own keep it. What is no auto-renewable "
                + "subscription has a price for purchases alone. A rehearsal brings it to some "
                + "hundred subscribers as if it were live now: `priceWasChanged` for each whom "
                + "it reaches.",
            parameters: place,
            body: .members(
                .object(
                    "The price.", .required("price", .price("The price")), start, billing,
                    .optional(
                        "existing",
                        .choice(
                            "What the subscribers pay who paid the list price: the old one for "
                                + "ever, or the new one too. Needed where the price of an "
                                + "auto-renewable subscription rises, and refused for others.",
                            ScheduledPrice.Existing.allCases.map(\.rawValue))))),
            success: .ok("Scheduled.", .named("PriceChange")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.badRequest, "clockOutOfRange"),
                .init(.conflict, "productDeleted"), .init(.conflict, "notBilledMonthly"),
            ] + unknownPlace)
    ) { call, input in
        let existing = input.text("existing").flatMap(ScheduledPrice.Existing.init(rawValue:))
        let change = try await call.store.schedule(
            PriceOrder(
                productID: call.text("productId"), billing: input.billingPlan ?? .upFront,
                storefront: try call.storefront(),
                price: input.required(input.integer("price"), "price"),
                start: input.moment("start"), existing: existing),
            bundleID: call.text("bundleId"))
        let app = try await call.store.app(bundleID: call.text("bundleId"))
        return .object { change.write(to: &$0, in: app) }
    }

    /// Takes a scheduled price back.
    static let withdrawPrice = Endpoint.operatorOnly(
        .delete, path, "withdrawPrice", canRehearse: true,
        OperationDescription(
            .theOperator, "Withdraw a scheduled price",
            detail: "As long as it is not live; what is live cannot be taken back. What was "
                + "withdrawn stays in the list.",
            parameters: place + [
                .query(
                    "billingPlanType",
                    .choice(
                        "Whose price it was to be; of those who pay at once unless given.",
                        BillingPlan.allCases.map(\.rawValue)))
            ], success: .ok("Withdrawn.", .named("PriceChange")),
            failures: unknownPlace + [.init(.notFound, "noScheduledPrice")])
    ) { call, input in
        let bundleID = call.text("bundleId")
        let billing = input.parameter("billingPlanType")?.string
            .flatMap(BillingPlan.init(rawValue:))
        let change = try await call.store.withdrawScheduledPrice(
            product: call.text("productId"), billing ?? .upFront, storefront: try call.storefront(),
            bundleID: bundleID)
        let app = try await call.store.app(bundleID: bundleID)
        return .object { change.write(to: &$0, in: app) }
    }

    /// Ends the preserved price of a cohort (PRC-6).
    static let unpreservePrice = Endpoint.operatorOnly(
        .post, "\(path)/unpreserve", "unpreservePrice",
        OperationDescription(
            .theOperator, "End the preserved price of a cohort",
            detail: "An increase for those who pay that price; the list price stays. Move the "
                + "cohort nearest to the target first, so that nobody gets two increases.",
            parameters: place,
            body: .members(
                .object(
                    "The cohort and where it is moved.",
                    .required("cohortPrice", .price("What the cohort pays")),
                    .optional(
                        "price", .price("What it will pay; the list price unless given")),
                    start, billing)),
            success: .ok("Scheduled.", .named("PriceChange")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.badRequest, "clockOutOfRange"),
                .init(.conflict, "productDeleted"), .init(.conflict, "notBilledMonthly"),
            ] + unknownPlace + [.init(.notFound, "unknownCohort")])
    ) { call, input in
        let bundleID = call.text("bundleId")
        let productID = call.text("productId")
        let storefront = try call.storefront()
        let cohortPrice = input.required(input.integer("cohortPrice"), "cohortPrice")
        let cohorts = try await call.store.priceCohorts(product: productID, bundleID: bundleID)
        let billing = input.billingPlan ?? .upFront
        guard let list = try await product(call).price(billing, in: storefront)?.milliunits else {
            throw StoreError.purchase(.notBilledMonthly(productID, in: nil))
        }
        let cohort = cohorts.first {
            $0.storefront == storefront && $0.price == cohortPrice && $0.billing == billing
        }
        guard let cohort, cohort.isKept else {
            throw unknownCohort(cohortPrice, of: productID, in: storefront, moving: cohort?.moving)
        }
        let change = try await call.store.schedule(
            PriceOrder(
                productID: productID, billing: billing, storefront: storefront,
                price: input.integer("price") ?? list, start: input.moment("start"),
                existing: .apply, cohortPrice: cohortPrice), bundleID: bundleID)
        let app = try await call.store.app(bundleID: bundleID)
        return .object { change.write(to: &$0, in: app) }
    }

    /// - Parameter moving: how many pay that price and have a higher one on its way.
    private static func unknownCohort(
        _ price: Int64, of product: String, in storefront: Storefront, moving: Int64?
    ) -> ErrorBody {
        let paid = Money(milliunits: price, storefront.currency).plainText
        let place = "\(product) in \(storefront.code)"
        return ErrorBody(
            .notFound, "unknownCohort",
            moving.map {
                "Nobody keeps \(paid) for \(place), since all who pay it (\($0)) have a higher "
                    + "price on its way already"
            } ?? "Nobody pays \(paid) for \(place)",
            remedy: "list the cohorts to see who pays what", field: "cohortPrice")
    }

    private static let priceChangePages = Paging(
        "priceChanges", "Newest first.", of: .named("PriceChange"), .before,
        .integer("The id of the last one of the page before."))

    /// Every price that was scheduled.
    static let listPriceChanges = Endpoint.operatorOnly(
        .get, "/connect/v1/apps/{bundleId}/price-changes", "listPriceChanges",
        OperationDescription(
            .theOperator, "List the prices that were scheduled, and how far they have come",
            parameters: [
                bundleIDParameter, .query("product", .text("Only of this product.", 1...255)),
            ] + priceChangePages.parameters,
            success: priceChangePages.success("A page of price changes.", "Price changes."),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct")])
    ) { call, input in
        let bundleID = call.text("bundleId")
        let product = input.parameter("product")?.string
        let app = try await call.store.app(bundleID: bundleID)
        if let product, app.product(product) == nil { throw StoreError.unknown(.product, product) }
        return try await priceChangePages.page(input) { before, limit in
            try await call.store.scheduledPrices(
                product: product, before: before, limit: limit, bundleID: bundleID)
        } writing: { change, json in
            json.elementObject { change.write(to: &$0, in: app) }
        }
    }

    /// The product in the path.
    static func product(_ call: Call) async throws -> Product {
        let id = call.text("productId")
        guard let product = try await call.store.app(bundleID: call.text("bundleId")).product(id)
        else { throw StoreError.unknown(.product, id) }
        return product
    }

    static let priceChangeSchema = Schema.object(
        "A price that was scheduled for a product in a storefront.",
        .required("id", .integer("Its number.")),
        .required("productId", .text("The product.")),
        .required("storefront", .storefront("The storefront.")),
        .optional(
            "billingPlanType",
            .choice(
                "How those are billed whose price it is; absent where the product is no "
                    + "auto-renewable subscription.", BillingPlan.allCases.map(\.rawValue))),
        .required("currency", .currency()),
        .required("price", .price("The new price")),
        .optional(
            "cohortPrice",
            .price(
                "What the subscribers pay whom an increase reaches: a preserved cohort's price, "
                    + "or the list price that is replaced")),
        .required(
            "forCohort",
            .boolean("Whether only a preserved cohort is moved and the list price stays.")),
        .required("start", .moment("When it goes live.")),
        .optional(
            "existing",
            .choice(
                "What the subscribers of before pay; absent where the product is no "
                    + "auto-renewable subscription.",
                ScheduledPrice.Existing.allCases.map(\.rawValue))),
        .required(
            "state",
            .choice(
                "Not live yet, live and on its way to subscribers, with all of them; taken back "
                    + "before it was live, or replaced by another one before.",
                ["scheduled", "going", "done", "withdrawn", "replaced"])),
        .optional("scheduled", .moment("When it was scheduled.")),
        .required(
            "subscribers",
            .integer("How many subscriptions that were not over it changed something for.")),
        .optional(
            "superseded",
            .moment(
                "When another price of its kind went live in its place; only in lists.")),
        .optional(
            "withdrawn",
            .moment("When it was taken back before it was live.")),
        .optional(
            "replaced",
            .moment("When another one was scheduled instead of it, before it was live.")),
        .optional("replacedBy", .integer("The number of that one.")))
}

extension ScheduledPrice {
    fileprivate func write(to json: inout JSONWriter, in app: App) {
        let hasSubscribers = app.product(productID)?.subscription != nil
        json.field("id", id)
        json.field("productId", productID)
        json.field("storefront", storefront.code)
        json.field("billingPlanType", hasSubscribers ? billing.rawValue : nil)
        json.field("currency", storefront.currency.code)
        json.field("price", price)
        json.field("cohortPrice", cohortPrice)
        json.field("forCohort", isForCohort)
        json.field("start", start.iso8601)
        json.field("existing", hasSubscribers ? existing.rawValue : nil)
        let ending = withdrawn != nil ? "withdrawn" : replaced.map { _ in "replaced" }
        json.field("state", ending ?? state.rawValue)
        json.field("scheduled", scheduled?.iso8601)
        json.field("subscribers", subscribers)
        json.field("superseded", superseded?.iso8601)
        json.field("withdrawn", withdrawn?.iso8601)
        json.field("replaced", replaced?.iso8601)
        json.field("replacedBy", replacedBy)
    }
}

extension Call {
    /// The storefront in the path.
    func storefront() throws -> Storefront {
        let code = text("storefront")
        guard let storefront = Storefront(code: code) else {
            throw StoreError.unknown(.storefront, String(code.prefix(64)))
        }
        return storefront
    }
}
