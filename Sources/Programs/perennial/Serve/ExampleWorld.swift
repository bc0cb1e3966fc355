import Store
import SubscriptionRules
import TimeAndChance

/// Customers who have lived for a year before anybody looks: one life for each thing that can
/// happen to a subscription, with the products of `Examples/Garden.storekit`.
struct ExampleWorld: Sendable {
    private let store: Store
    private let bundleID: String
    /// When the first of them subscribes.
    private let start: Instant

    /// How long they have lived when it is today.
    static let past = Span.days(400)

    private static let garden = "com.example.garden"
    private static let estate = "\(garden).estate.monthly"
    private static let yearly = "\(garden).estate.yearly"
    private static let vegetables = "\(garden).vegetables.monthly"
    private static let flowers = "\(garden).flowers.monthly"
    private static let windowBox = "\(garden).windowbox.weekly"

    /// Nil where the app does not sell what they buy.
    init?(_ store: Store, app: App, today: Instant) {
        let products = Set(app.catalogue.products.map(\.id))
        let wanted = [Self.estate, Self.yearly, Self.vegetables, Self.flowers, Self.windowBox]
        guard products.isSuperset(of: wanted) else { return nil }
        self.store = store
        bundleID = app.bundleID
        start = today - Self.past
    }

    /// Lets them live until today.
    func play() async throws {
        try await store.configure(bundleID: bundleID) { $0.gracePeriod = .sixteenDays }
        try await begin()
        try await spring()
        try await autumn()
        try await winter()
        _ = try await store.advance(to: start + Self.past)
    }

    // MARK: Their year

    private func begin() async throws {
        for (account, product) in [
            ("anna", Self.vegetables), ("ben", Self.vegetables), ("clara", Self.estate),
            ("dora", Self.vegetables), ("emil", Self.flowers), ("fritz", Self.flowers),
            ("gina", Self.yearly), ("hugo", Self.flowers), ("ida", Self.windowBox),
            ("jonas", Self.vegetables), ("karla", Self.estate),
        ] {
            try await buy(product, account)
            try await pass(days: 1)
        }
    }

    private func spring() async throws {
        try await until(day: 100)
        try await change("anna", .product(Self.estate))
        try await until(day: 110)
        try await change("ida", .renewal(isOn: false))
        try await until(day: 119)
        try await pays("ben", .declines(until: nil, left: nil))
        try await until(day: 130)
        try await pays("ben", .approves)
        try await until(day: 150)
        try await change("clara", .product(Self.vegetables))
    }

    private func autumn() async throws {
        try await until(day: 200)
        // What an outage cost everybody, and one customer more.
        try await store.massExtend(
            MassExtensionOrder(
                productID: Self.vegetables, storefronts: nil,
                request: ExtensionRequest(days: 7, reasonCode: 3), requestIdentifier: nil),
            for: Caller(bundleID: bundleID, environment: .production))
        try await store.settle()
        try await until(day: 205)
        let emil = try await subscription("emil")
        try await store.refund(
            transaction: emil.newestPeriod.transactionID, .full, reason: .other, in: .production)
        try await until(day: 220)
        try await store.schedule(
            PriceOrder(
                productID: Self.flowers, storefront: .usa, price: 7_990, start: nil,
                existing: .apply), bundleID: bundleID)
        try await agree("fritz", between: 238, and: 258)
        try await until(day: 260)
        try await buy(Self.windowBox, "ida")
    }

    private func winter() async throws {
        try await until(day: 300)
        try await pays("jonas", .declines(until: nil, left: nil))
        try await until(day: 330)
        try await change("karla", .renewal(isOn: false))
        try await until(day: 366)
        try await buy(Self.vegetables, "mona")
        try await until(day: 385)
        try await pays("mona", .declines(until: nil, left: nil))
        try await until(day: 392)
        try await buy(Self.vegetables, "lena")
    }

    // MARK: What they do

    private func until(day: Int) async throws {
        _ = try await store.advance(to: start + .days(day))
    }

    private func pass(days: Int) async throws {
        _ = try await store.advance(to: try await store.now() + .days(days))
    }

    private func buy(_ product: String, _ account: String) async throws {
        let device = try await store.signIn(
            SignInRequest(bundleID: bundleID, account: account), in: .production,
            token: Randomness.token("device_"))
        _ = try await store.buy(PurchaseRequest(productID: product), by: device)
    }

    private func subscription(_ account: String) async throws -> Subscription {
        let (_, subscriptions, _) = try await store.customer(account: account, in: .production)
        guard let one = subscriptions.last else {
            throw Failure.refused("The example's customer \(account) has no subscription.")
        }
        return one
    }

    private func change(_ account: String, _ change: SubscriptionChange) async throws {
        let device = try await store.device(of: account, bundleID: bundleID, in: .production)
        try await store.change(
            subscription: try await subscription(account).id, [change], by: device)
    }

    /// Agrees to a higher price once it is asked for, 27 days before a renewal whose day of the
    /// month depends on today.
    private func agree(_ account: String, between first: Int, and last: Int) async throws {
        for day in first...last {
            try await until(day: day)
            do {
                return try await change(account, .priceIncrease(agrees: true))
            } catch StoreError.refused(.noPriceIncrease) where day < last {}
        }
    }

    private func pays(_ account: String, _ method: PaymentMethod) async throws {
        try await store.setPaymentMethod(method, account: account, in: .production)
    }
}
