/// The container of an app receipt, PKCS#7 (RFC 2315): what is in it, whether it can be trusted or
/// not (RCP-4).
public struct ReceiptContainer: Sendable, Hashable {
    /// Who signed, and how.
    public struct Signer: Sendable, Hashable {
        /// The issuer of the signer's certificate: a distinguished name in DER.
        public var issuer: [UInt8]
        /// The number of the signer's certificate: the content of an integer.
        public var serialNumber: [UInt8]
        /// The digest that is signed.
        public var digest: ReceiptAlgorithm
        /// How it is signed.
        public var algorithm: ReceiptAlgorithm
        /// The signature.
        public var signature: [UInt8]

        /// Joins the parts.
        public init(
            issuer: [UInt8], serialNumber: [UInt8], digest: ReceiptAlgorithm,
            algorithm: ReceiptAlgorithm, signature: [UInt8]
        ) {
            self.issuer = issuer
            self.serialNumber = serialNumber
            self.digest = digest
            self.algorithm = algorithm
            self.signature = signature
        }
    }

    /// The digests that the container says it needs.
    public var digests: [ReceiptAlgorithm]
    /// What is signed: a set of attributes.
    public var payload: [UInt8]
    /// Certificates in DER, in their order: leaf, intermediate, root.
    public var certificates: [[UInt8]]
    /// Who signed; one in every real receipt.
    public var signers: [Signer]

    /// Joins the parts.
    public init(
        digests: [ReceiptAlgorithm], payload: [UInt8], certificates: [[UInt8]], signers: [Signer]
    ) {
        self.digests = digests
        self.payload = payload
        self.certificates = certificates
        self.signers = signers
    }

    enum ContentType {
        /// 1.2.840.113549.1.7.1
        static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
        /// 1.2.840.113549.1.7.2
        static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
    }
}

extension ReceiptContainer {
    /// The container in DER, as the App Store sends it, or with indefinite lengths, as Xcode does.
    ///
    /// The certificates stand in their own order, as in real receipts, and not in the one of DER.
    public func encoded(withIndefiniteLengths isIndefinite: Bool = false) -> [UInt8] {
        typealias Tag = DERWriter.Tag
        func wrap(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
            let content = DERWriter.join(parts)
            return isIndefinite
                ? DERWriter.indefinite(tag, content) : DERWriter.element(tag, content)
        }
        let octets = DERWriter.octets(payload)
        let content = isIndefinite ? wrap(Tag.constructedOctetString, octets) : octets
        let signedData = wrap(
            Tag.sequence, DERWriter.integer(1),
            DERWriter.element(Tag.set, DERWriter.join(digests.map(\.encoded))),
            wrap(
                Tag.sequence, DERWriter.element(Tag.objectIdentifier, ContentType.data),
                wrap(Tag.first, content)),
            wrap(Tag.first, DERWriter.join(certificates)),
            DERWriter.element(Tag.set, DERWriter.join(signers.map(\.encoded))))
        return wrap(
            Tag.sequence, DERWriter.element(Tag.objectIdentifier, ContentType.signedData),
            wrap(Tag.first, signedData))
    }
}

extension ReceiptContainer.Signer {
    fileprivate var encoded: [UInt8] {
        typealias Tag = DERWriter.Tag
        return DERWriter.element(
            Tag.sequence, DERWriter.integer(1),
            DERWriter.element(Tag.sequence, issuer, DERWriter.element(Tag.integer, serialNumber)),
            digest.encoded, algorithm.encoded, DERWriter.octets(signature))
    }
}
