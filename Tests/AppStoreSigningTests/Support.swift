import AppStoreWire
import Crypto
import Foundation
import SwiftASN1
import X509

@testable import AppStoreSigning

/// Instants in milliseconds since 1970 UTC.
enum Instants {
    static let year2000: Int64 = 946_684_800_000
    static let year2025: Int64 = 1_735_689_600_000
    static let year2101: Int64 = 4_133_980_800_000
}

extension CertificateChain {
    /// One chain for all tests that do not change it.
    static let shared: CertificateChain = {
        do {
            return try make(notBefore: Instants.year2000, notAfter: Instants.year2101)
        } catch { fatalError("\(error)") }
    }()

    /// A chain that may lack markers, or has a leaf of another key type.
    static func irregular(
        notBefore: Int64 = Instants.year2000, notAfter: Int64 = Instants.year2101,
        leafMarkers: [ASN1ObjectIdentifier] = [MarkerExtension.leaf],
        intermediateMarkers: [ASN1ObjectIdentifier] = [MarkerExtension.intermediate]
    ) throws -> CertificateChain {
        let rootKey = P384.Signing.PrivateKey()
        let intermediateKey = P384.Signing.PrivateKey()
        let leafKey = P256.Signing.PrivateKey()
        var issuance = Issuance(
            notBefore: notBefore, notAfter: notAfter, subjectSuffix: "",
            root: .init(rootKey), intermediate: .init(intermediateKey), leaf: .init(leafKey))
        issuance.leafMarkers = leafMarkers
        issuance.intermediateMarkers = intermediateMarkers
        return try CertificateChain(
            certificates: (
                root: issuance.makeRoot(), intermediate: issuance.makeIntermediate(),
                leaf: issuance.makeLeaf()
            ),
            keys: (root: rootKey, intermediate: intermediateKey, leaf: leafKey))
    }
}

/// Runs `body` with the path of a directory that does not exist yet, and removes it afterwards.
func withDirectory<Value>(_ name: String, _ body: (String) throws -> Value) throws -> Value {
    let process = ProcessInfo.processInfo.processIdentifier
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "perennial-\(process)-\(name)")
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory.path)
}
