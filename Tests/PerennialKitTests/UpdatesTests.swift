import AppStoreWire
import Foundation
import PerennialKit
import Testing

@Suite("Updates")
struct UpdatesTests {
    private let store = FakeStore()

    private func texts(_ updates: [VerificationResult<Transaction>]) -> [String] {
        updates.map { String($0.unsafePayloadValue.id) }
    }

    @Test("What came while nobody listened comes first, in order, and then what comes")
    func order() async throws {
        let before = (0..<5).map { _ in store.sell() }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        #expect(texts(await listening.atLeast(5)) == before)
        let after = [store.sell(), store.sell()]
        #expect(texts(await listening.atLeast(7)) == before + after)
        await session.close()
    }

    @Test("A crash between delivery and finish delivers again; what is finished never comes again")
    func crash() async throws {
        let ids = [store.sell(), store.sell(), store.sell()]
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let heard = await Listening(session).atLeast(3)
        try await heard[1].payloadValue.finish()
        let restarted = try phone.crash(session)
        let again = try restarted.start()
        let listening = Listening(again)
        #expect(texts(await listening.atLeast(2)) == [ids[0], ids[2]])
        let marker = store.sell()
        #expect(texts(await listening.atLeast(3)) == [ids[0], ids[2], marker])
        await again.close()
        await session.close()
    }

    @Test("A finish that the store could not be told of counts here, and is told later")
    func untoldFinish() async throws {
        let id = store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let heard = await Listening(session).atLeast(1)
        store.fail("/storefront/v1/transactions/\(id)/finish", .unreachable)
        try await heard[0].payloadValue.finish()
        #expect(store.unfinished() == [id])
        #expect(try phone.kept("finishes").count == 1)
        let restarted = try phone.crash(session)
        let again = try restarted.start()
        let listening = Listening(again)
        var markers = [store.sell()]
        #expect(texts(await listening.atLeast(1)) == markers)
        // The second comes by an answer that was asked for after the finish was told.
        markers.append(store.sell())
        #expect(texts(await listening.atLeast(2)) == markers)
        #expect(store.unfinished() == markers)
        #expect(try restarted.kept("finishes").isEmpty)
        await again.close()
        await session.close()
    }

    @Test("A finish whose answer was lost is told again, which is no error")
    func lostFinish() async throws {
        let id = store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let heard = await listening.atLeast(1)
        store.fail("/storefront/v1/transactions/\(id)/finish", .lostAnswer)
        try await heard[0].payloadValue.finish()
        store.sell()
        _ = await listening.atLeast(2)
        store.sell()
        _ = await listening.atLeast(3)
        #expect(try phone.kept("finishes").isEmpty)
        #expect(store.requests(to: "/storefront/v1/transactions/\(id)/finish").count == 2)
        #expect(listening.ids.count == Set(listening.ids).count)
        await session.close()
    }

    @Test("What is refunded after it was finished comes again, as it is now")
    func refunded() async throws {
        let id = store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        try await listening.atLeast(1)[0].payloadValue.finish()
        store.refund(id)
        let update = try await listening.atLeast(2)[1].payloadValue
        #expect(String(update.id) == id)
        #expect(update.revocationDate != nil)
        // Until it is finished, a restart brings it again.
        let restarted = try phone.crash(session)
        let again = try restarted.start()
        let second = Listening(again)
        #expect(try await second.atLeast(1)[0].payloadValue.revocationDate != nil)
        try await update.finish()
        await again.close()
        await session.close()
    }

    @Test("A transaction that changes before it is finished comes once more, not twice")
    func changed() async throws {
        let id = store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let first = try await listening.atLeast(1)[0].payloadValue
        store.refund(id)
        _ = await listening.atLeast(2)
        // What was heard first is finished: the refund is not, for it says something else.
        try await first.finish()
        #expect(try phone.kept("queue").count == 1)
        let marker = store.sell()
        #expect(texts(await listening.atLeast(3)) == [id, id, marker])
        await session.close()
    }

