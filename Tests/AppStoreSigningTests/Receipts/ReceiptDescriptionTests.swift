import AppStoreWire
import Foundation
import Testing

@testable import AppStoreSigning

@Suite("Describing receipts")
struct ReceiptDescriptionTests {
    private func described(_ bytes: [UInt8]) throws -> JSONValue {
        try JSONValue(parsing: ReceiptDescription(of: bytes).jsonBytes())
    }

    private func attributes(_ json: JSONValue?) -> [Int64: JSONValue] {
        Dictionary(
            (json?["attributes"]?.array ?? []).map { ($0["type"]?.integer ?? -1, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test("Every attribute is told with its number, its name and its value")
    func everyAttribute() throws {
        let json = try described(ReceiptSigner.shared.sign(Receipts.production))
        #expect(json["format"] == .string("appReceipt"))
        #expect(json["attributes"]?.array?.count == Receipts.production.attributes.count)
        let found = attributes(json)
        #expect(found[2]?["name"] == .string("bundleId"))
        #expect(found[2]?["value"] == .string("org.example.garden"))
        #expect(found[12]?["value"] == .string("2025-01-01T00:00:00Z"))
        #expect(found[1]?["value"] == .integer(1_234_567_800))
        #expect(found[4]?["version"] == .integer(2))
        #expect(found[4]?["hex"]?.string?.count == 32)
        #expect(found[5]?["name"] == .string("deviceHash"))
        #expect(found[13]?["name"] == nil)
        let inner = attributes(found[17])
        #expect(
            Receipts.production.inApp.contains {
                inner.keys.sorted() == $0.attributes().map(\.type).sorted()
            })
        #expect(inner[1702]?["name"] == .string("productId"))
    }

    @Test("The container is told with its certificates and its signer")
    func container() throws {
        let json = try described(ReceiptSigner.shared.sign(Receipts.sandbox))
        let container = json["container"]
        #expect(container?["digests"] == .array([.string("SHA-256")]))
        let certificates = container?["certificates"]?.array ?? []
        #expect(certificates.count == 3)
        #expect(
            certificates.first?["subject"]?.string?.contains("Perennial Receipt Signing") == true)
        #expect(certificates.first?["notBefore"] == .string("2000-01-01T00:00:00Z"))
        #expect(
            container?["signers"]?.array?.first?["algorithm"] == .string("rsaEncryption"))
    }

    @Test("What nobody knows and what is broken is told as it is")
    func strange() throws {
        let payload = ReceiptAttribute.encode([
            .text(2, "org.example.garden"), ReceiptAttribute(type: 17, value: [1, 2, 3]),
            ReceiptAttribute(type: 9999, version: -1, value: [0x0C, 1, 0xFF]),
            .integer(-5, .min),
        ])
        let container = ReceiptContainer(
            digests: [ReceiptAlgorithm(identifier: [0x2A, 0x81, 0x01])], payload: payload,
            certificates: [[0x30, 0]], signers: [])
        let json = try described(container.encoded())
        let found = attributes(json)
        #expect(found[17]?["hex"] == .string("010203"))
        #expect(found[9999]?["hex"] == .string("0c01ff"))
        #expect(found[9999]?["version"] == .integer(-1))
        #expect(found[-5]?["value"] == .integer(.min))
        #expect(json["container"]?["digests"] == .array([.string("1.2.129")]))
        #expect(json["container"]?["certificates"]?.array?.first?["bytes"] == .integer(2))
    }

    @Test("A receipt of one transaction is told as well")
    func transactionReceipt() throws {
        let json = try described(ReceiptSigner.shared.sign(TransactionReceiptTests.subscription))
        #expect(json["format"] == .string("transactionReceipt"))
        #expect(json["environment"] == .string("Sandbox"))
        #expect(json["receipt"]?["transaction_id"] == .string("70000000000002"))
    }

    @Test("What is no receipt is refused", arguments: ["", "MIIT", "\u{30}", "{"])
    func noReceipt(text: String) throws {
        let error = try #require(throws: ReceiptVerificationError.self) {
            try ReceiptDescription(of: Array(text.utf8))
        }
        #expect(error.code == .malformed)
    }

    @Test("verifyReceipt tells what is frozen in the receipt")
    func wire() {
        let verified = Receipts.production.verified(requestDate: 5)
        #expect(verified.inApp.count == 3)
        #expect(verified.requestDate == 5)
        #expect(verified.inApp[0].webOrderLineItemId == "70000000000101")
        #expect(verified.inApp[2].webOrderLineItemId == nil)
        #expect(verified.inApp[1].cancellationDate == Instants.year2025 - 1000)
        #expect(Receipts.sandbox.verified(requestDate: 5).receiptType == .sandbox)
        #expect(ReceiptVerificationError.Code.malformed.status == .malformedReceipt)
        #expect(ReceiptVerificationError.Code.wrongSignature.status == .notAuthenticated)
    }
}
