import AppStoreWire
import Journal
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("What the operator does and sees")
struct OperatorTests {
    @Test("Customer support cancels what is not over", arguments: Backend.available)
    func cancel(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        // What was due comes first, so that the running period is refunded.
        let store = world.store
        try await world.advance(
            to: "2026-02-20",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"])
        let newest = try await world.history("\(id)").last.flatMap { Int64($0.transactionId) }
        let (cancelled, revocation) = try await store.cancel(
            subscription: id, .prorated, reason: .other, in: .production)
        #expect(cancelled == newest)
        #expect(revocation.refunded.milliunits == 8_210)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        #expect(try await store.entitlements(for: ada).isEmpty)
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.refused(.notActive)) {
            _ = try await store.cancel(
                subscription: id, .full, reason: .other, in: .production)
        }
        await #expect(throws: StoreError.unknown(.originalTransaction, "\(id)")) {
            _ = try await store.cancel(subscription: id, .full, reason: .other, in: .sandbox)
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }

    @Test("A cancellation grants the open request", arguments: Backend.available)
    func openRequest(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend) {
            $0.refundPolicy = .operatorDecides
        }
        try await world.store.requestRefund(transaction: id, .legal, by: ada)
        let open = try await world.store.refundRequests(
            .open, before: nil, limit: 10, in: .production)
        #expect(open.map(\.account) == ["ada"])
        #expect(open.map(\.productID) == ["silver.monthly"])
        #expect(open.map(\.originalTransactionID) == [id])
        #expect(open.map(\.bundleID) == [World.bundleID])
        #expect(open.map(\.price.milliunits) == [9_990])
        _ = try await world.store.cancel(
            subscription: id, .full, reason: .other, in: .production)
        let states = try await world.store.refundRequests(
            nil, before: nil, limit: 10, in: .production
        ).map(\.request.state)
        #expect(states == [.granted])
        let other = try await world.store.refundRequests(
            nil, before: nil, limit: 10, in: .sandbox)
        #expect(other.isEmpty)
    }

    @Test(
        "The operator and the developer's server extend under the same identifiers",
        arguments: Backend.available)
    func extend(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        let request = try ExtensionRequest(days: 10, reasonCode: 3)
        let first = try await world.store.extend(
            subscription: id, request, requestIdentifier: "a", in: .production)
        let again = try await world.store.extend(
            originalTransaction: id, request, requestIdentifier: "a", for: world.caller())
        #expect(
            [first.transactionID, first.originalTransactionID]
                == [again.transactionID, again.originalTransactionID])
        #expect(again.effective == first.effective)
        #expect(again.isRepeated && !first.isRepeated)
        #expect(first.effective == World.instant("2026-02-25"))
        await #expect(throws: StoreError.unknown(.originalTransaction, "\(id)")) {
            _ = try await world.store.extend(
                subscription: id, request, requestIdentifier: "b", in: .sandbox)
        }
    }

    @Test(
        "A mass extension without an identifier gets one of its own", arguments: Backend.available)
    func identifiers(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        let order = MassExtensionOrder(
            productID: "silver.monthly", request: try ExtensionRequest(days: 1, reasonCode: 0),
            requestIdentifier: nil)
        let one = try await world.store.massExtend(order, for: world.caller())
        let two = try await world.store.massExtend(order, for: world.caller())
        #expect(one.requestIdentifier != two.requestIdentifier)
        #expect(one.requestIdentifier.utf8.count == 36)
        #expect(one.candidates == 1)
        var again = order
        again.requestIdentifier = one.requestIdentifier
        let known = try await world.store.massExtend(again, for: world.caller())
        #expect(known.id == one.id)
        #expect(known.isRepeated && !one.isRepeated && !two.isRepeated)
        try await world.settle(
            expecting: [
                "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY", "RENEWAL_EXTENDED",
                "RENEWAL_EXTENSION/SUMMARY",
            ])
    }

    @Test("The timeline tells what a price was and will be", arguments: Backend.available)
    func prices(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        _ = try await world.store.advance(to: World.instant("2026-04-01"))
        try await world.store.change(subscription: id, [.priceIncrease(agrees: false)], by: ada)
        let entries = try await world.store.timeline(subscription: id, after: 0, limit: 100)
        let told = entries.filter { $0.newPrice != nil }.map { entry in
            let from = entry.newPriceFrom.map(World.text) ?? ""
            return "\(World.text(entry.at)) \(entry.name) \(entry.oldPrice ?? 0) "
                + "\(entry.newPrice ?? 0) \(from)"
        }
        #expect(
            told == [
                "2026-03-10 priceWasChanged 9990 19990 2026-04-15",
                "2026-03-19 becameDue 9990 19990 2026-04-15",
                "2026-04-01 declinedPriceIncrease 9990 19990 2026-04-15",
            ])
    }
}
