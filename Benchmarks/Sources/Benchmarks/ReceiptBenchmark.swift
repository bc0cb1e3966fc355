import AppStoreSigning
import AppStoreWire
import Crypto
import CryptoExtras
import Foundation
import StorageSQLite
import Store
import SubscriptionRules

/// verifyReceipt against the verification of the same bytes alone, and receipts made against raw
/// signatures of the same kind, for receipts of a few transactions and of many; one at a time.
struct ReceiptBenchmark {
    let rounds: Int
    private let sizes = [1, 24, 500]
    private let secret = "0123456789abcdef0123456789abcdef"

    func run() async throws -> [any Figure] {
        try await Fixture.withFolder { folder in
            let chain = try Store.newReceiptChain()
            let database = try SQLiteDatabase(path: folder + "/receipts.sqlite")
            let store = try await Fixture.store(
                database, chain: try Fixture.chain(), receiptChain: chain)
            _ = try await store.setSharedSecret(secret, of: Fixture.bundleID)
            var figures: [any Figure] = []
            for (size, device) in zip(sizes, try await subscribers(of: store)) {
                progress("  \(size) transactions …")
                figures += try await measure(size, store, device, chain)
            }
            await database.close()
            return figures
        }
    }

    /// A subscriber for each size, who has been charged as often.
    private func subscribers(of store: Store) async throws -> [DeviceSession] {
        var devices: [DeviceSession] = []
        for (index, size) in sizes.enumerated().reversed() {
            let device = try await store.signIn(
                SignInRequest(bundleID: Fixture.bundleID, account: "\(size)"),
                in: .production, token: "token-\(size)")
            _ = try await store.buy(PurchaseRequest(productID: "club.monthly"), by: device)
            devices.insert(device, at: 0)
            // Who comes later has been there for fewer months.
            guard index > 0 else { break }
            let next = sizes[index - 1]
            _ = try await store.advance(by: CalendarStep(iso8601: "P\(size - next)M")!)
        }
        return devices
    }

    private func measure(
        _ size: Int, _ store: Store, _ device: DeviceSession, _ chain: ReceiptChain
    ) async throws -> [any Figure] {
        let receipt = try await store.receipt(for: device)
        let verifier = try ReceiptVerifier(rootDER: [chain.rootDER])
        let found = try await verifier.verify(receipt.bytes, expecting: ReceiptExpectation())
        precondition(found.inApp.count == size, "\(found.inApp.count) transactions, not \(size)")
        var json = JSONWriter()
        VerifyReceiptRequest(receiptData: receipt.base64, password: secret).encode(to: &json)
        let body = json.bytes
        guard case .ofApp(let reply) = try await store.verifyReceipt(body, in: .production),
            reply.latestReceiptInfo?.count == size
        else { preconditionFailure("the receipt is not answered whole") }
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let payload = try ReceiptContainer(parsing: receipt.bytes).payload
        let count = max(2_000 / (size + 3), 20)
        var (verified, alone, made, raw) = ([Double](), [Double](), [Double](), [Double]())
        for _ in 0..<rounds {
            alone.append(
                try await rate(count) {
                    _ = try await verifier.verify(
                        receipt.bytes, expecting: ReceiptExpectation())
                })
            verified.append(
                try await rate(count) {
                    _ = try await store.verifyReceipt(body, in: .production)
                })
            raw.append(
                try await rate(count) {
                    _ = try key.signature(
                        for: SHA256.hash(data: payload), padding: .insecurePKCS1v1_5)
                })
            made.append(try await rate(count) { _ = try await store.receipt(for: device) })
        }
        let what = size == 1 ? "1 transaction" : "\(size) transactions"
        return [
            Result(
                name: "verifyReceipt with \(what)", rate: median(verified),
                limitName: "verifications of the same bytes alone", limit: median(alone)),
            Result(
                name: "receipts made with \(what)", rate: median(made),
                limitName: "raw RSA signatures over as many bytes", limit: median(raw)),
        ]
    }

    private func rate(_ count: Int, _ body: () async throws -> Void) async throws -> Double {
        Double(count) / (try await seconds { for _ in 0..<count { try await body() } })
    }
}
