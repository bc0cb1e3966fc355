import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// One act of issuing the three certificates of a ``CertificateChain`` or a ``ReceiptChain``.
struct Issuance {
    /// Common names of the three.
    struct Names {
        var root = "Perennial Root CA"
        var intermediate = "Perennial Intermediate CA"
        var leaf = "Perennial Signing"
    }

    let notBefore: Int64
    let notAfter: Int64
    let subjectSuffix: String
    let root: Certificate.PrivateKey
    let intermediate: Certificate.PrivateKey
    let leaf: Certificate.PrivateKey
    var names = Names()
    var algorithm = Certificate.SignatureAlgorithm.ecdsaWithSHA384
    /// What the certificates are for; tests of verifiers leave one out.
    var intermediateMarkers = [MarkerExtension.intermediate]
    var leafMarkers = [MarkerExtension.leaf]

    func makeRoot() throws -> Certificate {
        try issue(
            to: root.publicKey, named: names.root, by: root, named: names.root,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: root.publicKey)
            })
    }

    func makeIntermediate() throws -> Certificate {
        var extensions = try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            SubjectKeyIdentifier(hash: intermediate.publicKey)
            authority(root.publicKey)
        }
        for marker in intermediateMarkers { try extensions.append(MarkerExtension.make(marker)) }
        return try issue(
            to: intermediate.publicKey, named: names.intermediate,
            by: root, named: names.root, extensions: extensions)
    }

    func makeLeaf() throws -> Certificate {
        var extensions = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            SubjectKeyIdentifier(hash: leaf.publicKey)
            authority(intermediate.publicKey)
        }
        for marker in leafMarkers { try extensions.append(MarkerExtension.make(marker)) }
        return try issue(
            to: leaf.publicKey, named: names.leaf,
            by: intermediate, named: names.intermediate, extensions: extensions)
    }

    private func authority(_ key: Certificate.PublicKey) -> AuthorityKeyIdentifier {
        AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: key).keyIdentifier)
    }

    private func issue(
        to key: Certificate.PublicKey, named name: String,
        by issuer: Certificate.PrivateKey, named issuerName: String,
        extensions: Certificate.Extensions
    ) throws -> Certificate {
        // swift-certificates writes UTCTime before 2050 and GeneralizedTime from then on, as
        // RFC 5280 section 4.1.2.5 asks.
        try Certificate(
            version: .v3, serialNumber: serialNumber(of: key), publicKey: key,
            notValidBefore: Date(
                timeIntervalSince1970: (Double(notBefore) / 1000).rounded(.down)),
            notValidAfter: Date(timeIntervalSince1970: (Double(notAfter) / 1000).rounded(.up)),
            issuer: distinguishedName(issuerName), subject: distinguishedName(name),
            signatureAlgorithm: algorithm, extensions: extensions,
            issuerPrivateKey: issuer)
    }

    private func distinguishedName(_ name: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(subjectSuffix.isEmpty ? name : "\(name) \(subjectSuffix)")
            OrganizationName("Perennial")
        }
    }

    /// Unique because the key is: no randomness besides the key's own is needed.
    private func serialNumber(of key: Certificate.PublicKey) -> Certificate.SerialNumber {
        var bytes = Array(SHA256.hash(data: key.subjectPublicKeyInfoBytes).prefix(16))
        bytes[0] = bytes[0] & 0x3F | 0x40  // Positive and of full length.
        return Certificate.SerialNumber(bytes: bytes)
    }
}
