import AppStoreWire
import Foundation
import Testing

@testable import AppStoreSigning

@Suite("Receipts of one transaction, of iOS 6")
struct TransactionReceiptTests {
    private let chain = ReceiptChain.shared
    private let signer = ReceiptSigner.shared
    private let verifier: ReceiptVerifier

    static let subscription = TransactionReceipt(
        transaction: ReceiptTransaction(
            quantity: 1, productId: "magazine.monthly", transactionId: "70000000000002",
            originalTransactionId: "70000000000001", purchaseDate: Instants.year2025 + 123,
            originalPurchaseDate: Instants.year2025 - 1000,
            expiresDate: Instants.year2025 + 2_678_400_000, webOrderLineItemId: "70000000000102",
            isTrialPeriod: true, isInIntroOfferPeriod: false,
            cancellationDate: Instants.year2025 + 5000),
        bundleID: "org.example.garden", bundleVersion: "42", itemID: "1234567890",
        uniqueIdentifier: "000102030405060708090a0b0c0d0e0f10111213",
        uniqueVendorIdentifier: "A0A1A2A3-A4A5-A6A7-A8A9-AAABACADAEAF", environment: .sandbox)

    static let seeds = TransactionReceipt(
        transaction: ReceiptTransaction(
            quantity: 10, productId: "seeds \"\\rare\\\"", transactionId: "70000000000003",
            originalTransactionId: "70000000000003", purchaseDate: Instants.year2025,
            originalPurchaseDate: Instants.year2025),
        bundleID: "org.example.gärten", bundleVersion: "42", environment: .production)

    init() throws {
        verifier = try ReceiptVerifier(rootDER: [ReceiptChain.shared.rootDER])
    }

    private func code(
        _ bytes: [UInt8], over intermediate: [UInt8]? = nil, bundleID: String? = nil
    ) async -> ReceiptVerificationError.Code? {
        do {
            _ = try await verifier.verify(
                transactionReceipt: bytes, over: intermediate ?? chain.intermediateDER,
                bundleID: bundleID)
            return nil
        } catch { return error.code }
    }

    @Test("What was signed is read and good", arguments: [subscription, seeds])
    func roundTrip(receipt: TransactionReceipt) async throws {
        let bytes = try signer.sign(receipt)
        #expect(try TransactionReceipt(parsing: bytes) == receipt)
        #expect(ReceiptFormat(of: bytes) == .transactionReceipt)
        let verified = try await verifier.verify(
            transactionReceipt: bytes, over: chain.intermediateDER, bundleID: receipt.bundleID)
        #expect(verified == receipt)
    }

    @Test("The text is the property list that apps of that time sent")
    func text() throws {
        let text = String(decoding: try signer.sign(Self.subscription), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.first == "{" && lines.last == "}")
        #expect(
            lines.dropFirst().dropLast().map { $0.prefix { $0 != "=" } } == [
                "\t\"signature\" ", "\t\"purchase-info\" ", "\t\"environment\" ", "\t\"pod\" ",
                "\t\"signing-status\" ",
            ])
        let inner = String(decoding: Self.subscription.purchaseInfo, as: UTF8.self)
        for line in [
            #""transaction-id" = "70000000000002";"#, #""bid" = "org.example.garden";"#,
            #""original-transaction-id" = "70000000000001";"#,
            #""purchase-date" = "2025-01-01 00:00:00 Etc/GMT";"#,
            #""purchase-date-ms" = "1735689600123";"#,
            #""purchase-date-pst" = "2024-12-31 16:00:00 America/Los_Angeles";"#,
            #""expires-date" = "1738368000000";"#,
            #""expires-date-formatted" = "2025-02-01 00:00:00 Etc/GMT";"#,
        ] { #expect(inner.contains("\t\(line)\n"), "\(line)") }
        let production = String(decoding: try signer.sign(Self.seeds), as: UTF8.self)
        #expect(!production.contains("environment"))
    }

    @Test("verifyReceipt tells it with its own forms of dates")
    func info() {
        let info = Self.subscription.info
        #expect(info.bundleId == "org.example.garden")
        #expect(info.jsonText().contains(#""expires_date":"1738368000000""#))
    }

    @Test("Cut off after any byte, and with a bit of any byte turned over, it is refused")
    func damaged() async throws {
        let bytes = try signer.sign(Self.subscription)
        for count in bytes.indices {
            #expect(await code(Array(bytes.prefix(count))) == .malformed)
        }
        var damaged = bytes
        for index in damaged.indices {
            damaged[index] ^= 1 << (index % 8)
            let code = await code(damaged)
            #expect(code != nil, "byte \(index)")
            damaged[index] = bytes[index]
        }
    }

