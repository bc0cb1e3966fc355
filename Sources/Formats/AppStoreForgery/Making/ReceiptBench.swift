import AppStoreSigning
import AppStoreWire
import Crypto
import CryptoExtras
import FoundationEssentials
import SwiftASN1
import X509

/// What a kind of receipt works with: the genuine receipt before it is signed, and all keys.
struct ReceiptBench {
    let material: ForgeryMaterial
    let chain: ReceiptChain
    let receipt: AppReceipt

    init(_ forger: Forger, _ material: ForgeryMaterial) throws {
        guard let chain = forger.receiptChain else { throw ForgeryImpossible.noReceipts }
        self.chain = chain
        self.material = material
        receipt = Self.receipt(of: material.transaction, material)
    }

    /// Certificates of somebody else, who calls them as the store does. Making keys of RSA takes
    /// long, and any are as good as others.
    private static let foreign: ReceiptChain? = try? ReceiptChain.make(
        notBefore: 946_684_800_000, notAfter: 4_102_444_800_000)

    func foreignChain() throws -> ReceiptChain {
        guard let chain = Self.foreign else { throw ForgeryImpossible.noReceipts }
        return chain
    }

    /// The device that receipts are forged for.
    private static let device = Array(UInt8(0xA0)..<0xB0)

    /// A receipt with one purchase in it.
    static func receipt(
        of transaction: JWSTransactionDecodedPayload, _ material: ForgeryMaterial
    ) -> AppReceipt {
        let isProduction = transaction.environment == .production
        let app = material.appTransaction
        var receipt = AppReceipt(
            environment: isProduction ? .production : .sandbox, bundleID: transaction.bundleId,
            appVersion: app.originalApplicationVersion, creationDate: transaction.signedDate,
            inApp: [InAppReceipt(of: transaction)],
            appAppleID: isProduction ? material.appAppleID : 0,
            requestDate: isProduction ? transaction.signedDate : nil, toolVersion: 4,
            ageRating: "4+", developerID: isProduction ? 1 : 0,
            downloadID: isProduction ? 1 : 0, versionExternalIdentifier: isProduction ? 1 : 0,
            originalPurchaseDate: isProduction
                ? app.originalPurchaseDate : AppReceipt.sandboxOriginalPurchaseDate,
            originalAppVersion: isProduction
                ? app.originalApplicationVersion : AppReceipt.sandboxOriginalAppVersion)
        receipt.seal(forDevice: device)
        return receipt
    }

    /// The receipt as the store signs it.
    func signed(_ receipt: AppReceipt) throws -> ReceiptContainer { try signed(receipt.payload) }

    func signed(_ payload: [UInt8]) throws -> ReceiptContainer {
        try ReceiptSigner(chain: chain).container(of: payload)
    }

    /// The genuine receipt with something changed before it is signed.
    func receipt(_ change: (inout AppReceipt) -> Void) throws -> ForgedText {
        var changed = receipt
        change(&changed)
        return ForgedText(Self.text(try signed(changed).encoded()))
    }

    /// The genuine receipt with attributes changed before it is signed.
    func attributes(_ change: (inout [ReceiptAttribute]) -> Void) throws -> ForgedText {
        var attributes = receipt.attributes
        change(&attributes)
        return ForgedText(Self.text(try signed(ReceiptAttribute.encode(attributes)).encoded()))
    }

    /// The genuine container with something changed after it was signed.
    func container(_ change: (inout ReceiptContainer) throws -> Void) throws -> ForgedText {
        var container = try signed(receipt)
        try change(&container)
        return ForgedText(Self.text(container.encoded()))
    }

    /// The genuine receipt in Base64 that is changed as a text.
    func text(_ change: (String) -> String) throws -> ForgedText {
        ForgedText(change(Self.text(try signed(receipt).encoded())))
    }

    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// The receipt signed by somebody else's leaf key, under any certificates.
    func byStranger(under certificates: [[UInt8]], leaf: Certificate) throws -> ForgedText {
        let signer = try ReceiptSigner(
            key: foreignChain().leafKey, leaf: leaf, certificates: certificates)
        return ForgedText(Self.text(try signer.container(of: receipt.payload).encoded()))
    }

    /// A leaf by the store's own intermediate that is wrong in one thing, and signs.
    func leaf(_ change: (inout CertificateForge.Order) -> Void) throws -> ForgedText {
        let stranger = try foreignChain().leafKey
        var order = CertificateForge.Order(
            subject: chain.leaf.subject, key: .init(stranger.publicKey),
            marker: MarkerExtension.leaf, notBefore: chain.leaf.notValidBefore,
            notAfter: chain.leaf.notValidAfter)
        change(&order)
        let der = try CertificateForge.issue(
            order, by: .init(chain.intermediateKey), named: chain.intermediate.subject,
            algorithm: .sha256WithRSAEncryption)
        return try byStranger(
            under: [der, chain.intermediateDER, chain.rootDER], leaf: Certificate(derEncoded: der))
    }

    /// A date so many days after the receipt was made, or before.
    func date(days: Double) -> Date {
        Date(timeIntervalSince1970: Double(receipt.creationDate / 1000) + days * 86_400)
    }

    /// When the leaf's time ends and begins, in milliseconds since 1970 UTC.
    var validity: ClosedRange<Int64> {
        func instant(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970) * 1000 }
        return instant(chain.leaf.notValidBefore)...instant(chain.leaf.notValidAfter)
    }
}

extension InAppReceipt {
    init(of transaction: JWSTransactionDecodedPayload) {
        let type: ProductType? =
            switch transaction.type {
            case .autoRenewableSubscription: .autoRenewable
            case .nonConsumable: .nonConsumable
            case .consumable: .consumable
            case .nonRenewingSubscription: .nonRenewing
            default: nil
            }
        self.init(
            quantity: Int64(transaction.quantity), productID: transaction.productId,
            transactionID: transaction.transactionId, purchaseDate: transaction.purchaseDate,
            originalTransactionID: transaction.originalTransactionId,
            originalPurchaseDate: transaction.originalPurchaseDate, productType: type,
            expiresDate: transaction.expiresDate,
            webOrderLineItemID: transaction.webOrderLineItemId.flatMap { Int64($0) },
            cancellationDate: transaction.revocationDate)
    }
}
