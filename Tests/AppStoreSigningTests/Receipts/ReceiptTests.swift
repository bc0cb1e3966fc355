import AppStoreWire
import Foundation
import Testing

@testable import AppStoreSigning

@Suite("App receipts")
struct ReceiptTests {
    @Test("A payload is read as it was written", arguments: Receipts.all)
    func roundTrip(receipt: AppReceipt) throws {
        let read = try AppReceipt(payload: receipt.payload)
        #expect(Receipts.normal(read) == Receipts.normal(receipt))
        #expect(read.payload == receipt.payload)
    }

    @Test("The container is as Apple's: signed data of version 1, SHA-256, three certificates")
    func container() throws {
        let chain = ReceiptChain.shared
        let bytes = try ReceiptSigner.shared.sign(Receipts.production)
        let container = try ReceiptContainer(parsing: bytes)
        #expect(container.payload == Receipts.production.payload)
        #expect(container.certificates == [chain.leafDER, chain.intermediateDER, chain.rootDER])
        #expect(container.digests == [.sha256])
        let signer = try #require(container.signers.first)
        #expect(container.signers.count == 1)
        #expect(signer.digest == .sha256)
        #expect(signer.algorithm == .rsaEncryption)
        #expect(signer.signature.count == 256)
        #expect(container.encoded() == bytes)
    }

    @Test("The same receipt has the same bytes, and another one has others")
    func sameBytes() throws {
        var again = Receipts.production
        again.seal(forDevice: Receipts.device)
        #expect(
            try ReceiptSigner.shared.sign(again)
                == ReceiptSigner.shared.sign(Receipts.production))
        // Whether it was sealed before or is while it is signed makes no difference.
        for receipt in [Receipts.production, again] {
            #expect(
                try ReceiptSigner.shared.sign(receipt, sealedForDevice: Receipts.device)
                    == ReceiptSigner.shared.sign(again))
        }
        let changes: [(inout AppReceipt) -> Void] = [
            { $0.creationDate += 1000 }, { $0.inApp.removeLast() }, { $0.appVersion = "43" },
        ]
        for change in changes {
            var other = Receipts.production
            change(&other)
            other.seal(forDevice: Receipts.device)
            #expect(other.opaqueValue != again.opaqueValue)
            #expect(other.opaqueSix != again.opaqueSix)
            #expect(other.deviceHash != again.deviceHash)
        }
    }

    @Test("Opaque values are as long as in samples")
    func opaqueLengths() {
        for receipt in [Receipts.production, Receipts.sandbox] {
            #expect(receipt.opaqueValue.count == 16)
            #expect((50...90).contains(receipt.opaqueSix?.count ?? 0))
            #expect((50...90).contains(receipt.opaqueSeven?.count ?? 0))
            #expect(receipt.deviceHash.count == 20)
        }
        #expect(Receipts.xcode.opaqueValue.count == 8)
        #expect(Receipts.xcode.opaqueSix == nil)
    }

    @Test("No date is an empty text in the store's receipts, and nothing in those of Xcode")
    func emptyDates() {
        let sandbox = Receipts.sandbox.attributes
        #expect(sandbox.first { $0.type == 8 }?.value == [0x16, 0])
        let consumable = Receipts.production.inApp[2]
        #expect(consumable.attributes().first { $0.type == 1712 }?.value == [0x16, 0])
        #expect(consumable.attributes().first { $0.type == 1708 }?.value == [0x16, 0])
        let types = Receipts.xcode.inApp[0].attributes(leavesOutEmpty: true).map(\.type)
        #expect(types.sorted() == [1701, 1702, 1703, 1704, 1708, 1719])
        #expect(Receipts.xcode.attributes.map(\.type).sorted() == [0, 2, 3, 4, 5, 12, 17, 21])
    }

    @Test("All attributes of the reference are written, with their types")
    func attributeTypes() {
        let attributes = Receipts.production.attributes
        #expect(
            Set(attributes.map(\.type)) == Set(0...20).union([25]),
            "21 is for volume purchases")
        let all = Set(Receipts.production.inApp.flatMap { $0.attributes().map(\.type) })
        #expect(all == Set(1701...1722).subtracting([1720]))
        #expect(attributes.filter { $0.version != 1 }.map(\.type) == [4])
    }

    @Test("What this version does not know is kept: attributes, even twice, and kinds of product")
    func unknown() throws {
        var receipt = Receipts.xcode
        receipt.otherAttributes = [.integer(99, 1), .integer(99, 2)]
        receipt.inApp[0].otherAttributes = [.integer(1707, 4), .text(1799, "new")]
        let read = try AppReceipt(payload: receipt.payload)
        #expect(read == receipt)
        #expect(read.inApp[0].productType == nil)
    }

    @Test(
        "A date is of RFC 3339",
        arguments: [
            ("2025-01-01T00:00:00Z", Instants.year2025),
            ("2025-01-01T00:00:00.5Z", Instants.year2025 + 500),
            ("2025-01-01T00:00:00.123456Z", Instants.year2025 + 123),
            ("2025-01-01T02:00:00+0200", Instants.year2025),
            ("2024-12-31T18:30:00-05:30", Instants.year2025),
            ("1969-12-31T23:59:59Z", -1000), ("4001-01-01T00:00:00Z", 64_092_211_200_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ] as [(String, Int64)])
    func dates(text: String, milliseconds: Int64) {
        #expect(ReceiptDateText.read(text) == milliseconds)
        if text.hasSuffix("Z"), !text.contains(".") {
            #expect(ReceiptDateText.write(milliseconds) == text)
        }
    }

    @Test(
        "What is no date is none",
        arguments: [
            "2025-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z",
            "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z", "2025-01-01T00:00:60Z",
            "2025-01-01 00:00:00Z", "2025-01-01T00:00:00", "2025-01-01T00:00:00.Z",
            "2025-01-01T00:00:00Z ", "2025-01-01T00:00:00+24:00", "2025-01-01T00:00:00+01:60",
            "25-01-01T00:00:00Z", "", "Z", "２025-01-01T00:00:00Z", "2025-01-01T00:00:00+1",
        ])
    func noDates(text: String) {
        #expect(ReceiptDateText.read(text) == nil)
    }
}
