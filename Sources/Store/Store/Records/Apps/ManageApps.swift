import AppStoreWire
import Journal
import Outbox
import Storage
public import SubscriptionRules

extension Store {
    /// Puts an app into the store.
    ///
    /// - Parameter appleID: the App Store's number; nil for the next that is free.
    /// - Throws: `StoreError.setting(.appExists)` when the bundle identifier or the number is
    ///   taken, `.setting(.invalid)` when the bundle identifier is none, or an URL for
    ///   notifications, or the name has characters that nobody sees.
    public func addApp(bundleID: String, appleID: Int64?, settings: App.Settings) async throws {
        try settings.check()
        guard App.isBundleID(bundleID) else {
            throw StoreError.setting(
                .invalid(
                    bundleID,
                    reason: "a bundle identifier is 1 to 155 letters, digits, dots and hyphens"))
        }
        try await write { work in
            guard
                !work.apps.all.contains(where: { $0.bundleID == bundleID || $0.appleID == appleID })
            else { throw StoreError.setting(.appExists(bundleID)) }
            let app = App(
                id: work.nextNumber(), bundleID: bundleID,
                appleID: appleID ?? work.apps.nextAppleID, settings: settings)
            try app.insert(in: work.session)
            work.record(.addedApp) { $0.app = app.id }
            work.settingsChanged()
        }
    }

    /// Changes how an app is set up. What changes nothing is not written, and waits for nothing.
    ///
    /// - Throws: `StoreError.unknown(.app)`; `.setting(.invalid)` when a new URL for notifications
    ///   is none, or a new name has characters that nobody sees.
    public func configure(
        bundleID: String, _ change: @escaping @Sendable (inout App.Settings) -> Void
    ) async throws {
        let settings = try await app(bundleID: bundleID).settings
        var changed = settings
        change(&changed)
        guard changed != settings else { return }
        try await changeApp(bundleID, .configuredApp) { work, app in
            let before = app.settings
            change(&app.settings)
            try app.settings.check(before: before)
            try app.saveSettings(in: work.session)
        }
    }

    /// Adds the products of a catalogue and replaces those that the app has already; the others
    /// stay, since customers may own them. What changes nothing is not written, and waits for
    /// nothing.
    ///
    /// - Parameters:
    ///   - storefront: the one that the prices are meant for, which becomes the app's; nil leaves
    ///     the app's as it is.
    ///   - locale: the language that it is written in first, likewise.
    /// - Throws: `StoreError.unknown(.app)`; `.setting(.productDeleted)` for a product that was
    ///   deleted; `.setting(.invalid)` when a product would change its type or its group, which
    ///   customers' subscriptions rest on, and for what could not be kept or sold.
    public func importCatalogue(
        _ catalogue: Catalogue, for storefront: Storefront? = nil, in locale: String? = nil,
        bundleID: String
    ) async throws {
        let known = try await app(bundleID: bundleID)
        try catalogue.check(known: known.catalogue)
        let storefront = storefront ?? known.settings.storefront
        let locale = locale ?? known.settings.locale
        guard
            !known.sells(catalogue) || known.settings.storefront != storefront
                || known.settings.locale != locale
        else { return }
        try await changeApp(bundleID, .importedCatalogue) { work, app in
            try catalogue.check(known: app.catalogue)
            var catalogue = catalogue
            for (place, product) in catalogue.products.enumerated() {
                guard let known = app.product(product.id) else { continue }
                guard known.type == product.type,
                    known.subscription?.groupID == product.subscription?.groupID
                else {
                    throw StoreError.setting(
                        .invalid(
                            product.id, reason: "a product keeps its type and its group for ever"))
                }
                // No file has them: they stay as the operator made them.
                catalogue.products[place].oneTimeOffers = known.oneTimeOffers
                catalogue.products[place].isGeneric = known.isGeneric
                try work.turnSharing(of: known, to: product.isFamilyShareable, in: app)
            }
            try app.save(catalogue, in: work.session)
            app.settings.storefront = storefront
            app.settings.locale = locale
            try app.saveSettings(in: work.session)
        }
    }

