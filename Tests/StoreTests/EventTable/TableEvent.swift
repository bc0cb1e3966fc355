import Store
import SubscriptionRules
import TestSupport

/// An event of `docs/events.md`, and how it is brought about.
struct TableEvent: Sendable {
    let name: String
    let happen: @Sendable (Situation.Scene) async throws -> Void

    private static func buy(
        _ name: String, _ product: String, _ billing: BillingPlan = .upFront
    ) -> TableEvent {
        TableEvent(name: name) { scene in
            _ = try await scene.world.store.purchase(
                PurchaseRequest(productID: product, billing: billing), by: scene.ada)
        }
    }

    /// Buys with an offer, which is made first: two months at 0.99 each.
    private static func redeem(
        _ name: String, _ product: String, _ kind: Offer.Kind = .promotional
    ) -> TableEvent {
        TableEvent(name: name) { scene in
            let offer = Offer(
                kind: kind, id: "x", mode: .payAsYouGo, period: .month, periodCount: 2,
                basePrice: 990)
            let store = scene.world.store
            // A file brings an offer that could have begun already (WIN-2).
            let app = try await store.app(bundleID: World.bundleID)
            guard var sold = app.product(product) else { throw NotPossible() }
            sold.subscription?.offers.append(offer)
            try await store.importCatalogue(
                Catalogue(groups: [], products: [sold]), bundleID: World.bundleID)
            let claim: OfferClaim =
                kind == .winBack
                ? .winBack(id: "x") : .promotional(id: "x", SignedClaim(nonce: "row"))
            _ = try await scene.world.store.purchase(
                PurchaseRequest(productID: product, offer: claim), by: scene.ada)
        }
    }

    private static func change(_ name: String, _ change: SubscriptionChange) -> TableEvent {
        TableEvent(name: name) { scene in
            guard let id = scene.id else { throw NotPossible() }
            try await scene.world.store.change(subscription: id, [change], by: scene.ada)
        }
    }

    private static func refund(
        _ name: String, _ body: @escaping @Sendable (Store, Int64) async throws -> Void
    ) -> TableEvent {
        TableEvent(name: name) { scene in
            guard let newest = scene.newest else { throw NotPossible() }
            try await body(scene.world.store, newest)
        }
    }

    private static func price(_ name: String, _ price: Int64) -> TableEvent {
        TableEvent(name: name) { scene in
            guard let id = scene.source ?? scene.id else { throw NotPossible() }
            let store = scene.world.store
            let (_, subscription, place) = try await store.subscription(id)
            try await store.schedule(
                PriceOrder(
                    productID: subscription.plan.productID, billing: subscription.plan.billing,
                    storefront: place.storefront, price: price, existing: .apply),
                bundleID: World.bundleID)
        }
    }

    /// Lets time pass until the subscription's next change.
    private static func due(
        _ name: String, _ prepare: @escaping @Sendable (Situation.Scene) async throws -> Void
    ) -> TableEvent {
        TableEvent(name: name) { scene in
            try await prepare(scene)
            guard let id = scene.source ?? scene.id,
                let next = try await scene.world.store.subscription(id).1.nextChange
            else { throw NotPossible() }
            _ = try await scene.world.store.advance(to: next)
        }
    }

    private static func pays(_ method: PaymentMethod)
        -> @Sendable (Situation.Scene) async throws
        -> Void
    {
        { scene in
            // A method that approves would be tried at once, which is a row of its own.
            guard method != .approves || scene.id == nil else { return }
            try await scene.world.store.setPaymentMethod(
                method, account: scene.payer, in: .production)
        }
    }

    /// The bank says something of the bill that it has not answered.
    private static func answer(_ name: String, _ answer: BankAnswer) -> TableEvent {
        TableEvent(name: name) { scene in
            let store = scene.world.store
            let pending = try await store.bills(
                .pending, account: "ada", before: nil, limit: 1, in: .production)
            guard let bill = pending.first?.bill else { throw NotPossible() }
            try await store.answer(bill: bill.id, answer, in: .production)
        }
    }

    /// An event that has no meaning where there is nothing it could happen to.
    struct NotPossible: Error {}

    static let all: [TableEvent] =
        [
            buy("buys silver", "silver.monthly"),
            buy("buys gold, a higher level", "gold.monthly"),
            buy("buys silver.other, same level and length", "silver.other"),
            buy("buys silver for a year, same level", "silver.yearly"),
            buy("buys silver for a year, billed monthly", "silver.yearly", .monthly),
            buy("buys bronze, a lower level", "bronze.monthly"),
            redeem("buys silver with a promotional offer", "silver.monthly"),
            redeem("buys gold with a promotional offer", "gold.monthly"),
            redeem("buys bronze with a promotional offer", "bronze.monthly"),
            redeem("buys silver with a win-back offer", "silver.monthly", .winBack),
            change("turns renewal off", .renewal(isOn: false)),
            change("turns renewal on", .renewal(isOn: true)),
            due("the next moment comes, the bank is as before", { _ in }),
            due("the next moment comes, the bank declines", pays(.declines(until: nil, left: nil))),
            due("the next moment comes, not for sale") { scene in
                for product in SampleCatalogue.all.products {
                    try await scene.world.store.setAvailability(
                        false, product: product.id, storefront: nil, bundleID: World.bundleID)
                }
            },
            TableEvent(name: "gives a payment method that works") { scene in
                try await scene.world.store.setPaymentMethod(
                    .approves, account: scene.payer, in: .production)
            },
            price("the price falls to 4.99", 4_990),
            price("the price rises to 10.99", 10_990),
            change("agrees to the increase", .priceIncrease(agrees: true)),
            change("declines the increase", .priceIncrease(agrees: false)),
            TableEvent(name: "is extended by 10 days") { scene in
                guard let id = scene.id else { throw NotPossible() }
                _ = try await scene.world.store.extend(
                    originalTransaction: id, try ExtensionRequest(days: 10, reasonCode: 3),
                    requestIdentifier: "row", for: scene.world.caller())
            },
            TableEvent(name: "asks for a refund") { scene in
                guard let newest = scene.newest else { throw NotPossible() }
                try await scene.world.store.requestRefund(
                    transaction: newest, .other, by: scene.ada)
            },
            refund("is refunded in full") { store, id in
                try await store.refund(transaction: id, .full, reason: .other, in: .production)
            },
            refund("is refunded the unused share") { store, id in
                try await store.refund(transaction: id, .prorated, reason: .other, in: .production)
            },
            answer("the bank pays the pending bill", .paid),
            answer("the bank declines the pending bill", .declined),
            answer("the bank gives the pending bill up", .voided),
            refund("the bank takes the last payment back") { store, id in
                try await store.answer(bill: id, .reversed, in: .production)
            },
            refund("has the refund reversed") { store, id in
                try await store.reverseRefund(transaction: id, in: .production)
            },
            TableEvent(name: "is ended by the operator") { scene in
                guard let id = scene.id else { throw NotPossible() }
                try await scene.world.store.end(subscription: id)
            },
        ] + others
}
