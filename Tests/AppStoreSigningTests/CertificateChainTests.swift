import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import AppStoreSigning

@Suite("The store's certificates")
struct CertificateChainTests {
    private let chain = CertificateChain.shared

    private var certificates: [Certificate] { [chain.root, chain.intermediate, chain.leaf] }

    @Test("Authorities are P-384, the leaf is P-256, and all are signed with SHA-384")
    func keys() {
        #expect(P384.Signing.PublicKey(chain.root.publicKey) != nil)
        #expect(P384.Signing.PublicKey(chain.intermediate.publicKey) != nil)
        #expect(P256.Signing.PublicKey(chain.leaf.publicKey) != nil)
        for certificate in certificates {
            #expect(certificate.version == .v3)
            #expect(certificate.signatureAlgorithm == .ecdsaWithSHA384)
        }
        #expect(Set(certificates.map(\.serialNumber)).count == 3)
        #expect(certificates.allSatisfy { $0.serialNumber.bytes.count == 16 })
    }

    @Test("Basic constraints and key usage are critical and right on each")
    func constraints() throws {
        let expected: [(Certificate, BasicConstraints, KeyUsage)] = [
            (
                chain.root, .isCertificateAuthority(maxPathLength: nil),
                KeyUsage(keyCertSign: true, cRLSign: true)
            ),
            (
                chain.intermediate, .isCertificateAuthority(maxPathLength: 0),
                KeyUsage(keyCertSign: true, cRLSign: true)
            ),
            (chain.leaf, .notCertificateAuthority, KeyUsage(digitalSignature: true)),
        ]
        for (certificate, constraints, usage) in expected {
            #expect(try certificate.extensions.basicConstraints == constraints)
            #expect(try certificate.extensions.keyUsage == usage)
            let critical = certificate.extensions.filter(\.critical).map(\.oid)
            #expect(
                Set(critical) == [.X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage])
        }
    }

    @Test("Key identifiers lead from the leaf to the root")
    func keyIdentifiers() throws {
        let subjects = try certificates.map {
            try $0.extensions.subjectKeyIdentifier?.keyIdentifier
        }
        #expect(subjects.allSatisfy { $0?.count == 20 })
        #expect(try chain.root.extensions.authorityKeyIdentifier == nil)
        #expect(
            try chain.intermediate.extensions.authorityKeyIdentifier?.keyIdentifier == subjects[0])
        #expect(try chain.leaf.extensions.authorityKeyIdentifier?.keyIdentifier == subjects[1])
        #expect(chain.leaf.issuer == chain.intermediate.subject)
        #expect(chain.intermediate.issuer == chain.root.subject)
        #expect(chain.root.issuer == chain.root.subject)
    }

    @Test("Each marker stands on its own certificate, not critical, with the value NULL")
    func markers() throws {
        let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
        let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]
        for (certificate, marker) in [(chain.leaf, leaf), (chain.intermediate, intermediate)] {
            let found = try #require(certificate.extensions[oid: marker])
            #expect(!found.critical)
            #expect(Array(found.value) == [0x05, 0x00])
        }
        #expect(chain.leaf.extensions[oid: intermediate] == nil)
        #expect(chain.intermediate.extensions[oid: leaf] == nil)
        #expect(chain.root.extensions.count == 3)
    }

    @Test("Validity is given to the second, rounded outwards, before and after 2050")
    func validity() throws {
        let chain = try CertificateChain.make(
            notBefore: 946_684_800_999, notAfter: 4_102_444_800_001, subjectSuffix: "Orchard")
        for certificate in [chain.root, chain.intermediate, chain.leaf] {
            #expect(certificate.notValidBefore.timeIntervalSince1970 == 946_684_800)
            #expect(certificate.notValidAfter.timeIntervalSince1970 == 4_102_444_801)
        }
        #expect("\(chain.root.subject)".contains("Perennial Root CA Orchard"))
        // UTCTime (tag 0x17) until 2049, GeneralizedTime (0x18) from 2050 on.
        let times = Array("000101000000Z".utf8)
        let late = Array("21000101000001Z".utf8)
        #expect(contains([0x17, 13] + times, in: chain.leafDER))
        #expect(contains([0x18, 15] + late, in: chain.leafDER))
    }

    @Test("Two chains share nothing")
    func distinct() throws {
        let other = try CertificateChain.irregular()
        #expect(other.rootDER != chain.rootDER)
        #expect(other.leaf.publicKey != chain.leaf.publicKey)
        #expect(other.leaf.serialNumber != chain.leaf.serialNumber)
    }

    @Test("Saved keys are for the owner only, and loading gives the same chain")
    func saving() throws {
        try withDirectory("saving") { directory in
            try chain.save(in: directory)
            #expect(try mode(of: directory) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(names.count == 7)
            for name in names {
                let expected = name.hasSuffix("-key.pem") ? 0o600 : 0o644
                #expect(try mode(of: "\(directory)/\(name)") == expected, "\(name)")
            }
            let der = FileManager.default.contents(
                atPath: "\(directory)/\(CertificateChain.rootDERFileName)")
            #expect(der.map(Array.init) == chain.rootDER)

            let loaded = try CertificateChain.load(from: directory)
            #expect(loaded.rootDER == chain.rootDER)
            #expect(loaded.intermediateDER == chain.intermediateDER)
            #expect(loaded.leafDER == chain.leafDER)
            #expect(loaded.leafKey.rawRepresentation == chain.leafKey.rawRepresentation)
            #expect(loaded.rootKey.rawRepresentation == chain.rootKey.rawRepresentation)
        }
    }

    @Test("Saving over an older chain closes keys that stood open")
    func savingAgain() throws {
        try withDirectory("saving-again") { directory in
            try CertificateChain.irregular().save(in: directory)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: "\(directory)/leaf-key.pem")
            try chain.save(in: directory)
            #expect(try mode(of: "\(directory)/leaf-key.pem") == 0o600)
            #expect(try CertificateChain.load(from: directory).rootDER == chain.rootDER)
        }
    }

    @Test("A missing file, a broken one and a foreign key are named and refused")
    func loadingRefusals() throws {
        try withDirectory("loading") { directory in
            func refusal() throws -> CertificateFileError {
                try #require(throws: CertificateFileError.self) {
                    try CertificateChain.load(from: directory)
                }
            }
            #expect(try refusal().file == "root-certificate.pem")
            try chain.save(in: directory)
            try P256.Signing.PrivateKey().pemRepresentation.write(
                toFile: "\(directory)/leaf-key.pem", atomically: true, encoding: .utf8)
            #expect(try refusal().file == "leaf-key.pem")
            try "nonsense".write(
                toFile: "\(directory)/intermediate-key.pem", atomically: true, encoding: .utf8)
            let error = try refusal()
            #expect(error.file == "intermediate-key.pem")
            #expect(!error.description.contains("nonsense"))
        }
    }

    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    private func contains(_ part: [UInt8], in whole: [UInt8]) -> Bool {
        (0...(whole.count - part.count)).contains { whole[$0...].starts(with: part) }
    }
}