    /// Sets the price of a product in a storefront, in milliunits of its currency: for new
    /// purchases; subscribers keep what they pay.
    ///
    /// - Parameter billing: of a subscription that is billed monthly, what a month costs.
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`, `.setting(.productDeleted)`;
    ///   `.purchase(.notBilledMonthly)`; `.setting(.invalid)` when the currency has fewer decimals,
    ///   and for an auto-renewable subscription that would be free.
    public func setPrice(
        _ price: Int64, _ billing: BillingPlan = .upFront, product: String, storefront: Storefront,
        bundleID: String
    ) async throws {
        try await changeApp(bundleID, .setPrice) { work, app in
            let known = try app.kept(product)
            guard known.price(billing, in: storefront) != nil else {
                throw StoreError.purchase(.notBilledMonthly(product, in: nil))
            }
            try storefront.checkPrice(price, of: known)
            try ProductStorefront.save(
                price: price, billing, of: product, app: app.id, in: storefront, work.session)
        }
    }

    /// Takes a product off sale or puts it back (TAB-11). Whoever subscribes is served to the
    /// end of the paid period.
    ///
    /// - Parameter storefront: nil for all storefronts, which leaves those off sale that were
    ///   taken off by name.
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`, `.setting(.productDeleted)`;
    ///   `.setting(.offSaleEverywhere)` when it would be on sale in one storefront alone.
    public func setAvailability(
        _ isForSale: Bool, product: String, storefront: Storefront?, bundleID: String
    ) async throws {
        try await changeApp(bundleID, .setAvailability) { work, app in
            _ = try app.kept(product)
            guard !isForSale || storefront == nil || !app.offSale(of: product).contains("") else {
                throw StoreError.setting(.offSaleEverywhere(product))
            }
            try ProductStorefront.save(
                isForSale: isForSale, product, app: app.id, in: storefront, work.session)
        }
    }

    func changeApp(
        _ bundleID: String, _ kind: JournalEvent.Kind,
        _ change: @escaping @Sendable (UnitOfWork, inout App) throws -> Void
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
        (catalogue.policies.isEmpty || catalogue.policies == self.catalogue.policies)
            && catalogue.groups.allSatisfy(self.catalogue.groups.contains)
            && catalogue.products.allSatisfy { product in
                guard var known = self.product(product.id) else { return false }
                known.prices = product.prices
                known.oneTimeOffers = product.oneTimeOffers
                known.isGeneric = product.isGeneric
                if let monthly = product.subscription?.monthlyBilling {
                    known.subscription?.monthlyBilling?.prices = monthly.prices
                }
                return known == product
            }
    }
}

extension Catalogue {
    /// The largest price in milliunits, whoever sells: far above every price there is and far below
    /// overflow.
    static let largestPrice = AdvancedCommerceLimit.price

    /// Refuses what could not be kept or sold.
    fileprivate func check(known: Catalogue) throws(StoreError) {
        try Catalogue.checkIdentifiers(groups.map(\.id), known: known.groups.map(\.id))
        try Catalogue.checkIdentifiers(products.map(\.id), known: known.products.map(\.id))
        try Catalogue.check(policies)
        let deleted = Set(known.products.filter { $0.deleted != nil }.map { ExactText($0.id) })
        if let product = products.first(where: { deleted.contains(ExactText($0.id)) }) {
            throw .setting(.productDeleted(product.id))
        }
        let groupIDs = Set((groups + known.groups).map { ExactText($0.id) })
        for group in groups {
            try Catalogue.checkTexts(
                of: group.id, [group.id, group.referenceName], group.localizations)
        }
        for product in products {
            let offers = product.subscription?.offers ?? []
            try Catalogue.checkTexts(
                of: product.id,
                [product.id, product.referenceName] + offers.flatMap { [$0.id, $0.referenceName] },
                product.localizations)
            let monthly = product.subscription?.monthlyBilling
            let prices =
                [product.basePrice] + offers.map(\.basePrice) + product.prices.values
                + [monthly?.basePrice].compactMap(\.self)
            guard prices.allSatisfy({ (0...Catalogue.largestPrice).contains($0) }) else {
                throw .setting(
                    .invalid(
                        product.id,
                        reason: "prices must be 0 to \(Catalogue.largestPrice) milliunits"))
            }
            guard let groupID = product.subscription?.groupID else { continue }
            guard groupIDs.contains(ExactText(groupID)) else {
                throw .setting(.invalid(product.id, reason: "its group \(groupID) is not defined"))
            }
        }
    }

