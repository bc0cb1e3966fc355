import AppStoreWire
import Crypto
import Foundation
import Testing

@testable import AppStoreSigning

@Suite("Signed data")
struct SignedDataTests {
    private typealias Code = JWSVerificationError.Code

    private let chain = CertificateChain.shared
    private let payload = JWSTransactionDecodedPayload(
        transactionId: "12345", originalTransactionId: "12345", bundleId: "com.example.garden",
        productId: "seeds", purchaseDate: Instants.year2025,
        originalPurchaseDate: Instants.year2025, quantity: 1, type: .consumable,
        inAppOwnershipType: .purchased, signedDate: Instants.year2025, environment: .production)

    @Test("A signature has the header of the App Store and verifies to the same bytes")
    func roundTrip() async throws {
        let jws = try JWSSigner(chain: chain).sign(payload)
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        let header = try JSONValue(
            parsing: #require(Base64URL.decode(Array(parts[0].utf8))))
        let certificates = [chain.leafDER, chain.intermediateDER, chain.rootDER]
            .map { JSONValue.string(Data($0).base64EncodedString()) }
        #expect(header == .object(["alg": .string("ES256"), "x5c": .array(certificates)]))
        #expect(Base64URL.decode(Array(parts[2].utf8))?.count == 64)
        let verified = try await JWSVerifier(rootDER: chain.rootDER)
            .verify(jws, at: Instants.year2025)
        #expect(verified == payload.jsonBytes())
    }

    @Test("Payloads of every length mod 3 come through", arguments: 0..<8)
    func lengths(count: Int) async throws {
        let bytes = [UInt8](repeating: 0xFB, count: count)
        let jws = try JWSSigner(chain: chain).sign(payloadBytes: bytes)
        let verified = try await JWSVerifier(rootDER: chain.rootDER)
            .verify(jws, at: Instants.year2025)
        #expect(verified == bytes)
    }

    @Test("A chain that was loaded from files signs for the root that was saved")
    func loadedChain() async throws {
        let loaded = try withDirectory("signing") { directory in
            try chain.save(in: directory)
            return try CertificateChain.load(from: directory)
        }
        let jws = try JWSSigner(chain: loaded).sign(payload)
        _ = try await JWSVerifier(rootDER: chain.rootDER).verify(jws, at: Instants.year2025)
    }

    @Test("What is not a compact JWS is malformed")
    func malformed() async throws {
        let jws = try JWSSigner(chain: chain).sign(payload)
        let parts = jws.split(separator: ".").map(String.init)
        let notJSON = Base64URL.encode(Array("nonsense".utf8))
        let critical = Base64URL.encode(Array(#"{"alg":"ES256","crit":["b64"]}"#.utf8))
        let texts = [
            "", "a", "a.b", jws + ".", jws + "=", "\(parts[0]).\(parts[1])", " " + jws,
            "\(parts[0]).\(parts[1])\n.\(parts[2])", "\(notJSON).\(parts[1]).\(parts[2])",
            "\(critical).\(parts[1]).\(parts[2])", "+\(jws.dropFirst())",
        ]
        for text in texts { try await expect(.malformed, text) }
    }

    @Test("A changed payload, header or signature does not verify")
    func tampering() async throws {
        let jws = try JWSSigner(chain: chain).sign(payload)
        let parts = jws.split(separator: ".").map(String.init)
        var richer = payload
        richer.quantity = 1000
        let changed = Base64URL.encode(richer.jsonBytes())
        try await expect(.wrongSignature, "\(parts[0]).\(changed).\(parts[2])")

        var signature = try #require(Base64URL.decode(Array(parts[2].utf8)))
        signature[10] ^= 1
        try await expect(
            .wrongSignature, "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))")
        let zero = Base64URL.encode([UInt8](repeating: 0, count: 64))
        try await expect(.wrongSignature, "\(parts[0]).\(parts[1]).\(zero)")
        try await expect(.wrongSignature, "\(parts[0]).\(parts[1]).")
        let short = Base64URL.encode(Array(signature.dropLast()))
        try await expect(.wrongSignature, "\(parts[0]).\(parts[1]).\(short)")

        let spaced = try #require(Base64URL.decode(Array(parts[0].utf8))) + [0x20]
        try await expect(
            .wrongSignature, "\(Base64URL.encode(spaced)).\(parts[1]).\(parts[2])")
    }

    @Test("A signature by another key under this chain does not verify")
    func anotherKey() async throws {
        let signer = JWSSigner(
            key: P256.Signing.PrivateKey(),
            certificates: [chain.leafDER, chain.intermediateDER, chain.rootDER])
        try await expect(.wrongSignature, signer.sign(payload))
    }

    @Test("Any algorithm but ES256 is refused", arguments: ["none", "HS256", "RS256", "es256", ""])
    func algorithms(algorithm: String) async throws {
        let signer = JWSSigner(
            key: chain.leafKey,
            certificates: [chain.leafDER, chain.intermediateDER, chain.rootDER],
            algorithm: algorithm)
        try await expect(.wrongAlgorithm, signer.sign(payload))
    }

    @Test("Any number of certificates but three is refused")
    func chainLengths() async throws {
        let all = [chain.leafDER, chain.intermediateDER, chain.rootDER]
        for certificates in [[], [all[0]], Array(all.prefix(2)), all + [all[2]]] {
            let signer = JWSSigner(key: chain.leafKey, certificates: certificates)
            try await expect(.wrongChainLength, signer.sign(payload))
        }
    }

    @Test("What is no certificate is refused, in any place")
    func malformedCertificates() async throws {
        let all = [chain.leafDER, chain.intermediateDER, chain.rootDER]
        for place in all.indices {
            for broken in [[], Array("nonsense".utf8), Array(all[place].dropLast())] {
                var certificates = all
                certificates[place] = broken
                let signer = JWSSigner(key: chain.leafKey, certificates: certificates)
                try await expect(.malformedCertificate, signer.sign(payload))
            }
        }
        #expect(throws: JWSVerificationError.self) { try JWSVerifier(rootDER: [0x30]) }
    }

    @Test("A chain of another root is not trusted, even if it claims ours")
    func wrongRoot() async throws {
        let other = try CertificateChain.irregular()
        try await expect(.untrustedChain, JWSSigner(chain: other).sign(payload))
        let claiming = JWSSigner(
            key: other.leafKey,
            certificates: [other.leafDER, other.intermediateDER, chain.rootDER])
        try await expect(.untrustedChain, claiming.sign(payload))
        let mixed = JWSSigner(
            key: other.leafKey,
            certificates: [other.leafDER, chain.intermediateDER, chain.rootDER])
        try await expect(.untrustedChain, mixed.sign(payload))
    }

    @Test("A path of two certificates is not enough, even to a trusted one")
    func shortPath() async throws {
        try await expect(
            .untrustedChain, JWSSigner(chain: chain).sign(payload), root: chain.intermediateDER)
    }

    @Test("The third certificate lends no trust and takes none")
    func thirdCertificate() async throws {
        let other = try CertificateChain.irregular()
        let signer = JWSSigner(
            key: chain.leafKey, certificates: [chain.leafDER, chain.intermediateDER, other.rootDER])
        let jws = try signer.sign(payload)
        let verifier = try JWSVerifier(rootDER: chain.rootDER)
        #expect(try await verifier.verify(jws, at: Instants.year2025) == payload.jsonBytes())
    }

    @Test("A missing or misplaced marker is refused")
    func markers() async throws {
        let irregular = [
            try CertificateChain.irregular(leafMarkers: []),
            try CertificateChain.irregular(intermediateMarkers: []),
            try CertificateChain.irregular(leafMarkers: [MarkerExtension.intermediate]),
        ]
        for chain in irregular {
            try await expect(
                .missingMarker, JWSSigner(chain: chain).sign(payload), root: chain.rootDER)
        }
    }

    @Test("Certificates are judged at the given date, each time anew")
    func dates() async throws {
        let day: Int64 = 86_400_000
        let chain = try CertificateChain.irregular(
            notBefore: Instants.year2025, notAfter: Instants.year2025 + day)
        let verifier = try JWSVerifier(rootDER: chain.rootDER)
        let jws = try JWSSigner(chain: chain).sign(payload)
        // Twice, so that the second round meets a chain that is remembered.
        for _ in 0..<2 {
            for good in [0, 1, day - 1, day] {
                _ = try await verifier.verify(jws, at: Instants.year2025 + good)
            }
            for bad in [-1, -day, day + 1, 2 * day] {
                let error = await #expect(throws: JWSVerificationError.self) {
                    try await verifier.verify(jws, at: Instants.year2025 + bad)
                }
                #expect(error?.code == .certificateNotValidAtDate)
            }
        }
    }

    @Test("A remembered chain does not excuse a wrong signature")
    func remembered() async throws {
        let verifier = try JWSVerifier(rootDER: chain.rootDER)
        let jws = try JWSSigner(chain: chain).sign(payload)
        _ = try await verifier.verify(jws, at: Instants.year2025)
        let parts = jws.split(separator: ".")
        let error = await #expect(throws: JWSVerificationError.self) {
            try await verifier.verify(
                "\(parts[0]).\(Base64URL.encode([1])).\(parts[2])", at: Instants.year2025)
        }
        #expect(error?.code == .wrongSignature)
    }

    private func expect(
        _ code: JWSVerificationError.Code, _ jws: String, root: [UInt8]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let verifier = try JWSVerifier(rootDER: root ?? chain.rootDER)
        let error = await #expect(
            throws: JWSVerificationError.self, sourceLocation: sourceLocation
        ) { try await verifier.verify(jws, at: Instants.year2025) }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.reason.hasSuffix(".") == true, sourceLocation: sourceLocation)
    }
}
