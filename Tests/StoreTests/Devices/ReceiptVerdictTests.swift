import AppStoreSigning
import AppStoreWire
import Foundation
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Verdicts on receipts", .timeLimit(.minutes(15)))
struct ReceiptVerdictTests {
    @Test(
        "The app's secret and the primary one are good; others, and none at all, are 21004",
        arguments: Backend.available)
    func secrets(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: phone)
        let fresh = String(repeating: "a", count: 32)
        let other = String(repeating: "b", count: 32)
        // None was made yet, so none is good.
        #expect(try await world.verified(phone, password: fresh).status == .wrongSecret)
        let made = try await world.store.sharedSecret(of: World.bundleID, orElse: fresh).secret
        #expect(made == fresh)
        // Asked again it is the same, whatever would be taken.
        #expect(
            try await world.store.sharedSecret(of: World.bundleID, orElse: other).secret == fresh)
        let primary = try await world.store.sharedSecret(of: nil, orElse: other).secret
        #expect(primary == other)
        for secret in [fresh, other] {
            let response = try await world.verified(phone, password: secret)
            #expect(response.status == .valid && response.latest?.count == 1)
        }
        for secret in ["", "A" + fresh.dropFirst(), fresh + "a"] {
            let refused = try await world.verified(phone, password: secret)
            #expect(refused == VerifyReceiptResponse(status: .wrongSecret))
        }
        #expect(
            try await world.verified(phone, password: nil)
                == VerifyReceiptResponse(status: .wrongSecret))
        // Another one takes its place.
        let newest = String(repeating: "c", count: 32)
        _ = try await world.store.setSharedSecret(newest, of: World.bundleID)
        #expect(try await world.verified(phone, password: fresh).status == .wrongSecret)
        #expect(try await world.verified(phone, password: newest).status == .valid)
        await #expect(throws: StoreError.unknown(.app, "com.example.other")) {
            _ = try await world.store.sharedSecret(of: "com.example.other", orElse: fresh)
        }
        try await world.check()
    }

    @Test(
        "A receipt without auto-renewable subscriptions needs no secret and tells what is in it",
        arguments: Backend.available)
    func noSecret(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        let phone = try await world.device()
        #expect(try await world.verified(phone, password: nil).frozen == [])
        let lifetime = try await world.buyOnce("lifetime", by: phone)
        let early = try await world.store.receipt(for: phone)
        let single = try await world.store.receipt(ofTransaction: lifetime, for: phone)
        _ = try await world.subscribe("silver.monthly", by: phone)
        // The receipt decides, not what was bought after it.
        guard case .ofApp(let response) = try await world.reply(early.bytes, password: nil)
        else { throw NoAppReceipt() }
        #expect(response.status == .valid && response.frozen == ["lifetime"])
        #expect(response.latestReceipt == nil && response.latestReceiptInfo == nil)
        #expect(response.pendingRenewalInfo == nil)
        #expect(try await world.reply(single.bytes, password: nil).status == .valid)
        #expect(try await world.verified(phone, password: nil).status == .wrongSecret)
    }

    @Test(
        "A receipt in the wrong environment is sent to the right one (RST-7)",
        arguments: Backend.available)
    func environments(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        for (environment, status) in [
            (StoreEnvironment.sandbox, VerifyReceiptStatus.sandboxReceipt),
            (.production, .productionReceipt),
        ] {
            let device = try await world.device(in: environment)
            let id = try await world.buyOnce("lifetime", by: device)
            let wrong: StoreEnvironment = environment == .sandbox ? .production : .sandbox
            for receipt in [
                try await world.store.receipt(for: device),
                try await world.store.receipt(ofTransaction: id, for: device),
            ] {
                // A wrong secret is no matter there: it is judged where the receipt belongs.
                let reply = try await world.reply(receipt.bytes, password: "x", in: wrong)
                #expect(reply.status == status)
                #expect(try await world.reply(receipt.bytes, in: environment).status == .valid)
            }
        }
    }

    @Test("What is no receipt is 21002, and what nobody here signed 21003")
    func forged() async throws {
        let world = try await World.receipts(.sqlite)
        let phone = try await world.device()
        let id = try await world.buyOnce("lifetime", by: phone)
        func status(_ body: String) async throws -> VerifyReceiptStatus {
            try await world.store.verifyReceipt(Array(body.utf8), in: .production).status
        }
        for body in [
            "", "x", "[]", "{}", #"{"receipt-data":""}"#, #"{"receipt-data":7}"#,
            #"{"receipt-data":"%"}"#, #"{"receipt-data":"AAAA"}"#, #"{"receipt-data":"MAA="}"#,
            #"{"receipt-data":"e30="}"#, #"{"receipt-data":null}"#,
        ] {
            #expect(try await status(body) == .malformedReceipt, "\(body)")
        }
        #expect(try await status(#"{"receipt-data":"AAAA","password":7}"#) == .wrongSecret)
        let receipt = try await world.store.receipt(for: phone)
        let single = try await world.store.receipt(ofTransaction: id, for: phone)
        for bytes in [receipt.bytes, single.bytes] {
            #expect(try await world.reply(bytes).status == .valid)
            for place in stride(from: 0, to: bytes.count, by: 37) {
                var flipped = bytes
                flipped[place] ^= 1
                let verdict = try await world.reply(flipped).status
                #expect(
                    verdict == .malformedReceipt || verdict == .notAuthenticated,
                    "byte \(place): \(verdict)")
            }
            for length in [0, 1, bytes.count / 2, bytes.count - 1] {
                let verdict = try await world.reply(Array(bytes.prefix(length))).status
                #expect(verdict == .malformedReceipt || verdict == .notAuthenticated)
            }
        }
        // Another store's, whole in itself.
        let foreign = try ReceiptSigner(chain: try Store.newReceiptChain())
        let stranger = try await foreign.sign(world.read(receipt))
        #expect(try await world.reply(stranger).status == .notAuthenticated)
        // Ten megabytes of noise.
        var random = SeededGenerator(seed: 1)
        let noise = (0..<10_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(try await world.reply(noise).status == .malformedReceipt)
        #expect(try await world.reply([0x30] + noise).status == .malformedReceipt)
    }

    @Test(
        "Of what nobody knows any more the answer is 21010", arguments: Backend.available)
    func unknown(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        let phone = try await world.device()
        try await world.store.snapshot("before")
        let id = try await world.buyOnce("lifetime", by: phone)
        let receipt = try await world.store.receipt(for: phone)
        let single = try await world.store.receipt(ofTransaction: id, for: phone)
        try await world.store.rewind(to: "before")
        #expect(try await world.reply(receipt.bytes).status == .unknownAccount)
        #expect(try await world.reply(single.bytes).status == .unknownAccount)
        // The customer is judged before the secret.
        for bytes in [receipt.bytes, single.bytes] {
            #expect(try await world.reply(bytes, password: "x").status == .unknownAccount)
            #expect(try await world.reply(bytes, password: nil).status == .unknownAccount)
        }
        // An app that is not here.
        let signer = try ReceiptSigner(chain: World.receiptChain)
        var other = AppReceipt(
            environment: .production, bundleID: "com.example.other", appVersion: "1.0",
            creationDate: World.instant("2026-01-01").milliseconds, inApp: [])
        other.seal(forDevice: Array(0..<16))
        #expect(try await world.reply(signer.sign(other)).status == .unknownAccount)
    }

    @Test("The operator sees a customer's receipt as it is on a device")
    func operators() async throws {
        let world = try await World.receipts(.sqlite)
        let phone = try await world.device(named: "phone")
        let tablet = try await world.device(named: "tablet")
        _ = try await world.buyOnce("lifetime", by: phone)
        func receipt(_ name: String?) async throws -> MadeReceipt {
            try await world.store.receipt(
                of: "ada", bundleID: World.bundleID, device: name, in: .production)
        }
        #expect(
            try await receipt(nil).bytes == (try await world.store.receipt(for: phone)).bytes)
        #expect(
            try await receipt("tablet").bytes
                == (try await world.store.receipt(for: tablet)).bytes)
        await #expect(throws: StoreError.unknown(.device, "watch")) {
            _ = try await receipt("watch")
        }
        await #expect(throws: StoreError.unknown(.account, "eve")) {
            _ = try await world.store.receipt(
                of: "eve", bundleID: World.bundleID, device: nil, in: .production)
        }
    }
}
