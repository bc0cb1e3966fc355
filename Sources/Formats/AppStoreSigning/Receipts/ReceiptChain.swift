import Crypto
package import CryptoExtras
import FoundationEssentials
import SwiftASN1
package import X509

/// The certificates and keys for receipts: a root, an intermediate and the leaf that signs, all RSA
/// of 2048 bits, with Apple's two marker extensions (RCP-4).
///
/// It is another chain than the one of signed texts, as at Apple's. The root's key is thrown away
/// when the intermediate is issued.
public struct ReceiptChain: Sendable {
    let root: Certificate
    package let intermediate: Certificate
    package let leaf: Certificate
    package let intermediateKey: _RSA.Signing.PrivateKey
    package let leafKey: _RSA.Signing.PrivateKey

    /// The root certificate as DER: what verifiers have to trust.
    public let rootDER: [UInt8]
    /// The intermediate certificate as DER.
    public let intermediateDER: [UInt8]
    /// The leaf certificate as DER.
    public let leafDER: [UInt8]

    /// Joins certificates and keys that belong together.
    init(
        certificates: (root: Certificate, intermediate: Certificate, leaf: Certificate),
        keys: (intermediate: _RSA.Signing.PrivateKey, leaf: _RSA.Signing.PrivateKey)
    ) throws {
        (root, intermediate, leaf) = certificates
        (intermediateKey, leafKey) = keys
        rootDER = try CertificateChain.der(root)
        intermediateDER = try CertificateChain.der(intermediate)
        leafDER = try CertificateChain.der(leaf)
    }

    /// Makes new keys and certificates, which takes some tenths of a second.
    ///
    /// - Parameters:
    ///   - notBefore: The first instant of validity in milliseconds since 1970 UTC, rounded down
    ///     to a second.
    ///   - notAfter: The last one, rounded up. Verifiers test validity at the creation date of a
    ///     receipt, so the two must embrace every instant that the store's clock can reach.
    ///   - subjectSuffix: Ends the three common names, or is empty.
    public static func make(
        notBefore: Int64, notAfter: Int64, subjectSuffix: String = ""
    ) throws -> ReceiptChain {
        let keys = try (
            root: _RSA.Signing.PrivateKey(keySize: .bits2048),
            intermediate: _RSA.Signing.PrivateKey(keySize: .bits2048),
            leaf: _RSA.Signing.PrivateKey(keySize: .bits2048)
        )
        let issuance = issuance(
            notBefore: notBefore, notAfter: notAfter, subjectSuffix: subjectSuffix,
            root: keys.root, intermediate: keys.intermediate, leaf: keys.leaf)
        return try ReceiptChain(
            certificates: (
                root: issuance.makeRoot(), intermediate: issuance.makeIntermediate(),
                leaf: issuance.makeLeaf()
            ),
            keys: (intermediate: keys.intermediate, leaf: keys.leaf))
    }

    static func issuance(
        notBefore: Int64, notAfter: Int64, subjectSuffix: String,
        root: _RSA.Signing.PrivateKey, intermediate: _RSA.Signing.PrivateKey,
        leaf: _RSA.Signing.PrivateKey
    ) -> Issuance {
        Issuance(
            notBefore: notBefore, notAfter: notAfter, subjectSuffix: subjectSuffix,
            root: .init(root), intermediate: .init(intermediate), leaf: .init(leaf),
            names: Issuance.Names(
                root: "Perennial Receipt Root CA",
                intermediate: "Perennial Receipt Intermediate CA",
                leaf: "Perennial Receipt Signing"),
            algorithm: .sha256WithRSAEncryption)
    }
}

/// Loggers print values by reflection; this one holds private keys, so it shows only its name.
extension ReceiptChain: CustomStringConvertible, CustomReflectable {
    public var description: String { "ReceiptChain" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
