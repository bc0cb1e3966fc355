import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: Sandbox accounts that begin anew")
struct ClearedHistoryStories {
    @Test(
        "Introductory offers are there again, and old transactions are still known (SBX-5)",
        arguments: Backend.available)
    func anew(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device(in: .sandbox)
        try await world.store.setSandboxSpeed(.sixtyMinutes, account: "ada")
        func offers() async throws -> Bool {
            try await world.store.products(["silver.trial"], for: world.device(in: .sandbox))
                .products.first?.offers.introductory != nil
        }
        #expect(try await offers())
        let id = try await world.subscribe("silver.trial", by: ada)
        _ = try await world.store.purchase(PurchaseRequest(productID: "lifetime"), by: ada)
        try await world.settle(telling: ["2026-01-01 ONE_TIME_CHARGE lifetime 49.99"])
        #expect(try await !offers())
        let history = try await world.store.clearHistory(account: "ada")
        #expect(history == "ada (history 1)")
        try await world.settle(
            telling: ["2026-01-01 EXPIRED 2 silver.trial 0.00 FREE_TRIAL until 2026-01-01"])
        #expect(try await offers())
        let device = try await world.device(in: .sandbox)
        #expect(try await world.store.entitlements(for: device).isEmpty)
        #expect(try await world.store.subscriptions(for: device).isEmpty)
        let account = try await world.store.customer(account: "ada", in: .sandbox)
        #expect(account.0.sandboxSpeed == .sixtyMinutes && account.1.isEmpty)
        // The developer's server goes on knowing what it was told.
        #expect(
            try await world.historyLines(id, in: .sandbox) == [
                "lifetime 49.99", "silver.trial 0.00 FREE_TRIAL until 2026-01-01",
            ])
        #expect(
            try await world.shows(id, in: .sandbox) == ["2 silver.trial off 2026-01-01 intent 5"])
        let again = try #require(
            try await world.buy(
                "silver.trial", by: device,
                telling: [
                    """
                    2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.trial 0.00 FREE_TRIAL \
                    until 2026-01-01 00:15
                    """
                ]))
        #expect(again.originalTransactionId != String(id))
        try await world.buy(
            "lifetime", by: device, telling: ["2026-01-01 ONE_TIME_CHARGE lifetime 49.99"])
        #expect(try await world.store.clearHistory(account: "ada") == "ada (history 2)")
        try await world.check()
    }

    @Test("Devices stay signed in as the account that begins anew", arguments: Backend.available)
    func devices(_ backend: Backend) async throws {
        let world = try await World(backend)
        let token = "device_token_of_ada"
        func device() async throws -> DeviceSession {
            try await world.store.device(token: token, in: .sandbox)
        }
        try await world.store.signIn(
            SignInRequest(bundleID: World.bundleID, account: "ada"), in: .sandbox, token: token)
        _ = try await world.subscribe("silver.monthly", by: try await device())
        try await world.store.clearHistory(account: "ada")
        #expect(try await world.store.account(of: try await device()).account == "ada")
        #expect(
            try await world.store.transactions(
                for: try await device(), unfinishedOnly: false, after: 0, limit: 9
            ).isEmpty)
        #expect(try await !world.store.appTransaction(for: try await device()).isEmpty)
        try await world.check()
    }

    @Test("What waits is given up, and nothing renews", arguments: Backend.available)
    func waiting(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device(in: .sandbox)
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.answersLater(after: nil, isPaid: true), in: .sandbox)
        let bill = try #require(
            try await world.store.buy(PurchaseRequest(productID: "coins"), by: ada).pendingBill)
        try await world.store.setBuying(
            BuyingChange(asksToBuy: true), account: "ada", in: .sandbox)
        let request = try #require(
            try await world.store.buy(PurchaseRequest(productID: "season"), by: ada).request)
        try await world.store.clearHistory(account: "ada")
        #expect(try await !world.store.bill(bill, in: .sandbox).bill.state.isOutstanding)
        #expect(
            try await world.store.heldPurchase(request, in: .sandbox).request.state == .declined)
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-01-01 EXPIRED 2 silver.monthly 9.99 until 2026-01-01"])
        try await world.check()
    }

    @Test("A family is left, and begun anew with whom one likes", arguments: Backend.available)
    func family(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada", in: .sandbox)
        let bea = try await world.device("bea", in: .sandbox)
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .sandbox)
        _ = try await world.store.purchase(PurchaseRequest(productID: "lifetime"), by: ada)
        _ = try await world.store.purchase(PurchaseRequest(productID: "poster"), by: bea)
        try await world.store.setSharesNewPurchases(false, by: bea)
        try await world.told(
            in: .sandbox,
            [
                "ada 2026-01-01 ONE_TIME_CHARGE lifetime 49.99",
                "bea 2026-01-01 ONE_TIME_CHARGE lifetime 0.00",
                "bea 2026-01-01 ONE_TIME_CHARGE poster 2.99",
            ])
        // A member goes alone.
        try await world.store.clearHistory(account: "bea")
        try await world.told(
            in: .sandbox,
            ["bea (history 1) 2026-01-01 REVOKE lifetime 0.00 FAMILY_REVOKE 2026-01-01"])
        let anew = try await world.store.customer(account: "bea", in: .sandbox).0
        #expect(!anew.sharesNewPurchases)
        let family = try #require(
            try await world.store.families(account: "ada", in: .sandbox, after: 0, limit: 1).first)
        #expect(family.members.map(\.account) == ["ada"])
        #expect(
            try await world.store.families(account: "bea", in: .sandbox, after: 0, limit: 1)
                .isEmpty)
        try await world.store.join(family: family.id, account: "bea", in: .sandbox)
        try await world.told(
            in: .sandbox, ["bea 2026-01-01 ONE_TIME_CHARGE lifetime 0.00"])
        // The organiser's family is nobody's any more.
        try await world.store.clearHistory(account: "ada")
        try await world.told(
            in: .sandbox, ["bea 2026-01-01 REVOKE lifetime 0.00 FAMILY_REVOKE 2026-01-01"])
        #expect(try await world.store.families(in: .sandbox, after: 0, limit: 9).isEmpty)
        try await world.check()
    }

    @Test(
        "Nobody else is concerned, and Production has no such thing",
        arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        await #expect(throws: StoreError.unknown(.account, "ada")) {
            try await world.store.clearHistory(account: "ada")
        }
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-01 9.99"])
    }
}
