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

    /// What `parse` makes of a file of text.
    static func reading<Value>(
        _ file: String, in directory: String, _ parse: (String) throws -> Value
    ) throws -> Value {
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(file)"),
            let text = String(validating: data, as: UTF8.self)
        else { throw CertificateFileError(file: file, reason: "It cannot be read.") }
        do { return try parse(text) } catch {
            throw CertificateFileError(file: file, reason: "It is not the expected PEM.")
        }
    }

    /// Makes a directory with mode 0700, if there is none.
    static func make(_ directory: String) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: directory) else { return }
        try files.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Refuses keys that are not those of their certificates.
    static func check(
        keys: [(file: String, certified: Certificate.PublicKey, own: Certificate.PublicKey)]
    ) throws {
        for key in keys where key.certified != key.own {
            throw CertificateFileError(
                file: key.file, reason: "The key does not belong to its certificate.")
        }
    }

    /// What was damaged in a certificate breaks the signature over it.
    static func check(
        issuers: [(file: String, certificate: Certificate, issuer: Certificate)]
    ) throws {
        for (file, certificate, issuer) in issuers
        where !issuer.publicKey.isValidSignature(certificate.signature, for: certificate) {
            throw CertificateFileError(
                file: file, reason: "It is not as it was issued, or by another.")
        }
    }

    /// The root as DER is what clients are given; it must be the one of the PEM file.
    static func check(
        rootDER: [UInt8], is file: String, of pemFile: String, in directory: String
    ) throws {
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(file)") else {
            throw CertificateFileError(file: file, reason: "It cannot be read.")
        }
        guard Array(data) == rootDER else {
            throw CertificateFileError(
                file: file, reason: "It is another certificate than \(pemFile).")
        }
    }
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
        try CertificateFileError.make(directory)
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
            try CertificateFileError.reading(file, in: directory, parse)
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
        try chain.check(in: directory)
        return chain
    }

    private func check(in directory: String) throws {
        try CertificateFileError.check(keys: [
            (File.rootKey, root.publicKey, Certificate.PublicKey(rootKey.publicKey)),
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

    private func write(
        _ text: String, to file: String, in directory: String, mode: UInt16
    ) throws {
        try AtomicFile.write(Array(text.utf8), to: "\(directory)/\(file)", mode: mode)
    }
}
