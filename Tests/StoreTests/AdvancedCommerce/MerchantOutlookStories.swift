import AppStoreWire
import Journal
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What is told afterwards of every request that was made for a subscription, and what is going
/// to change.
@Suite("Stories: what requests did, and what waits")
struct MerchantOutlookStories {
    private typealias Its = MerchantWorld

    private func bundle(
        _ backend: Backend
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        try await Its.bundle(backend, ["news": 9_990, "chess": 3_100, "go": 1_000])
    }

    private func requests(_ id: Int64, in world: World) async throws -> [MerchantRequest] {
        try await world.store.merchantRequests(subscription: id, after: 0, limit: 100)
    }

    private func pending(_ id: Int64, in world: World) async throws -> [String] {
        let (_, subscription, place) = try await world.store.subscription(id)
        return subscription.pendingAlterations(in: place.zone).map(\.line)
    }

    @Test(
        "Every request says what it did to each item, at once or from the renewal on",
        arguments: Backend.available)
    func everyRequest(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        #expect(
            try await requests(id, in: world).map(\.lines) == [
                [
                    "createSubscription done charged 14090",
                    "added news at 9990", "added chess at 3100", "added go at 1000",
                    "paid news 9990", "paid chess 3100", "paid go 1000",
                    "SUBSCRIBED/INITIAL_BUY",
                ]
            ])
        try await change(first, by: ada, in: world)
        #expect(
            try await requests(id, in: world).dropFirst().map(\.lines) == [
                [
                    "modifySubscription done charged 4200", "added sport at 6200",
                    "renamed draughts was chess at 3100 from 2026-02-01",
                    "removed go was at 1000 from 2026-02-01", "paid sport 4200",
                    "DID_CHANGE_RENEWAL_PREF/UPGRADE",
                ],
                ["changeMetadata done", "renamed daily was news at 9990", "METADATA_UPDATE"],
                [
                    "changePrice done",
                    "repriced daily at 7990 was at 9990 from 2026-02-01 accepted",
                    "PRICE_CHANGE",
                ],
            ])
        #expect(
            try await pending(id, in: world) == [
                "renamed draughts was chess at 3100 from 2026-02-01",
                "removed go was at 1000 from 2026-02-01",
                "repriced daily at 7990 was at 9990 from 2026-02-01 accepted",
            ])
    }

    /// An item comes, one changes and one goes with the renewal; then one is called something
    /// else, and costs less.
    private func change(
        _ first: JWSTransactionDecodedPayload, by ada: DeviceSession, in world: World
    ) async throws {
        let id = try #require(Int64(first.transactionId))
        try await world.advance(to: "2026-01-11", expecting: [])
        _ = try await Its.buy(
            Its.modify(2, first) {
                $0.addItems = [Its.added("sport", 6_200)]
                $0.changeItems = [
                    Its.changed("chess", to: "draughts", 3_100, .nextBillCycle)
                ]
                $0.removeItems = Its.removed("go")
            }, by: ada, in: world)
        var metadata = AdvancedCommerceSubscriptionChangeMetadataRequest(
            requestInfo: Its.reference(3))
        metadata.items = [.init(currentSKU: "news", effective: .immediately, sku: "daily")]
        _ = try await world.store.changeMetadata(
            transaction: id, metadata, for: Its.production)
        _ = try await world.store.changePrices(
            transaction: id, Its.change(4, [("daily", 7_990)]), for: Its.production)
    }

    @Test(
        "A renewal says what it did of what waited, also where it is read a page at a time",
        arguments: Backend.available)
    func renewal(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        try await change(first, by: ada, in: world)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_PREF/UPGRADE", "METADATA_UPDATE", "PRICE_CHANGE",
            ])
        // The renewal does what waited, and its entry says so.
        try await world.advance(to: "2026-02-01T12:00:00Z", expecting: ["DID_RENEW"])
        let timeline = try await world.store.timeline(subscription: id, after: 0, limit: 100)
        #expect(
            timeline.last?.items.map(\.line) == [
                "repriced daily at 7990 was at 9990", "renamed draughts was chess at 3100",
                "removed go was at 1000", "paid daily 7990", "paid draughts 3100",
                "paid sport 6200",
            ])
        #expect(try await pending(id, in: world).isEmpty)
        // What is read a page at a time is the same.
        let one = try await world.store.timeline(
            subscription: id, after: timeline[timeline.count - 2].sequence, limit: 1)
        #expect(one == [timeline[timeline.count - 1]])
        let all = try await requests(id, in: world)
        let second = try await world.store.merchantRequests(
            subscription: id, after: all[0].sequence, limit: 1)
        #expect(second == [all[1]])
        #expect(all.map(\.operation.isInApp) == [true, true, false, false])
        #expect(all.map(\.namedTransactionID) == [nil, nil, id, id])
        #expect(
            all.map(\.requestReferenceID) == (1...4).map { Its.reference($0).requestReferenceId })
        try await world.check()
    }

    @Test("What is taken back of what waits is told as well", arguments: Backend.available)
    func takenBack(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.buy(
            Its.modify(2, first) { $0.removeItems = Its.removed("go", "chess") }, by: ada)
        _ = try await world.store.cancel(
            transaction: id,
            AdvancedCommerceSubscriptionCancelRequest(
                requestInfo: Its.reference(3)), for: Its.production)
        #expect(
            try await pending(id, in: world) == [
                "ends from 2026-02-01", "removed chess was at 3100 from 2026-02-01",
                "removed go was at 1000 from 2026-02-01",
            ])
        _ = try await world.store.buy(Its.reactivate(4, first, ["news", "go"]), by: ada)
        #expect(
            try await requests(id, in: world).dropFirst().map { $0.lines(withNotices: false) } == [
                [
                    "modifySubscription done", "removed chess was at 3100 from 2026-02-01",
                    "removed go was at 1000 from 2026-02-01",
                ],
                ["cancel done", "renewalOff"],
                ["reactivateSubscription done", "renewalOn", "kept go"],
            ])
        #expect(
            try await pending(id, in: world) == ["removed chess was at 3100 from 2026-02-01"])
    }

    @Test(
        "A modification that the bank answers later is pending, and then did what it did",
        arguments: Backend.available)
    func pendingBill(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        try await world.advance(to: "2026-01-11", expecting: [])
        for (number, isPaid) in [(2, false), (3, true)] {
            try await world.store.setPaymentMethod(
                .answersLater(after: .hours(1), isPaid: isPaid), account: "ada", in: .production)
            _ = try await world.store.buy(
                Its.modify(number, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada)
            let waiting = try #require(try await requests(id, in: world).last)
            #expect(waiting.lines == ["modifySubscription pending"])
            #expect(waiting.settled == nil)
            // What the bank was asked for is the next bill.
            let next = try await world.store.nextBill(subscription: id, in: .production).next
            guard case .pending(let bill)? = next?.outcome else {
                Issue.record("\(String(describing: next))")
                return
            }
            #expect(bill.amount.milliunits > 0 && next?.at == waiting.at)
            _ = try await world.store.advance(to: waiting.at + .hours(2))
        }
        let all = try await requests(id, in: world)
        #expect(all.map(\.outcome) == [.done, .declined, .done])
        #expect(all[1].alterations.isEmpty && all[1].settled == all[1].at + .hours(1))
        #expect(all[2].alterations.first?.line == "added sport at 6200")
        #expect(all[2].charged.map { $0 > 0 } == true)
        #expect(all[2].settled == all[2].at + .hours(1))
    }

    @Test(
        "A request for money tells what was given back once it is decided",
        arguments: Backend.available)
    func refunds(_ backend: Backend) async throws {
        let (world, _, _, id) = try await bundle(backend)
        try await world.store.configure(bundleID: World.bundleID) { $0.refundPolicy = .approve }
        func refund(
            _ number: Int, _ sku: String, asksConsumption: Bool, revoke: Bool
        ) async throws {
            _ = try await world.store.requestRefund(
                transaction: id,
                AdvancedCommerceRequestRefundRequest(
                    requestInfo: Its.reference(number), currency: "USD",
                    items: [
                        AdvancedCommerceRequestRefundItem(
                            sku: sku, refundReason: .other, refundType: .full, revoke: revoke)
                    ], refundRiskingPreference: asksConsumption), for: Its.production)
        }
        try await refund(2, "chess", asksConsumption: false, revoke: true)
        try await refund(3, "go", asksConsumption: true, revoke: false)
        #expect(
            try await requests(id, in: world).dropFirst().map(\.lines) == [
                [
                    "requestRefund done refunded 3100", "removed chess was at 3100",
                    "refunded chess 3100", "REFUND",
                ],
                ["requestRefund pending", "CONSUMPTION_REQUEST"],
            ])
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        let decided = try #require(try await requests(id, in: world).last)
        #expect(decided.outcome == .done && decided.refunded == 1_000)
        #expect(decided.settled == World.instant("2026-01-01") + .hours(12))
        #expect(decided.lines.contains("refunded go 1000"))
        // The rest of it, and then nothing is left.
        _ = try await world.store.revoke(
            transaction: id,
            AdvancedCommerceSubscriptionRevokeRequest(
                requestInfo: Its.reference(4), refundReason: .legal, refundType: .full,
                refundRiskingPreference: false), for: Its.production)
        let revoked = try #require(try await requests(id, in: world).last)
        #expect(revoked.operation == .revoke && revoked.outcome == .done)
        #expect(revoked.refunded == 9_990)
        #expect(try await world.store.nextBill(subscription: id, in: .production).next == nil)
        #expect(try await pending(id, in: world).isEmpty)
    }

    @Test(
        "What was refused is no request, and an ordinary subscription has none",
        arguments: Backend.available)
    func none(_ backend: Backend) async throws {
        let (world, _, _, id) = try await bundle(backend)
        await #expect(throws: StoreError.self) {
            _ = try await world.store.changePrices(
                transaction: id, Its.change(2, [("golf", 1_990)]), for: Its.production)
        }
        #expect(try await requests(id, in: world).count == 1)
        let other = try await World(backend, at: "2026-01-01")
        let silver = try await other.subscribe("silver.monthly", by: try await other.device())
        #expect(try await requests(silver, in: other).isEmpty)
        let entries = try await other.store.timeline(subscription: silver, after: 0, limit: 9)
        #expect(entries.flatMap(\.items).isEmpty)
        await #expect(throws: StoreError.unknown(.originalTransaction, "7")) {
            _ = try await other.store.merchantRequests(subscription: 7, after: 0, limit: 1)
        }
        await #expect(throws: StoreError.unknown(.originalTransaction, String(silver))) {
            _ = try await other.store.nextBill(subscription: silver, in: .sandbox)
        }
    }

    @Test(
        "What somebody had to approve is told as the request that it was",
        arguments: Backend.available)
    func approved(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let child = try await world.device("child")
        try await world.store.setBuying(
            BuyingChange(asksToBuy: true), account: "child", in: .production)
        _ = try await world.store.buy(Its.create(1, [Its.item("news", 9_990)]), by: child)
        let held = try #require(
            try await world.store.heldPurchases(limit: 9, in: .production).first)
        let approved = World.instant("2026-01-01") + .hours(12)
        _ = try await world.store.advance(to: approved)
        _ = try await world.store.approve(heldPurchase: held.request.id, in: .production)
        let (_, subscriptions, _) = try await world.store.customer(
            account: "child", in: .production)
        let id = try #require(subscriptions.first?.id)
        let made = try #require(try await requests(id, in: world).first)
        #expect(made.operation == .createSubscription && made.outcome == .done)
        #expect(made.at == World.instant("2026-01-01"))
        #expect(made.settled == approved && made.charged == 9_990)
    }
}

extension MerchantRequest {
    /// What it did, a line each: `modifySubscription done charged 4200`, then the changes and
    /// what was told.
    fileprivate var lines: [String] { lines(withNotices: true) }

    fileprivate func lines(withNotices: Bool) -> [String] {
        let money =
            (charged.map { " charged \($0)" } ?? "") + (refunded > 0 ? " refunded \(refunded)" : "")
        return ["\(operation) \(outcome)\(money)"] + alterations.map(\.line)
            + (withNotices ? notices : [])
    }
}

extension Alteration {
    /// `repriced news at 7990 was at 9990 from 2026-02-01 accepted`.
    fileprivate var line: String {
        let parts: [String?] = [
            kind.rawValue, sku, formerSKU.map { "was \($0)" }, price.map { "at \($0)" },
            formerPrice.map { "was at \($0)" }, amount.map { "\($0)" },
            from.map { "from \(World.text($0))" }, status?.rawValue, value,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
