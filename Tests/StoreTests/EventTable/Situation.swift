import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport

/// What a subscription is in before an event of `docs/events.md`.
struct Situation: Sendable {
    let name: String
    /// Said under the heading.
    let sentence: String
    let make: @Sendable () async throws -> Scene

    /// A world at that point, the customer, and the subscription if there is one.
    struct Scene: Sendable {
        let world: World
        let ada: DeviceSession
        var id: Int64?
        /// The newest transaction, which refunds are about.
        var newest: Int64?
        /// The family that the customer is in.
        var family: Int64?
        /// Who bought what the customer has by sharing, and the purchaser's subscription.
        var purchaser: DeviceSession?
        var source: Int64?
        /// What waits for somebody.
        var request: Int64?

        /// Whose bank pays.
        var payer: String { purchaser == nil ? "ada" : "bea" }
    }

    /// - Parameter billing: what is billed monthly is sold outside of the USA: in Germany, where a
    ///   month of silver's year costs 9.99.
    static func scene(
        _ product: String?, _ billing: BillingPlan = .upFront, grace: GracePeriod? = nil,
        storefront: String = "USA", catalogue: Catalogue = SampleCatalogue.all,
        then: @escaping @Sendable (inout Scene) async throws -> Void = { _ in }
    ) async throws -> Scene {
        let world = try await World(.sqlite, at: "2026-01-15", catalogue: catalogue) { settings in
            settings.gracePeriod = grace
            settings.refundPolicy = .operatorDecides
        }
        let ada = try await world.device(storefront: billing == .monthly ? "DEU" : storefront)
        var scene = Scene(world: world, ada: ada)
        if billing == .monthly {
            try await world.store.setMonthlyBilling(
                price: 9_990, isEnabled: true, product: "silver.yearly", bundleID: World.bundleID)
        }
        if let product { scene.id = try await world.subscribe(product, billing, by: ada) }
        try await then(&scene)
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        if scene.source != nil {
            scene.newest = scene.id
        } else if let id = scene.id {
            let newest = try await world.store.subscription(id).1.newestPeriod.transactionID
            scene.newest = newest
        }
        return scene
    }

    static func advance(_ scene: Scene, _ moment: String) async throws {
        _ = try await scene.world.store.advance(to: World.instant(moment))
    }

    static func declines(_ scene: Scene) async throws {
        try await scene.world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        try await advance(scene, "2026-02-18")
    }

    /// From now on the bank answers when it is asked to.
    private static func answersLater(_ scene: Scene) async throws {
        try await scene.world.store.setPaymentMethod(
            .answersLater(after: nil, isPaid: true), account: "ada", in: .production)
    }

