import AppStoreWire
import FoundationEssentials

/// What a store sells to an account.
struct Shop: Sendable {
    let storefront: Storefront
    let canMakePayments: Bool
    let products: [Product]
}

extension StoreSession {
    /// What the store sells to whoever is signed in.
    ///
    /// - Parameter identifiers: nil for all.
    func shop(_ identifiers: [String]? = nil) async throws(StoreKitError) -> Shop {
        var path = StorePath("/storefront/v1/products")
        for identifier in identifiers ?? [] { path = path.with("id", identifier) }
        let answer = try await exchange.get(path)
        var products: [Product] = []
        for entry in try answer.requiredList("products", "the products") {
            products.append(try Product(entry, self))
        }
        return Shop(
            storefront: Storefront(
                countryCode: try answer.requiredText("storefront", "the products"), id: nil,
                currencyCode: try answer.requiredText("currency", "the products")),
            canMakePayments: try answer.requiredBool("canMakePayments", "the products"),
            products: products)
    }
}

extension Product {
    fileprivate init(_ json: JSONValue, _ session: StoreSession) throws(StoreKitError) {
        let id = try json.requiredText("id", "a product")
        self.id = id
        type = ProductType(rawValue: try json.requiredText("type", id))
        displayName = try json.requiredText("displayName", id)
        description = try json.requiredText("description", id)
        priceMilliunits = try json.requiredInteger("price", id)
        currencyCode = try json.requiredText("currency", id)
        isFamilyShareable = try json.requiredBool("familyShareable", id)
        subscription = try json["subscription"].map { json throws(StoreKitError) in
            try SubscriptionInfo(json, id)
        }
        jsonRepresentation = Data(json.jsonBytes())
        self.session = session
    }
}

extension Product.SubscriptionInfo {
    fileprivate init(_ json: JSONValue, _ product: String) throws(StoreKitError) {
        subscriptionGroupID = try json.requiredText("groupId", product)
        groupDisplayName = json["groupDisplayName"]?.string ?? ""
        groupLevel = Int(try json.requiredInteger("level", product))
        subscriptionPeriod = try Product.SubscriptionPeriod(
            iso8601: json.requiredText("period", product))
        introductoryOffer = try Product.SubscriptionOffer.introductory(json, product)
        monthlyBilling = try json["monthlyBilling"].map { json throws(StoreKitError) in
            Product.MonthlyBilling(
                priceMilliunits: try json.requiredInteger("price", product),
                commitmentPriceMilliunits: try json.requiredInteger("commitmentPrice", product),
                period: try Product.SubscriptionPeriod(
                    iso8601: json.requiredText("period", product)),
                commitmentPeriod: try Product.SubscriptionPeriod(
                    iso8601: json.requiredText("commitmentPeriod", product)),
                introductoryOffer: try Product.SubscriptionOffer.introductory(json, product))
        }
    }
}

extension Product.SubscriptionOffer {
    fileprivate static func introductory(
        _ json: JSONValue, _ product: String
    ) throws(StoreKitError) -> Product.SubscriptionOffer? {
        try json["introductoryOffer"].map { json throws(StoreKitError) in
            Product.SubscriptionOffer(
                id: nil, type: .introductory,
                paymentMode: PaymentMode(rawValue: try json.requiredText("mode", product)),
                period: try Product.SubscriptionPeriod(
                    iso8601: json.requiredText("period", product)),
                periodCount: Int(try json.requiredInteger("periodCount", product)),
                priceMilliunits: try json.requiredInteger("price", product))
        }
    }
}
