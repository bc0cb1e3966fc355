import CryptoExtras
import Foundation
import SwiftASN1
import Testing
import X509

@testable import AppStoreSigning

@Suite("The certificates of receipts")
struct ReceiptChainTests {
    @Test("All three are RSA of 2048 bits, over SHA-256, and lead to the root")
    func keys() throws {
        let chain = try ReceiptChain.make(
            notBefore: Instants.year2000, notAfter: Instants.year2101, subjectSuffix: "Orchard")
        for certificate in [chain.root, chain.intermediate, chain.leaf] {
            let key = try #require(_RSA.Signing.PublicKey(certificate.publicKey))
            #expect(key.keySizeInBits == 2048)
            #expect(certificate.signatureAlgorithm == .sha256WithRSAEncryption)
            #expect(try certificate.extensions.subjectKeyIdentifier?.keyIdentifier.count == 20)
            #expect(certificate.notValidBefore.timeIntervalSince1970 == 946_684_800)
            #expect(certificate.notValidAfter.timeIntervalSince1970 == 4_133_980_800)
            #expect("\(certificate.subject)".contains(" Orchard"))
        }
        #expect(chain.leaf.issuer == chain.intermediate.subject)
        #expect(chain.intermediate.issuer == chain.root.subject)
        #expect(
            try chain.leaf.extensions.authorityKeyIdentifier?.keyIdentifier
                == chain.intermediate.extensions.subjectKeyIdentifier?.keyIdentifier)
        #expect(chain.leaf.extensions[oid: [1, 2, 840, 113_635, 100, 6, 11, 1]] != nil)
        #expect(chain.intermediate.extensions[oid: [1, 2, 840, 113_635, 100, 6, 2, 1]] != nil)
    }

    @Test("Saved keys are for the owner only, the root's is not kept, and loading gives the same")
    func saving() throws {
        let chain = ReceiptChain.shared
        try withDirectory("receipt-saving") { directory in
            #expect(!ReceiptChain.exists(in: directory))
            try chain.save(in: directory)
            #expect(ReceiptChain.exists(in: directory))
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(names.count == 6)
            #expect(!names.contains { $0.contains("root-key") })
            for name in names {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: "\(directory)/\(name)")
                let mode = attributes[.posixPermissions] as? NSNumber
                #expect(mode?.intValue == (name.hasSuffix("-key.pem") ? 0o600 : 0o644), "\(name)")
            }
            let der = FileManager.default.contents(
                atPath: "\(directory)/\(ReceiptChain.rootDERFileName)")
            #expect(der.map(Array.init) == chain.rootDER)
            let loaded = try ReceiptChain.load(from: directory)
            #expect(loaded.rootDER == chain.rootDER)
            #expect(loaded.intermediateDER == chain.intermediateDER)
            #expect(loaded.leafDER == chain.leafDER)
            #expect(loaded.leafKey.derRepresentation == chain.leafKey.derRepresentation)
        }
    }

    @Test("A missing file, a broken one, a foreign key and a foreign certificate are named")
    func loadingRefusals() throws {
        try withDirectory("receipt-loading") { directory in
            func refusal() throws -> CertificateFileError {
                try #require(throws: CertificateFileError.self) {
                    try ReceiptChain.load(from: directory)
                }
            }
            let other = try ReceiptChain.irregular()
            #expect(try refusal().file == "receipt-root-certificate.pem")
            try ReceiptChain.shared.save(in: directory)
            func write(_ text: String, _ file: String) throws {
                try text.write(
                    toFile: "\(directory)/\(file)", atomically: true, encoding: .utf8)
            }
            try write(other.leafKey.pemRepresentation, "receipt-leaf-key.pem")
            #expect(try refusal().file == "receipt-leaf-key.pem")
            try write("nonsense", "receipt-intermediate-key.pem")
            #expect(try refusal().file == "receipt-intermediate-key.pem")
            try ReceiptChain.shared.save(in: directory)
            try write(
                other.root.serializeAsPEM().pemString, "receipt-root-certificate.pem")
            #expect(
                try refusal().file == "receipt-root-certificate.pem"
                    || refusal().file == "receipt-intermediate-certificate.pem")
            try ReceiptChain.shared.save(in: directory)
            try write("", ReceiptChain.rootDERFileName)
            #expect(try refusal().file == ReceiptChain.rootDERFileName)
        }
    }

    @Test("Neither chain nor signer shows its keys when it is printed")
    func printing() throws {
        for text in ["\(ReceiptChain.shared)", "\(ReceiptSigner.shared)"] {
            #expect(text == "ReceiptChain" || text == "ReceiptSigner")
        }
        var dumped = ""
        dump(ReceiptChain.shared, to: &dumped)
        #expect(dumped.count < 40)
    }
}
