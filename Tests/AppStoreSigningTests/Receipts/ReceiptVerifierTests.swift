import AppStoreWire
import Foundation
import Testing

@testable import AppStoreSigning

@Suite("Verifying app receipts")
struct ReceiptVerifierTests {
    private let chain = ReceiptChain.shared
    private let signer = ReceiptSigner.shared
    private let expected = ReceiptExpectation(
        bundleID: "org.example.garden", appVersion: "42", deviceIdentifier: Receipts.device,
        environments: [.production, .sandbox], now: Instants.year2025)

    private func verifier(
        _ chain: ReceiptChain = .shared, selfSigned: [[UInt8]] = [], allowsSHA1: Bool = false
    ) throws -> ReceiptVerifier {
        try ReceiptVerifier(
            rootDER: [chain.rootDER], selfSignedDER: selfSigned, allowsSHA1: allowsSHA1)
    }

    private func code(
        _ verifier: ReceiptVerifier, _ container: ReceiptContainer,
        _ expected: ReceiptExpectation = ReceiptExpectation()
    ) async -> ReceiptVerificationError.Code? {
        do {
            _ = try await verifier.verify(container.encoded(), expecting: expected)
            return nil
        } catch { return error.code }
    }

    @Test("The store's receipts are good", arguments: [Receipts.production, Receipts.sandbox])
    func good(receipt: AppReceipt) async throws {
        let bytes = try signer.sign(receipt)
        let read = try await verifier().verify(bytes, expecting: expected)
        #expect(Receipts.normal(read) == Receipts.normal(receipt))
        let base64 = Data(bytes).base64EncodedString()
        #expect(try await verifier().verify(base64: base64, expecting: expected) == read)
    }

    @Test("What the app expects is compared, each for its reason")
    func expectations() async throws {
        let good = try signer.container(of: Receipts.production.payload)
        let verifier = try verifier()
        let cases: [(ReceiptVerificationError.Code?, ReceiptExpectation)] = [
            (nil, ReceiptExpectation()), (nil, expected),
            (.wrongBundle, ReceiptExpectation(bundleID: "org.example.gardens")),
            (.wrongVersion, ReceiptExpectation(appVersion: "42.0")),
            (.wrongEnvironment, ReceiptExpectation(environments: [.sandbox])),
            (.wrongEnvironment, ReceiptExpectation(environments: [])),
            (.wrongDevice, ReceiptExpectation(deviceIdentifier: Receipts.device.reversed())),
            (.wrongDevice, ReceiptExpectation(deviceIdentifier: [])),
        ]
        for (code, expected) in cases {
            #expect(await self.code(verifier, good, expected) == code)
        }
    }

    @Test("A receipt of a volume purchase ends at its date, if the caller has a clock")
    func expiration() async throws {
        var receipt = Receipts.production
        receipt.expirationDate = Instants.year2025 + 1000
        let container = try signer.container(of: receipt.payload)
        let verifier = try verifier()
        for (now, code) in [(0, nil), (999, nil), (1000, .expired)]
            as [(Int64, ReceiptVerificationError.Code?)]
        {
            let expected = ReceiptExpectation(now: Instants.year2025 + now)
            #expect(await self.code(verifier, container, expected) == code)
        }
        #expect(await code(verifier, container) == nil)
    }

    @Test("The hash is over the bundle id as it is stored, whatever its type")
    func storedBundle() async throws {
        var attributes = Receipts.production.attributes.filter { $0.type != 2 && $0.type != 5 }
        let bundle = ReceiptAttribute.ascii(2, "org.example.garden")
        attributes.append(bundle)
        attributes.append(
            ReceiptAttribute(
                type: 5,
                value: AppReceipt.deviceHash(
                    identifier: Receipts.device, opaqueValue: Receipts.production.opaqueValue,
                    storedBundleID: bundle.value)))
        let container = try signer.container(of: ReceiptAttribute.encode(attributes))
        #expect(await code(try verifier(), container, expected) == nil)
    }

    @Test("SHA-1 is refused with a reason of its own, unless it is allowed")
    func oldDigest() async throws {
        for algorithm in [ReceiptAlgorithm.rsaEncryption, .sha1WithRSAEncryption] {
            let old = try signer.container(
                of: Receipts.production.payload, digest: .sha1, algorithm: algorithm)
            #expect(await code(try verifier(), old) == .outdatedDigest)
            #expect(await code(try verifier(allowsSHA1: true), old) == nil)
        }
        // Allowed or not, the signature has to be one over SHA-1.
        var lying = try signer.container(of: Receipts.production.payload, digest: .sha1)
        lying.signers[0].signature = try signer.signature(
            of: Receipts.production.payload, .sha256)
        #expect(await code(try verifier(allowsSHA1: true), lying) == .wrongSignature)
    }

    @Test("Algorithms that do not go together are refused")
    func algorithms() async throws {
        let verifier = try verifier(allowsSHA1: true)
        let good = try signer.container(of: Receipts.production.payload)
        func refused(_ change: (inout ReceiptContainer) -> Void) async {
            var container = good
            change(&container)
            #expect(await code(verifier, container) == .wrongAlgorithm)
        }
        await refused { $0.digests = [.sha1] }
        await refused { $0.digests = [] }
        await refused { $0.digests = [.sha256, .sha1] }
        await refused { $0.signers[0].algorithm = .sha1WithRSAEncryption }
        await refused { $0.signers[0].algorithm = .sha256 }
        await refused {
            $0.digests = [ReceiptAlgorithm(identifier: [0x2A, 3])]
            $0.signers[0].digest = ReceiptAlgorithm(identifier: [0x2A, 3])
        }
    }

