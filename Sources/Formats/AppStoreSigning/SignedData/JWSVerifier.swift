import AppStoreWire
import Crypto
import FoundationEssentials
import SwiftASN1
// RFC5280Policy with a fixed validation time is public only behind this SPI: data is judged by the
// date it was signed at, not by today (JWS-2, step 6).
@_spi(FixedExpiryValidationTime) import X509

/// Verifies compact JWS as Apple's libraries do offline (JWS-2), strictly.
public struct JWSVerifier: Sendable {
    /// Longer texts are not read, in bytes. A notification about a purchase of a hundred items
    /// takes less than a third of it.
    public static let sizeLimit = 524_288

    private let roots: [Certificate]
    private let trustedChains = TrustedChains()

    /// A verifier that trusts the given roots (DER); throws
    /// ``JWSVerificationError/Code/malformedCertificate`` if one is no certificate.
    public init(rootDER: [[UInt8]]) throws(JWSVerificationError) {
        var roots: [Certificate] = []
        for der in rootDER { roots.append(try Self.certificate(der, "A trusted root")) }
        self.roots = roots
    }

    /// When the first of the roots ends, in milliseconds since 1970 UTC; nil where there is none.
    public var firstRootEnd: Int64? {
        roots.map { Int64($0.notValidAfter.timeIntervalSince1970 * 1000) }.min()
    }

    /// A verifier that trusts one root (DER).
    public init(rootDER: [UInt8]) throws(JWSVerificationError) {
        try self.init(rootDER: [rootDER])
    }

    /// Verifies `jws` and returns its payload, which is JSON only if the signer made it so.
    ///
    /// - Parameter date: The instant at which the certificates have to be valid, in milliseconds
    ///   since 1970 UTC: the payload's own `signedDate` (``SignedDataVerifier`` takes it), or now.
    public func verify(
        _ jws: String, at date: Int64
    ) async throws(JWSVerificationError) -> [UInt8] {
        try await verify(parse(jws), at: date)
    }

    /// A text that was read and is not trusted yet.
    struct Unverified {
        let payload: [UInt8]
        fileprivate let signature: [UInt8]
        fileprivate let jws: CompactJWS
        fileprivate let signer: Signer
    }

    fileprivate enum Signer {
        case known(TrustedChains.Verdict)
        case unknown(header: [String: JSONValue])
    }

    func parse(_ text: String) throws(JWSVerificationError) -> Unverified {
        guard text.utf8.count <= Self.sizeLimit else {
            throw JWSVerificationError(
                .tooLarge, "The text is too large: at most \(Self.sizeLimit) bytes are read.")
        }
        do throws(CompactJWS.Malformed) {
            let jws = try CompactJWS(text)
            let (payload, signature) = (try jws.payload(), try jws.signature())
            let signer: Signer
            if let verdict = trustedChains.verdict(on: jws.headerText) {
                signer = .known(verdict)
            } else {
                signer = .unknown(header: try jws.header())
            }
            return Unverified(payload: payload, signature: signature, jws: jws, signer: signer)
        } catch {
            throw JWSVerificationError(.malformed, error.reason)
        }
    }

    func verify(_ text: Unverified, at date: Int64) async throws(JWSVerificationError) -> [UInt8] {
        let verdict = try await verdict(on: text, at: date)
        // Of the signed text only what differs from one to the next is hashed.
        var hash = verdict.headerHash
        hash.update(data: text.jws.signedTail)
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: text.signature),
            verdict.key.isValidSignature(signature, for: hash.finalize())
        else {
            throw JWSVerificationError(
                .wrongSignature, "The signature does not fit header and payload.")
        }
        return text.payload
    }

    /// What header and chain are worth.
    private func verdict(
        on text: Unverified, at date: Int64
    ) async throws(JWSVerificationError) -> TrustedChains.Verdict {
        let header: [String: JSONValue]
        switch text.signer {
        case .known(let verdict) where verdict.validity.contains(date): return verdict
        case .known:
            do { header = try text.jws.header() } catch {
                throw JWSVerificationError(.malformed, error.reason)
            }
        case .unknown(let read): header = read
        }
        guard header["alg"] == .string("ES256") else {
            throw JWSVerificationError(.wrongAlgorithm, "The algorithm is not ES256.")
        }
        let entries = header["x5c"]?.array?.compactMap(\.string) ?? []
        guard entries.count == 3, header["x5c"]?.array?.count == 3 else {
            throw JWSVerificationError(.wrongChainLength, "There are not three certificates.")
        }
        let (key, validity) = try await verifyChain(entries, at: date)
        var headerHash = SHA256()
        headerHash.update(data: text.jws.headerText)
        let verdict = TrustedChains.Verdict(key: key, validity: validity, headerHash: headerHash)
        trustedChains.remember(verdict, on: text.jws.headerText)
        return verdict
    }

    /// The leaf's key, and the instants in milliseconds at which all that the three entries of
    /// `x5c` lead to is valid. The third must be a certificate, as in Java, but
    /// is not used: trust comes from the caller's roots alone (step 4).
    private func verifyChain(
        _ entries: [String], at date: Int64
    ) async throws(JWSVerificationError) -> (P256.Signing.PublicKey, ClosedRange<Int64>) {
        var certificates: [Certificate] = []
        for entry in entries {
            guard let der = Data(base64Encoded: entry) else {
                throw JWSVerificationError(.malformedCertificate, "A certificate is not base64.")
            }
            certificates.append(try Self.certificate(Array(der), "A certificate in x5c"))
        }
        let (leaf, intermediate) = (certificates[0], certificates[1])
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else {
            throw JWSVerificationError(.malformedCertificate, "The leaf's key is not P-256.")
        }
        guard MarkerExtension.stands(MarkerExtension.leaf, in: leaf),
            MarkerExtension.stands(MarkerExtension.intermediate, in: intermediate)
        else {
            throw JWSVerificationError(
                .missingMarker, "The certificates are not for signing App Store data.")
        }
        // Apple's leaves are none (JWS-1): whoever holds the key of one that is could make more.
        if case .isCertificateAuthority = try? leaf.extensions.basicConstraints {
            throw JWSVerificationError(.untrustedChain, "The leaf is an authority.")
        }
        return (key, try await verifyPath(from: leaf, over: intermediate, at: date))
    }

    private static func certificate(
        _ der: [UInt8], _ what: String
    ) throws(JWSVerificationError) -> Certificate {
        do { return try Certificate(derEncoded: der) } catch {
            throw JWSVerificationError(.malformedCertificate, "\(what) is not X.509 in DER.")
        }
    }

    /// The instants, in milliseconds, at which all certificates of the path are valid.
    private func verifyPath(
        from leaf: Certificate, over intermediate: Certificate, at milliseconds: Int64
    ) async throws(JWSVerificationError) -> ClosedRange<Int64> {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        for certificate in [leaf, intermediate]
        where date < certificate.notValidBefore || date > certificate.notValidAfter {
            throw JWSVerificationError(
                .certificateNotValidAtDate, "A certificate is not valid at the effective date.")
        }
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: date)
        }
        let result = await verifier.validate(
            leaf: leaf, intermediates: CertificateStore([intermediate]))
        guard case .validCertificate(let chain) = result, chain.count == 3 else {
            throw JWSVerificationError(
                .untrustedChain, "The certificates do not lead to a trusted root.")
        }
        func instant(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970 * 1000) }
        // The policy found `date` inside all three, so the range is never empty.
        let first = chain.map { instant($0.notValidBefore) }.reduce(.min, max)
        let last = chain.map { instant($0.notValidAfter) }.reduce(.max, min)
        return first...last
    }
}