    @Test("Another app, another chain, another signer are refused")
    func refusals() async throws {
        let bytes = try signer.sign(Self.subscription)
        #expect(await code(bytes) == nil)
        #expect(await code(bytes, bundleID: "org.example.other") == .wrongBundle)
        let other = try ReceiptChain.irregular()
        #expect(await code(bytes, over: other.intermediateDER) == .untrustedChain)
        #expect(await code(bytes, over: [1]) == .malformedCertificate)
        let strange = try ReceiptSigner(chain: other).sign(Self.subscription)
        #expect(await code(strange) == .untrustedChain)
        #expect(await code(strange, over: other.intermediateDER) == .untrustedChain)
        let unmarked = try ReceiptSigner(chain: .irregular(leafMarkers: []))
        #expect(await code(try unmarked.sign(Self.subscription)) == .missingMarker)
        var early = Self.subscription
        early.transaction.purchaseDate = Instants.year2000 - 1000
        #expect(await code(try signer.sign(early)) == .certificateNotValidAtDate)
        // The environment is signed as well.
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            await code(Array(text.replacing("\t\"environment\" = \"Sandbox\";\n", with: "").utf8))
                == .wrongSignature)
    }

    @Test("A signature of version 2, over SHA-1, is refused with a reason of its own")
    func outdated() async throws {
        var list = OldPropertyList()
        list.add("signature", Data([2] + [UInt8](repeating: 7, count: 600)).base64EncodedString())
        list.add("purchase-info", Data(Self.seeds.purchaseInfo).base64EncodedString())
        #expect(await code(list.bytes) == .outdatedDigest)
    }

    @Test(
        "What is no such list, or lacks what every one has, is malformed",
        arguments: [
            "", "{", "}", "{}", "{}{}", "{\"a\" = \"b\";", "{\"a\" = \"b\"}", "{\"a\" \"b\";}",
            "{\"a\" = \"b\"; \"a\" = \"c\";}", "{\"a\" = \"\\n\";}", "{\"a\" = \"b;}",
            "{\"signature\" = \"AA==\"; \"purchase-info\" = \"e30=\";}",
            "{\"signature\" = \"AB==\"; \"purchase-info\" = \"e30=\";}",
            "{\"purchase-info\" = \"e30=\";}", "{\"signature\" = \"AA==\";}",
        ])
    func malformed(text: String) throws {
        let error = try #require(throws: ReceiptVerificationError.self) {
            try TransactionReceipt(parsing: Array(text.utf8))
        }
        #expect(error.code == .malformed)
    }

    @Test("Each text of purchase-info that is not what it has to be is named")
    func wrongFields() throws {
        let inner = String(decoding: Self.subscription.purchaseInfo, as: UTF8.self)
        for (right, wrong, name) in [
            ("\"quantity\" = \"1\"", "\"quantity\" = \"one\"", "quantity"),
            ("\t\"product-id\" = \"magazine.monthly\";\n", "", "product-id"),
            ("\t\"bid\" = \"org.example.garden\";\n", "", "bid"),
            ("\t\"purchase-date-ms\" = \"1735689600123\";\n", "", "purchase-date-ms"),
            ("\"is-trial-period\" = \"true\"", "\"is-trial-period\" = \"1\"", "is-trial-period"),
            ("\"expires-date\" = \"1738368000000\"", "\"expires-date\" = \"\"", "expires-date"),
        ] {
            #expect(inner.contains(right))
            var list = OldPropertyList()
            list.add("signature", "AA==")
            list.add(
                "purchase-info",
                Data(inner.replacing(right, with: wrong).utf8).base64EncodedString())
            let error = try #require(throws: ReceiptVerificationError.self) {
                try TransactionReceipt(parsing: list.bytes)
            }
            #expect(error.code == .malformed && error.reason.contains("`\(name)`"))
        }
    }

    @Test("More than a receipt ever is is not read")
    func limits() throws {
        let long = try #require(throws: ReceiptVerificationError.self) {
            try TransactionReceipt(
                parsing: [UInt8](repeating: 0x7B, count: TransactionReceipt.sizeLimit + 1))
        }
        #expect(long.code == .tooLarge)
        var list = OldPropertyList()
        for number in 0...OldPropertyList.entryLimit { list.add("\(number)", "") }
        #expect(throws: BERSyntaxError.self) { try OldPropertyList(parsing: list.bytes) }
    }
}
