import AppStoreWire
import Foundation
import Synchronization
import Testing

@testable import PerennialKit

@Suite("The older queue")
struct PaymentQueueTests {
    private let store = FakeStore()

    @Test("A payment is purchasing, then purchased; finished, it leaves the queue")
    func buying() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let queue = PaymentQueue(session: session)
        let observer = Observer()
        queue.add(observer)
        let product = try #require(
            try await Product.products(for: ["coins"], in: session).first)
        queue.add(Payment(product: product, quantity: 2))
        await observer.has(2)
        #expect(observer.words == ["purchasing coins", "purchased coins"])
        let purchased = try #require(queue.transactions.first)
        #expect(queue.transactions.count == 1)
        #expect(purchased.payment?.product.id == "coins")
        #expect(purchased.transactionIdentifier == store.unfinished().first)
        try await queue.finishTransaction(purchased)
        #expect(queue.transactions.isEmpty)
        #expect(store.unfinished().isEmpty)
        await observer.has(3)
        #expect(observer.words.last == "removed coins")
        await session.close()
    }

    @Test("A payment that is declined fails with its reason; finishing it asks the store nothing")
    func failing() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let queue = PaymentQueue(session: session)
        let observer = Observer()
        queue.add(observer)
        let product = try #require(
            try await Product.products(for: ["coins"], in: session).first)
        store.change { $0.purchaseResult = "declined" }
        queue.add(Payment(product: product))
        await observer.has(2)
        let failed = try #require(queue.transactions.first)
        #expect(failed.transactionState == .failed)
        #expect(failed.error as? Product.PurchaseError == .paymentDeclined)
        try await queue.finishTransaction(failed)
        #expect(queue.transactions.isEmpty)
        #expect(!store.requests.contains { $0.path.hasSuffix("/finish") })
        await session.close()
    }

    @Test("A payment that waits is deferred until its transaction comes")
    func deferring() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let queue = PaymentQueue(session: session)
        let observer = Observer()
        queue.add(observer)
        let product = try #require(
            try await Product.products(for: ["coins"], in: session).first)
        store.change { $0.purchaseResult = "pending" }
        queue.add(Payment(product: product))
        await observer.has(2)
        #expect(queue.transactions.map(\.transactionState) == [.deferred])
        store.sell("coins", type: .consumable)
        await observer.has(3)
        #expect(queue.transactions.map(\.transactionState) == [.purchased])
        await session.close()
    }

    @Test("Renewals that came while the app was away are told together, before anything else")
    func drawer() async throws {
        let ids = [store.sell(), store.sell(), store.sell()]
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let queue = PaymentQueue(session: session)
        let observer = Observer()
        queue.add(observer)
        await observer.has(3)
        #expect(queue.transactions.compactMap(\.transactionIdentifier) == ids)
        #expect(
            Set(queue.transactions.compactMap(\.originalTransactionIdentifier)) == [ids[0]])
        await session.close()
    }

    @Test("Restoring tells all that was bought as restored, and then that it is complete")
    func restoring() async throws {
        let ids = (0..<4).map { _ in store.sell() }
        store.change { $0.finished["ada/phone"] = Set(ids) }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let queue = PaymentQueue(session: session)
        let observer = Observer()
        queue.add(observer)
        queue.restoreCompletedTransactions()
        await observer.has(5)
        #expect(
            observer.words == [String](repeating: "restored monthly", count: 4) + ["complete"])
        for transaction in queue.transactions { try await queue.finishTransaction(transaction) }
        #expect(store.unfinished().isEmpty)
        await session.close()
    }

    @Test(
        "Restoring is complete after what it told, though updates have not begun",
        .timeLimit(.minutes(15)))
    func restoringFirst() async throws {
        let ids = (0..<4).map { _ in store.sell() }
        store.change { $0.finished["ada/phone"] = Set(ids) }
        let late = Opening()
        store.fail("/storefront/v1/updates", .held(late))
        let session = try await Phone(store).signedIn()
        let queue = PaymentQueue(session: session)
        let observer = Observer()
        queue.add(observer)
        await late.hasArrived()
        queue.restoreCompletedTransactions()
        await observer.has(1)
        #expect(observer.words.first == "restored monthly")
        late.release()
        await observer.has(5)
        #expect(observer.words.last == "complete")
        await session.close()
    }

    /// Restores what a purchase, which is under way until the opening lets its answer go, might
    /// claim.
    private func restoreBesidePurchase(
        by queue: PaymentQueue, in session: StoreSession
    ) async throws -> Opening {
        // In one step: the queue listens, and would hear of a sale that is not finished.
        store.change {
            $0.finished["ada/phone"] = [$0.sell("coins", to: "ada", type: .nonConsumable)]
        }
        let product = try #require(try await Product.products(for: ["coins"], in: session).first)
        let late = Opening()
        store.fail("/storefront/v1/purchases", .held(late))
        queue.add(Payment(product: product))
        await late.hasArrived()
        #expect(try await AppStore.sync(in: session) == 1)
        return late
    }

    @Test(
        "And after what a purchase under way might have claimed", .timeLimit(.minutes(15)))
    func restoringBesidePurchase() async throws {
        let session = try await Phone(store).signedIn()
        let (queue, observer) = (PaymentQueue(session: session), Observer())
        queue.add(observer)
        let late = try await restoreBesidePurchase(by: queue, in: session)
        late.release()
        await observer.has(4)
        let words = observer.words
        let restored = try #require(words.firstIndex(of: "restored coins"))
        #expect(try #require(words.firstIndex(of: "complete")) > restored)
        await session.close()
        withExtendedLifetime(queue) {}
    }

    @Test(
        "A restore that waits when somebody else signs in has failed", .timeLimit(.minutes(15)))
    func restoringOfAnother() async throws {
        let session = try await Phone(store).signedIn()
        let (queue, observer) = (PaymentQueue(session: session), Observer())
        queue.add(observer)
        let late = try await restoreBesidePurchase(by: queue, in: session)
        try await session.signIn(account: "bea")
        await observer.has(2)
        #expect(observer.words == ["purchasing coins", "incomplete"])
        late.release()
        await session.close()
        withExtendedLifetime(queue) {}
    }

    @Test("Restoring that fails says so")
    func failingRestore() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        let queue = PaymentQueue(session: session)
        let observer = Observer()
        queue.add(observer)
        store.fail("/storefront/v1/restore", .unreachable)
        queue.restoreCompletedTransactions()
        await observer.has(1)
        #expect(observer.words == ["incomplete"])
        await session.close()
    }

    @Test("A refund is told as revoked, and an observer that was removed is told nothing")
    func revoking() async throws {
        let id = store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let queue = PaymentQueue(session: session)
        let observer = Observer()
        let removed = Observer()
        queue.add(observer)
        queue.add(removed)
        await observer.has(1)
        await removed.has(1)
        queue.remove(removed)
        try await queue.finishTransaction(queue.transactions[0])
        store.refund(id)
        await observer.has(3)
        #expect(observer.words.last == "revoked monthly")
        #expect(removed.words.count == 1)
        await session.close()
    }

    @Test(
        "What comes while nobody observes is told to whoever comes, and nothing twice",
        .timeLimit(.minutes(15)))
    func nobodyObserves() async throws {
        let refunded = store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let queue = PaymentQueue(session: session)
        let (first, second, third) = (Observer(), Observer(), Observer())
        queue.add(first)
        await first.has(1)
        try await queue.finishTransaction(queue.transactions[0])
        await first.has(2)
        queue.remove(first)
        let renewal = store.sell()
        store.refund(refunded)
        let product = try #require(try await Product.products(for: ["coins"], in: session).first)
        queue.add(Payment(product: product))
        // Whatever is given out was given out to the queue as well.
        _ = await listening.atLeast(3)
        while queue.transactions.first(where: { $0.payment != nil })?.transaction == nil {
            await Task.yield()
        }
        #expect(store.unfinished().count == 2 && store.unfinished().contains(renewal))
        queue.add(second)
        await second.has(3)
        #expect(
            Set(second.words) == ["purchased monthly", "purchased coins", "revoked monthly"])
        // Who comes while somebody is there is told what is not finished, and of the rest nothing.
        queue.add(third)
        await third.has(2)
        #expect(Set(third.words) == ["purchased monthly", "purchased coins"])
        #expect(first.words == ["purchased monthly", "removed monthly"])
        store.sell()
        await third.has(3)
        await second.has(4)
        #expect(second.words.count == 4 && third.words.count == 3 && first.words.count == 2)
        await session.close()
    }

    @Test("Observers that come at the same moment begin one loop")
    func manyAtOnce() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let queues = (0..<200).map { _ in PaymentQueue(session: session) }
        for queue in queues {
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { queue.add(Observer()) } }
            }
        }
        #expect(session.keeper.core.withLock { $0.listeners.count } == queues.count)
        await session.close()
        withExtendedLifetime(queues) {}
    }

    @Test("What an observer does while it is told is told after that", .timeLimit(.minutes(15)))
    func inOrder() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let queue = PaymentQueue(session: session)
        let product = try #require(try await Product.products(for: ["coins"], in: session).first)
        let late = Observer()
        let buyer = Observer { word in
            if word == "purchased monthly" { queue.add(Payment(product: product)) }
        }
        queue.add(buyer)
        queue.add(late)
        store.sell()
        await late.has(3)
        #expect(late.words == ["purchased monthly", "purchasing coins", "purchased coins"])
        #expect(buyer.words == late.words)
        await session.close()
    }
}

