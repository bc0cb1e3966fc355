import AppStoreSigning
import Crypto
import PlacedYAML
import SwiftASN1
import TimeAndChance

/// A certificate by which an app's signed data is verified.
public struct TrustedRoot: Hashable, Sendable {
    /// The file that it is from.
    public let file: String
    public let der: [UInt8]

    /// SHA-256 of the certificate, in lower-case hexadecimal digits.
    public var fingerprint: String { SHA256.hash(data: der).hexadecimal }

    /// The certificates of a file, DER or PEM; what is wrong is a problem of the place that named
    /// it.
    static func all(
        in path: String, named place: Place, _ problems: inout Problems
    ) -> [TrustedRoot]? {
        guard let bytes = place.contents(of: path, &problems) else { return nil }
        let roots = certificates(in: bytes).map { TrustedRoot(file: path, der: $0) }
        guard !roots.isEmpty, (try? JWSVerifier(rootDER: roots.map(\.der))) != nil else {
            problems.add(
                place, "names \(path), which holds no certificate: give one in DER or PEM.")
            return nil
        }
        return roots
    }

    private static func certificates(in bytes: [UInt8]) -> [[UInt8]] {
        // What is no PEM is judged as DER.
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("-----BEGIN")
        else { return [bytes] }
        let documents = (try? PEMDocument.parseMultiple(pemString: text)) ?? []
        return documents.filter { $0.discriminator == "CERTIFICATE" }.map(\.derBytes)
    }
}
