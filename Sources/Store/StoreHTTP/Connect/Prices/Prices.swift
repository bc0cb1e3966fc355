import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// What products cost, and where they are for sale.
    static let listPrices = Endpoint.operatorOnly(
        .get, "/connect/v1/apps/{bundleId}/prices", "listPrices",
        OperationDescription(
            .theOperator, "List what products cost, and where they are for sale",
            detail: "Of products that were not deleted, or that are named, in the storefronts that "
                + "are named; unless any is, in the app's own, wherever "
                + "a price was set and wherever the product was taken off sale. Everywhere else "
                + "the catalogue's number is charged in the currency of the storefront.",
            parameters: [
                bundleIDParameter,
                .query(
                    "product",
                    .list("The products; absent for all.", of: .text("A product id.", 1...255))),
                .query(
                    "storefront",
                    .list("The storefronts.", of: .storefront("A storefront."))),
            ],
            success: .ok(
                "The prices.",
                .object(
                    "Prices.",
                    .required(
                        "prices",
                        .list(
                            "By product in catalogue order, the app's own storefront first.",
                            of: .named("Price"))))),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct")])
    ) { call, input in
        try await call.store.letPricesGoLive()
        let app = try await call.store.app(bundleID: call.text("bundleId"))
        let wanted = input.parameterTexts("product")
        if let unknown = wanted.first(where: { app.product($0) == nil }) {
            throw StoreError.unknown(.product, unknown)
        }
        let storefronts = input.parameterTexts("storefront").compactMap(Storefront.init(code:))
        return .object { json in
            json.array("prices") { json in
                for product in app.catalogue.products
                where wanted.isEmpty ? product.deleted == nil : wanted.contains(product.id) {
                    let places = storefronts.isEmpty ? app.places(of: product) : storefronts
                    for place in places {
                        json.elementObject { app.writePrice(of: product, in: place, to: &$0) }
                    }
                }
            }
        }
    }

    /// Sets the price of a product in one storefront.
    static let setPrice = Endpoint.operatorOnly(
        .put, "/connect/v1/apps/{bundleId}/products/{productId}/prices/{storefront}", "setPrice",
        OperationDescription(
            .theOperator, "Set a price in a storefront",
            detail: "For new purchases, at once; what subscribers pay is changed by price changes. "
                + "An auto-renewable subscription costs something: what is free is an offer of it.",
            parameters: [
                bundleIDParameter, productIDParameter,
                .path("storefront", .storefront("The storefront.")),
            ],
            body: .members(
                .object(
                    "The price.", .required("price", .price("The price")),
                    .optional(
                        "billingPlanType",
                        .choice(
                            "What it is the price of: the period at once, which is so unless "
                                + "given, or a month of a year that is billed monthly.",
                            BillingPlan.allCases.map(\.rawValue))))),
            success: .nothing("Set."),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownProduct"), .init(.notFound, "unknownStorefront"),
                .init(.conflict, "productDeleted"), .init(.conflict, "notBilledMonthly"),
            ])
    ) { call, input in
        try await call.store.setPrice(
            input.required(input.integer("price"), "price"), input.billingPlan ?? .upFront,
            product: call.text("productId"),
            storefront: try call.storefront(), bundleID: call.text("bundleId"))
        return .empty(.noContent)
    }

    /// Lets a year be paid month by month under a commitment, or no more (CMT-1).
    static let setMonthlyBilling = Endpoint.operatorOnly(
        .put, "/connect/v1/apps/{bundleId}/products/{productId}/monthly-billing",
        "setMonthlyBilling",
        OperationDescription(
            .theOperator, "Sell a year month by month, or no more",
            detail:
                "Of a product that lasts P1Y: twelve months, to which the customer commits. Not "
                + "sold in the storefronts SGP and USA. Whoever has it keeps it to the end of the "
                + "commitment, at the same price.",
            parameters: [bundleIDParameter, productIDParameter],
            body: .members(
                .object(
                    "What it costs, and whether it is sold.",
                    .optional(
                        "price",
                        .price("What a month costs, a number anywhere; as it was unless given")),
                    .required("enabled", .boolean("Whether it is sold.")))),
            success: .nothing("Set."),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownProduct"), .init(.conflict, "notASubscription"),
                .init(.conflict, "productDeleted"),
            ])
    ) { call, input in
        try await call.store.setMonthlyBilling(
            price: input.integer("price"),
            isEnabled: input.required(input.boolean("enabled"), "enabled"),
            product: call.text("productId"), bundleID: call.text("bundleId"))
        return .empty(.noContent)
    }

    /// Takes a product off sale, or puts it back (TAB-11).
    static let setAvailability = Endpoint.operatorOnly(
        .put, "/connect/v1/apps/{bundleId}/products/{productId}/availability", "setAvailability",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Take a product off sale, or put it back",
            detail: "Whoever subscribes is served to the end of the paid period. What is off sale "
                + "everywhere is put back everywhere, not in one storefront.",
            parameters: [bundleIDParameter, productIDParameter],
            body: .members(
                .object(
                    "Whether and where.",
                    .required("forSale", .boolean("Whether it is for sale.")),
                    .optional(
                        "storefront", .storefront("Only there; absent for all storefronts.")))),
            success: .nothing("Set."),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct"),
                .init(.conflict, "offSaleEverywhere"), .init(.conflict, "productDeleted"),
            ])
    ) { call, input in
        try await call.store.setAvailability(
            input.required(input.boolean("forSale"), "forSale"), product: call.text("productId"),
            storefront: input.storefront("storefront"), bundleID: call.text("bundleId"))
        return .empty(.noContent)
    }

    /// Discontinues a product (TAB-11).
    static let deleteProduct = Endpoint.operatorOnly(
        .delete, "/connect/v1/apps/{bundleId}/products/{productId}", "deleteProduct",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Delete a product that is off sale everywhere",
            detail: "Its subscribers are served to the end of the paid period and end there: "
                + "EXPIRED/PRODUCT_NOT_FOR_SALE. What was bought stays in histories, and can be "
                + "restored, extended and refunded. The identifier never comes back, and prices "
                + "that are scheduled are withdrawn.",
            parameters: [bundleIDParameter, productIDParameter],
            success: .nothing("Deleted."),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct"),
                .init(.conflict, "stillForSale"), .init(.conflict, "productDeleted"),
            ])
    ) { call, _ in
        try await call.store.deleteProduct(
            call.text("productId"), bundleID: call.text("bundleId"))
        return .empty(.noContent)
    }

    static let priceSchema = Schema.object(
        "What a product costs in a storefront.",
        .required("productId", .text("The product.")),
        .required("storefront", .storefront("The storefront.")),
        .required("price", .price("The price")),
        .optional(
            "monthlyPrice",
            .price(
                "What a month costs, of a year that is billed monthly under a commitment; absent "
                    + "where it never was")),
        .required("currency", .currency()),
        .required(
            "isOwn",
            .boolean("Whether it was set for this storefront; else it is the catalogue's number.")),
        .required(
            "forSale",
            .boolean(
                "Whether the product is for sale there; in Sandbox it is unless it was deleted, "
                    + "where the app's `sandboxIgnoresAvailability` says so.")))

    static let productIDParameter = OperationDescription.Parameter.path(
        "productId", .text("The product.", 1...255))
}

extension App {
    /// The storefronts of which there is something to say about a product.
    fileprivate func places(of product: Product) -> [Storefront] {
        let told = Set(product.prices.keys).union(offSale(of: product.id))
        return [settings.storefront]
            + told.sorted().filter { $0 != settings.storefront.code }
            .compactMap(Storefront.init(code:))
    }

    fileprivate func writePrice(
        of product: Product, in storefront: Storefront, to json: inout JSONWriter
    ) {
        json.field("productId", product.id)
        json.field("storefront", storefront.code)
        json.field("price", product.price(in: storefront).milliunits)
        json.field("monthlyPrice", product.price(.monthly, in: storefront)?.milliunits)
        json.field("currency", storefront.currency.code)
        json.field("isOwn", product.prices[storefront.code] != nil)
        json.field("forSale", isForSale(product.id, in: storefront, .production))
    }
}
