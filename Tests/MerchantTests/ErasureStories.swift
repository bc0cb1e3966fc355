import AppStoreWire
import Merchant
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Where else a name may stand: lists of rebuilds, and the log of what was done.
@Suite("Merchant: erased names", .timeLimit(.minutes(15)))
struct ErasureStories {
    /// Bea's purchase for good, of which no merchant has heard.
    private func lifetime(_ world: MerchantWorld) async throws -> String {
        let signed = try #require(
            try await world.world.store.purchase(
                PurchaseRequest(productID: "lifetime"), by: try await world.world.device("bea")))
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return bought.transactionId
    }

    @Test(
        "A list of a rebuild names an erased account no more, and gives it nothing",
        arguments: Backend.available)
    func lists(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let merchant = world.merchant
        let number = try await lifetime(world)
        try await GapStories.served(world) {
            let failed = try await merchant.rebuild(
                [
                    RebuildLine(account: "bea", transactionID: "999999999"),
                    RebuildLine(account: "carl", transactionID: "999999998"),
                ], of: World.bundleID)
            try await merchant.workOnRebuilds()
            // No account was made of it, and its name is there all the same.
            _ = try await merchant.erase("bea", of: World.bundleID)
            let left = try await merchant.failedLines(of: failed.id, limit: 10)
            #expect(left.map(\.line.account) == [nil, "carl"])
            let waiting = try await merchant.rebuild(
                [RebuildLine(account: "bea", transactionID: number)], of: World.bundleID)
            _ = try await merchant.erase("bea", of: World.bundleID)
            try await merchant.workOnRebuilds()
            #expect(try await merchant.rebuild(waiting.id).failed == 0)
            #expect(try await merchant.customer("bea", of: World.bundleID).version == 0)
            #expect(try await merchant.unownedCount(UnownedFilter()).count == 1)
        }
    }

    @Test(
        "A list gives nothing to names that apps send where nobody is signed in (OWN-6)",
        arguments: Backend.available)
    func reserved(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let merchant = world.merchant
        let number = try await lifetime(world)
        try await GapStories.served(world) {
            let begun = try await merchant.rebuild(
                [RebuildLine(account: "NULL", transactionID: number)], of: World.bundleID)
            try await merchant.workOnRebuilds()
            let failed = try await merchant.failedLines(of: begun.id, limit: 10)
            #expect(
                failed.map(\.problem) == [
                    "its account is a name that apps send where nobody is signed in"
                ])
            #expect(try await merchant.customers(limit: 10).customers.isEmpty)
            // It was taken, and is nobody's.
            #expect(try await merchant.unownedCount(UnownedFilter()).count == 1)
        }
    }

    @Test(
        "The log forgets an erased name in its app alone, also where no account had it",
        arguments: Backend.available)
    func log(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        for bundleID in [World.bundleID, "com.example.other"] {
            let act = AuditedAct(
                at: World.instant("2026-01-01"), scope: "server", bundleID: bundleID,
                route: "eraseAccount", subject: "ada")
            _ = try await world.merchant.audited(act, code: { _ in "failed" }) { 1 }
        }
        _ = try await world.merchant.erase("ada", of: World.bundleID)
        let subjects = try await world.merchant.audit(limit: 10).map(\.act.subject)
        #expect(subjects == ["ada", nil])
    }
}
