import AppStoreSigning
import AppStoreWire
import Merchant
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A notification of version 1, as the App Store sends it.
struct VersionOneBody: Sendable {
    static let secret = "0123456789abcdef0123456789abcdef"

    var password = VersionOneBody.secret
    var type = "DID_RENEW"
    var environment = "PROD"
    var bundleID = World.bundleID
    var receipt: String?
    var pending: [PendingRenewalInfo] = []

    var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("notification_type", type)
            json.field("password", password)
            json.field("environment", environment)
            json.field("bid", bundleID)
            json.object("unified_receipt") { json in
                json.field("status", Int64(0))
                json.field("latest_receipt", receipt)
                json.field("pending_renewal_info", pending)
            }
        }
        return json.bytes
    }
}

extension MerchantWorld {
    @discardableResult
    func receive(_ body: VersionOneBody) async throws -> Merchant.Reception {
        try await merchant.receive(
            versionOne: try JSONValue(parsing: body.bytes), as: body.bytes, for: World.bundleID)
    }

    /// What ada's device and the store would send now.
    func versionOne(_ type: String = "DID_RENEW") async throws -> VersionOneBody {
        let receipt = try await receipt()
        let request = VerifyReceiptRequest(
            receiptData: receipt, password: VersionOneBody.secret)
        let reply = try await world.store.verifyReceipt(request.jsonBytes(), in: .production)
        guard case .ofApp(let response) = reply else {
            Issue.record("no reply to an app receipt")
            return VersionOneBody()
        }
        return VersionOneBody(
            type: type, receipt: receipt, pending: response.pendingRenewalInfo ?? [])
    }
}

/// Notifications of version 1, which nobody signs.
@Suite("Merchant: notifications of version 1", .timeLimit(.minutes(15)))
struct VersionOneStories {
    private func opened(
        _ backend: Backend, setUp: @Sendable (inout AppSetup) -> Void = { _ in }
    ) async throws -> MerchantWorld {
        let world = try await MerchantWorld.takingReceipts(backend) { setup in
            setup.sharedSecret = AppSecret(VersionOneBody.secret)
            setUp(&setup)
        }
        _ = try await world.world.store.setSharedSecret(
            VersionOneBody.secret, of: World.bundleID)
        return world
    }

    @Test(
        "The receipt in it is taken, and what stands beside it about the renewal",
        arguments: Backend.available)
    func taken(_ backend: Backend) async throws {
        let world = try await opened(backend)
        try await world.buy("gold.monthly")
        try await world.sendReceipt()
        _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
        let body = try await world.versionOne()
        #expect(try await world.receive(body) == .kept)
        #expect(try await world.receive(body) == .repeated)
        try await world.merchant.settle()
        #expect(
            try await world.access() == ["gold.monthly active until 2026-03-01 renews"])
        #expect(try await world.merchant.deadLetters(limit: 10).isEmpty)
        // What is signed, be it older, stays: the receipt's date is later than that of the letter.
        try await world.deliver()
        #expect(try await world.access() == ["club active until 2026-03-01 renews"])
    }

    @Test(
        "Another password is refused; without a shared secret nothing is taken",
        arguments: Backend.available)
    func passwords(_ backend: Backend) async throws {
        let world = try await opened(backend)
        try await world.buy("gold.monthly")
        var body = try await world.versionOne()
        for wrong in ["", "x", String(VersionOneBody.secret.dropLast()), body.password + "0"] {
            body.password = wrong
            let wrongly = body
            #expect(
                try await MerchantWorld.refusal { try await world.receive(wrongly) }
                    == .intake(.wrongPassword))
        }
        let without = try await MerchantWorld.takingReceipts(backend)
        let fine = try await world.versionOne()
        #expect(
            try await MerchantWorld.refusal { try await without.receive(fine) }
                == .intake(.noSharedSecret(World.bundleID)))
        #expect(try await world.merchant.deadLetters(limit: 10).isEmpty)
    }

    @Test(
        "What is of another app or environment is set aside, what proves nothing is a dead letter",
        arguments: Backend.available)
    func dead(_ backend: Backend) async throws {
        let world = try await opened(backend) { $0.environments = [.production] }
        try await world.buy("gold.monthly")
        var body = try await world.versionOne()
        body.bundleID = "com.example.other"
        #expect(try await world.receive(body) == .setAside)
        body.bundleID = World.bundleID
        for environment in ["Sandbox", "Xcode"] {
            body.environment = environment
            #expect(try await world.receive(body) == .setAside)
        }
        body.environment = "PROD"
        let receipt = body.receipt
        for wrong in [nil, "AAAA", receipt.map { String($0.dropLast(8)) }] {
            body.receipt = wrong
            #expect(try await world.receive(body) == .kept)
        }
        try await world.merchant.settle()
        let dead = try await world.merchant.deadLetters(limit: 10)
        #expect(dead.count == 6)
        #expect(dead.allSatisfy { $0.problem?.contains(VersionOneBody.secret) == false })
        #expect(try await world.access().isEmpty)
        // It would be the same again.
        #expect(try await world.merchant.replay(dead[0].id) == dead[0])
        #expect(try await world.merchant.deadLetters(limit: 10).count == 6)
        // What is taken since is taken in again.
        let sandbox = try #require(dead.first { $0.problem?.contains("Sandbox") == true })
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID,
            rootDER: [World.chain.rootDER, World.receiptChain.rootDER])
        setup.sharedSecret = AppSecret(VersionOneBody.secret)
        try await world.merchant.serve([setup])
        let replayed = try await world.merchant.replay(sandbox.id)
        // The receipt in it is of Production all the same.
        let again = try await world.merchant.deadLetters(limit: 10)
        #expect(replayed == again.first)
        #expect(again.first?.problem?.contains("wrongEnvironment") == true)
        #expect(!again.map(\.id).contains(sandbox.id))
    }
}
