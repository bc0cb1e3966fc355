import AppStoreWire
import FoundationEssentials
import FoundationInternationalization

/// What a store sells to an account, or to somebody who is not signed in.
struct Shop: Sendable {
    let storefront: Storefront
    /// Nil where nobody is signed in.
    let canMakePayments: Bool?
    let products: [Product]
}

extension StoreSession {
    /// What the store sells to whoever is signed in, or in ``StoreConfiguration/storefront``
    /// where nobody is.
    ///
    /// - Parameter identifiers: nil for all.
    func shop(_ identifiers: [String]? = nil) async throws(StoreKitError) -> Shop {
        var path = StorePath("/storefront/v1/products")
        for identifier in identifiers ?? [] { path = path.with("id", identifier) }
        let token = account == nil ? nil : try keeper.token()
        if token == nil {
            path = path.with("bundleId", configuration.bundleID)
                .with("storefront", configuration.storefront)
                .with("locale", configuration.locale)
        }
        let answer = try await exchange.send("GET", path, as: token)
        let storefront = Storefront(
            countryCode: try answer.requiredText("storefront", "the products"), id: nil,
            currencyCode: try answer.requiredText("currency", "the products"))
        var products: [Product] = []
        for entry in try answer.requiredList("products", "the products") {
            products.append(try Product(entry, storefront.countryCode, self))
        }
        return Shop(
            storefront: storefront,
            canMakePayments: try token.map { _ throws(StoreKitError) in
                try answer.requiredBool("canMakePayments", "the products")
            }, products: products)
    }
}

extension Product {
    fileprivate init(
        _ json: JSONValue, _ country: String, _ session: StoreSession
    ) throws(StoreKitError) {
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
        priceLocale = Locale(language: session.configuration.locale, country: country)
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
        promotionalOffers = try Product.SubscriptionOffer.promotional(json, product)
        winBackOffers = try Product.SubscriptionOffer.winBack(json, product)
        monthlyBilling = try json["monthlyBilling"].map { json throws(StoreKitError) in
            Product.MonthlyBilling(
                priceMilliunits: try json.requiredInteger("price", product),
                commitmentPriceMilliunits: try json.requiredInteger("commitmentPrice", product),
                period: try Product.SubscriptionPeriod(
                    iso8601: json.requiredText("period", product)),
                commitmentPeriod: try Product.SubscriptionPeriod(
                    iso8601: json.requiredText("commitmentPeriod", product)),
                introductoryOffer: try Product.SubscriptionOffer.introductory(json, product),
                promotionalOffers: try Product.SubscriptionOffer.promotional(json, product),
                winBackOffers: try Product.SubscriptionOffer.winBack(json, product))
        }
    }
}

extension Product.SubscriptionOffer {
    fileprivate static func introductory(
        _ json: JSONValue, _ product: String
    ) throws(StoreKitError) -> Product.SubscriptionOffer? {
        try json["introductoryOffer"].map { json throws(StoreKitError) in
            try Product.SubscriptionOffer(json, .introductory, id: nil, product)
        }
    }

    fileprivate static func promotional(
        _ json: JSONValue, _ product: String
    ) throws(StoreKitError) -> [Product.SubscriptionOffer] {
        try all("promotionalOffers", .promotional, json, product)
    }

    fileprivate static func winBack(
        _ json: JSONValue, _ product: String
    ) throws(StoreKitError) -> [Product.SubscriptionOffer] {
        try all("winBackOffers", .winBack, json, product)
    }

    private static func all(
        _ list: String, _ type: OfferType, _ json: JSONValue, _ product: String
    ) throws(StoreKitError) -> [Product.SubscriptionOffer] {
        var offers: [Product.SubscriptionOffer] = []
        for entry in json[list]?.array ?? [] {
            offers.append(
                try Product.SubscriptionOffer(
                    entry, type, id: entry.requiredText("id", product), product))
        }
        return offers
    }

    private init(
        _ json: JSONValue, _ type: OfferType, id: String?, _ product: String
    ) throws(StoreKitError) {
        self.init(
            id: id, name: json["name"]?.string, type: type,
            paymentMode: PaymentMode(rawValue: try json.requiredText("mode", product)),
            period: try Product.SubscriptionPeriod(iso8601: json.requiredText("period", product)),
            periodCount: Int(try json.requiredInteger("periodCount", product)),
            priceMilliunits: try json.requiredInteger("price", product))
    }
}

extension Locale {
    /// How a storefront writes amounts for somebody who reads a language: `en` in `DEU` has
    /// `9,99 €`.
    ///
    /// - Parameter country: the storefront's code, ISO 3166-1 alpha-3.
    fileprivate init(language: String, country: String) {
        // ICU knows all of ISO's three-letter codes; Kosovo's is Apple's own.
        let region =
            country == "XKS" ? "XK" : Language(identifier: "und-\(country)").region?.identifier
        let written = Language(identifier: language)
        let parts = [
            written.languageCode?.identifier ?? "en", written.script?.identifier,
            region ?? written.region?.identifier,
        ]
        self.init(identifier: parts.compactMap { $0 }.joined(separator: "_"))
    }
}