    static let all = [
        Situation(
            name: "No subscription", sentence: "The customer never bought in the group."
        ) { try await scene(nil) },
        Situation(
            name: "Paid period",
            sentence: "Silver for 9.99 a month, bought on 15 January, on 20 January."
        ) { try await scene("silver.monthly") { try await advance($0, "2026-01-20") } },
        Situation(
            name: "Paid period, renewal off", sentence: "The same after turning renewal off."
        ) {
            try await scene("silver.monthly") { scene in
                try await advance(scene, "2026-01-20")
                try await scene.world.store.change(
                    subscription: scene.id!, [.renewal(isOn: false)], by: scene.ada)
            }
        },
        Situation(
            name: "Downgrade waiting",
            sentence: "The same with bronze, a lower level, chosen for the renewal."
        ) {
            try await scene("silver.monthly") { scene in
                try await advance(scene, "2026-01-20")
                try await scene.world.store.change(
                    subscription: scene.id!, [.product("bronze.monthly")], by: scene.ada)
            }
        },
        Situation(
            name: "Free trial", sentence: "A week's trial of silver, on its fourth day."
        ) { try await scene("silver.trial") { try await advance($0, "2026-01-18") } },
        Situation(
            name: "Discounted, pay as you go",
            sentence: "Three months at 1.99, in the first of them."
        ) { try await scene("silver.intro") { try await advance($0, "2026-01-20") } },
        Situation(
            name: "Asked for consent",
            sentence: "The price went from 9.99 to 19.99; the answer is due by 15 April."
        ) {
            try await scene("silver.monthly") { scene in
                try await scene.world.schedule("silver.monthly", 19_990, live: "2026-03-10")
                try await advance(scene, "2026-04-01")
            }
        },
        Situation(
            name: "Billing grace period", sentence: "The renewal failed; 16 days of grace run."
        ) {
            try await scene("silver.monthly", grace: .sixteenDays, then: { try await declines($0) })
        },
        Situation(
            name: "Billing retry", sentence: "The renewal failed; the app has no grace period."
        ) { try await scene("silver.monthly", then: { try await declines($0) }) },
        Situation(
            name: "First purchase pending",
            sentence: "Silver was chosen on 15 January, and the bank has not answered."
        ) {
            try await scene(nil) { scene in
                try await answersLater(scene)
                _ = try await scene.world.store.purchase(
                    PurchaseRequest(productID: "silver.monthly"), by: scene.ada)
                try await advance(scene, "2026-01-15T12:00:00Z")
            }
        },
        Situation(
            name: "Upgrade pending",
            sentence: "Silver; gold was chosen on 20 January, and the bank has not answered."
        ) {
            try await scene("silver.monthly") { scene in
                try await advance(scene, "2026-01-20")
                try await answersLater(scene)
                _ = try await scene.world.store.purchase(
                    PurchaseRequest(productID: "gold.monthly"), by: scene.ada)
                try await advance(scene, "2026-01-20T12:00:00Z")
            }
        },
        Situation(
            name: "Renewal awaited",
            sentence: "The renewal was due on 15 February; it is 18 February, and the bank has not "
                + "answered."
        ) {
            try await scene("silver.monthly") { scene in
                try await answersLater(scene)
                try await advance(scene, "2026-02-18")
            }
        },
        Situation(
            name: "Renewal awaited, access has stopped", sentence: "The same on 28 February."
        ) {
            try await scene("silver.monthly") { scene in
                try await answersLater(scene)
                try await advance(scene, "2026-02-28")
            }
        },
        Situation(
            name: "Recovery pending in grace",
            sentence: "The renewal failed; 16 days of grace run, and the bank has not answered the "
                + "next try."
        ) {
            try await scene("silver.monthly", grace: .sixteenDays) { scene in
                try await declines(scene)
                try await answersLater(scene)
            }
        },
        Situation(
            name: "Commitment",
            sentence: "Silver for a year, billed monthly with 9.99 in Germany, on 20 March: the "
                + "third of twelve months."
        ) {
            try await scene("silver.yearly", .monthly) { try await advance($0, "2026-03-20") }
        },
        Situation(
            name: "Commitment, renewal off",
            sentence: "The same after turning renewal off, with bronze chosen before."
        ) {
            try await scene("silver.yearly", .monthly) { scene in
                try await advance(scene, "2026-03-20")
                try await scene.world.store.change(
                    subscription: scene.id!,
                    [.product("bronze.monthly"), .renewal(isOn: false)], by: scene.ada)
            }
        },
        Situation(
            name: "Commitment, twelfth month", sentence: "The same commitment on 20 December."
        ) {
            try await scene("silver.yearly", .monthly) { try await advance($0, "2026-12-20") }
        },
        Situation(
            name: "Commitment, a month failed",
            sentence:
                "The second month failed; the app has 16 days of grace, and a commitment none."
        ) {
            try await scene("silver.yearly", .monthly, grace: .sixteenDays) {
                try await declines($0)
            }
        },
        Situation(name: "Expired", sentence: "Renewal was off, and the period is over.") {
            try await scene("silver.monthly") { scene in
                try await scene.world.store.change(
                    subscription: scene.id!, [.renewal(isOn: false)], by: scene.ada)
                try await advance(scene, "2026-02-20")
            }
        },
        Situation(
            name: "Refunded when it was over",
            sentence: "Renewal was off, the period is over, and was refunded after that."
        ) {
            try await scene("silver.monthly") { scene in
                try await scene.world.store.change(
                    subscription: scene.id!, [.renewal(isOn: false)], by: scene.ada)
                try await advance(scene, "2026-02-20")
                try await scene.world.store.refund(
                    transaction: scene.id!, .full, reason: .other, in: .production)
            }
        },
        Situation(
            name: "Refunded", sentence: "The running period was refunded on 20 January."
        ) {
            try await scene("silver.monthly") { scene in
                try await advance(scene, "2026-01-20")
                try await scene.world.store.refund(
                    transaction: scene.id!, .full, reason: .other, in: .production)
            }
        },
    ]
}
