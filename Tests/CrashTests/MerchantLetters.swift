import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport

/// One text that reaches a merchant.
enum MerchantLetter: Sendable {
    /// From the store.
    case notification(String, uuid: String)
    /// From the app.
    case purchase(String, account: String)
}

/// What half a year of customers brings to a merchant, in order.
struct MerchantLetters: Sendable {
    private(set) var all: [MerchantLetter] = []
    private let world: World
    private var subscribers: [Subscriber] = []

    private struct Subscriber: Sendable {
        let number: Int
        let device: DeviceSession
        let id: Int64
    }

    /// The identifiers of the notifications.
    var uuids: [String] {
        all.compactMap { letter -> String? in
            guard case .notification(_, let uuid) = letter else { return nil }
            return uuid
        }
    }

    init(customers: Int) async throws {
        world = try await World(.sqlite)
        for number in 0..<customers { try await arrive(number) }
        for month in 1...6 {
            try await pass(CalendarStep(iso8601: "P1M")!)
            // Each at a moment of its own: of two texts of one moment neither is the newer.
            for subscriber in subscribers where (subscriber.number + month).isMultiple(of: 6) {
                try await pass(CalendarStep(iso8601: "PT1H")!)
                try await change(subscriber)
                try await collect()
            }
        }
    }

    /// A customer buys. A third of them are sent by the app, a third is known by a token that
    /// another purchase has shown, and nobody claims the others.
    private mutating func arrive(_ number: Int) async throws {
        let device = try await world.device("customer-\(number)")
        let token = "6f1e4c2a-0b7d-4a57-9c3e-\(number + 100_000_000_000)"
        let products = ["gold.monthly", "silver.monthly", "coins", "lifetime"]
        let bought = try await buy(
            products[number % products.count], by: device,
            token: number % 3 == 1 ? token : nil)
        if number % 3 < 2 {
            all.append(.purchase(bought.text, account: "customer-\(number)"))
        }
        if number % 3 == 1 { _ = try await buy("season", by: device, token: token) }
        if bought.payload.type == .autoRenewableSubscription,
            let id = Int64(bought.payload.originalTransactionId)
        {
            subscribers.append(Subscriber(number: number, device: device, id: id))
        }
        try await collect()
        try await pass(CalendarStep(iso8601: "PT1M")!)
    }

    private func buy(
        _ product: String, by device: DeviceSession, token: String?
    ) async throws -> (text: String, payload: JWSTransactionDecodedPayload) {
        let text = try await world.store.purchase(
            PurchaseRequest(productID: product, appAccountToken: token), by: device)
        guard let text else { preconditionFailure("\(product) was not sold") }
        return (text, try JWSText.decode(text))
    }

    private func change(_ subscriber: Subscriber) async throws {
        do {
            switch subscriber.number % 4 {
            case 0:
                try await world.store.change(
                    subscription: subscriber.id, [.renewal(isOn: false)], by: subscriber.device)
            default:
                let newest = try await world.history(String(subscriber.id)).max {
                    $0.purchaseDate < $1.purchaseDate
                }
                guard let id = newest.flatMap({ Int64($0.transactionId) }) else { return }
                try await world.store.refund(
                    transaction: id, .full, reason: .other, in: .production)
            }
        } catch is StoreError {
            // What was refunded before is not refunded again.
        }
    }

    private mutating func pass(_ step: CalendarStep) async throws {
        let now = try await world.store.clockReading().now
        _ = try await world.store.advance(to: step.applied(to: now))
        try await collect()
    }

    private mutating func collect() async throws {
        try await world.store.settle()
        all += world.listener.takeArrivals().map { arrival in
            MerchantLetter.notification(
                arrival.signedPayload, uuid: arrival.notification.notificationUUID)
        }
    }
}
