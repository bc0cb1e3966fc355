import AppStoreWire
import Merchant
import Store
import SubscriptionRules
import TestFloor
import TestSupport

/// A random life of two customers on a store, one of whom tests in Sandbox too, the same for a seed
/// for ever, of which a merchant receives everything in order.
struct RandomLife: Sendable {
    /// Something that reaches a merchant.
    enum News: Sendable {
        case notification(Listener.Arrival)
        /// A signed transaction that the app sends.
        case purchase(String, account: String)

        func reach(_ merchant: Merchant) async throws {
            switch self {
            case .notification(let arrival):
                _ = try await merchant.receive(arrival.signedPayload, for: World.bundleID)
            case .purchase(let text, let account):
                _ = try await merchant.take(
                    transaction: text, from: account, of: World.bundleID)
            }
        }
    }

    struct Person: Sendable {
        let name: String
        let environment: StoreEnvironment
        let device: DeviceSession
        /// What the app gives the store as the account's name; nil where it gives none.
        let token: String?
        /// One of the customer's transactions; nil where there is none.
        fileprivate(set) var anyTransaction: Int64?
        /// The original transactions that the app has sent.
        fileprivate var sent: Set<String> = []
        /// Whether one of them has told the merchant whose the token is.
        fileprivate var isTokenKnown = false
    }

    private enum Deed {
        case buy, changePlan, setRenewal, decline, pay, refund, reverse, leaveFamily
    }

    /// How many deeds it has.
    private static let length = 14

    private static let deeds: [Deed] = [
        .buy, .buy, .buy, .buy, .changePlan, .changePlan, .setRenewal, .setRenewal, .decline,
        .pay, .pay, .refund, .refund, .reverse, .leaveFamily,
    ]

    let world: MerchantWorld
    private(set) var people: [Person]
    /// Everything that has reached the merchant, in order.
    private(set) var news: [News] = []
    /// What was done so far, in words.
    private(set) var story: [String] = []
    private var chance: SeededGenerator
    /// How many days there are between two stops.
    private let pause: Int
    /// The next stops; at the last one somebody does something.
    private var stops: [Instant] = []
    private var deeds = 0
    private var store: Store { world.world.store }

    /// - Parameters:
    ///   - fault: a mistake that the merchant makes.
    ///   - isDaily: whether it stops on every day; else every twenty days, which Sandbox remembers.
    init(
        _ backend: Backend, seed: UInt64, planting fault: PlantedFault? = nil,
        isDaily: Bool = false
    ) async throws {
        var chance = SeededGenerator(seed: seed)
        let graces: [GracePeriod?] = [nil, .threeDays, .sixteenDays, .twentyEightDays]
        let grace = graces.randomElement(using: &chance)!
        world = try await MerchantWorld(
            backend, catalogue: Self.catalogue, planting: fault
        ) { $0.gracePeriod = grace }
        let token = "6f1e4c2a-0b7d-4a57-9c3e-1d2f3a4b5c6d"
        people = [
            Person(
                name: "ada", environment: .production,
                device: try await world.world.device("ada"), token: token),
            Person(
                name: "bea", environment: .production,
                device: try await world.world.device("bea"), token: nil),
            Person(
                name: "ada", environment: .sandbox,
                device: try await world.world.device("ada", in: .sandbox), token: token),
        ]
        if Bool.random(using: &chance) {
            try await world.world.store.createFamily(
                organiser: "ada", with: ["bea"], in: .production)
        }
        self.chance = chance
        pause = isDaily ? 1 : 20
    }

