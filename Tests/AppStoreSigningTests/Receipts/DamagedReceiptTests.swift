import AppStoreWire
import Foundation
import Testing

@testable import AppStoreSigning

/// What nobody signed, in every way that a byte or a bit can be wrong.
@Suite("Damaged receipts")
struct DamagedReceiptTests {
    private let bytes: [UInt8]
    private let verifier: ReceiptVerifier

    init() throws {
        bytes = try ReceiptSigner.shared.sign(Receipts.sandbox)
        verifier = try ReceiptVerifier(rootDER: [ReceiptChain.shared.rootDER], allowsSHA1: true)
    }

    private func isTaken(_ bytes: [UInt8]) async -> Bool {
        (try? await verifier.verify(bytes, expecting: ReceiptExpectation())) != nil
    }

    @Test("Cut off after any byte it is malformed")
    func truncated() async throws {
        #expect(await isTaken(bytes))
        for count in 0..<bytes.count {
            let error = await #expect(throws: ReceiptVerificationError.self) {
                try await verifier.verify(
                    Array(bytes.prefix(count)), expecting: ReceiptExpectation())
            }
            #expect(error?.code == .malformed, "\(count)")
        }
        #expect(await !isTaken(bytes + [0]))
    }

    @Test("With a bit of any byte turned over it is refused")
    func flipped() async {
        var damaged = bytes
        for index in damaged.indices {
            damaged[index] ^= 1 << (index % 8)
            let isTaken = await isTaken(damaged)
            #expect(!isTaken, "byte \(index)")
            damaged[index] = bytes[index]
        }
    }

    @Test(
        "With any bit turned over a smaller one is refused, as of Xcode", arguments: [true, false])
    func flippedXcode(isIndefinite: Bool) async throws {
        let chain = ReceiptChain.shared
        let signer = try ReceiptSigner(
            key: chain.leafKey, leaf: chain.leaf, certificates: [chain.leafDER])
        let verifier = try ReceiptVerifier(rootDER: [], selfSignedDER: [chain.leafDER])
        var bytes = try signer.container(of: Receipts.xcode.payload).encoded(
            withIndefiniteLengths: isIndefinite)
        for index in bytes.indices {
            for bit in 0..<8 {
                bytes[index] ^= 1 << bit
                let receipt = try? await verifier.verify(bytes, expecting: ReceiptExpectation())
                #expect(receipt == nil, "bit \(bit) of byte \(index)")
                bytes[index] ^= 1 << bit
            }
        }
        #expect(
            try await verifier.verify(bytes, expecting: ReceiptExpectation()) == Receipts.xcode)
    }
}

/// What was never a receipt: as much of it as somebody likes to send.
@Suite("Hostile receipts")
struct HostileReceiptTests {
    private let verifier: ReceiptVerifier

    init() throws {
        verifier = try ReceiptVerifier(rootDER: [ReceiptChain.shared.rootDER])
    }

    private func code(_ bytes: [UInt8]) async -> ReceiptVerificationError.Code? {
        do {
            _ = try await verifier.verify(bytes, expecting: ReceiptExpectation())
            return nil
        } catch { return error.code }
    }

    /// Elements inside of each other, the innermost empty.
    private func nested(_ tag: UInt8, depth: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<depth { bytes = DERWriter.element(tag, bytes) }
        return bytes
    }

    private func container(payload: [UInt8], certificates: [[UInt8]] = []) -> [UInt8] {
        ReceiptContainer(
            digests: [.sha256], payload: payload, certificates: certificates, signers: []
        ).encoded()
    }

    @Test("Ten megabytes of noise are malformed, whatever they begin with")
    func noise() async {
        var state: UInt64 = 88_172_645_463_325_252
        let block = (0..<100_000).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
        var bytes = Array(repeatElement(block, count: 100).joined())
        #expect(await code(bytes) == .malformed)
        for beginning in [[0x30, 0x80], [0x30, 0x83, 0x98, 0x96, 0x7B]] as [[UInt8]] {
            bytes.replaceSubrange(0..<beginning.count, with: beginning)
            #expect(await code(bytes) == .malformed)
        }
        #expect(await code(container(payload: bytes)) == .malformed)
    }

