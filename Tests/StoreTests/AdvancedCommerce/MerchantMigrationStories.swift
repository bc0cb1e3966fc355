import AppStoreWire
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

/// What an ordinary subscription was paid before a merchant's plan went on for it, and what an
/// earlier transaction was paid for the one item that is left: it goes back when the plan changes
/// or ends, from the transaction that was paid.
@Suite("Stories: what was paid before")
struct MerchantMigrationStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    /// An ordinary subscription at 9.99 from 1 January on, and on the 11th the merchant's that goes
    /// on for it.
    private func migrated(
        _ backend: Backend, _ skus: [String]
    ) async throws -> (World, DeviceSession, ordinary: Int64, JWSTransactionDecodedPayload) {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", expecting: [])
        let request = AdvancedCommerceSubscriptionMigrateRequest(
            requestInfo: Its.reference(1),
            descriptors: .init(displayName: "The paper", description: "News and more"),
            items: skus.map { .init(sku: $0, displayName: "The \($0)", description: "All of it") },
            targetProductId: Its.generic, taxCode: "C003-00-1")
        let answer = try await world.store.migrate(transaction: id, request, for: Its.production)
        try await world.settle(expecting: ["MIGRATION"])
        try await world.advance(to: "2026-01-22", expecting: [])
        return (world, ada, id, try JWSText.decode(answer.transaction))
    }

    private struct Booked: Equatable {
        let kind: LedgerEntry.Kind
        let transactionID: Int64
        let sku: String?
        let customer: Int64

        init(
            _ kind: LedgerEntry.Kind, _ transactionID: Int64, _ sku: String?, _ customer: Int64
        ) {
            (self.kind, self.transactionID) = (kind, transactionID)
            (self.sku, self.customer) = (sku, customer)
        }
    }

    private func ledger(_ world: World) async throws -> [Booked] {
        try await world.store.ledger(after: 0, limit: 99, in: .production).map(\.entry)
            .map { Booked($0.kind, $0.transactionID, $0.sku, $0.customer) }
    }

    /// What the three have of a transaction in the end, in milliunits: customer, developer, store.
    private func kept(_ id: Int64, _ world: World) async throws -> [Int64] {
        var sums: [Int64] = [0, 0, 0]
        for line in try await world.store.ledger(after: 0, limit: 99, in: .production)
        where line.entry.transactionID == id {
            let gains = [line.entry.customer, line.entry.developer, line.entry.store]
            for place in 0..<3 { sums[place] += gains[place] }
        }
        return sums
    }

    private func revocation(
        _ number: Int, _ type: AdvancedCommerceRefundType
    ) -> AdvancedCommerceSubscriptionRevokeRequest {
        AdvancedCommerceSubscriptionRevokeRequest(
            requestInfo: Its.reference(number), refundReason: .legal, refundType: type,
            refundRiskingPreference: false)
    }

    @Test(
        "A new cycle gives the ordinary subscription's unused days back",
        arguments: Backend.available, [["news"], ["news", "chess", "go"]])
    func newCycle(_ backend: Backend, _ skus: [String]) async throws {
        let (world, ada, ordinary, first) = try await migrated(backend, skus)
        // Ten of 31 days are left: of 9.99 they are 3.22, of three times 3.33 three times 1.07.
        let unused: Int64 = skus.count == 1 ? 3_220 : 3_210
        let changed = try await Its.buy(
            Its.modify(2, first, keepsCycle: false) { $0.addItems = [Its.added("sport", 6_200)] },
            by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(changed.price == 16_190)
        #expect(changed.purchaseDate == World.instant("2026-01-22").milliseconds)
        let paid = try await Its.transaction(String(ordinary), in: world)
        #expect(paid.isUpgraded == true && paid.revocationDate == nil && paid.price == 9_990)
        // It has no items: what goes back is one row, of the whole.
        let booked = try await ledger(world)
        #expect(
            booked.filter { $0.transactionID == ordinary } == [
                Booked(.charge, ordinary, nil, -9_990),
                Booked(.proration, ordinary, nil, unused),
            ])
        let id = try #require(Int64(changed.transactionId))
        let prices: [Int64] = skus.count == 1 ? [9_990] : [3_330, 3_330, 3_330]
        let charges: [Booked] = zip(skus + ["sport"], prices + [6_200]).map { sku, price in
            Booked(.charge, id, sku, -price)
        }
        #expect(booked.filter { $0.transactionID == id } == charges)
        try await world.check()
        // What gave its unused days back is not given back again.
        await #expect(throws: StoreError.self) {
            _ = try await world.store.refund(
                transaction: ordinary, .full, reason: .other, in: .production)
        }
        try await world.advance(to: "2026-02-23", expecting: ["DID_RENEW"])
        try await world.check()
    }

    @Test(
        "A revocation gives the ordinary subscription's price back, or its unused days",
        arguments: Backend.available,
        [
            (["news"], AdvancedCommerceRefundType.full, Int64(9_990)),
            (["news"], .prorated, 3_220), (["news", "chess", "go"], .full, 9_990),
            (["news", "chess", "go"], .prorated, 3_210),
        ])
    func revoked(
        _ backend: Backend,
        _ what: (skus: [String], type: AdvancedCommerceRefundType, back: Int64)
    ) async throws {
        let (world, _, ordinary, first) = try await migrated(backend, what.skus)
        let answer = try await world.store.revoke(
            transaction: try #require(Int64(first.transactionId)), revocation(2, what.type),
            for: Its.production)
        // Each transaction has its own, the ordinary one in its own chain.
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND", "REFUND"])
        let moment = World.instant("2026-01-22").milliseconds
        let newest: JWSTransactionDecodedPayload = try JWSText.decode(answer.transaction)
        #expect(newest.transactionId == first.transactionId && newest.revocationDate == moment)
        let paid = try await Its.transaction(String(ordinary), in: world)
        #expect(paid.revocationDate == moment && paid.revocationReason == .other)
        #expect(paid.advancedCommerceInfo == nil)
        #expect(
            try await ledger(world) == [
                Booked(.charge, ordinary, nil, -9_990),
                Booked(.refund, ordinary, nil, what.back),
            ])
        let id = try #require(Int64(first.transactionId))
        #expect(try await world.store.subscription(id).1.status == .revoked)
        try await world.check()
        try await world.advance(to: "2026-02-02", expecting: [])
    }

    @Test(
        "Shares of the ordinary price go back one after the other, and never more than it was",
        arguments: Backend.available)
    func inSteps(_ backend: Backend) async throws {
        let (world, ada, ordinary, first) = try await migrated(backend, ["news", "chess", "go"])
        // The chess becomes golf: 1.07 go back, and 2.00 of 6.20 are paid for ten days of it.
        let changed = try await Its.buy(
            Its.modify(2, first) { $0.changeItems = [Its.changed("chess", to: "golf", 6_200)] },
            by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(try await Its.transaction(String(ordinary), in: world).isUpgraded == nil)
        // Five days are left: of each 3.33 they are 0.54, of the golf's 2.00 half.
        try await world.advance(to: "2026-01-27", expecting: [])
        _ = try await world.store.revoke(
            transaction: try #require(Int64(first.transactionId)), revocation(3, .prorated),
            for: Its.production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND", "REFUND"])
        let golf = try #require(Int64(changed.transactionId))
        #expect(
            try await ledger(world) == [
                Booked(.charge, ordinary, nil, -9_990), Booked(.proration, ordinary, nil, 1_070),
                Booked(.charge, golf, "golf", -2_000), Booked(.refund, golf, "golf", 1_000),
                Booked(.refund, ordinary, nil, 1_080),
            ])
        try await world.check()
    }

    @Test(
        "The ordinary price is given back but for what has gone back, and taken again so",
        arguments: Backend.available)
    func ordinaryRefund(_ backend: Backend) async throws {
        let (world, ada, ordinary, first) = try await migrated(backend, ["news", "chess", "go"])
        _ = try await Its.buy(
            Its.modify(2, first) { $0.changeItems = [Its.changed("chess", to: "golf", 6_200)] },
            by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let given = try await world.store.refund(
            transaction: ordinary, .full, reason: .other, in: .production)
        // The merchant's plan goes on (REF-10).
        try await world.settle(expecting: ["REFUND"])
        #expect(given.refunded.milliunits == 9_990 && given.kind == .refundFull)
        #expect(try await kept(ordinary, world) == [0, 0, 0])
        let id = try #require(Int64(first.transactionId))
        #expect(try await world.store.subscription(id).1.status == .active)
        try await world.check()
        // Nothing of it goes back once more with a new cycle; the golf's 2.00 do.
        _ = try await Its.buy(
            Its.modify(3, first, keepsCycle: false) { $0.addItems = [Its.added("sport", 990)] },
            by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(try await kept(ordinary, world) == [0, 0, 0])
        try await world.check()
        // The chess stays given back.
        try await world.store.reverseRefund(transaction: ordinary, in: .production)
        try await world.settle(expecting: ["REFUND_REVERSED"])
        #expect(try await kept(ordinary, world)[0] == -8_920)
        try await world.check()
    }

    @Test(
        "The one item that an earlier transaction paid for keeps what it cost",
        arguments: Backend.available, [true, false])
    func oneItemLeft(_ backend: Backend, isRevoked: Bool) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 3_100)]), by: ada, in: world)
        let id = try #require(Int64(first.transactionId))
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.advance(to: "2026-01-11", expecting: [])
        let sport = try await Its.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada, in: world)
        _ = try await world.store.requestRefund(
            transaction: try #require(Int64(sport.transactionId)),
            AdvancedCommerceRequestRefundRequest(
                requestInfo: Its.reference(3),
                items: [.init(sku: "sport", refundReason: .other, refundType: .full, revoke: true)],
                refundRiskingPreference: false), for: Its.production)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "REFUND"])
        try await world.advance(to: "2026-01-22", expecting: [])
        let renewal = try await world.status(first.transactionId).renewal
        #expect(renewal.renewalPrice == 3_100)
        if isRevoked {
            _ = try await world.store.revoke(
                transaction: id, revocation(4, .prorated), for: Its.production)
            try await world.settle(
                expecting: [
                    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND", "REFUND",
                ])
            #expect(try await world.status(first.transactionId).status == .revoked)
        } else {
            _ = try await Its.buy(
                Its.modify(4, first, keepsCycle: false) { $0.addItems = [Its.added("go", 990)] },
                by: ada, in: world)
            try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        }
        // Ten of 31 days are 1.00.
        #expect(
            try await ledger(world).filter { $0.transactionID == id } == [
                Booked(.charge, id, "news", -3_100),
                Booked(isRevoked ? .refund : .proration, id, "news", 1_000),
            ])
        try await world.check()
    }

    @Test(
        "What was refunded goes back no second time with a modification",
        arguments: Backend.available)
    func refundedBefore(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 3_100), Its.item("chess", 990)]), by: ada, in: world)
        let id = try #require(Int64(first.transactionId))
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        // The customer keeps both: of the news all but 0.50 goes back, of the chess all.
        _ = try await world.store.requestRefund(
            transaction: id,
            AdvancedCommerceRequestRefundRequest(
                requestInfo: Its.reference(2),
                items: [
                    .init(
                        sku: "news", refundReason: .other, refundType: .custom, revoke: false,
                        refundAmount: 2_600),
                    .init(sku: "chess", refundReason: .other, refundType: .full, revoke: false),
                ], refundRiskingPreference: false), for: Its.production)
        try await world.settle(expecting: ["REFUND"])
        try await world.advance(to: "2026-01-11", expecting: [])
        _ = try await Its.buy(
            Its.modify(3, first, keepsCycle: false) { $0.addItems = [Its.added("go", 990)] },
            by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        // Of 2.10 for what is left there are 0.50.
        #expect(
            try await ledger(world).filter { $0.transactionID == id }.suffix(3) == [
                Booked(.refund, id, "news", 2_600), Booked(.refund, id, "chess", 990),
                Booked(.proration, id, "news", 500),
            ])
        #expect(try await kept(id, world) == [0, 0, 0])
        try await world.check()
    }
}
