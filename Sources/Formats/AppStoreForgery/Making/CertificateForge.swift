import AppStoreSigning
import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// Issues certificates that are wrong in one thing, by the chain's own authorities: in memory, and
/// for nobody but the text that they are in.
struct CertificateForge {
    let chain: CertificateChain

    /// What is written into a certificate.
    struct Order {
        var subject: DistinguishedName
        var key: Certificate.PublicKey
        var marker: ASN1ObjectIdentifier?
        var isAuthority = false
        var notBefore: Date
        var notAfter: Date
    }

    /// A leaf as the store's own is, for another key.
    func leafOrder(for key: Certificate.PublicKey) -> Order {
        Order(
            subject: chain.leaf.subject, key: key, marker: MarkerExtension.leaf,
            notBefore: chain.leaf.notValidBefore, notAfter: chain.leaf.notValidAfter)
    }

    /// A leaf by the store's intermediate, as DER.
    func leaf(_ order: Order) throws -> [UInt8] {
        try Self.issue(
            order, by: .init(chain.intermediateKey), named: chain.intermediate.subject)
    }

    /// A leaf with a key of another curve, as DER.
    func leaf(for key: P384.Signing.PrivateKey) throws -> [UInt8] {
        try leaf(leafOrder(for: .init(key.publicKey)))
    }

    /// A certificate by the store's root, as DER.
    func byRoot(_ order: Order) throws -> [UInt8] {
        try Self.issue(order, by: .init(chain.rootKey), named: chain.root.subject)
    }

    /// An intermediate as the store's own is, of its key, without its marker.
    func intermediateWithoutMarker() throws -> [UInt8] {
        try byRoot(
            Order(
                subject: chain.intermediate.subject, key: chain.intermediate.publicKey,
                marker: nil, isAuthority: true, notBefore: chain.intermediate.notValidBefore,
                notAfter: chain.intermediate.notValidAfter))
    }

    /// A certificate that has signed itself, with both markers, as DER.
    func selfSigned(_ key: P256.Signing.PrivateKey) throws -> [UInt8] {
        try Self.issue(
            leafOrder(for: .init(key.publicKey)), by: .init(key), named: chain.leaf.subject,
            markers: [MarkerExtension.leaf, MarkerExtension.intermediate])
    }

    /// A certificate of any issuer, as DER.
    ///
    /// - Parameter markers: the order's own unless given.
    static func issue(
        _ order: Order, by issuer: Certificate.PrivateKey, named name: DistinguishedName,
        markers: [ASN1ObjectIdentifier]? = nil,
        algorithm: Certificate.SignatureAlgorithm = .ecdsaWithSHA384
    ) throws -> [UInt8] {
        var extensions = try Certificate.Extensions {
            if order.isAuthority {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(digitalSignature: true, keyCertSign: true, cRLSign: true))
            } else {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
            }
            SubjectKeyIdentifier(hash: order.key)
            AuthorityKeyIdentifier(
                keyIdentifier: SubjectKeyIdentifier(hash: issuer.publicKey).keyIdentifier)
        }
        for marker in markers ?? (order.marker.map { [$0] } ?? []) {
            try extensions.append(MarkerExtension.make(marker))
        }
        var serial = Array(SHA256.hash(data: order.key.subjectPublicKeyInfoBytes).prefix(16))
        serial[0] = serial[0] & 0x3F | 0x40  // Positive and of full length.
        var der = DER.Serializer()
        try der.serialize(
            Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(bytes: serial),
                publicKey: order.key, notValidBefore: order.notBefore,
                notValidAfter: order.notAfter, issuer: name, subject: order.subject,
                signatureAlgorithm: algorithm, extensions: extensions,
                issuerPrivateKey: issuer))
        return der.serializedBytes
    }
}

extension CertificateChain {
    /// The instants at which the leaf is valid, in milliseconds since 1970 UTC.
    var validity: ClosedRange<Int64> {
        func instant(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970) * 1000 }
        return instant(leaf.notValidBefore)...instant(leaf.notValidAfter)
    }
}

extension Workbench {
    /// Somebody else's certificates, which call themselves as the store's do.
    func foreignChain() throws -> CertificateChain {
        let validity = chain.validity
        return try CertificateChain.make(
            notBefore: validity.lowerBound, notAfter: validity.upperBound)
    }

    /// A date so many days after the text was signed, or before.
    func date(days: Double) -> Date {
        Date(timeIntervalSince1970: (Double(signedDate) / 1000).rounded(.down) + days * 86_400)
    }
}
