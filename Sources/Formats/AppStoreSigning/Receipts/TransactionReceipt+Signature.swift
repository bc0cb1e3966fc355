import AppStoreWire
import CryptoExtras
import FoundationEssentials
import X509

/// What stands in `signature` of a transaction receipt: a version, the signature, and the
/// certificate of who signed, as apps of that time took it apart (RCP-3.5).
///
/// Version 2, of iOS 6, has RSA of 1024 bits over SHA-1. Ours is 3: RSA of 2048 bits over SHA-256,
/// and over all of the list but itself, where Apple's leaves the environment unsigned.
private struct TransactionSignature {
    static let version: UInt8 = 3
    static let outdatedVersion: UInt8 = 2
    static let signatureLength = 256

    let signature: [UInt8]
    let certificate: [UInt8]

    var bytes: [UInt8] {
        let length = UInt32(certificate.count)
        return [Self.version] + signature
            + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + certificate
    }

    init(signature: [UInt8], certificate: [UInt8]) {
        self.signature = signature
        self.certificate = certificate
    }

    init(parsing bytes: [UInt8]) throws(ReceiptVerificationError) {
        guard bytes.first != Self.outdatedVersion else {
            throw ReceiptVerificationError(
                .outdatedDigest, "The receipt is signed over SHA-1, as those of iOS 6 were.")
        }
        let start = 1 + Self.signatureLength + 4
        guard bytes.count > start, bytes[0] == Self.version else {
            throw ReceiptVerificationError(.malformed, "`signature` is not of version 3.")
        }
        signature = Array(bytes[1...Self.signatureLength])
        certificate = Array(bytes[start...])
        let length = bytes[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
        guard length == certificate.count else {
            throw ReceiptVerificationError(
                .malformed, "`signature` has a certificate of another length than it says.")
        }
    }

    /// The version, and everything that the list says besides.
    static func signedBytes(_ list: OldPropertyList) -> [UInt8] { [version] + list.bytes }
}

extension ReceiptSigner {
    /// The receipt of one transaction, as it is sent in Base64.
    public func sign(_ receipt: TransactionReceipt) throws -> [UInt8] {
        let list = receipt.unsignedList
        let signature = TransactionSignature(
            signature: try signature(of: TransactionSignature.signedBytes(list), .sha256),
            certificate: leafDER)
        return list.signed(Data(signature.bytes).base64EncodedString()).bytes
    }
}

extension ReceiptVerifier {
    /// Verifies the receipt of one transaction.
    ///
    /// - Parameters:
    ///   - receipt: the property list, no longer in Base64.
    ///   - intermediateDER: the certificate between the signer's and a trusted root: unlike an app
    ///     receipt this one does not bring it along.
    ///   - bundleID: the app that it has to be of; `nil` compares nothing.
    public func verify(
        transactionReceipt receipt: [UInt8], over intermediateDER: [UInt8],
        bundleID: String? = nil
    ) async throws(ReceiptVerificationError) -> TransactionReceipt {
        let signed = try TransactionReceipt.read(receipt)
        let signature = try TransactionSignature(parsing: signed.signature)
        let leaf = try Self.certificate(signature.certificate, "The certificate in `signature`")
        let key = try Self.key(of: leaf)
        let bytes = TransactionSignature.signedBytes(signed.unsignedList)
        guard Self.isValid(signature.signature, of: bytes, by: key, .sha256) else {
            throw ReceiptVerificationError(
                .wrongSignature, "The signature does not fit the receipt.")
        }
        let intermediate = try Self.certificate(intermediateDER, "The intermediate certificate")
        try await checkChain(
            from: leaf, over: intermediate, at: signed.receipt.transaction.purchaseDate)
        if let bundleID, signed.receipt.bundleID != bundleID {
            throw ReceiptVerificationError(.wrongBundle, "The receipt is of another app.")
        }
        return signed.receipt
    }
}
