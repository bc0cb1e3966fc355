import Crypto
package import CryptoExtras
import FoundationEssentials
package import X509

/// Signs app receipts as the App Store does: RSA over SHA-256 of the payload itself, with three
/// certificates and no signed attributes (RCP-4).
public struct ReceiptSigner: Sendable {
    private let key: _RSA.Signing.PrivateKey
    private let certificates: [[UInt8]]
    /// The signer's own certificate.
    let leafDER: [UInt8]
    private let issuer: [UInt8]
    private let serialNumber: [UInt8]

    /// A signer with the leaf key of `chain`.
    public init(chain: ReceiptChain) throws {
        try self.init(
            key: chain.leafKey, leaf: chain.leaf,
            certificates: [chain.leafDER, chain.intermediateDER, chain.rootDER])
    }

    /// A signer with any certificates in the container, for tests of verifiers.
    package init(
        key: _RSA.Signing.PrivateKey, leaf: Certificate, certificates: [[UInt8]]
    ) throws {
        self.key = key
        self.certificates = certificates
        leafDER = try CertificateChain.der(leaf)
        issuer = try CertificateChain.der(leaf.issuer)
        serialNumber = Array(leaf.serialNumber.bytes)
    }

    /// The receipt in DER: a file that apps find at `appStoreReceiptURL`. It has to be sealed.
    public func sign(_ receipt: AppReceipt) throws -> [UInt8] {
        try container(of: receipt.payload).encoded()
    }

    /// The same, sealed for a device: its identifier of 16 bytes, or of 6 on a Mac.
    public func sign(
        _ receipt: AppReceipt, sealedForDevice identifier: [UInt8]
    ) throws -> [UInt8] {
        try container(of: receipt.payload(sealedForDevice: identifier)).encoded()
    }

    /// The container around a payload, which is not checked, so that wrong ones can be made.
    ///
    /// - Parameters:
    ///   - digest: SHA-256, or SHA-1 as before 2023.
    ///   - algorithm: what the container says of the signature; Xcode says
    ///     ``ReceiptAlgorithm/sha256WithRSAEncryption``.
    public func container(
        of payload: [UInt8], digest: ReceiptAlgorithm = .sha256,
        algorithm: ReceiptAlgorithm = .rsaEncryption
    ) throws -> ReceiptContainer {
        ReceiptContainer(
            digests: [digest], payload: payload, certificates: certificates,
            signers: [
                .init(
                    issuer: issuer, serialNumber: serialNumber, digest: digest,
                    algorithm: algorithm, signature: try signature(of: payload, digest))
            ])
    }

    /// PKCS#1 padding has no chance in it: the same payload has the same signature.
    func signature(of payload: [UInt8], _ digest: ReceiptAlgorithm) throws -> [UInt8] {
        let padding = _RSA.Signing.Padding.insecurePKCS1v1_5
        let signature =
            digest == .sha1
            ? try key.signature(for: Insecure.SHA1.hash(data: payload), padding: padding)
            : try key.signature(for: SHA256.hash(data: payload), padding: padding)
        return Array(signature.rawRepresentation)
    }
}

/// Loggers print values by reflection; this one holds a private key, so it shows only its name.
extension ReceiptSigner: CustomStringConvertible, CustomReflectable {
    public var description: String { "ReceiptSigner" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
