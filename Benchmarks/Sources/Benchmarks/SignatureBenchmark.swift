import AppStoreSigning
import AppStoreWire
import Crypto
import Foundation
import SubscriptionRules

/// Signed transactions per second, against raw P-256 signatures of a digest.
struct SignatureBenchmark {
    let rounds: Int
    private let count = 20_000

    func run() throws -> [Result] {
        let chain = try Fixture.chain()
        let signer = JWSSigner(chain: chain)
        let key = P256.Signing.PrivateKey()
        let digest = SHA256.hash(data: Data("a signing input".utf8))
        var raw: [Double] = []
        var signed: [Double] = []
        for _ in 0..<rounds {
            raw.append(try rate { _ = try key.signature(for: digest) })
            signed.append(try rate { _ = try signer.sign(Fixture.transaction) })
        }
        return [
            Result(
                name: "signed transactions", rate: median(signed),
                limitName: "raw P-256 signatures", limit: median(raw))
        ]
    }

    /// Raw signatures a second, made on all processors at once.
    static func rateOfAllProcessors() -> Double {
        let key = P256.Signing.PrivateKey()
        let digest = SHA256.hash(data: Data("a signing input".utf8))
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let each = 10_000
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: processors) { _ in
            for _ in 0..<each { _ = try? key.signature(for: digest) }
        }
        return Double(each * processors) / (start.duration(to: .now) / .seconds(1))
    }

    private func rate(_ body: () throws -> Void) throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<count { try body() }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }
}
