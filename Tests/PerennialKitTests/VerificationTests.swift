import AppStoreSigning
import AppStoreWire
import Foundation
import PerennialKit
import Testing

@Suite("Verifying on the device")
struct VerificationTests {
    /// A way in which what is signed is wrong.
    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: JWSVerificationError.Code
        var chain: CertificateChain { isOtherChain ? FakeStore.otherChain : FakeStore.chain }
        var isOtherChain = false
        var spoil: @Sendable (inout FakeStore.Core) -> Void = { _ in }
    }

    static let forgeries: [Forgery] = [
        Forgery(testDescription: "another root", code: .untrustedChain, isOtherChain: true),
        Forgery(testDescription: "another app", code: .wrongBundle) { core in
            core.bundleID = "com.example.other"
        },
        Forgery(testDescription: "another environment", code: .wrongEnvironment) { core in
            core.environment = .production
        },
        Forgery(testDescription: "a payload that was changed", code: .wrongSignature) { core in
            core.forge = { jws in
                var parts = jws.split(separator: ".").map(String.init)
                let payload = String(
                    decoding: Base64URL.decode(parts[1].utf8) ?? [], as: UTF8.self)
                parts[1] = Base64URL.encode(Array(payload.replacing("9990", with: "1").utf8))
                return parts.joined(separator: ".")
            }
        },
        Forgery(testDescription: "a signature of zeros", code: .wrongSignature) { core in
            core.forge = { jws in
                let parts = jws.split(separator: ".").map(String.init)
                return parts[0] + "." + parts[1] + "."
                    + Base64URL.encode([UInt8](repeating: 0, count: 64))
            }
        },
        Forgery(testDescription: "no algorithm", code: .wrongAlgorithm) { core in
            core.forge = { jws in
                let parts = jws.split(separator: ".").map(String.init)
                return Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + parts[1] + "."
            }
        },
    ]

    private func codes(_ updates: [VerificationResult<Transaction>]) -> [JWSVerificationError.Code?]
    {
        updates.map { update in
            if case .unverified(_, let error) = update { error.code } else { nil }
        }
    }

    @Test(
        "What is not the store's is shown as unverified, once, and is not kept",
        arguments: forgeries)
    func updates(forgery: Forgery) async throws {
        let good = FakeStore()
        let bad = FakeStore(chain: forgery.chain)
        let phone = try Phone(good)
        let session = try await phone.signedIn()
        await session.close()
        // The same store with the same sales, but for what is wrong.
        let id = good.sell()
        bad.change { core in
            core = good.look { $0 }
            core.faults = []
        }
        bad.change { core in
            forgery.spoil(&core)
            core.sales[0].payload.bundleId = core.bundleID
            core.sales[0].payload.environment = core.environment
        }
        let deceived = try phone.start { $0.transport = bad }
        let listening = Listening(deceived)
        #expect(codes(await listening.atLeast(1)) == [forgery.code])
        await #expect(throws: StoreKitError.notVerified) {
            try await listening.all[0].unsafePayloadValue.finish()
        }
        // It is asked for again and again, and told once.
        while bad.requests(to: "/storefront/v1/updates").count < 5 { await Task.yield() }
        #expect(listening.all.count == 1)
        #expect(try phone.kept("queue").isEmpty)
        #expect(try phone.state()["accounts"]?["ada"]?["cursor"] == nil)
        #expect(!bad.requests.contains { $0.path.hasSuffix("/finish") })
        await deceived.close()

        // Nothing is lost: once the store is itself, the transaction comes.
        let again = try phone.start()
        let heard = await Listening(again).atLeast(1)
        #expect(try String(heard[0].payloadValue.id) == id)
        await again.close()
    }

    @Test("A purchase that is answered with a forgery is not kept, and is asked for again")
    func purchase() async throws {
        let store = FakeStore()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let product = try #require(
            try await Product.products(for: ["coins"], in: session).first)
        store.change { core in
            core.forge = { jws in String(jws.dropLast(4)) + "AAAA" }
        }
        guard case .success(.unverified(let transaction, let error)) = try await product.purchase()
        else {
            Issue.record("a forgery was taken for good")
            return
        }
        #expect(error.code == .wrongSignature)
        #expect(throws: JWSVerificationError.self) {
            try VerificationResult.unverified(transaction, error).payloadValue
        }
        #expect(try phone.kept("queue").isEmpty)
        #expect(try phone.kept("purchases").count == 1)
        store.change { $0.forge = nil }
        let heard = await Listening(session).atLeast(1)
        #expect(try heard[0].payloadValue.productID == "coins")
        #expect(store.charges == 1)
        #expect(try phone.kept("purchases").isEmpty)
        await session.close()
    }

    @Test(
        "What cannot be decoded is no answer", arguments: ["", "a.b", "a.b.c", "e30.e30.e30", "…"])
    func garbage(jws: String) async throws {
        let store = FakeStore()
        store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        store.change { core in core.forge = { _ in jws } }
        await #expect {
            for try await _ in Transaction.all(in: session) {}
        } throws: { error in
            if case .invalidResponse? = error as? StoreKitError { true } else { false }
        }
        let listening = Listening(session)
        while phone.problemCount < 3 { await Task.yield() }
        #expect(listening.all.isEmpty)
        store.change { $0.forge = nil }
        #expect(await listening.atLeast(1).count == 1)
        await session.close()
    }

    @Test("What was changed in the state's file is not verified")
    func changedState() async throws {
        let store = FakeStore()
        store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        _ = await Listening(session).atLeast(1)
        await session.close()
        let text = try String(contentsOfFile: phone.stateFile, encoding: .utf8)
        let jws = try #require(try phone.kept("queue").first?["jws"]?.string)
        let forged = String(jws.dropLast(4)) + "AAAA"
        try text.replacing(jws, with: forged).write(
            toFile: phone.stateFile, atomically: true, encoding: .utf8)
        store.fail("/storefront/v1/transactions", .unreachable)
        let again = try phone.start()
        let heard = await Listening(again).atLeast(1)
        #expect(codes(heard) == [.wrongSignature])
        await again.close()
    }

    @Test("A root that is no certificate is refused when the session begins")
    func badRoot() throws {
        let phone = try Phone(FakeStore())
        #expect { try phone.start { $0.rootCertificates = [[1, 2, 3]] } } throws: { error in
            "\(error)".contains("root certificate")
        }
    }

    @Test("A port of the other environment is refused at the sign-in")
    func otherPort() async throws {
        let store = FakeStore()
        store.change { $0.environment = .production }
        let phone = try Phone(store)
        let session = try phone.start()
        await #expect { try await session.signIn(account: "ada") } throws: { error in
            "\(error)".contains("Production")
        }
        #expect(session.account == nil)
        await session.close()
    }

    @Test("Each part of what is signed can be had")
    func parts() async throws {
        let store = FakeStore()
        store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        var iterator = Transaction.all(in: session).makeAsyncIterator()
        let result = try #require(try await iterator.next())
        let transaction = try result.payloadValue
        #expect(result.jwsRepresentation == transaction.jwsRepresentation)
        #expect(result.signatureData.count == 64)
        #expect(try JSONValue(parsing: Array(result.headerData))["alg"] == .string("ES256"))
        let json = try JSONValue(parsing: Array(transaction.jsonRepresentation))
        #expect(json["transactionId"] == .string(String(transaction.id)))
        #expect(result.payloadData == transaction.jsonRepresentation)
        // A developer's server comes to the same verdict with the same text.
        let verifier = SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: FakeStore.chain.rootDER),
            bundleID: FakeStore.bundleID, environment: .sandbox, appAppleID: nil)
        let payload = try await verifier.verifyTransaction(transaction.jwsRepresentation)
        #expect(payload == transaction.payload)
        await session.close()
    }
}
