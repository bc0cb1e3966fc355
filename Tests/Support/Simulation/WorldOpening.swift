import AppStoreSigning
import AppStoreWire
import Logging
import NaiveModel
import Outbox
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport

/// The real store in a simulated world: opened, and opened again after a crash.
struct OpenWorld {
    static let bundleID = World.bundleID
    /// What a process holds that was killed is waited for as long.
    private static let claimTime = Span(milliseconds: 200)

    /// Opens the store in a database; a new one gets the app and what it sells.
    static func open(
        _ scenario: Scenario, in database: any Database, machine: ManualClock
    ) async throws -> Store {
        let clock = StoreClock(
            scenario.isLate ? .running : .frozen, showing: instant(scenario.start),
            machine: machine.now)
        let store = try await Store(
            database: database, signer: JWSSigner(chain: World.chain), clock: clock,
            seed: "seed", post: DeafServer(), machineTime: { machine.now },
            log: Logger(label: "simulation", factory: { _ in SwiftLogNoOpLogHandler() }),
            claimTime: claimTime, batchSize: scenario.batchSize, stopwatch: { .zero })
        guard try await store.apps().isEmpty else { return store }
        var settings = App.Settings(name: "App")
        // The naive store keeps none where nobody listens.
        settings.unsentNotifications = 0
        try await store.addApp(
            bundleID: bundleID, appleID: World.appleID, settings: settings)
        try await store.importCatalogue(catalogue(of: scenario.shop), bundleID: bundleID)
        for article in scenario.shop.articles where article.isGeneric {
            try await store.setGeneric(true, product: article.id, bundleID: bundleID)
        }
        try await configure(store, scenario.shop.terms, isListening: scenario.isListening)
        if scenario.isListening { try await addFaults(store) }
        return store
    }

    static func configure(
        _ store: Store, _ terms: Terms, isListening: Bool
    ) async throws {
        try await store.configure(bundleID: bundleID) { settings in
            settings.gracePeriod = GracePeriod.allCases.first { $0.days == terms.graceDays }
            settings.sandboxGracePeriod = terms.sandboxGrace ? .sixteenDays : nil
            settings.graceScope = terms.graceOnlyPaid ? .paidToPaidOnly : .allRenewals
            settings.billingZone = terms.isPacific ? .pacific : .utc
            settings.upgradeInTrial = terms.upgradeKeepsTrial ? .keepsTrial : .endsTrial
            settings.pendingRenewalDays = terms.pendingDays
            settings.sandboxRenewalLimit = terms.sandboxRenewals
            settings.sandboxIgnoresAvailability = terms.sandboxSellsAll
            settings.sandboxApprovesPurchases = terms.sandboxApproves
            settings.refundPolicy = RefundPolicy(terms.refunds)
            settings.sandboxRefundPolicy = RefundPolicy(terms.refunds)
            settings.smallBusiness = terms.isSmallBusiness
            settings.heedsSmallBusinessLimit = terms.heedsLimit
            settings.priceChangeRoute = terms.merchantTells ? .merchantManaged : .storeManaged
            guard isListening else { return }
            settings.notificationURL = "http://developer.example/production"
            settings.sandboxNotificationURL = "http://developer.example/sandbox"
        }
    }

    /// The way to the developer's server loses some notifications and doubles others.
    private static func addFaults(_ store: Store) async throws {
        for environment in [StoreEnvironment.production, .sandbox] {
            for fault in [NotificationFault.drop, .repeats(times: 2)] {
                _ = try await store.addFault(
                    FaultRule(
                        .notifications(fault, type: nil, subtype: nil), percent: 10, seed: "fault"),
                    in: environment)
            }
        }
    }

    static func instant(_ milliseconds: Int) -> Instant {
        Instant(milliseconds: Int64(milliseconds))
    }

    /// What the naive shop sells, as the store takes it.
    static func catalogue(of shop: Shop) -> Catalogue {
        var catalogue = Catalogue()
        for article in shop.articles where !shop.deleted.contains(article.id) {
            var terms: SubscriptionTerms?
            let type: ProductType
            switch article.kind {
            case .consumable: type = .consumable
            case .nonConsumable: type = .nonConsumable
            case .nonRenewing: type = .nonRenewingSubscription
            case .plan(let group, let level, let length, let introduction):
                type = .autoRenewableSubscription
                terms = SubscriptionTerms(
                    groupID: group, level: level, period: period(length),
                    offers: (introduction.map { [offer($0)] } ?? [])
                        + (article.monthly?.introduction.map { [offer($0, .monthly)] } ?? [])
                        + article.codeOffers.map(offer),
                    monthlyBilling: article.monthly.map {
                        MonthlyBilling(basePrice: Int64($0.price), isEnabled: $0.isSold)
                    })
                if !catalogue.groups.contains(where: { $0.id == group }) {
                    catalogue.groups.append(SubscriptionGroup(id: group, referenceName: group))
                }
            }
            catalogue.products.append(
                Product(
                    id: article.id, type: type, isFamilyShareable: article.isShareable,
                    basePrice: Int64(article.price),
                    subscription: terms))
        }
        return catalogue
    }

    static func period(_ length: Length) -> CalendarPeriod {
        switch length {
        case .days(let days):
            days % 7 == 0 ? CalendarPeriod(days / 7, .week) : CalendarPeriod(days, .day)
        case .months(12): .year
        case .months(let months): CalendarPeriod(months, .month)
        }
    }

    private static func offer(
        _ introduction: Discount, _ billing: Billing = .upFront
    ) -> Offer {
        Offer(
            kind: .introductory, mode: Offer.Mode(introduction.mode),
            period: period(introduction.length), periodCount: introduction.count,
            basePrice: Int64(introduction.price), isForMonthlyBilling: billing == .monthly)
    }

    private static func offer(_ code: CodeOffer) -> Offer {
        Offer(
            kind: .offerCode, id: code.discount.name!, mode: Offer.Mode(code.discount.mode),
            period: period(code.discount.length), periodCount: code.discount.count,
            basePrice: Int64(code.discount.price),
            audiences: CodeOffer.Audience.allCases.filter(code.audience.contains).map { audience in
                switch audience {
                case .new: .new
                case .existing: .existing
                case .expired: .expired
                }
            }, isStackable: code.isSecond, isForMonthlyBilling: code.billing == .monthly)
    }
}

/// A developer's server that never takes one notification in five. Which ones follows from their
/// identifiers, so that the same world always fares the same.
struct DeafServer: Post {
    func post(_ body: [UInt8], to url: String) async -> PostOutcome {
        guard let uuid = uuid(in: body) else { return .invalidResponse }
        let digest = uuid.utf8.reduce(into: UInt64(5381)) { $0 = $0 &* 33 &+ UInt64($1) }
        return digest % 5 == 0 ? .noResponse : .taken
    }

    /// The identifier stands at the head of the payload; to read all of it would take long.
    private func uuid(in body: [UInt8]) -> Substring? {
        guard let dot = body.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let base64 = body[(dot + 1)...].prefix(240)
        guard let head = try? JWSText.data(base64: Array(base64)) else { return nil }
        let text = String(decoding: head, as: UTF8.self)
        guard let key = text.firstRange(of: #""notificationUUID":""#) else { return nil }
        return text[key.upperBound...].prefix(36)
    }
}
