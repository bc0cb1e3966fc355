import Store
import SubscriptionRules
import TestSupport

/// Situations in which somebody else has a say: a family, a parent, a law.
extension Situation {
    static let others = families + requests + conversions

    /// Silver and gold can be shared, bronze cannot.
    private static let shareable: Catalogue = {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices {
            let isBetter = ["silver", "gold"].contains {
                catalogue.products[place].id.hasPrefix($0)
            }
            catalogue.products[place].isFamilyShareable = isBetter
        }
        return catalogue
    }()

    /// A family of the purchaser and the other one.
    private static func join(_ scene: inout Scene) async throws {
        if scene.payer == "ada" { _ = try await scene.world.device("bea") }
        scene.family = try await scene.world.store.createFamily(
            organiser: scene.payer, with: [scene.payer == "ada" ? "bea" : "ada"], in: .production)
    }

    private static let families = [
        Situation(
            name: "Shared with the family",
            sentence: "Silver, bought on 15 January, on 20 January; bea is in the family and has "
                + "it too. What is told of her says so."
        ) {
            try await scene("silver.monthly", catalogue: shareable) { scene in
                try await join(&scene)
                try await advance(scene, "2026-01-20")
            }
        },
        Situation(
            name: "Shared with the family, billing grace period",
            sentence: "The same; the renewal failed, and 16 days of grace run."
        ) {
            try await scene("silver.monthly", grace: .sixteenDays, catalogue: shareable) { scene in
                try await join(&scene)
                try await declines(scene)
            }
        },
        Situation(
            name: "Shared with the family, billing retry",
            sentence: "The same; the renewal failed, and the app has no grace period."
        ) {
            try await scene("silver.monthly", catalogue: shareable) { scene in
                try await join(&scene)
                try await declines(scene)
            }
        },
        Situation(
            name: "Kept from the family",
            sentence: "The same; ada has turned sharing off, and bea has lost it."
        ) {
            try await scene("silver.monthly", catalogue: shareable) { scene in
                try await join(&scene)
                try await advance(scene, "2026-01-20")
                try await scene.world.store.setSharing(
                    .off, originalTransaction: scene.id!, by: scene.ada)
            }
        },
        Situation(
            name: "Shared, and the period was refunded",
            sentence: "The same, refunded on 20 January: both have lost it."
        ) {
            try await scene("silver.monthly", catalogue: shareable) { scene in
                try await join(&scene)
                try await advance(scene, "2026-01-20")
                try await scene.world.store.refund(
                    transaction: scene.id!, .full, reason: .other, in: .production)
            }
        },
        Situation(
            name: "Had from the family",
            sentence: "The other way round: bea bought silver, and the customer, ada, has it from "
                + "her. What is told of bea says so."
        ) {
            try await scene(nil, catalogue: shareable) { scene in
                let bea = try await scene.world.device("bea")
                scene.purchaser = bea
                scene.source = try await scene.world.subscribe("silver.monthly", by: bea)
                try await join(&scene)
                try await advance(scene, "2026-01-20")
                scene.id = try await scene.world.store.subscriptions(for: scene.ada).first?
                    .originalTransactionID
            }
        },
    ]

    private static func asks(
        _ scene: inout Scene, for product: String, _ change: BuyingChange
    ) async throws {
        try await scene.world.store.setBuying(change, account: "ada", in: .production)
        do {
            _ = try await scene.world.store.buy(
                PurchaseRequest(productID: product), by: scene.ada)
        } catch StoreError.purchase(.interrupted) {
            // The request is kept.
        }
        scene.request = try await scene.world.store.heldPurchases(for: scene.ada).first?.request.id
    }

    private static let requests = [
        Situation(
            name: "Ask to Buy, first purchase",
            sentence: "A child asked for silver on 15 January, and nobody has decided."
        ) {
            try await scene(nil) { scene in
                try await asks(&scene, for: "silver.monthly", BuyingChange(asksToBuy: true))
                try await advance(scene, "2026-01-15T12:00:00Z")
            }
        },
        Situation(
            name: "Ask to Buy, another plan",
            sentence: "A child has silver and asked for gold on 20 January; nobody has decided."
        ) {
            try await scene("silver.monthly") { scene in
                try await advance(scene, "2026-01-20")
                try await asks(&scene, for: "gold.monthly", BuyingChange(asksToBuy: true))
                try await advance(scene, "2026-01-20T12:00:00Z")
            }
        },
        Situation(
            name: "Interrupted purchase",
            sentence: "Silver was chosen on 15 January, and the customer has terms to accept."
        ) {
            try await scene(nil) { scene in
                try await asks(
                    &scene, for: "silver.monthly", BuyingChange(interruptsPurchases: true))
                try await advance(scene, "2026-01-15T12:00:00Z")
            }
        },
    ]

    private static func conversion(
        _ moment: String, then: @escaping @Sendable (Scene) async throws -> Void = { _ in }
    ) async throws -> Scene {
        try await scene("silver.intro", storefront: "KOR") { scene in
            try await advance(scene, moment)
            try await then(scene)
        }
    }

    private static let conversions = [
        Situation(
            name: "Korea, discounted",
            sentence: "Three months at a discount in Korea, in the second of them: nobody has been "
                + "asked about the standard price."
        ) { try await conversion("2026-02-20") },
        Situation(
            name: "Korea, asked about the standard price",
            sentence: "The last of the three months; the answer is due by 14 April."
        ) { try await conversion("2026-04-01") },
        Situation(
            name: "Korea, agreed to the standard price",
            sentence: "The same after agreeing."
        ) {
            try await conversion("2026-04-01") { scene in
                try await scene.world.store.change(
                    subscription: scene.id!, [.priceIncrease(agrees: true)], by: scene.ada)
            }
        },
    ]
}
