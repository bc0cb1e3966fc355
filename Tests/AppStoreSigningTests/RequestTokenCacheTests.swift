import TestFloor
import Testing

@testable import AppStoreSigning

@Suite("Remembered request tokens")
struct RequestTokenCacheTests {
    private let key = RequestTokenTests.key
    private let verifier = RequestTokenTests.verifier
    private let now = RequestTokenTests.now

    private func token(_ bundleID: String, lifetime: Int64 = 300) throws -> String {
        try RequestToken.make(key: key, bundleID: bundleID, now: now, lifetime: lifetime)
    }

    @Test("A token is remembered, and still expires")
    func expiry() throws {
        let cache = RequestTokenCache()
        let token = try token("a")
        for _ in 0..<3 {
            #expect(try cache.verify(token, now: now, with: verifier).bundleID == "a")
        }
        #expect(cache.count == 1)
        #expect(throws: RequestTokenError.expired) {
            try cache.verify(token, now: now + 300, with: verifier)
        }
    }

    @Test("A refused token is not remembered")
    func refused() throws {
        let cache = RequestTokenCache()
        let token = try RequestTokenTests.token(claims: RequestTokenTests.claims(bid: nil))
        #expect(throws: RequestTokenError.missingBundle) {
            try cache.verify(token, now: now, with: verifier)
        }
        #expect(cache.count == 0)
    }

    @Test("A key that is taken away takes its tokens along")
    func revokedKey() throws {
        let cache = RequestTokenCache()
        let token = try token("a")
        _ = try cache.verify(token, now: now, with: verifier)
        let without = RequestTokenVerifier(keys: [:], issuerID: key.issuerID)
        #expect(throws: RequestTokenError.unknownKey) {
            try cache.verify(token, now: now, with: without)
        }
        var generator = SeededGenerator(seed: 2)
        let other = APIKey.generate(using: &generator)
        let replaced = RequestTokenVerifier(
            keys: [key.keyID: VerificationKey(other)], issuerID: key.issuerID)
        #expect(throws: RequestTokenError.wrongSignature) {
            try cache.verify(token, now: now, with: replaced)
        }
        let moved = RequestTokenVerifier(keys: verifier.keys, issuerID: other.issuerID)
        #expect(throws: RequestTokenError.wrongIssuer) {
            try cache.verify(token, now: now, with: moved)
        }
    }

    @Test("A full cache drops what has expired first, and never grows beyond its bound")
    func bound() throws {
        let cache = RequestTokenCache(capacity: 3)
        let long = try token("long", lifetime: 3000)
        _ = try cache.verify(long, now: now, with: verifier)
        _ = try cache.verify(token("a", lifetime: 1), now: now, with: verifier)
        _ = try cache.verify(token("b", lifetime: 1), now: now, with: verifier)
        #expect(cache.count == 3)
        _ = try cache.verify(token("c", lifetime: 100), now: now + 10, with: verifier)
        #expect(cache.count == 2)
        for name in ["d", "e", "f", "g"] {
            _ = try cache.verify(token(name), now: now + 10, with: verifier)
            #expect(cache.count <= 3)
        }
        #expect(try cache.verify(long, now: now + 10, with: verifier).bundleID == "long")
    }

    @Test("Many tasks may ask at once")
    func concurrency() async throws {
        let cache = RequestTokenCache(capacity: 4)
        let tokens = try (0..<8).map { try token("app\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    let verified = try cache.verify(tokens[task % 8], now: now, with: verifier)
                    #expect(verified.bundleID == "app\(task % 8)")
                }
            }
            try await group.waitForAll()
        }
        #expect((1...4).contains(cache.count))
    }
}
