import AppStoreWire
import Foundation
import Testing

@testable import AppStoreSigning

/// Receipts as files, which programs of others read as well: see `Conformance/test_receipts.py`.
@Suite("Receipts as golden files")
struct GoldenReceiptTests {
    /// A file, and what it is.
    struct Golden: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable () throws -> [UInt8]
        var testDescription: String { name }
    }

    static let all = [
        Golden(name: "receipt-production") { try ReceiptSigner.shared.sign(Receipts.production) },
        Golden(name: "receipt-sandbox") { try ReceiptSigner.shared.sign(Receipts.sandbox) },
        Golden(name: "receipt-xcode") {
            let chain = ReceiptChain.shared
            let signer = try ReceiptSigner(
                key: chain.leafKey, leaf: chain.leaf, certificates: [chain.leafDER])
            return try signer.container(
                of: Receipts.xcode.payload, algorithm: .sha256WithRSAEncryption
            ).encoded(withIndefiniteLengths: true)
        },
        Golden(name: "receipt-transaction") {
            try ReceiptSigner.shared.sign(TransactionReceiptTests.subscription)
        },
    ]

    @Test("A receipt comes out as its file, byte by byte", arguments: all)
    func bytes(golden: Golden) throws {
        #expect(try golden.make() == file("\(golden.name).receipt"))
    }

    @Test("What is told of it is as its file says", arguments: all)
    func description(golden: Golden) throws {
        let told = try ReceiptDescription(of: file("\(golden.name).receipt")).jsonBytes()
        let expected = try file("\(golden.name).json")
        #expect(
            String(decoding: told, as: UTF8.self) + "\n"
                == String(decoding: expected, as: UTF8.self))
    }

    @Test("Every golden file is a receipt's or the chain's")
    func noStrayGolden() throws {
        let folder = try #require(Bundle.module.resourceURL).appending(path: "Golden")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let receipts = Self.all.flatMap { ["\($0.name).receipt", "\($0.name).json"] }
        #expect(
            Set(files).subtracting(receipts).allSatisfy {
                $0.hasSuffix(".pem") || $0 == ReceiptChain.rootDERFileName
            })
        #expect(Set(receipts).isSubset(of: files))
    }

    private func file(_ name: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL)
        return Array(try Data(contentsOf: folder.appending(path: "Golden/\(name)")))
    }
}