private final class Observer: PaymentTransactionObserver {
    private let heard = Mutex<[String]>([])
    private let bell = Bell()
    private let then: @Sendable (String) -> Void

    /// - Parameter then: what it does when it is told something.
    init(then: @escaping @Sendable (String) -> Void = { _ in }) { self.then = then }

    var words: [String] { heard.withLock { $0 } }

    /// Waits until so much was heard.
    func has(_ count: Int) async {
        while true {
            let rung = bell.count
            if words.count >= count || Task.isCancelled { return }
            await bell.next(after: rung)
        }
    }

    private func hear(_ words: [String]) {
        heard.withLock { $0 += words }
        bell.ring()
        words.forEach(then)
    }

    func paymentQueue(_ queue: PaymentQueue, updatedTransactions: [PaymentTransaction]) {
        hear(updatedTransactions.map { "\($0.transactionState) \($0.productIdentifier ?? "")" })
    }

    func paymentQueue(_ queue: PaymentQueue, removedTransactions: [PaymentTransaction]) {
        hear(removedTransactions.map { "removed \($0.productIdentifier ?? "")" })
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue) {
        hear(["complete"])
    }

    func paymentQueue(
        _ queue: PaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        hear(["incomplete"])
    }

    func paymentQueue(
        _ queue: PaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String]
    ) {
        hear(products.map { "revoked \($0)" })
    }
}
