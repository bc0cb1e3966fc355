import CryptoExtras
import FoundationEssentials
import SwiftASN1
import X509

extension ReceiptChain {
    /// The names of the files in a chain's directory, beside those of a ``CertificateChain``.
    private enum File {
        static let root = "receipt-root-certificate.pem"
        static let rootDER = "receipt-root-certificate.der"
        static let intermediate = "receipt-intermediate-certificate.pem"
        static let leaf = "receipt-leaf-certificate.pem"
        static let intermediateKey = "receipt-intermediate-key.pem"
        static let leafKey = "receipt-leaf-key.pem"
    }

    /// What the names of all its files begin with.
    public static let filePrefix = "receipt-"

    /// The name of the file that holds the root as DER: the form that verifiers take.
    public static let rootDERFileName = File.rootDER

    /// Whether a directory holds a chain, or what is left of one.
    public static func exists(in directory: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(directory)/\(File.leaf)")
    }

    /// Writes all certificates and the two keys that are kept as PEM, and the root also as DER.
    ///
    /// A missing directory is made with mode 0700. Keys have mode 0600 from the moment they exist.
    /// The leaf's certificate comes last, so that what ``exists(in:)`` finds is whole. Throws
    /// ``AtomicFile/Failure`` if a file cannot be written.
    public func save(in directory: String) throws {
        try CertificateFileError.make(directory)
        func write(_ text: String, to file: String, mode: UInt16) throws {
            try AtomicFile.write(Array(text.utf8), to: "\(directory)/\(file)", mode: mode)
        }
        try write(intermediateKey.pemRepresentation, to: File.intermediateKey, mode: 0o600)
        try write(leafKey.pemRepresentation, to: File.leafKey, mode: 0o600)
        try write(root.serializeAsPEM().pemString, to: File.root, mode: 0o644)
        try AtomicFile.write(rootDER, to: "\(directory)/\(File.rootDER)", mode: 0o644)
        try write(intermediate.serializeAsPEM().pemString, to: File.intermediate, mode: 0o644)
        try write(leaf.serializeAsPEM().pemString, to: File.leaf, mode: 0o644)
    }

    /// Reads what ``save(in:)`` wrote; throws ``CertificateFileError`` if a file is missing, is not
    /// PEM, a key does not belong to its certificate, a certificate was not issued by the one above
    /// it, or the root as DER is another than the root as PEM.
    public static func load(from directory: String) throws -> ReceiptChain {
        func certificate(_ file: String) throws -> Certificate {
            try CertificateFileError.reading(file, in: directory) {
                try Certificate(pemEncoded: $0)
            }
        }
        func key(_ file: String) throws -> _RSA.Signing.PrivateKey {
            try CertificateFileError.reading(file, in: directory) {
                try _RSA.Signing.PrivateKey(pemRepresentation: $0)
            }
        }
        let chain = try ReceiptChain(
            certificates: (
                root: certificate(File.root), intermediate: certificate(File.intermediate),
                leaf: certificate(File.leaf)
            ),
            keys: (intermediate: key(File.intermediateKey), leaf: key(File.leafKey)))
        try chain.check(in: directory)
        return chain
    }

    private func check(in directory: String) throws {
        try CertificateFileError.check(keys: [
            (
                File.intermediateKey, intermediate.publicKey,
                Certificate.PublicKey(intermediateKey.publicKey)
            ),
            (File.leafKey, leaf.publicKey, Certificate.PublicKey(leafKey.publicKey)),
        ])
        try CertificateFileError.check(issuers: [
            (File.root, root, root), (File.intermediate, intermediate, root),
            (File.leaf, leaf, intermediate),
        ])
        try CertificateFileError.check(
            rootDER: rootDER, is: File.rootDER, of: File.root, in: directory)
    }
}
