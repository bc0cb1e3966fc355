import AppStoreWire
import Crypto
import CryptoExtras
import FoundationEssentials
import SwiftASN1
// RFC5280Policy with a fixed validation time is public only behind this SPI: receipts are judged
// at their creation date, for signing certificates expire (RCP-4).
@_spi(FixedExpiryValidationTime) import X509

/// Verifies app receipts as apps and merchants do: container, signature, chain at the creation
/// date, then whose it is (RCP-4).
public struct ReceiptVerifier: Sendable {
    private let roots: [Certificate]
    private let rootDER: [[UInt8]]
    private let selfSigned: [[UInt8]]
    private let allowsSHA1: Bool

    /// A verifier of receipts.
    ///
    /// - Parameters:
    ///   - rootDER: the roots that are trusted, in DER. A receipt's third certificate has to be
    ///     one of them.
    ///   - selfSignedDER: certificates that are trusted as they are, in DER, such as the one that
    ///     Xcode signs a project's receipts with: receipts that hold that one certificate.
    ///   - allowsSHA1: whether receipts from before 2023 are taken, which anybody with enough
    ///     patience may be able to forge.
    ///
    /// Throws ``ReceiptVerificationError/Code/malformedCertificate`` if one is no certificate.
    public init(
        rootDER: [[UInt8]], selfSignedDER: [[UInt8]] = [], allowsSHA1: Bool = false
    ) throws(ReceiptVerificationError) {
        var roots: [Certificate] = []
        for der in rootDER { roots.append(try Self.certificate(der, "A trusted root")) }
        for der in selfSignedDER { _ = try Self.certificate(der, "A trusted certificate") }
        self.roots = roots
        self.rootDER = rootDER
        self.allowsSHA1 = allowsSHA1
        selfSigned = selfSignedDER
    }

    /// Verifies a receipt in DER or BER, and that it is what the app expects.
    ///
    /// - Parameter expected: what is compared once the signature holds.
    public func verify(
        _ receipt: [UInt8], expecting expected: ReceiptExpectation
    ) async throws(ReceiptVerificationError) -> AppReceipt {
        try await verify(ReceiptContainer(parsing: receipt), expecting: expected)
    }

    /// Verifies a receipt in Base64, as apps send it to their servers.
    public func verify(
        base64 receipt: String, expecting expected: ReceiptExpectation
    ) async throws(ReceiptVerificationError) -> AppReceipt {
        try await verify(ReceiptContainer(base64: receipt), expecting: expected)
    }

    /// Verifies a receipt that was read.
    public func verify(
        _ container: ReceiptContainer, expecting expected: ReceiptExpectation
    ) async throws(ReceiptVerificationError) -> AppReceipt {
        // The date is in the payload; nothing of it is trusted before the signature holds at it.
        let attributes = try ReceiptAttribute.decode(payload: container.payload)
        let receipt = try AppReceipt(attributes: attributes)
        guard let signer = container.signers.first, container.signers.count == 1 else {
            throw ReceiptVerificationError(.wrongSignerCount, "There is not exactly one signer.")
        }
        try check(signer, container.digests)
        try await check(container, signer, at: receipt.creationDate)
        try expected.check(receipt, attributes)
        return receipt
    }

    /// One digest, the same for container and signer, and a signature that goes with it.
    private func check(
        _ signer: ReceiptContainer.Signer, _ digests: [ReceiptAlgorithm]
    ) throws(ReceiptVerificationError) {
        let fitting: [ReceiptAlgorithm]
        switch signer.digest {
        case .sha256: fitting = [.rsaEncryption, .sha256WithRSAEncryption]
        case .sha1: fitting = [.rsaEncryption, .sha1WithRSAEncryption]
        default:
            throw ReceiptVerificationError(
                .wrongAlgorithm, "The digest is \(signer.digest), not SHA-256.")
        }
        guard digests == [signer.digest] else {
            throw ReceiptVerificationError(
                .wrongAlgorithm, "The container names another digest than the signer.")
        }
        guard fitting.contains(signer.algorithm) else {
            throw ReceiptVerificationError(
                .wrongAlgorithm,
                "The signature is \(signer.algorithm), not RSA over \(signer.digest).")
        }
        guard signer.digest != .sha1 || allowsSHA1 else {
            throw ReceiptVerificationError(
                .outdatedDigest,
                "The receipt is signed over SHA-1, as before 2023: let the app refresh it.")
        }
    }

    static func isValid(
        _ signature: [UInt8], of payload: some DataProtocol, by key: _RSA.Signing.PublicKey,
        _ digest: ReceiptAlgorithm
    ) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        let padding = _RSA.Signing.Padding.insecurePKCS1v1_5
        return digest == .sha1
            ? key.isValidSignature(
                signature, for: Insecure.SHA1.hash(data: payload), padding: padding)
            : key.isValidSignature(signature, for: SHA256.hash(data: payload), padding: padding)
    }
}

