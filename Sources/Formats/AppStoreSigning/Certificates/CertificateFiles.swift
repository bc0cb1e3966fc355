import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// Why certificates cannot be read from a directory.
public struct CertificateFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's name, without its directory.
    public let file: String
    /// What is wrong with it; never its contents.
    public let reason: String

    /// File and reason in one line.
    public var description: String { "\(file): \(reason)" }
}

extension CertificateChain {
    /// The names of the files in a chain's directory.
    private enum File {
        static let root = "root-certificate.pem"
        static let rootDER = "root-certificate.der"
        static let intermediate = "intermediate-certificate.pem"
        static let leaf = "leaf-certificate.pem"
        static let rootKey = "root-key.pem"
        static let intermediateKey = "intermediate-key.pem"
        static let leafKey = "leaf-key.pem"
    }

    /// The name of the file that holds the root as DER: the form Apple's verifiers take.
    public static let rootDERFileName = File.rootDER

    /// Writes all certificates and keys as PEM, and the root also as DER.
    ///
    /// A missing directory is made with mode 0700. Keys have mode 0600 from the moment they exist.
    /// Throws ``AtomicFile/Failure`` if a file cannot be written.
    public func save(in directory: String) throws {
        let files = FileManager.default
        if !files.fileExists(atPath: directory) {
            try files.createDirectory(
                atPath: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try write(root.serializeAsPEM().pemString, to: File.root, in: directory, mode: 0o644)
        try AtomicFile.write(rootDER, to: "\(directory)/\(File.rootDER)", mode: 0o644)
        try write(
            intermediate.serializeAsPEM().pemString, to: File.intermediate, in: directory,
            mode: 0o644)
        try write(leaf.serializeAsPEM().pemString, to: File.leaf, in: directory, mode: 0o644)
        try write(rootKey.pemRepresentation, to: File.rootKey, in: directory, mode: 0o600)
        try write(
            intermediateKey.pemRepresentation, to: File.intermediateKey, in: directory,
            mode: 0o600)
        try write(leafKey.pemRepresentation, to: File.leafKey, in: directory, mode: 0o600)
    }

    /// Reads what ``save(in:)`` wrote; throws ``CertificateFileError`` if a file is missing, is not
    /// PEM, a key does not belong to its certificate, a certificate was not issued by the one above
    /// it, or the root as DER is another than the root as PEM.
    public static func load(from directory: String) throws -> CertificateChain {
        func read<Value>(_ file: String, _ parse: (String) throws -> Value) throws -> Value {
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(file)"),
                let text = String(validating: data, as: UTF8.self)
            else { throw CertificateFileError(file: file, reason: "It cannot be read.") }
            do { return try parse(text) } catch {
                throw CertificateFileError(file: file, reason: "It is not the expected PEM.")
            }
        }
        let chain = try CertificateChain(
            certificates: (
                root: read(File.root) { try Certificate(pemEncoded: $0) },
                intermediate: read(File.intermediate) { try Certificate(pemEncoded: $0) },
                leaf: read(File.leaf) { try Certificate(pemEncoded: $0) }
            ),
            keys: (
                root: read(File.rootKey) { try P384.Signing.PrivateKey(pemRepresentation: $0) },
                intermediate: read(File.intermediateKey) {
                    try P384.Signing.PrivateKey(pemRepresentation: $0)
                },
                leaf: read(File.leafKey) { try P256.Signing.PrivateKey(pemRepresentation: $0) }
            ))
        try chain.checkKeys()
        try chain.checkIssuers()
        try chain.checkRootDER(in: directory)
        return chain
    }

    private func checkKeys() throws {
        let pairs = [
            (File.rootKey, root.publicKey, Certificate.PublicKey(rootKey.publicKey)),
            (
                File.intermediateKey, intermediate.publicKey,
                Certificate.PublicKey(intermediateKey.publicKey)
            ),
            (File.leafKey, leaf.publicKey, Certificate.PublicKey(leafKey.publicKey)),
        ]
        for (file, certified, own) in pairs where certified != own {
            throw CertificateFileError(
                file: file, reason: "The key does not belong to its certificate.")
        }
    }

    /// What was damaged in a certificate breaks the signature over it.
    private func checkIssuers() throws {
        let pairs = [
            (File.root, root, root), (File.intermediate, intermediate, root),
            (File.leaf, leaf, intermediate),
        ]
        for (file, certificate, issuer) in pairs
        where !issuer.publicKey.isValidSignature(certificate.signature, for: certificate) {
            throw CertificateFileError(
                file: file, reason: "It is not as it was issued, or by another.")
        }
    }

    /// The root as DER is what clients are given.
    private func checkRootDER(in directory: String) throws {
        let data = FileManager.default.contents(atPath: "\(directory)/\(File.rootDER)")
        guard let data else {
            throw CertificateFileError(file: File.rootDER, reason: "It cannot be read.")
        }
        guard Array(data) == rootDER else {
            throw CertificateFileError(
                file: File.rootDER, reason: "It is another certificate than \(File.root).")
        }
    }

    private func write(
        _ text: String, to file: String, in directory: String, mode: UInt16
    ) throws {
        try AtomicFile.write(Array(text.utf8), to: "\(directory)/\(file)", mode: mode)
    }
}
