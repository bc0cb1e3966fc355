import AppStoreForgery
import AppStoreSigning
import AppStoreWire
import Foundation
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Wrong receipts at verifyReceipt", .timeLimit(.minutes(15)))
struct ForgedReceiptTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    /// A world whose app has a shared secret.
    private func withSecret(_ backend: Backend = .sqlite) async throws -> HTTPWorld {
        let world = try await HTTPWorld(backend, isListening: false)
        _ = try await world.world.store.setSharedSecret(Self.secret, of: World.bundleID)
        return world
    }

    /// The status that verifyReceipt answers a receipt with; HTTP's is 200 always.
    private func status(_ client: Client, _ receipt: String) async throws -> VerifyReceiptStatus {
        var json = JSONWriter()
        VerifyReceiptRequest(receiptData: receipt, password: Self.secret).encode(to: &json)
        let reply = try await client.send(.post, "/verifyReceipt", bytes: json.bytes)
        #expect(reply.status == 200)
        let number = try #require(reply["status"]?.integer)
        return VerifyReceiptStatus(rawValue: Int(number))
    }

    private func status(_ client: Client, _ receipt: [UInt8]) async throws -> VerifyReceiptStatus {
        try await status(client, Data(receipt).base64EncodedString())
    }

    /// What a forgery must be answered: as our verifier refuses it where it does, but that the app
    /// and the environment are not expected from outside: both are in the receipt.
    private func expected(
        _ kind: ForgeryKind, in environment: StoreEnvironment
    ) -> VerifyReceiptStatus? {
        switch kind.answer {
        case .receipt(.wrongBundle): .unknownAccount
        case .receipt(.wrongEnvironment) where kind.fault == "environment-xcode":
            .notAuthenticated
        case .receipt(.wrongEnvironment):
            environment == .production ? .sandboxReceipt : .productionReceipt
        // It says itself when it is over: `expiration_date`.
        case .receipt(.expired), .accepted: .valid
        case .receipt(let code): code.status
        case .signedData, .requestToken, .inAppRequest: nil
        }
    }

    @Test(
        "Every forged receipt has the status that its fault says", arguments: Backend.available,
        StoreEnvironment.allCases)
    func forgeries(_ backend: Backend, _ environment: StoreEnvironment) async throws {
        let world = try await withSecret(backend)
        try await world.with(environment) { client in
            for account in ["bob", "ada"] {
                try await client.buy("silver.monthly", as: client.signIn(account))
            }
            let reply = try await client.ours(
                .post, "/connect/v1/forgeries",
                #"{"kind":"all","bundleId":"\#(World.bundleID)","about":"receipt"}"#)
            let made = try #require(reply["forgeries"]?.array)
            #expect(made.count == ForgeryKind.all.count { $0.about == .receipt })
            for forgery in made {
                let name = try #require(forgery["name"]?.string)
                let kind = try #require(ForgeryKind.named(name))
                let text = try #require(forgery["text"]?.string)
                let found = try await status(client, text)
                #expect(found == expected(kind, in: environment), "\(kind.name)")
            }
        }
    }

    @Test("One bit that is another, and each end that is missing, is 21002 or 21003")
    func changed() async throws {
        let world = try await withSecret()
        try await world.with { client in
            let token = try await client.signIn()
            let bought = try await client.buy("silver.monthly", as: token)
            for path in ["receipt", "transactions/\(bought.transactionId)/receipt"] {
                let reply = try await client.ours(
                    .get, "/storefront/v1/\(path)", as: .bearer(token))
                let text = try #require(reply["receipt"]?.string)
                let receipt = Array(try #require(Data(base64Encoded: text)))
                #expect(try await status(client, receipt) == .valid)
                for place in stride(from: 0, to: receipt.count, by: 101) {
                    var flipped = receipt
                    flipped[place] ^= 1 << UInt8(place % 8)
                    let verdict = try await status(client, flipped)
                    #expect(
                        verdict == .malformedReceipt || verdict == .notAuthenticated,
                        "\(path), byte \(place): \(verdict.rawValue)")
                }
                for length in stride(from: 0, to: receipt.count, by: 509) {
                    let verdict = try await status(client, Array(receipt.prefix(length)))
                    #expect(verdict == .malformedReceipt, "\(path), \(length) bytes")
                }
            }
        }
    }

    /// Ten megabytes that begin as receipts do, each made to keep a reader busy.
    enum Noise: String, CaseIterable, Sendable {
        case bytes, sequence, list, nested, lengths, attributes, behind, quotes

        static let count = 10_000_000

        func receipt(genuine: [UInt8]) throws -> [UInt8] {
            var random = SeededGenerator(seed: 308)
            func repeated(_ bytes: [UInt8]) -> [UInt8] {
                (0..<Self.count / bytes.count).flatMap { _ in bytes }
            }
            func noise() -> [UInt8] {
                var noise: [UInt8] = []
                noise.reserveCapacity(Self.count + 8)
                while noise.count < Self.count {
                    withUnsafeBytes(of: random.next()) { noise.append(contentsOf: $0) }
                }
                return noise
            }
            return switch self {
            case .bytes: [0x05] + noise()
            case .sequence: [0x30] + noise()
            case .list: [UInt8(ascii: "{")] + noise()
            case .nested: repeated([0x30, 0x80])
            case .lengths: repeated([0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF])
            case .attributes:
                // Signed rightly, and more than anybody has bought.
                try ReceiptSigner(chain: World.receiptChain).container(
                    of: Self.set(repeated([0x30, 8, 2, 1, 99, 2, 1, 1, 4, 0]))
                ).encoded()
            case .behind: genuine + repeated([0])
            case .quotes: Array("{\n".utf8) + repeated(Array(#""a" = "b";"#.utf8))
            }
        }

        /// A set in DER.
        private static func set(_ content: [UInt8]) -> [UInt8] {
            let length = content.count
            return [0x31, 0x83, UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255)]
                + content
        }
    }

    // What is not linear would not end within the suite's time limit. One after the other, since
    // each keeps a thread from everybody else.
    @Test("Ten megabytes of anything are 21002", .serialized, arguments: Noise.allCases)
    func noise(_ noise: Noise) async throws {
        let world = try await withSecret()
        try await world.with { client in
            let token = try await client.signIn()
            try await client.buy("lifetime", as: token)
            let reply = try await client.ours(
                .get, "/storefront/v1/receipt", as: .bearer(token))
            let text = try #require(reply["receipt"]?.string)
            let genuine = try #require(Data(base64Encoded: text))
            let receipt = try noise.receipt(genuine: Array(genuine))
            #expect(receipt.count >= Noise.count - 10)
            #expect(try await status(client, receipt) == .malformedReceipt)
        }
    }
}
