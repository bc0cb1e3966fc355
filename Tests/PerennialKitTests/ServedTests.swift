import AppStoreSigning
import AppStoreWire
import Foundation
import PerennialKit
import TestFloor
import Testing

/// Against the real program: killed, slow, away, its clock moved by years.
@Suite("With a served store", .timeLimit(.minutes(15)))
struct ServedTests {
    private static let monthly = "com.example.garden.estate.monthly"

    private func buy(_ session: StoreSession, _ id: String) async throws -> Transaction {
        let product = try #require(try await Product.products(for: [id], in: session).first)
        guard case .success(let result) = try await product.purchase() else {
            throw ServedStore.Failure(reason: "\(id) was not bought")
        }
        return try result.payloadValue
    }

    private func history(_ session: StoreSession) async throws -> [UInt64] {
        var ids: [UInt64] = []
        for try await result in Transaction.all(in: session) {
            ids.append(try result.payloadValue.id)
        }
        return ids
    }

    @Test("Five years go by in a drawer: sixty renewals come, in order, each once")
    func years() async throws {
        let store = try await ServedStore()
        let session = try StoreSession(configuration: store.phone("phone"))
        try await session.signIn(account: "ada")
        let bought = try await buy(session, Self.monthly)
        #expect(bought.environment == .production)
        #expect(bought.expirationDate != nil)
        try await bought.finish()
        let listening = Listening(session)
        try await store.advance("P5Y")
        let heard = await listening.atLeast(60)
        let all = try await history(session)
        #expect(all.count == 61)
        #expect(listening.ids == Array(all.dropFirst()))
        for update in heard { try await update.payloadValue.finish() }
        // The clock that the session waits by has not moved, and nothing minds.
        try await store.advance("P1M")
        #expect(await listening.atLeast(61).count == 61)
        let statuses = try await Product.SubscriptionInfo.allStatuses(in: session)
        #expect(statuses.map(\.state) == [.subscribed])
        #expect(try statuses[0].renewalInfo.payloadValue.willAutoRenew)
        await session.close()
    }

    @Test("A store that is killed again and again loses nothing and gives nothing twice")
    func killed() async throws {
        let store = try await ServedStore()
        let session = try StoreSession(configuration: store.phone("phone"))
        try await session.signIn(account: "ada")
        try await buy(session, Self.monthly).finish()
        let listening = Listening(session)
        for round in 1...5 {
            try await store.advance("P1M")
            if round.isMultiple(of: 2) { _ = await listening.atLeast(round) }
            store.kill()
            // What was heard is finished while the store is away.
            for update in listening.all { try await update.payloadValue.finish() }
            try await store.start()
        }
        _ = await listening.atLeast(5)
        for update in listening.all { try await update.payloadValue.finish() }
        try await store.advance("P1M")
        _ = await listening.atLeast(6)
        let all = try await history(session)
        #expect(listening.ids == Array(all.dropFirst()))
        for update in listening.all { try await update.payloadValue.finish() }
        for try await left in Transaction.unfinished(in: session) {
            Issue.record("\(left.unsafePayloadValue.id) is not finished")
        }
        await session.close()
    }

    @Test("An app that is killed between delivery and finish is given it again by its next process")
    func crashedApp() async throws {
        let store = try await ServedStore()
        let session = try StoreSession(configuration: store.phone("phone"))
        try await session.signIn(account: "ada")
        try await buy(session, Self.monthly).finish()
        let listening = Listening(session)
        try await store.advance("P3M")
        let heard = await listening.atLeast(3)
        try await heard[0].payloadValue.finish()
        let copy = store.folder.path + "/copy.json"
        try FileManager.default.copyItem(atPath: store.folder.path + "/phone.json", toPath: copy)
        await session.close()
        let next = try StoreSession(configuration: store.phone("phone", stateFile: copy))
        let again = Listening(next)
        _ = await again.atLeast(2)
        try await store.advance("P1M")
        _ = await again.atLeast(3)
        let all = try await history(next)
        #expect(again.ids == Array(all.suffix(3)))
        await next.close()
    }

