package import Crypto
import FoundationEssentials
import SwiftASN1
package import X509

/// The store's own certificates and keys: a root, an intermediate and the leaf that signs.
///
/// The profile is the one that all of Apple's verifiers accept when they are given the root
/// (JWS-1): P-384 authorities, a P-256 leaf, key identifiers everywhere,
/// critical basic constraints and key usage, and Apple's two marker extensions.
public struct CertificateChain: Sendable {
    package let root: Certificate
    package let intermediate: Certificate
    package let leaf: Certificate
    package let rootKey: P384.Signing.PrivateKey
    package let intermediateKey: P384.Signing.PrivateKey
    package let leafKey: P256.Signing.PrivateKey

    /// The root certificate as DER: what verifiers have to trust.
    public let rootDER: [UInt8]
    /// The intermediate certificate as DER.
    public let intermediateDER: [UInt8]
    /// The leaf certificate as DER.
    public let leafDER: [UInt8]

    /// Joins certificates and keys that belong together.
    init(
        certificates: (root: Certificate, intermediate: Certificate, leaf: Certificate),
        keys: (
            root: P384.Signing.PrivateKey, intermediate: P384.Signing.PrivateKey,
            leaf: P256.Signing.PrivateKey
        )
    ) throws {
        (root, intermediate, leaf) = certificates
        (rootKey, intermediateKey, leafKey) = keys
        rootDER = try Self.der(root)
        intermediateDER = try Self.der(intermediate)
        leafDER = try Self.der(leaf)
    }

    /// Makes new keys and certificates.
    ///
    /// - Parameters:
    ///   - notBefore: The first instant of validity in milliseconds since 1970 UTC, rounded down
    ///     to a second.
    ///   - notAfter: The last one, rounded up. Verifiers test validity at the `signedDate` of a
    ///     payload, so the two must embrace every instant that the store's clock can reach.
    ///   - subjectSuffix: Ends the three common names (for example a world's name), or is empty.
    public static func make(
        notBefore: Int64, notAfter: Int64, subjectSuffix: String = ""
    ) throws -> CertificateChain {
        let rootKey = P384.Signing.PrivateKey()
        let intermediateKey = P384.Signing.PrivateKey()
        let leafKey = P256.Signing.PrivateKey()
        let issuance = Issuance(
            notBefore: notBefore, notAfter: notAfter, subjectSuffix: subjectSuffix,
            root: .init(rootKey), intermediate: .init(intermediateKey), leaf: .init(leafKey))
        return try CertificateChain(
            certificates: (
                root: issuance.makeRoot(), intermediate: issuance.makeIntermediate(),
                leaf: issuance.makeLeaf()
            ),
            keys: (root: rootKey, intermediate: intermediateKey, leaf: leafKey))
    }

    /// A certificate or a name as DER.
    static func der(_ value: some DERSerializable) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(value)
        return serializer.serializedBytes
    }
}

/// Loggers print values by reflection; this one holds private keys, so it shows only its name.
extension CertificateChain: CustomStringConvertible, CustomReflectable {
    public var description: String { "CertificateChain" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
