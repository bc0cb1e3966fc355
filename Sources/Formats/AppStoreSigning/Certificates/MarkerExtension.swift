package import SwiftASN1
package import X509

/// Apple's private extensions that say what a certificate is for (JWS-1).
///
/// Verifiers test for presence only; the value is ASN.1 NULL as in Apple's own.
package enum MarkerExtension {
    /// The leaf signs App Store data.
    package static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    /// The intermediate is of Worldwide Developer Relations.
    package static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    /// The extension itself.
    package static func make(_ identifier: ASN1ObjectIdentifier) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: false, value: [0x05, 0x00])
    }

    static func stands(_ identifier: ASN1ObjectIdentifier, in certificate: Certificate) -> Bool {
        certificate.extensions[oid: identifier] != nil
    }
}