    /// Families share a plan of each length besides what is bought once.
    private static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        let shared = ["gold.monthly", "silver.yearly", "bronze.weekly"]
        for index in catalogue.products.indices
        where shared.contains(catalogue.products[index].id) {
            catalogue.products[index].isFamilyShareable = true
        }
        return catalogue
    }()

    /// Whether everything was done.
    var isOver: Bool { deeds == Self.length }

    /// Goes on to the next stop, at which everything is delivered: some days later, or after
    /// somebody has done something.
    mutating func goOn() async throws {
        if stops.isEmpty { stops = try await nextStops() }
        let moment = stops.removeFirst()
        _ = try await store.advance(to: moment)
        if stops.isEmpty { try await act() }
        try await deliver()
        for index in people.indices { try await openApp(of: index) }
    }

    private mutating func act() async throws {
        deeds += 1
        let index = Int.random(in: people.indices, using: &chance)
        let deed = Self.deeds.randomElement(using: &chance)!
        let now = try await store.clockReading().now
        story.append(
            "\(now.iso8601) \(people[index].name) in \(people[index].environment) \(deed)")
        do {
            try await perform(deed, by: index)
        } catch is StoreError {
            // What the store refuses changes nothing, and is a step all the same.
        }
    }

    /// Moments to the millisecond: of two texts that were signed at one moment neither is the
    /// newer, so no command may fall on a period's end.
    private mutating func nextStops() async throws -> [Instant] {
        let days = [0, 1, 2, 5, 9, 17, 31, 62].randomElement(using: &chance)!
        let rest = Int64.random(in: 1_000..<86_400_000, using: &chance)
        let first = try await store.clockReading().now + Span(milliseconds: rest)
        return (Array(stride(from: 0, to: days, by: pause)) + [days]).map { first + .days($0) }
    }

    private mutating func perform(_ deed: Deed, by index: Int) async throws {
        let person = people[index]
        switch deed {
        case .buy: try await buy(by: index)
        case .changePlan:
            let all = try await store.subscriptions(for: person.device)
            guard let one = all.randomElement(using: &chance) else { return }
            let plans = SampleCatalogue.all.products.filter {
                $0.subscription?.groupID == one.groupID
            }
            try await store.change(
                subscription: one.originalTransactionID,
                [.product(plans.randomElement(using: &chance)!.id)], by: person.device)
        case .setRenewal:
            let all = try await store.subscriptions(for: person.device)
            guard let one = all.randomElement(using: &chance) else { return }
            try await store.change(
                subscription: one.originalTransactionID,
                [.renewal(isOn: Bool.random(using: &chance))], by: person.device)
        case .decline:
            try await store.setPaymentMethod(
                .declines(until: nil, left: nil), account: person.name,
                in: person.environment)
        case .pay:
            try await store.setPaymentMethod(
                .approves, account: person.name,
                in: person.environment)
        case .refund:
            guard let id = try await transaction(of: person, isRevoked: false) else { return }
            try await store.refund(
                transaction: id, RefundablePeriod.Extent.allCases.randomElement(using: &chance)!,
                reason: .other, in: person.environment)
        case .reverse:
            guard let id = try await transaction(of: person, isRevoked: true) else { return }
            try await store.reverseRefund(transaction: id, in: person.environment)
        case .leaveFamily: try await store.leaveFamily(by: person.device)
        }
    }

    private mutating func buy(by index: Int) async throws {
        let product = SampleCatalogue.all.products.randomElement(using: &chance)!
        let quantity = product.type == .consumable ? Int.random(in: 1...3, using: &chance) : 1
        let signed = try await store.purchase(
            PurchaseRequest(
                productID: product.id, quantity: quantity, appAccountToken: people[index].token),
            by: people[index].device)
        guard let signed else { return }
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        if people[index].isTokenKnown, Bool.random(using: &chance) {
            // The app is closed before it sends it; its token says whose it is.
            people[index].sent.insert(bought.originalTransactionId)
            people[index].anyTransaction = Int64(bought.transactionId)
        } else {
            // The app is faster than the notification.
            try await send(signed, of: index)
        }
    }

    /// One that was taken back or was not: the newest as often as all the others.
    private mutating func transaction(
        of person: Person, isRevoked: Bool
    ) async throws -> Int64? {
        guard let any = person.anyTransaction else { return nil }
        let all = try await world.world.history("\(any)", in: person.environment).filter {
            ($0.revocationDate != nil) == isRevoked
        }
        let newest = all.max { $0.purchaseDate < $1.purchaseDate }
        let one = Bool.random(using: &chance) ? newest : all.randomElement(using: &chance)
        return one.flatMap { Int64($0.transactionId) }
    }

    // MARK: What reaches the merchant

    private mutating func deliver() async throws {
        try await store.settle()
        for arrival in world.world.listener.takeArrivals() {
            news.append(.notification(arrival))
            try await world.receive(arrival)
        }
        try await world.merchant.settle()
    }

    /// The app sends each purchase that is new to it, those that the family shares as well.
    /// Renewals and changes of plans it leaves to the notifications.
    private mutating func openApp(of index: Int) async throws {
        for one in try await store.entitlements(for: people[index].device) {
            let bought: JWSTransactionDecodedPayload = try JWSText.decode(one.signed)
            guard !people[index].sent.contains(bought.originalTransactionId) else { continue }
            try await send(one.signed, of: index)
        }
    }

    private mutating func send(_ signed: String, of index: Int) async throws {
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        people[index].sent.insert(bought.originalTransactionId)
        people[index].anyTransaction = Int64(bought.transactionId)
        // What the family shares carries none.
        if bought.appAccountToken != nil { people[index].isTokenKnown = true }
        let one = News.purchase(signed, account: people[index].name)
        news.append(one)
        try await one.reach(world.merchant)
    }
}