    @Test("More than is read is not looked at")
    func tooLarge() async {
        let bytes = [UInt8](repeating: 0x30, count: ReceiptLimit.bytes + 1)
        #expect(await code(bytes) == .tooLarge)
        #expect(throws: ReceiptVerificationError.self) {
            try ReceiptContainer(
                base64: String(repeating: "A", count: (ReceiptLimit.bytes + 2) / 3 * 4 + 4))
        }
    }

    @Test("Deep nesting is malformed, with lengths and with end marks")
    func deep() async {
        for tag in [0x30, 0x31, 0xA0] as [UInt8] {
            #expect(await code(nested(tag, depth: 5000)) == .malformed)
            let open = Array(repeatElement([tag, 0x80], count: 100_000).joined())
            #expect(await code(open) == .malformed)
            #expect(await code(open + [UInt8](repeating: 0, count: 200_000)) == .malformed)
        }
        let deep = ReceiptAttribute(type: 17, value: nested(0x31, depth: 5000))
        let payload = ReceiptAttribute.encode(Receipts.sandbox.attributes + [deep])
        #expect(await code(container(payload: payload)) == .malformed)
    }

    @Test(
        "A length that lies is malformed",
        arguments: [
            [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF, 0], [0x30, 0xFF], [0x30, 0x82, 0xFF],
            [0x30, 0x81], [0x30], [], [0x30, 0x01], [0x3F, 0x81, 0x01, 0], [0x30, 0x80],
            [0x30, 0x80, 0, 1, 0, 0], [0x10, 0x80, 0, 0],
        ] as [[UInt8]])
    func lies(bytes: [UInt8]) async {
        #expect(await code(bytes) == .malformed)
    }

    @Test("Of each element there are no more than receipts ever have")
    func counts() async throws {
        let empty = ReceiptAttribute(type: 1, value: [])
        let many = [ReceiptAttribute](repeating: empty, count: ReceiptLimit.attributes + 1)
        #expect(await code(container(payload: ReceiptAttribute.encode(many))) == .malformed)
        let inner = [ReceiptAttribute](
            repeating: empty, count: ReceiptLimit.transactionAttributes + 1)
        let outer = ReceiptAttribute(type: 17, value: ReceiptAttribute.encode(inner))
        let payload = ReceiptAttribute.encode(Receipts.sandbox.attributes + [outer])
        #expect(await code(container(payload: payload)) == .malformed)
        for certificates in [
            [[UInt8]](repeating: [0x30, 0], count: ReceiptLimit.certificates + 1),
            [nested(0x30, depth: 6000)],
        ] {
            let bytes = container(
                payload: Receipts.sandbox.payload, certificates: certificates)
            #expect(await code(bytes) == .malformed)
        }
        var signed = try ReceiptSigner.shared.container(of: Receipts.sandbox.payload)
        signed.signers = [ReceiptContainer.Signer](repeating: signed.signers[0], count: 5)
        #expect(await code(signed.encoded()) == .malformed)
        signed.signers = []
        signed.digests = [ReceiptAlgorithm](repeating: .sha256, count: 5)
        #expect(await code(signed.encoded()) == .malformed)
    }

    @Test("Each attribute has to be there once and of its type")
    func attributes() throws {
        let good = Receipts.production.attributes
        func refused(_ attributes: [ReceiptAttribute], _ reason: String) throws {
            let error = try #require(throws: ReceiptVerificationError.self) {
                try AppReceipt(payload: ReceiptAttribute.encode(attributes))
            }
            #expect(error.code == .malformed)
            #expect(error.reason.contains(reason), "\(error.reason)")
        }
        for type in [2, 3, 4, 5, 12] as [Int64] {
            try refused(good.filter { $0.type != type }, "no attribute \(type)")
            try refused(good + [.text(type, "")], "attribute \(type) twice")
        }
        for (attribute, kind) in [
            (.text(1, "0"), "whole number"), (.integer(2, 0), "text"), (.ascii(12, "now"), "date"),
            (.integer(21, 0), "text"), (.text(9, ""), "whole number"),
            (ReceiptAttribute(type: 3, value: [0x0C, 1, 0xFF]), "text"),
            (ReceiptAttribute(type: 3, value: [0x0C, 0, 0]), "text"),
            (ReceiptAttribute(type: 11, value: [2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0]), "64 bits"),
            (ReceiptAttribute(type: 17, value: [0x31]), "A transaction"),
        ] as [(ReceiptAttribute, String)] {
            let others = good.filter { $0.type != attribute.type }
            try refused(others + [attribute], kind)
        }
        // No creation date is one that is missing.
        try refused(good.filter { $0.type != 12 } + [.date(12, nil)], "no attribute 12")
        let transaction = Receipts.production.inApp[0].attributes()
        for (attribute, kind) in [
            (.integer(1713, 2), "0 or 1"), (.text(1707, "0"), "whole number"),
            (.date(1704, nil), "no attribute 1704"),
        ] as [(ReceiptAttribute, String)] {
            let value = ReceiptAttribute.encode(
                transaction.filter { $0.type != attribute.type } + [attribute])
            try refused(good + [ReceiptAttribute(type: 17, value: value)], kind)
        }
    }

    @Test("A container with another version, type or signed attributes is malformed")
    func otherContainers() async throws {
        let good = try ReceiptSigner.shared.sign(Receipts.sandbox)
        #expect(await code(good) == nil)
        // In a container of version 3 all else may be right.
        let version = try #require(
            good.indices.first { good[$0...].starts(with: [2, 1, 1, 0x31]) })
        var other = good
        other[version + 2] = 3
        #expect(await code(other) == .malformed)
        // The receipt itself, and what is in it.
        #expect(await code(Receipts.sandbox.payload) == .malformed)
        #expect(await code(ReceiptChain.shared.leafDER) == .malformed)
        #expect(await code(Array(Data(good).base64EncodedString().utf8)) == .malformed)
        let error = await #expect(throws: ReceiptVerificationError.self) {
            try await verifier.verify(
                base64: Data(good).base64EncodedString(options: .lineLength64Characters),
                expecting: ReceiptExpectation())
        }
        #expect(error?.code == .malformed)
    }
}
