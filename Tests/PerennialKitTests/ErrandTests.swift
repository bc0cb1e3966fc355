import AppStoreWire
import Foundation
import Testing

@testable import PerennialKit

@Suite("What the store does not answer", .timeLimit(.minutes(15)))
struct ErrandTests {
    private let store = FakeStore()

    private func texts(_ updates: [VerificationResult<PerennialKit.Transaction>]) -> [String] {
        updates.map { String($0.unsafePayloadValue.id) }
    }

    /// What was asked at paths that end so.
    private func count(_ end: String) -> Int {
        store.requests.count { $0.path.hasSuffix(end) }
    }

    private func isUnknown(_ product: Product, key: String) async -> Bool {
        do {
            _ = try await product.purchase(options: [.idempotencyKey(key)])
            return false
        } catch {
            return error as? StoreKitError == .purchaseOutcomeUnknown(key: key)
        }
    }

    @Test("A finish that the store does not take holds up neither the others nor what is new")
    func finish() async throws {
        let ids = (0..<3).map { _ in store.sell() }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let heard = await listening.atLeast(3)
        store.change { core in
            core.broken = {
                $0.path.hasSuffix("/\(ids[0])/finish") ? .answer(StoreResponse(status: 500)) : nil
            }
        }
        for id in ids.dropFirst() {
            store.fail("/storefront/v1/transactions/\(id)/finish", .unreachable)
        }
        for update in heard { try await update.payloadValue.finish() }
        #expect(store.unfinished() == ids)
        var markers: [String] = []
        for number in 4...8 {
            markers.append(store.sell())
            #expect(texts(await listening.atLeast(number)) == ids + markers)
        }
        while store.unfinished() != [ids[0]] + markers { await Task.yield() }
        // Its own wait is not over.
        #expect(count("/\(ids[0])/finish") == 2)
        #expect(phone.problemCount == 1)
        store.change { $0.broken = nil }
        phone.clock.advance(by: 1000)
        while store.unfinished() != markers {
            let told = listening.all.count
            markers.append(store.sell())
            _ = await listening.atLeast(told + 1)
        }
        #expect(count("/\(ids[0])/finish") == 3)
        await session.close()
    }

    @Test("A purchase that the store does not answer holds up neither the others nor what is new")
    func purchase() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        let coins = try #require(try await Product.products(for: ["coins"], in: session).first)
        store.change { core in
            core.broken = { request in
                guard request.path == "/storefront/v1/purchases" else { return nil }
                return .answer(StoreResponse(status: 500))
            }
        }
        for key in ["a", "b"] { #expect(await isUnknown(coins, key: key)) }
        store.change { core in
            core.broken = { request in
                guard request.headers["Idempotency-Key"] == "a" else { return nil }
                return .answer(StoreResponse(status: 500))
            }
        }
        let listening = Listening(session)
        let bought = try await listening.atLeast(1)[0].payloadValue
        #expect(bought.productID == "coins" && store.charges == 1)
        for number in 2...4 {
            let marker = store.sell()
            #expect(texts(await listening.atLeast(number)).last == marker)
        }
        #expect(try phone.kept("purchases").map { $0["key"]?.string } == ["a"])
        #expect(count("/purchases") == 4)
        // Given up in its time, whenever it would have been asked about again.
        phone.clock.advance(by: 86_400_001)
        while try !phone.kept("purchases").isEmpty {
            let told = listening.all.count
            store.sell()
            _ = await listening.atLeast(told + 1)
        }
        #expect(count("/purchases") == 4 && store.charges == 1)
        await session.close()
    }

    @Test("A store that answers nothing is asked for one of them at a time, each in its turn")
    func away() async throws {
        let ids = (0..<3).map { _ in store.sell() }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let heard = await listening.atLeast(3)
        store.change { $0.broken = { $0.path.hasSuffix("/finish") ? .late : nil } }
        for update in heard {
            store.fail("/storefront/v1/transactions", .unreachable)
            try await update.payloadValue.finish()
        }
        #expect(count("/finish") == 3)
        for number in 4...6 {
            store.sell()
            _ = await listening.atLeast(number)
        }
        while count("/finish") < 5 { await Task.yield() }
        for id in ids.prefix(2) { #expect(count("/\(id)/finish") == 2) }
        await session.close()
    }

    @Test("What waits is due after waits that grow, and updates are not waited for longer")
    func postponing() {
        let policy = RetryPolicy()
        let chance = CountingChance()
        var postponed = Postponements()
        #expect(postponed.isDue("a", at: 0))
        #expect(postponed.seconds(from: 0, atMost: 25) == 25)
        for failures in 1...20 {
            postponed.postpone("a", at: 0) { count in
                #expect(count == failures)
                return policy.delay(afterFailures: count, retryAfter: nil, chance: chance)
            }
        }
        #expect(!postponed.isDue("a", at: 29_999) && postponed.isDue("a", at: 60_000))
        #expect(postponed.seconds(from: 0, atMost: 25) == 25)
        postponed.postpone("b", at: 0) { _ in .milliseconds(3_001) }
        #expect(!postponed.isDue("b", at: 3_000) && postponed.isDue("b", at: 3_001))
        #expect(postponed.seconds(from: 0, atMost: 25) == 4)
        #expect(postponed.seconds(from: 9_000, atMost: 25) == 1)
        #expect(postponed.seconds(from: 0, atMost: 0) == 0)
        postponed.keep(["b"])
        #expect(postponed.isDue("a", at: 0) && !postponed.isDue("b", at: 0))
    }
}
