import AppStoreSigning
import AppStoreWire
import Foundation
import PerennialKit
import Testing

@Suite("With the store away")
struct OfflineTests {
    private let store = FakeStore()
    private let paths = [
        "/storefront/v1/entitlements", "/storefront/v1/transactions",
        "/storefront/v1/subscriptions",
    ]

    private func goAway() {
        let paths = paths
        store.change { core in
            core.broken = { request in
                paths.contains(String(request.path.prefix { $0 != "?" })) ? .unreachable : nil
            }
        }
    }

    private func entitled(_ session: StoreSession) async throws -> [Transaction] {
        var found: [Transaction] = []
        for try await result in Transaction.currentEntitlements(in: session) {
            found.append(try result.payloadValue)
        }
        return found
    }

    /// A subscription that ends so many milliseconds after the store's clock.
    private func sell(ending: Int64) -> String {
        let id = store.sell()
        store.change { core in
            for place in core.sales.indices where core.sales[place].payload.transactionId == id {
                core.sales[place].payload.expiresDate = core.now + ending
            }
        }
        return id
    }

    @Test("What was verified last is given with its age, until it ends by its own date")
    func entitlements() async throws {
        let id = sell(ending: 86_400_000)
        store.sell("lifetime", type: .nonConsumable)
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        #expect(try await entitled(session).map(\.age) == [nil, nil])
        _ = try await Transaction.latest(for: "monthly", in: session)
        await session.close()
        goAway()
        // After a restart as well.
        let train = try phone.start()
        phone.clock.advance(by: 3_600_000)
        let found = try await entitled(train)
        #expect(found.map(\.productID) == ["monthly", "lifetime"])
        #expect(try #require(found[0].age) >= .seconds(3600))
        let latest = try await Transaction.latest(for: "monthly", in: train)
        #expect(try String(#require(latest).payloadValue.id) == id)
        #expect(try await Transaction.latest(for: "none", in: train) == nil)
        phone.clock.advance(by: 86_400_000)
        #expect(try await entitled(train).map(\.productID) == ["lifetime"])
        await train.close()
    }

    @Test("Who never asked, or is somebody else, is given nothing that was kept")
    func nothingKept() async throws {
        _ = sell(ending: 86_400_000)
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        _ = try await entitled(session)
        try await session.signIn(account: "bob")
        goAway()
        await #expect(throws: StoreKitError.self) { _ = try await entitled(session) }
        await #expect(throws: StoreKitError.self) {
            _ = try await Transaction.latest(for: "monthly", in: session)
        }
        try await session.signOut()
        await #expect(throws: StoreKitError.notSignedIn) { _ = try await entitled(session) }
        await session.close()
    }

    @Test("A refund that was heard of takes access away, though the store is away since")
    func refunds() async throws {
        let id = sell(ending: 86_400_000)
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        #expect(try await entitled(session).count == 1)
        let listening = Listening(session)
        _ = await listening.atLeast(1)
        store.refund(id)
        _ = await listening.atLeast(2)
        goAway()
        #expect(try await entitled(session).isEmpty)
        await session.close()
    }

    @Test("A quantity that nobody can buy is refused by its name, and nothing is sent")
    func quantity() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let coins = try #require(try await Product.products(for: ["coins"], in: session).first)
        for count in [0, -1, 11] {
            await #expect(throws: Product.PurchaseError.invalidQuantity) {
                try await coins.purchase(options: [.quantity(count)])
            }
        }
        #expect(store.requests(to: "/storefront/v1/purchases").isEmpty)
        await session.close()
    }

    @Test("An interrupted purchase is pending, and the app settles it")
    func interrupted() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let coins = try #require(try await Product.products(for: ["coins"], in: session).first)
        store.fail(
            "/storefront/v1/purchases", .answer(.refusal(409, "purchaseInterrupted")))
        guard case .pending = try await coins.purchase() else {
            Issue.record("it does not wait")
            return
        }
        #expect(try phone.kept("purchases").isEmpty)
        let path = "/storefront/v1/purchase-requests"
        let waiting = JSONValue.object([
            "id": .string("7"), "productId": .string("coins"), "state": .string("waiting"),
            "reason": .string("interrupted"),
        ])
        store.fail(path, .answer(.json { $0.list("purchaseRequests", [waiting]) }))
        let pending = try #require(try await PendingPurchase.all(in: session).first)
        #expect(pending.id == 7 && pending.productID == "coins" && pending.isInterrupted)
        store.fail(path + "/7/settle", .answer(.json { $0.field("id", "7") }))
        try await pending.settle()
        #expect(store.requests(to: path + "/7/settle").count == 1)
        await session.close()
    }
}