    /// Refuses new identifiers that read like another one: the same letters in other bytes, or
    /// characters between them that nobody sees. What is known may stay.
    private static func checkIdentifiers(_ new: [String], known: [String]) throws(StoreError) {
        let exactly = Set(known.map(ExactText.init))
        var taken = Set(known)
        for id in new where !exactly.contains(ExactText(id)) {
            guard taken.insert(id).inserted else {
                throw .setting(.invalid(id, reason: "another identifier reads the same"))
            }
            if let hidden = InvisibleCharacter.all(in: id).first {
                throw .setting(.invalid(id, reason: "it has the invisible character \(hidden)"))
            }
        }
    }

    private static func check(_ policies: AppPolicies) throws(StoreError) {
        let texts = [policies.licenceAgreement] + policies.privacyPolicies.map(\.text)
        guard texts.allSatisfy(CatalogueText.policy.allows) else {
            throw .setting(
                .invalid("policies", reason: "each has \(CatalogueText.policy.rule)"))
        }
        let urls = policies.privacyPolicies.map(\.url).filter { !$0.isEmpty }
        guard urls.allSatisfy(AppPolicies.isWebAddress) else {
            throw .setting(.invalid("policies", reason: "addresses are web pages'"))
        }
    }

    private static func checkTexts(
        of id: String, _ lines: [String], _ localizations: [Localization]
    ) throws(StoreError) {
        let lines = lines + localizations.flatMap { [$0.locale, $0.displayName] }
        guard !id.isEmpty, lines.allSatisfy(CatalogueText.line.allows) else {
            throw .setting(
                .invalid(
                    String(id.prefix(64)), reason: "its texts have \(CatalogueText.line.rule)"))
        }
        guard localizations.allSatisfy({ CatalogueText.description.allows($0.description) }) else {
            throw .setting(
                .invalid(
                    id, reason: "its description has \(CatalogueText.description.rule)"))
        }
    }
}

extension App.Settings {
    /// Refuses what cannot be, new names with characters that nobody sees, and new URLs to which
    /// no notification could be sent.
    fileprivate func check(before: App.Settings? = nil) throws(StoreError) {
        let numbers = [
            ("pendingRenewalDays", pendingRenewalDays, Self.pendingRenewalDaysAllowed),
            ("sharingDelayMinutes", sharingDelayMinutes, FamilySharing.delayMinutesAllowed),
            ("unsentNotifications", unsentNotifications, Self.unsentNotificationsAllowed),
        ]
        for (field, number, allowed) in numbers where !allowed.contains(number) {
            throw .setting(
                .invalid(
                    field, reason: "it must be \(allowed.lowerBound) to \(allowed.upperBound)"))
        }
        if name != before?.name, let hidden = InvisibleCharacter.all(in: name).first {
            throw .setting(
                .invalid("name", reason: "it has the invisible character \(hidden)"))
        }
        let urls = [
            ("notificationUrl", notificationURL, before?.notificationURL),
            ("sandboxNotificationUrl", sandboxNotificationURL, before?.sandboxNotificationURL),
        ]
        for (field, url, earlier) in urls where url != earlier {
            guard let url, PostURL(url) == nil else { continue }
            throw .setting(.invalid(field, reason: "it must be \(PostURL.rule)"))
        }
    }
}