    @Test(
        "A store that stands still in a purchase sells once, and one that is away is not waited for"
    )
    func slow() async throws {
        let store = try await ServedStore()
        var configuration = try store.phone("phone")
        configuration.retry.attempts = 2
        let session = try StoreSession(configuration: configuration)
        try await session.signIn(account: "ada")
        let products = try await Product.products(
            for: ["com.example.garden.seeds.100"], in: session)
        let seeds = try #require(products.first)
        #expect(seeds.displayPrice == "$1.99")
        store.pause()
        await #expect { try await seeds.purchase() } throws: { error in
            if case .purchaseOutcomeUnknown? = error as? StoreKitError { true } else { false }
        }
        store.goOn()
        let heard = await Listening(session).atLeast(1)
        try await heard[0].payloadValue.finish()
        #expect(try await history(session).count == 1)
        store.kill()
        // A purchase on a connection of before might have arrived: this finds that it is dead.
        await #expect(throws: StoreKitError.self) { try await history(session) }
        await #expect { try await seeds.purchase() } throws: { error in
            if case .networkError(.unreachable)? = error as? StoreKitError { true } else { false }
        }
        try await store.start()
        #expect(try await history(session).count == 1)
        await session.close()
    }

    @Test("A phone that is wiped restores all of it, and a renewal comes to both devices")
    func devices() async throws {
        let store = try await ServedStore()
        let session = try StoreSession(configuration: store.phone("phone"))
        try await session.signIn(account: "ada")
        try await buy(session, Self.monthly).finish()
        try await store.advance("P23M")
        let listening = Listening(session, finishes: true)
        _ = await listening.atLeast(23)
        await session.close()

        let tablet = try StoreSession(configuration: store.phone("tablet"))
        try await tablet.signIn(account: "ada")
        let there = Listening(tablet, finishes: true)
        #expect(try await AppStore.sync(in: tablet) == 24)
        let restored = await there.atLeast(24)
        #expect(restored.allSatisfy { $0.unsafePayloadValue.isRestored })
        #expect(there.ids == (try await history(tablet)))

        let again = try StoreSession(configuration: store.phone("phone"))
        let here = Listening(again)
        try await store.advance("P1M")
        let renewal = await here.atLeast(1)
        #expect(
            await there.atLeast(25).last?.unsafePayloadValue.id
                == renewal.first?.unsafePayloadValue.id)
        #expect(here.ids.count == 1)
        await again.close()
        await tablet.close()
    }

    @Test("A refund comes as a transaction that changed; a receipt and a copy of the app are had")
    func around() async throws {
        let store = try await ServedStore()
        let session = try StoreSession(configuration: store.phone("phone"))
        let copy = try await session.signIn(account: "ada").payloadValue
        #expect(copy.appID == 1_000_000_001)
        #expect(try await AppTransaction.shared(in: session).payloadValue.bundleID == copy.bundleID)
        let bought = try await buy(session, Self.monthly)
        try await bought.finish()
        let listening = Listening(session)
        try await store.connect(
            "POST", "/connect/v1/transactions/\(bought.id)/refund", "{}")
        let refunded = try await listening.atLeast(1)[0].payloadValue
        #expect(refunded.id == bought.id)
        #expect(refunded.revocationDate != nil)
        var entitlements = Transaction.currentEntitlements(in: session).makeAsyncIterator()
        #expect(try await entitlements.next() == nil)
        try await session.signOut()
        await #expect(throws: StoreKitError.notSignedIn) {
            try await AppTransaction.shared(in: session)
        }
        await session.close()
    }

    @Test("The example app plays the session, line by line")
    func example() async throws {
        let store = try await ServedStore()
        let pipe = try ChildProcess.makePipe()
        let app = try ChildProcess(
            path: ServedStore.sibling("GardenApp"), arguments: [store.readyFile],
            output: pipe.write)
        try FileHandle(fileDescriptor: pipe.write, closeOnDealloc: false).close()
        let output = FileHandle(fileDescriptor: pipe.read, closeOnDealloc: true)
        let text = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        returning: String(decoding: output.readDataToEndOfFile(), as: UTF8.self))
                }
            }
        } onCancel: {
            // It waits for what does not come, so nobody would ever read to the end.
            app.send(signal: SIGKILL)
        }
        #expect(app.wait() == 0)
        #expect(
            text == """
                The Whole Garden costs $9.99 a month
                phone: a purchase, 1 issue unlocked
                three months go by, the phone in a drawer
                phone: a renewal, 2 issues unlocked
                phone: a renewal, 3 issues unlocked
                phone: a renewal, 4 issues unlocked
                the subscription: subscribed, renews
                the phone is wiped
                the store restores 4 transactions
                phone: restored, 4 issues unlocked
                phone: restored, 4 issues unlocked
                phone: restored, 4 issues unlocked
                phone: restored, 4 issues unlocked
                a tablet joins
                tablet: restored, 4 issues unlocked
                tablet: restored, 4 issues unlocked
                tablet: restored, 4 issues unlocked
                tablet: restored, 4 issues unlocked
                a month goes by
                phone: a renewal, 5 issues unlocked
                tablet: a renewal, 5 issues unlocked
                the subscription: subscribed, renews

                """)
    }
}
