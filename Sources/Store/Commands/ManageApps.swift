import Storage
public import SubscriptionRules

extension Store {
    /// Puts an app into the store.
    ///
    /// - Throws: `StoreError.appExists` when the bundle identifier or the number is taken,
    ///   `.invalidSetting` when the bundle identifier is none.
    public func addApp(bundleID: String, appleID: Int64, settings: App.Settings) async throws {
        guard App.isBundleID(bundleID) else {
            throw StoreError.invalidSetting(
                bundleID,
                reason: "a bundle identifier is 1 to 155 letters, digits, dots and hyphens")
        }
        try await write { work in
            guard
                !work.apps.all.contains(where: { $0.bundleID == bundleID || $0.appleID == appleID })
            else { throw StoreError.appExists(bundleID) }
            let app = App(
                id: work.nextNumber(), bundleID: bundleID, appleID: appleID, settings: settings)
            try app.insert(in: work.session)
            work.record("addedApp") { $0.app = app.id }
            work.settingsChanged()
        }
    }

    /// Changes how an app is set up. What changes nothing is not written, and waits for nothing.
    ///
    /// - Throws: `StoreError.unknownApp`.
    public func configure(
        bundleID: String, _ change: @escaping @Sendable (inout App.Settings) -> Void
    ) async throws {
        let settings = try await app(bundleID: bundleID).settings
        var changed = settings
        change(&changed)
        guard changed != settings else { return }
        try await changeApp(bundleID, "configuredApp") { work, app in
            change(&app.settings)
            try app.saveSettings(in: work.session)
        }
    }

    /// Adds the products of a catalogue and replaces those that the app has already; the others
    /// stay, since customers may own them. What changes nothing is not written, and waits for
    /// nothing.
    ///
    /// - Parameter storefront: the one that the prices are meant for, which becomes the app's; nil
    ///   leaves the app's as it is.
    /// - Throws: `StoreError.unknownApp`; `.invalidSetting` when a product would change its type
    ///   or its group, which customers' subscriptions rest on.
    public func importCatalogue(
        _ catalogue: Catalogue, for storefront: Storefront? = nil, bundleID: String
    ) async throws {
        let known = try await app(bundleID: bundleID)
        let storefront = storefront ?? known.settings.storefront
        guard !known.sells(catalogue) || known.settings.storefront != storefront else { return }
        try await changeApp(bundleID, "importedCatalogue") { work, app in
            try catalogue.check(known: app.catalogue)
            for product in catalogue.products {
                guard let known = app.product(product.id) else { continue }
                guard known.type == product.type,
                    known.subscription?.groupID == product.subscription?.groupID
                else {
                    throw StoreError.invalidSetting(
                        product.id, reason: "a product keeps its type and its group for ever")
                }
            }
            try app.save(catalogue, in: work.session)
            app.settings.storefront = storefront
            try app.saveSettings(in: work.session)
        }
    }

    /// Sets the price of a product in a storefront, in milliunits of its currency: for new
    /// purchases; subscribers keep what they pay.
    ///
    /// - Throws: `StoreError.unknownApp`, `.unknownProduct`, `.invalidSetting` when the currency
    ///   has fewer decimals.
    public func setPrice(
        _ price: Int64, product: String, storefront: Storefront, bundleID: String
    ) async throws {
        try await changeApp(bundleID, "setPrice") { work, app in
            guard app.product(product) != nil else { throw StoreError.unknownProduct(product) }
            try storefront.checkPrice(price)
            try work.session.execute(
                """
                INSERT INTO product_storefront (app, product_id, storefront, price)
                VALUES (\(app.id), \(product), \(storefront.code), \(price))
                ON CONFLICT (app, product_id, storefront) DO UPDATE SET price = excluded.price
                """)
        }
    }

    /// Takes a product off sale or puts it back (section 11). Whoever subscribes is served to the
    /// end of the paid period.
    ///
    /// - Parameter storefront: nil for all storefronts.
    /// - Throws: `StoreError.unknownApp`, `.unknownProduct`.
    public func setAvailability(
        _ isForSale: Bool, product: String, storefront: Storefront?, bundleID: String
    ) async throws {
        try await changeApp(bundleID, "setAvailability") { work, app in
            guard app.product(product) != nil else { throw StoreError.unknownProduct(product) }
            try work.session.execute(
                """
                INSERT INTO product_storefront (app, product_id, storefront, is_for_sale)
                VALUES (\(app.id), \(product), \(storefront?.code ?? ""), \(isForSale))
                ON CONFLICT (app, product_id, storefront)
                DO UPDATE SET is_for_sale = excluded.is_for_sale
                """)
        }
    }

    private func changeApp(
        _ bundleID: String, _ kind: String,
        _ change: @escaping @Sendable (Work, inout App) throws -> Void
    ) async throws {
        // What was due before goes by the old settings.
        try await catchUp()
        try await write { work in
            var app = try work.apps.find(bundleID: bundleID)
            try change(work, &app)
            work.record(kind) { $0.app = app.id }
            work.settingsChanged()
        }
    }
}

extension App {
    /// Whether everything in a catalogue is for sale just so; prices of single storefronts are
    /// not its business.
    fileprivate func sells(_ catalogue: Catalogue) -> Bool {
        catalogue.groups.allSatisfy(self.catalogue.groups.contains)
            && catalogue.products.allSatisfy { product in
                guard var known = self.product(product.id) else { return false }
                known.prices = product.prices
                return known == product
            }
    }
}

extension Catalogue {
    /// The largest price in milliunits, far above every price there is and far below overflow.
    static let largestPrice: Int64 = 1_000_000_000_000

    /// Refuses what could not be sold.
    fileprivate func check(known: Catalogue) throws(StoreError) {
        let groupIDs = Set(groups.map(\.id) + known.groups.map(\.id))
        for product in products {
            let offers = product.subscription?.offers ?? []
            let prices = [product.basePrice] + offers.map(\.basePrice) + product.prices.values
            guard prices.allSatisfy({ (0...Catalogue.largestPrice).contains($0) }) else {
                throw .invalidSetting(
                    product.id,
                    reason: "prices must be 0 to \(Catalogue.largestPrice) milliunits")
            }
            guard let groupID = product.subscription?.groupID else { continue }
            guard groupIDs.contains(groupID) else {
                throw .invalidSetting(product.id, reason: "its group \(groupID) is not defined")
            }
        }
    }
}
