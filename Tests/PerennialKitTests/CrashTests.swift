import AppStoreWire
import Foundation
import Synchronization
import Testing

@testable import PerennialKit

/// An app that buys, is given renewals and a refund, and restores; its process ends at every
/// request of it, once before the store has acted and once after. What it had kept is all that the
/// next process has.
@Suite("A process that ends anywhere")
struct CrashTests {
    @Test(
        "Nothing is lost, nothing is paid twice, and what was finished is never given again",
        arguments: [true, false])
    func everywhere(actsBeforeDeath: Bool) async throws {
        var point = 1
        while true {
            let store = FakeStore()
            let ledger = Ledger()
            let phone = try Phone(store)
            let life = Life(base: store, requests: point, acts: actsBeforeDeath)
            let session = try phone.start { $0.transport = life }
            let story = Task { try await Self.play(session, store, ledger, life) }
            let isOver = Task {
                _ = await story.result
                life.end.ring()
            }
            await life.end.next(after: 0)
            guard life.isDead else {
                try await story.value
                let asked = store.requests.compactMap { request in
                    request.path.prefix { $0 != "?" }.split(separator: "/").last
                }
                #expect(
                    Set(asked) == [
                        "sign-in", "updates", "products", "purchases", "finish", "restore",
                        "transactions",
                    ])
                break
            }
            let restarted = try phone.crash(session)
            story.cancel()
            await isOver.value
            try await Self.goOn(restarted, store, ledger, point)
            await session.close()
            point += 1
        }
        // Updates that come together are fewer requests: thirteen are there in any case.
        #expect(point > 13, "the story had only \(point) requests")
    }

    private static func play(
        _ session: StoreSession, _ store: FakeStore, _ ledger: Ledger, _ life: Life
    ) async throws {
        try await session.signIn(account: "ada")
        let app = ledger.run(session, life)
        defer { app.cancel() }
        let products = try await Product.products(for: ["coins"], in: session)
        if case .success(let result) = try await products[0].purchase() {
            try await ledger.give(result.payloadValue, life)
        }
        try Task.checkCancellation()
        let renewals = [store.sell(), store.sell()]
        await ledger.hasGiven(renewals, finished: true)
        try Task.checkCancellation()
        store.refund(renewals[0])
        await ledger.hasGiven(["\(renewals[0]) revoked"], finished: true)
        try Task.checkCancellation()
        try await AppStore.sync(in: session)
        await ledger.hasGiven(renewals.map { "\($0) restored" })
    }

    private static func goOn(
        _ phone: Phone, _ store: FakeStore, _ ledger: Ledger, _ point: Int
    ) async throws {
        let isBegun = try phone.wasEverUsed && !phone.kept("purchases").isEmpty
        let wasCharged = store.charges == 1
        let session = try phone.start()
        if session.account == nil { try await session.signIn(account: "ada") }
        let app = ledger.run(session, nil)
        store.sell()
        await ledger.hasGiven(
            store.look { $0.sales }.map { sale in
                sale.payload.transactionId
                    + (sale.payload.revocationDate == nil ? "" : " revoked")
            })
        while true {
            let rung = store.bell.count
            if store.unfinished().isEmpty { break }
            await store.bell.next(after: rung)
        }
        app.cancel()
        await session.close()
        #expect(store.charges == (isBegun || wasCharged ? 1 : 0), "at request \(point)")
        #expect(ledger.wrongs.isEmpty, "at request \(point)")
        #expect(try phone.kept("purchases").isEmpty)
    }
}

/// The life of a process: so many requests. With the last one everything stops, and nothing ever
/// comes back.
private final class Life: StoreTransport {
    let end = Bell()
    private let base: FakeStore
    private let acts: Bool
    private let left: Atomic<Int>

    init(base: FakeStore, requests: Int, acts: Bool) {
        self.base = base
        self.acts = acts
        left = Atomic(requests)
    }

    var isDead: Bool { left.load(ordering: .sequentiallyConsistent) <= 0 }

    func send(_ request: StoreRequest) async throws -> StoreResponse {
        let rest = left.subtract(1, ordering: .sequentiallyConsistent).newValue
        if rest > 0 { return try await base.send(request) }
        // A request for updates may wait for ever, so it is not awaited.
        if rest == 0 {
            if acts, !request.path.hasPrefix("/storefront/v1/updates") {
                _ = try await base.send(request)
            }
            end.ring()
        }
        await Bell().next(after: 0)
        throw CancellationError()
    }

    func close() async {}
}

/// The developer's books: what the app was given, and what it has finished.
private final class Ledger: Sendable {
    private struct State {
        var given: [String] = []
        var finished: Set<String> = []
        var wrongs: [String] = []
    }

    private let state = Mutex(State())
    private let bell = Bell()

    var given: [String] { state.withLock { $0.given } }
    var wrongs: [String] { state.withLock { $0.wrongs } }

    /// What the app does with each transaction, as long as its process lives.
    func run(_ session: StoreSession, _ life: Life?) -> Task<Void, Never> {
        let updates = Transaction.updates(in: session)
        return Task {
            for await update in updates {
                if let transaction = try? update.payloadValue { try? await give(transaction, life) }
            }
        }
    }

    /// Gives what was paid for, then finishes. A process that is dead does neither.
    func give(_ transaction: Transaction, _ life: Life?) async throws {
        if life?.isDead == true { return }
        let name =
            "\(transaction.id)" + (transaction.revocationDate == nil ? "" : " revoked")
        state.withLock { state in
            if state.finished.contains(name), !transaction.isRestored {
                state.wrongs.append(name)
            }
            state.given.append(name)
            if transaction.isRestored { state.given.append("\(transaction.id) restored") }
        }
        bell.ring()
        try await transaction.finish()
        if life?.isDead == true { return }
        state.withLock { _ = $0.finished.insert(name) }
        bell.ring()
    }

    /// Waits until the app was given all of these, and has finished them if so wanted.
    func hasGiven(_ names: [String], finished: Bool = false) async {
        while !Task.isCancelled {
            let rung = bell.count
            let done = state.withLock { finished ? $0.finished : Set($0.given) }
            if Set(names).isSubset(of: done) { return }
            await bell.next(after: rung)
        }
    }
}