    @Test("There is one signer, and it is the first certificate's")
    func signers() async throws {
        let verifier = try verifier()
        let good = try signer.container(of: Receipts.production.payload)
        func code(_ change: (inout ReceiptContainer) -> Void) async
            -> ReceiptVerificationError.Code?
        {
            var container = good
            change(&container)
            return await self.code(verifier, container)
        }
        #expect(await code { $0.signers = [] } == .wrongSignerCount)
        #expect(await code { $0.signers += $0.signers } == .wrongSignerCount)
        #expect(await code { $0.signers[0].serialNumber[15] ^= 1 } == .untrustedChain)
        #expect(await code { $0.signers[0].issuer = [0x30, 0] } == .untrustedChain)
        #expect(await code { $0.signers[0].signature[9] ^= 1 } == .wrongSignature)
        #expect(await code { $0.signers[0].signature = [] } == .wrongSignature)
        #expect(await code { $0.signers[0].signature.append(0) } == .wrongSignature)
    }

    @Test("A payload that another signed, or nobody, is refused")
    func otherPayload() async throws {
        var container = try signer.container(of: Receipts.production.payload)
        container.payload = Receipts.sandbox.payload
        #expect(await code(try verifier(), container) == .wrongSignature)
    }

    @Test("Certificates have to be the three, in order, from a trusted root, with both markers")
    func certificates() async throws {
        let good = try signer.container(of: Receipts.production.payload)
        let other = try ReceiptChain.irregular()
        func code(
            _ certificates: [[UInt8]]
        ) async throws -> ReceiptVerificationError.Code? {
            var container = good
            container.certificates = certificates
            return await self.code(try verifier(), container)
        }
        let three = good.certificates
        #expect(try await code([]) == .wrongChainLength)
        #expect(try await code([three[0]]) == .wrongChainLength)
        #expect(try await code([three[0], three[1]]) == .wrongChainLength)
        #expect(try await code(three + [three[2]]) == .wrongChainLength)
        #expect(try await code([three[1], three[0], three[2]]) == .untrustedChain)
        #expect(try await code([three[0], three[1], other.rootDER]) == .untrustedChain)
        #expect(try await code([three[0], other.intermediateDER, three[2]]) == .untrustedChain)
        #expect(try await code([[0x30, 0], three[1], three[2]]) == .malformedCertificate)
        #expect(try await code([three[0], [0x30, 0], three[2]]) == .malformedCertificate)

        let strange = try ReceiptSigner(chain: other).container(of: Receipts.production.payload)
        #expect(await self.code(try verifier(), strange) == .untrustedChain)
        #expect(await self.code(try verifier(other), strange) == nil)
    }

    @Test("Without a marker a chain signs no receipts")
    func markers() async throws {
        for chain in [
            try ReceiptChain.irregular(leafMarkers: []),
            try ReceiptChain.irregular(intermediateMarkers: []),
            try ReceiptChain.irregular(
                leafMarkers: [MarkerExtension.intermediate],
                intermediateMarkers: [MarkerExtension.leaf]),
        ] {
            let container = try ReceiptSigner(chain: chain).container(
                of: Receipts.production.payload)
            #expect(await code(try verifier(chain), container) == .missingMarker)
        }
    }

    @Test("Certificates are judged at the creation date of the receipt")
    func dates() async throws {
        let day: Int64 = 86_400_000
        let chain = try ReceiptChain.irregular(
            notBefore: Instants.year2025 - day, notAfter: Instants.year2025 + day)
        let signer = try ReceiptSigner(chain: chain)
        for (days, code) in [
            (0, nil), (-1, nil), (1, nil), (-2, .certificateNotValidAtDate),
            (2, .certificateNotValidAtDate),
        ] as [(Int64, ReceiptVerificationError.Code?)] {
            var receipt = Receipts.production
            receipt.creationDate = Instants.year2025 + days * day
            let container = try signer.container(of: receipt.payload)
            #expect(await self.code(try verifier(chain), container) == code, "day \(days)")
        }
    }

    @Test("Receipts of Xcode, with indefinite lengths, are read where their certificate is trusted")
    func xcode() async throws {
        let xcode = try ReceiptChain.irregular()
        let signer = try ReceiptSigner(
            key: xcode.leafKey, leaf: xcode.leaf, certificates: [xcode.leafDER])
        let container = try signer.container(
            of: Receipts.xcode.payload, algorithm: .sha256WithRSAEncryption)
        let bytes = container.encoded(withIndefiniteLengths: true)
        #expect(bytes[1] == 0x80)
        let verifier = try verifier(selfSigned: [xcode.leafDER])
        let expected = ReceiptExpectation(
            bundleID: "org.example.garden", deviceIdentifier: Receipts.device,
            environments: [.xcode])
        #expect(try await verifier.verify(bytes, expecting: expected) == Receipts.xcode)
        await #expect(throws: ReceiptVerificationError.self) {
            try await self.verifier().verify(bytes, expecting: expected)
        }
        // Trusting it does not mean that others may do without their chain.
        let lone = try ReceiptSigner(
            key: chain.leafKey, leaf: chain.leaf, certificates: [chain.leafDER])
        #expect(
            await code(verifier, try lone.container(of: Receipts.xcode.payload))
                == .wrongChainLength)
        // And it is good in its own time only.
        var early = Receipts.xcode
        early.creationDate = Instants.year2000 - 1000
        #expect(
            await code(verifier, try signer.container(of: early.payload))
                == .certificateNotValidAtDate)
    }

    @Test("A root that is no certificate is refused")
    func noRoot() throws {
        #expect(throws: ReceiptVerificationError.self) { try ReceiptVerifier(rootDER: [[1]]) }
        #expect(throws: ReceiptVerificationError.self) {
            try ReceiptVerifier(rootDER: [], selfSignedDER: [[]])
        }
    }
}