    @Test("A restore is heard whole, also where an answer from before it comes after it")
    func restoreBesideUpdates() async throws {
        let ids = [store.sell(), store.sell()]
        let before = try await Phone(store).signedIn()
        for update in await Listening(before).atLeast(2) { try await update.payloadValue.finish() }
        await before.close()
        let wiped = try Phone(store)
        let session = try await wiped.signedIn()
        let (early, late) = (Opening(), Opening())
        store.fail("/storefront/v1/updates", .held(early), .held(late))
        let asked = store.requests(to: "/storefront/v1/updates").count
        let listening = Listening(session)
        await early.hasArrived()
        async let restored = AppStore.sync(in: session)
        await late.hasArrived()
        early.release()
        // The answer from before the restore was taken once the next one is asked for.
        while store.requests(to: "/storefront/v1/updates").count < asked + 3 { await Task.yield() }
        late.release()
        #expect(try await restored == 2)
        try #require(try wiped.kept("queue").count == 2)
        #expect(texts(await listening.atLeast(2)) == ids)
        await session.close()
    }

    @Test("Two listeners of one session hear the same, and each of two sessions hears its own")
    func listeners() async throws {
        let phone = try Phone(store)
        let tablet = try Phone(store, name: "tablet")
        let session = try await phone.signedIn()
        let other = try await tablet.signedIn()
        let listeners = [Listening(session), Listening(session), Listening(other)]
        let first = store.sell()
        for listener in listeners { _ = await listener.atLeast(1) }
        for listener in listeners { #expect(texts(listener.all).contains(first)) }
        try await listeners[0].all[0].payloadValue.finish()
        #expect(store.unfinished() == [])
        #expect(store.unfinished(device: "tablet") == [first])
        await session.close()
        await other.close()
    }

    @Test("A consumable that another device finished is not given after a restart")
    func consumable() async throws {
        let id = store.sell("coins", type: .consumable)
        let phone = try Phone(store)
        let tablet = try Phone(store, name: "tablet")
        let session = try await phone.signedIn()
        let other = try await tablet.signedIn()
        _ = await Listening(session).atLeast(1)
        let there = await Listening(other).atLeast(1)
        try await there[0].payloadValue.finish()
        let restarted = try phone.crash(session)
        let again = try restarted.start()
        let listening = Listening(again)
        let marker = store.sell()
        #expect(texts(await listening.atLeast(1)) == [marker])
        #expect(!texts(listening.all).contains(id))
        for session in [session, other, again] { await session.close() }
    }

    @Test("And neither where it was in the queue before updates began, or before another customer")
    func finishedElsewhere() async throws {
        store.sell("coins", type: .consumable)
        let ids = store.unfinished()
        let (phone, restoring) = (try Phone(store), try Phone(store, name: "restoring"))
        let (session, other) = (try await phone.signedIn(), try await restoring.signedIn())
        let listening = Listening(session)
        #expect(texts(await listening.atLeast(1)) == ids)
        try await session.signIn(account: "bea")
        _ = try await AppStore.sync(in: other)
        #expect(try restoring.kept("queue").count == 1)
        store.change { $0.finished["ada/tablet"] = Set(ids) }
        let late = Listening(other)
        try await session.signIn(account: "ada")
        let marker = store.sell()
        #expect(texts(await late.atLeast(1)) == [marker])
        #expect(texts(await listening.atLeast(2)) == ids + [marker])
        for session in [session, other] { await session.close() }
    }

    @Test(
        "A restore comes to the store after every finish, also after one that began meanwhile",
        .timeLimit(.minutes(15)))
    func restoreBesideFinish() async throws {
        let ids = [store.sell(), store.sell()]
        let session = try await Phone(store).signedIn()
        var bought: [Transaction] = []
        for try await entry in Transaction.unfinished(in: session) {
            bought.append(try entry.payloadValue)
        }
        let (first, second) = (Opening(), Opening())
        store.fail("/storefront/v1/transactions/\(ids[0])/finish", .unreachable, .held(first))
        store.fail("/storefront/v1/transactions/\(ids[1])/finish", .onItsWay(second))
        try await bought[0].finish()
        async let restored = AppStore.sync(in: session)
        await first.hasArrived()
        async let finished: Void = bought[1].finish()
        await second.hasArrived()
        first.release()
        // Time enough for a restore that does not wait.
        for _ in 0..<1000 { await Task.yield() }
        #expect(store.requests(to: "/storefront/v1/restore").isEmpty)
        second.release()
        try await finished
        #expect(try await restored == 2)
        #expect(store.unfinished() == ids)
        await session.close()
    }

    @Test("A wiped device hears what was bought again only when it restores")
    func restore() async throws {
        let ids = (0..<7).map { _ in store.sell() }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let first = Listening(session, finishes: true)
        _ = await first.atLeast(7)
        while !store.unfinished().isEmpty { await Task.yield() }
        await session.close()

        let wiped = try Phone(store)
        let again = try await wiped.signedIn()
        let listening = Listening(again)
        let marker = store.sell()
        #expect(texts(await listening.atLeast(1)) == [marker])
        #expect(try await AppStore.sync(in: again) == 8)
        let heard = await listening.atLeast(8)
        #expect(texts(heard) == [marker] + ids)
        #expect(heard.dropFirst().allSatisfy { $0.unsafePayloadValue.isRestored })
        for update in heard { try await update.payloadValue.finish() }
        #expect(store.unfinished().isEmpty)
        await again.close()
    }

    @Test("A device that begins anew is not given what it finished before, amid what waits")
    func finishedBefore() async throws {
        let ids = (0..<4).map { _ in store.sell() }
        store.change { $0.finished["ada/phone"] = [ids[1], ids[3]] }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let marker = store.sell()
        #expect(texts(await listening.atLeast(3)) == [ids[0], ids[2], marker])
        // From then on a finished one that comes has changed.
        store.refund(ids[1])
        #expect(texts(await listening.atLeast(4)).last == ids[1])
        await session.close()
    }

    @Test("Unfinished ones are listed from the store, and from the device where it is away")
    func unfinished() async throws {
        let ids = (0..<4).map { _ in store.sell() }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        var listed: [String] = []
        for try await entry in Transaction.unfinished(in: session) {
            listed.append(String(try entry.payloadValue.id))
        }
        #expect(listed == ids)
        store.fail("/storefront/v1/transactions", .unreachable)
        listed = []
        for try await entry in Transaction.unfinished(in: session) {
            listed.append(String(try entry.payloadValue.id))
            try await entry.payloadValue.finish()
        }
        #expect(listed == ids)
        for try await _ in Transaction.unfinished(in: session) {
            Issue.record("they were finished")
        }
        await session.close()
    }

    @Test("A cursor that the store does not know begins anew, and nothing is told twice")
    func unknownCursor() async throws {
        let ids = [store.sell(), store.sell()]
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let heard = await Listening(session).atLeast(2)
        try await heard[0].payloadValue.finish()
        let restarted = try phone.crash(session)
        store.fail(
            "/storefront/v1/updates", .answer(.refusal(400, "invalidCursor", field: "after")))
        let again = try restarted.start()
        let listening = Listening(again)
        #expect(texts(await listening.atLeast(1)) == [ids[1]])
        let marker = store.sell()
        #expect(texts(await listening.atLeast(2)) == [ids[1], marker])
        await again.close()
        await session.close()
    }

    @Test("Updates end with the session")
    func ending() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        await session.close()
        #expect(await listening.atLeast(1).isEmpty)
        await #expect(throws: StoreKitError.closed) {
            try await Product.allProducts(in: session)
        }
        #expect(store.look { $0.isClosed })
        // The state is free for the next session, even while this one is held.
        let next = try phone.start()
        #expect(next.account == "ada")
        await next.close()
    }
}
