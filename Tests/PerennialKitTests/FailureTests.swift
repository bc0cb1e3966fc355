import AppStoreWire
import Foundation
import PerennialKit
import Testing

@Suite("What goes wrong on the way")
struct FailureTests {
    private let store = FakeStore()

    private static func isOne(_ error: any Error, _ test: (StoreKitError) -> Bool) -> Bool {
        (error as? StoreKitError).map(test) ?? false
    }

    @Test("What is likely to pass is asked for again, in longer and longer waits")
    func retries() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        store.fail(
            "/storefront/v1/products", .unreachable, .late, .answer(StoreResponse(status: 500)))
        #expect(try await Product.allProducts(in: session).count == 2)
        let waits = phone.clock.waits
        #expect(waits.count == 3)
        for (wait, longest) in zip(waits, [0.5, 1, 2]) {
            #expect(wait >= .seconds(longest / 2) && wait <= .seconds(longest), "\(waits)")
        }
        await session.close()
    }

    @Test("A call gives up after as many attempts as the policy has")
    func givingUp() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 2 }
        store.fail("/storefront/v1/products", .unreachable, .unreachable, .unreachable)
        await #expect(throws: StoreKitError.networkError(.unreachable("fault"))) {
            try await Product.allProducts(in: session)
        }
        #expect(store.requests(to: "/storefront/v1/products").count == 2)
        await session.close()
    }

    @Test("429 is waited for as long as it says, and thrown where that is too long")
    func tooMany() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let short = StoreResponse.refusal(429, "tooMany", headers: ["retry-after": "7"])
        let long = StoreResponse.refusal(429, "tooMany", headers: ["retry-after": "11"])
        store.fail("/storefront/v1/products", .answer(short))
        #expect(try await Product.allProducts(in: session).count == 2)
        #expect(phone.clock.waits == [.seconds(7)])
        store.fail("/storefront/v1/products", .answer(long))
        await #expect(throws: StoreKitError.tooManyRequests(retryAfter: .seconds(11))) {
            try await Product.allProducts(in: session)
        }
        #expect(phone.clock.waits == [.seconds(7)])
        // A listener has all the time.
        store.fail("/storefront/v1/updates", .answer(long))
        let listening = Listening(session)
        store.sell()
        _ = await listening.atLeast(1)
        while phone.clock.waits.count < 2 { await Task.yield() }
        #expect(phone.clock.waits.contains(.seconds(11)))
        await session.close()
    }

    @Test(
        "A date for Retry-After, or a year, is not believed",
        arguments: ["Wed, 21 Oct", "-1", "31536000"])
    func oddRetryAfter(text: String) async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        store.fail(
            "/storefront/v1/products",
            .answer(.refusal(429, "tooMany", headers: ["retry-after": text])))
        #expect(try await Product.allProducts(in: session).count == 2)
        #expect(phone.clock.waits.count == 1)
        #expect(phone.clock.waits[0] <= .milliseconds(500))
        await session.close()
    }

    @Test(
        "Whatever comes in place of an answer is an error, never a crash",
        arguments: [
            (200, ""), (200, "[]"), (200, "null"), (200, "{"), (200, "{\"products\":7}"),
            (200, "<html></html>"), (404, "<html></html>"), (302, ""), (199, ""), (999, "x"),
            (200, "{\"products\":[{}],\"storefront\":\"USA\"}"),
            (200, "{\"products\":[{\"id\":\"a\",\"type\":\"Consumable\"}]}"),
            (200, String(repeating: "[", count: 5000)),
        ])
    func garbage(status: Int, body: String) async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        store.fail(
            "/storefront/v1/products",
            .answer(StoreResponse(status: status, body: Array(body.utf8))))
        await #expect {
            try await Product.allProducts(in: session)
        } throws: {
            Self.isOne($0) { error in
                switch error {
                case .invalidResponse, .storeUnavailable: true
                default: false
                }
            }
        }
        await session.close()
    }

    @Test("A refusal is thrown with its code, its sentence and what is wrong")
    func refusal() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        store.fail("/storefront/v1/products", .answer(.refusal(400, "tooLong", field: "id")))
        await #expect {
            try await Product.allProducts(in: session)
        } throws: {
            Self.isOne($0) { error in
                guard case .refused(let refusal) = error else { return false }
                return refusal.code == "tooLong" && refusal.field == "id"
            }
        }
        #expect(store.requests(to: "/storefront/v1/products").count == 1)
        await session.close()
    }

    @Test("Who is not signed in is told so, and asks for nothing")
    func signedOut() async throws {
        let phone = try Phone(store)
        let session = try phone.start()
        await #expect(throws: StoreKitError.notSignedIn) { try await AppStore.sync(in: session) }
        await #expect(throws: StoreKitError.notSignedIn) { try await session.signOut() }
        #expect(store.requests.isEmpty)
        await session.close()
    }

    @Test(
        "A sign-in that is void is forgotten, and updates go on with the next one",
        .timeLimit(.minutes(15)))
    func voidToken() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let first = store.sell()
        let heard = await listening.atLeast(1)
        // The operator wiped the device: its tokens are void.
        store.change { $0.signIns = [:] }
        // Whichever asks first finds out, this or the listener; both times nobody is signed in.
        await #expect(throws: StoreKitError.notSignedIn) { try await AppStore.sync(in: session) }
        #expect(session.account == nil)
        // Finishing counts, and is told after the next sign-in.
        try await heard[0].payloadValue.finish()
        #expect(store.unfinished() == [first])
        let second = store.sell()
        try await session.signIn(account: "ada")
        let ids = await listening.atLeast(2).map { String($0.unsafePayloadValue.id) }
        #expect(ids == [first, second])
        while store.unfinished() != [second], !Task.isCancelled { await Task.yield() }
        #expect(store.unfinished() == [second])
        await session.close()
    }

    @Test("Signing out ends the token at the store; where it cannot be told, nothing is ended")
    func signOut() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        store.fail("/storefront/v1/sign-in", .unreachable)
        await #expect(throws: StoreKitError.self) { try await session.signOut() }
        #expect(session.account == "ada")
        try await session.signOut()
        #expect(session.account == nil)
        #expect(store.look { $0.signIns.isEmpty })
        await session.close()
    }

    @Test("Another customer on the same device hears nothing of the first, who loses nothing")
    func accounts() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let adas = store.sell()
        let listening = Listening(session)
        let heard = await listening.atLeast(1)
        try await session.signOut()
        try await session.signIn(account: "bea")
        let beas = store.sell("monthly", to: "bea")
        #expect(
            await listening.atLeast(2).map { String($0.unsafePayloadValue.id) } == [adas, beas])
        // What was given to the one is finished for the one, though the other is signed in.
        try await heard[0].payloadValue.finish()
        #expect(!store.requests.contains { $0.path.hasSuffix("/\(adas)/finish") })
        try await session.signOut()
        try await session.signIn(account: "ada")
        let marker = store.sell()
        #expect(await listening.atLeast(3).count == 3)
        #expect(listening.ids.map(String.init) == [adas, beas, marker])
        #expect(store.unfinished() == [marker])
        await session.close()
    }

    @Test("The listener waits longer and longer while the store is away, up to its limit")
    func listenerBackoff() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        for _ in 0..<20 { store.fail("/storefront/v1/updates", .unreachable) }
        let id = store.sell()
        let listening = Listening(session)
        #expect(await listening.atLeast(1).map { String($0.unsafePayloadValue.id) } == [id])
        let waits = phone.clock.waits
        #expect(waits.count == 20)
        #expect(waits.allSatisfy { $0 <= .seconds(60) })
        #expect(waits.suffix(5).allSatisfy { $0 >= .seconds(30) })
        #expect(Set(waits).count > 10, "chance shortens each wait")
        #expect(phone.problemCount == 20)
        await session.close()
    }

    @Test("A store that answers at once that there is nothing is not asked without end")
    func hurriedStore() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.updateWait = .zero }
        let listening = Listening(session)
        while phone.clock.waits.count < 12 { await Task.yield() }
        #expect(phone.clock.waits.last ?? .zero >= .seconds(30))
        let id = store.sell()
        #expect(await listening.atLeast(1).map { String($0.unsafePayloadValue.id) } == [id])
        await session.close()
    }

    @Test("A task that is cancelled waits for nothing more")
    func cancelled() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let opening = Opening()
        store.fail("/storefront/v1/products", .held(opening))
        let task = Task { try await Product.allProducts(in: session) }
        await opening.hasArrived()
        task.cancel()
        opening.release()
        _ = await task.result
        let waiting = Task {
            for await _ in Transaction.updates(in: session) {}
        }
        waiting.cancel()
        await waiting.value
        await session.close()
    }
}
