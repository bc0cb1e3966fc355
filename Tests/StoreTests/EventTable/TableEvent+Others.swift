import Store
import SubscriptionRules
import TestSupport

/// What others do: those of a family, and who approves a request.
extension TableEvent {
    static let others = [
        family("carl joins the family") { scene, family in
            _ = try await scene.world.device("carl")
            try await scene.world.store.join(family: family, account: "carl", in: .production)
        },
        family("the one who has it by sharing leaves the family") { scene, _ in
            try await scene.world.store.leave(
                account: scene.payer == "ada" ? "bea" : "ada", in: .production)
        },
        family("the family ends") { scene, family in
            try await scene.world.store.endFamily(family, in: .production)
        },
        family("the purchaser turns sharing off") { scene, _ in try await share(.off, scene) },
        family("the purchaser turns sharing on") { scene, _ in try await share(.on, scene) },
        request("the request is approved") { scene, request in
            try await scene.world.store.approve(heldPurchase: request, in: .production)
        },
        request("the customer settles what interrupted it") { scene, request in
            try await scene.world.store.approve(
                heldPurchase: request, by: scene.ada, in: .production)
        },
        request("the request is declined") { scene, request in
            try await scene.world.store.decline(heldPurchase: request, in: .production)
        },
        request("a day goes by, then it is approved") { scene, request in
            let asked = try await scene.world.store.heldPurchase(request, in: .production).request
            _ = try await scene.world.store.advance(to: asked.asked + .days(1))
            try await scene.world.store.approve(heldPurchase: request, in: .production)
        },
    ]

    private static func family(
        _ name: String,
        _ body: @escaping @Sendable (Situation.Scene, Int64) async throws -> Void
    ) -> TableEvent {
        TableEvent(name: name) { scene in
            guard let family = scene.family else { throw NotPossible() }
            try await body(scene, family)
        }
    }

    private static func share(
        _ change: SharingChange, _ scene: Situation.Scene
    ) async throws {
        guard let source = scene.source ?? scene.id else { throw NotPossible() }
        try await scene.world.store.setSharing(
            change, originalTransaction: source, by: scene.purchaser ?? scene.ada)
    }

    private static func request(
        _ name: String,
        _ body: @escaping @Sendable (Situation.Scene, Int64) async throws -> Void
    ) -> TableEvent {
        TableEvent(name: name) { scene in
            guard let request = scene.request else { throw NotPossible() }
            try await body(scene, request)
        }
    }
}
