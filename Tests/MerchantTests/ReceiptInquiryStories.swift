import AppStoreWire
import Merchant
import MerchantRules
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

/// The two servers of verifyReceipt, which answer what they are told to.
private final class ReceiptServers: Sendable {
    private let server: RawServer
    private let answers: Answers

    private final class Answers: Sendable {
        private let bodies = Mutex<[String: String]>([:])

        subscript(path: String) -> String {
            get { bodies.withLock { $0[path] ?? "{}" } }
            set { bodies.withLock { $0[path] = newValue } }
        }
    }

    init() throws {
        let answers = Answers()
        self.answers = answers
        server = try RawServer(replying: { request in
            let path = request.line.contains("/production") ? "production" : "sandbox"
            let body = answers[path]
            let text =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            return RawServer.Reply(Array(text.utf8), .closes)
        })
    }

    var urls: [MerchantEnvironment: String] {
        [.production: server.url + "/production", .sandbox: server.url + "/sandbox"]
    }

    /// Who was asked, in order.
    var asked: [String] {
        server.requests.map { $0.line.contains("/production") ? "production" : "sandbox" }
    }

    func answer(_ environment: String, _ body: String) { answers[environment] = body }

    deinit { server.close() }
}

/// Receipts that no root verifies: the store itself is asked.
@Suite("Merchant: receipts that verifyReceipt is asked about", .timeLimit(.minutes(15)))
struct ReceiptInquiryStories {
    private func opened(
        _ backend: Backend
    ) async throws -> (MerchantWorld, ReceiptServers) {
        let servers = try ReceiptServers()
        let world = try await MerchantWorld.takingReceipts(backend, verifies: false) {
            $0.sharedSecret = AppSecret(VersionOneBody.secret)
            $0.receiptService = servers.urls
        }
        _ = try await world.world.store.setSharedSecret(
            VersionOneBody.secret, of: World.bundleID)
        return (world, servers)
    }

    /// What the store's own verifyReceipt says of ada's receipt.
    private func reply(
        _ world: MerchantWorld, in environment: StoreEnvironment
    ) async throws -> String {
        let request = VerifyReceiptRequest(
            receiptData: try await world.receipt(in: environment),
            password: VersionOneBody.secret)
        return try await world.world.store.verifyReceipt(request.jsonBytes(), in: environment)
            .jsonText()
    }

    @Test(
        "Production is asked first, Sandbox where it sends there, and its answer is taken",
        arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let (world, servers) = try await opened(backend)
        try await world.buy("gold.monthly", in: .sandbox)
        servers.answer("production", #"{"status":21007}"#)
        servers.answer("sandbox", try await reply(world, in: .sandbox))
        let customer = try await world.merchant.take(
            .receipt(try await world.receipt(in: .sandbox)), from: "ada", of: World.bundleID)
        #expect(servers.asked == ["production", "sandbox"])
        #expect(customer.entitlements.map(\.id) == ["club"])
        #expect(customer.entitlements.map(\.environment) == [.sandbox])
        #expect(customer.entitlements.map(\.access.willRenew) == [true])
        #expect(customer.purchases.flatMap(\.sources) == ["verifyReceipt"])
    }

    @Test(
        "Only the environment is asked that the app names, and what belongs elsewhere is refused",
        arguments: Backend.available)
    func named(_ backend: Backend) async throws {
        let (world, servers) = try await opened(backend)
        try await world.buy("gold.monthly")
        let receipt = try await world.receipt()
        servers.answer("sandbox", #"{"status":21008}"#)
        servers.answer("production", try await reply(world, in: .production))
        #expect(
            try await MerchantWorld.refusal {
                _ = try await world.merchant.take(
                    .receipt(receipt), from: "ada", of: World.bundleID, in: .sandbox)
            } == .intake(.environmentNotTaken(.production)))
        let customer = try await world.merchant.take(
            .receipt(receipt), from: "ada", of: World.bundleID, in: .production)
        #expect(servers.asked == ["sandbox", "production"])
        #expect(customer.lines == ["club active until 2026-02-01 renews"])
    }

    @Test(
        "What it refuses is refused, and what it cannot say may come again",
        arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let (world, servers) = try await opened(backend)
        try await world.buy("gold.monthly")
        let receipt = try await world.receipt()
        let cases: [(String, MerchantError)] = [
            (#"{"status":21003}"#, .intake(.receiptRefused(21003))),
            (#"{"status":21010}"#, .intake(.receiptRefused(21010))),
            // Valid, and nothing in it.
            (#"{"status":0}"#, .intake(.receiptRefused(0))),
            (#"{"status":21004}"#, .intake(.receiptServiceAway)),
            (#"{"status":21009}"#, .intake(.receiptServiceAway)),
            ("down", .intake(.receiptServiceAway)),
        ]
        for (body, expected) in cases {
            servers.answer("production", body)
            #expect(
                try await MerchantWorld.refusal {
                    _ = try await world.merchant.take(
                        .receipt(receipt), from: "ada", of: World.bundleID)
                } == expected, "\(body)")
        }
        #expect(!servers.asked.contains("sandbox"))
        // Nobody is asked about what is no receipt.
        let asked = servers.asked.count
        _ = try await MerchantWorld.refusal {
            _ = try await world.merchant.take(.receipt("AAAA"), from: "ada", of: World.bundleID)
        }
        #expect(servers.asked.count == asked)
        #expect(try await world.access().isEmpty)
    }
}