extension ReceiptVerifier {
    /// The signature, and the certificates behind it.
    private func check(
        _ container: ReceiptContainer, _ signer: ReceiptContainer.Signer, at date: Int64
    ) async throws(ReceiptVerificationError) {
        let certificates = container.certificates
        let isSelfSigned = certificates.count == 1 && selfSigned.contains(certificates[0])
        guard isSelfSigned || certificates.count == 3 else {
            throw ReceiptVerificationError(
                .wrongChainLength,
                "There are \(certificates.count) certificates, neither three nor a trusted one.")
        }
        let leaf = try Self.certificate(certificates[0], "The first certificate")
        let key = try Self.key(of: leaf, for: signer)
        guard Self.isValid(signer.signature, of: container.payload, by: key, signer.digest) else {
            throw ReceiptVerificationError(
                .wrongSignature, "The signature does not fit the payload.")
        }
        if isSelfSigned {
            try Self.check([leaf], at: date)
            return
        }
        // Compared as it stands, so that no byte of a receipt can be changed.
        guard rootDER.contains(certificates[2]) else {
            throw ReceiptVerificationError(
                .untrustedChain, "The third certificate is no trusted root.")
        }
        let intermediate = try Self.certificate(certificates[1], "The second certificate")
        try await checkChain(from: leaf, over: intermediate, at: date)
    }

    /// Markers, dates and the path to a trusted root.
    func checkChain(
        from leaf: Certificate, over intermediate: Certificate, at milliseconds: Int64
    ) async throws(ReceiptVerificationError) {
        guard MarkerExtension.stands(MarkerExtension.leaf, in: leaf),
            MarkerExtension.stands(MarkerExtension.intermediate, in: intermediate)
        else {
            throw ReceiptVerificationError(
                .missingMarker, "The certificates are not for signing App Store receipts.")
        }
        // Apple's leaves are none: whoever holds the key of one that is could make more.
        if case .isCertificateAuthority = try? leaf.extensions.basicConstraints {
            throw ReceiptVerificationError(.untrustedChain, "The leaf is an authority.")
        }
        let date = try Self.check([leaf, intermediate], at: milliseconds)
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: date)
        }
        let result = await verifier.validate(
            leaf: leaf, intermediates: CertificateStore([intermediate]))
        guard case .validCertificate(let chain) = result, chain.count == 3 else {
            throw ReceiptVerificationError(
                .untrustedChain, "The certificates do not lead to a trusted root.")
        }
    }

    @discardableResult
    private static func check(
        _ certificates: [Certificate], at milliseconds: Int64
    ) throws(ReceiptVerificationError) -> Date {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        for certificate in certificates
        where date < certificate.notValidBefore || date > certificate.notValidAfter {
            throw ReceiptVerificationError(
                .certificateNotValidAtDate,
                "A certificate is not valid at the receipt's creation date.")
        }
        return date
    }

    /// The key of the certificate that the signer names.
    private static func key(
        of certificate: Certificate, for signer: ReceiptContainer.Signer
    ) throws(ReceiptVerificationError) -> _RSA.Signing.PublicKey {
        let number = signer.serialNumber.drop { $0 == 0 }
        let issuer = try? CertificateChain.der(certificate.issuer)
        guard issuer == signer.issuer,
            number.elementsEqual(certificate.serialNumber.bytes.drop { $0 == 0 })
        else {
            throw ReceiptVerificationError(
                .untrustedChain, "The signer is not the one of the first certificate.")
        }
        return try key(of: certificate)
    }

    static func key(
        of certificate: Certificate
    ) throws(ReceiptVerificationError) -> _RSA.Signing.PublicKey {
        guard let key = _RSA.Signing.PublicKey(certificate.publicKey), key.keySizeInBits >= 2048
        else {
            throw ReceiptVerificationError(
                .malformedCertificate, "The signer's key is not RSA of 2048 bits or more.")
        }
        return key
    }

    static func certificate(
        _ der: [UInt8], _ what: String
    ) throws(ReceiptVerificationError) -> Certificate {
        guard let certificate = try? Certificate(derEncoded: der), hasWholeSignature(der) else {
            throw ReceiptVerificationError(.malformedCertificate, "\(what) is not X.509 in DER.")
        }
        return certificate
    }

    /// Whether the signature of a certificate uses all of its bits. X509 takes one that says it
    /// does not, so that the same certificate could be written in two ways.
    private static func hasWholeSignature(_ der: [UInt8]) -> Bool {
        var file = BERReader(der)
        guard var parts = try? file.enter(BERReader.Tag.sequence, "A certificate"),
            (try? parts.next()) != nil, (try? parts.next()) != nil,
            let signature = try? parts.next(BERReader.Tag.bitString, "A signature")
        else { return false }
        return der[signature.content].first == 0
    }
}
