import FoundationEssentials

extension ReceiptContainer {
    /// Reads a receipt in DER or BER; nothing of it is verified.
    ///
    /// Throws ``ReceiptVerificationError/Code/malformed``, or
    /// ``ReceiptVerificationError/Code/tooLarge`` before anything is read.
    public init(parsing bytes: [UInt8]) throws(ReceiptVerificationError) {
        guard bytes.count <= ReceiptLimit.bytes else {
            throw ReceiptVerificationError(
                .tooLarge, "The receipt is longer than \(ReceiptLimit.bytes) bytes.")
        }
        do { self = try Self.read(bytes) } catch {
            throw ReceiptVerificationError(error, in: "The container")
        }
    }

    /// Reads a receipt in Base64, as apps send it; white space is refused.
    public init(base64 text: String) throws(ReceiptVerificationError) {
        // Base64 of the longest receipt has four characters for three bytes.
        guard text.utf8.count <= (ReceiptLimit.bytes + 2) / 3 * 4 else {
            throw ReceiptVerificationError(
                .tooLarge, "The receipt is longer than \(ReceiptLimit.bytes) bytes.")
        }
        guard let data = Data(base64Encoded: text) else {
            throw ReceiptVerificationError(.malformed, "The receipt is not Base64.")
        }
        try self.init(parsing: Array(data))
    }

    private typealias Tag = BERReader.Tag

    private static func read(_ bytes: [UInt8]) throws(BERSyntaxError) -> ReceiptContainer {
        var file = BERReader(bytes)
        var outer = try file.enter(Tag.sequence, "A container")
        try file.finish("The receipt")
        try outer.expect(ContentType.signedData, "The content type signedData")
        var wrapping = try outer.enter(Tag.first, "Signed data")
        try outer.finish("The container")
        var signedData = try wrapping.enter(Tag.sequence, "Signed data")
        try wrapping.finish("The signed data")

        try signedData.expectVersion()
        let digests = try signedData.algorithms()
        let payload = try signedData.content()
        let certificates = try signedData.certificates()
        let signers = try signedData.signers()
        try signedData.finish("The signed data")
        return ReceiptContainer(
            digests: digests, payload: payload, certificates: certificates, signers: signers)
    }
}

extension BERReader {
    fileprivate mutating func expect(
        _ identifier: [UInt8], _ what: String
    ) throws(BERSyntaxError) {
        let place = self
        guard try objectIdentifier(what) == identifier else {
            throw place.fault("\(what) should be here.")
        }
    }

    fileprivate mutating func expectVersion() throws(BERSyntaxError) {
        let place = self
        guard try integer("The version") == 1 else { throw place.fault("The version is not 1.") }
    }

    fileprivate mutating func algorithms() throws(BERSyntaxError) -> [ReceiptAlgorithm] {
        var set = try enter(Tag.set, "The set of digests")
        var algorithms: [ReceiptAlgorithm] = []
        while !set.isAtEnd {
            guard algorithms.count < 4 else { throw set.fault("There are too many digests.") }
            algorithms.append(try ReceiptAlgorithm(from: &set, "A digest"))
        }
        return algorithms
    }

    fileprivate mutating func content() throws(BERSyntaxError) -> [UInt8] {
        var info = try enter(Tag.sequence, "The signed content")
        try info.expect(ReceiptContainer.ContentType.data, "The content type data")
        var wrapping = try info.enter(Tag.first, "The payload")
        try info.finish("The signed content")
        let payload = try wrapping.octets("the payload")
        try wrapping.finish("The payload")
        return payload
    }

    fileprivate mutating func certificates() throws(BERSyntaxError) -> [[UInt8]] {
        // Absent, which is as good as empty, in a receipt made by hand.
        guard nextTag == Tag.first else { return [] }
        var set = try enter(Tag.first, "Certificates")
        var certificates: [[UInt8]] = []
        while !set.isAtEnd {
            guard certificates.count < ReceiptLimit.certificates else {
                throw set.fault("There are more than \(ReceiptLimit.certificates) certificates.")
            }
            let place = set
            let whole = try set.next(Tag.sequence, "A certificate").whole
            guard whole.count <= ReceiptLimit.certificateBytes else {
                throw place.fault("A certificate is too long.")
            }
            certificates.append(Array(bytes[whole]))
        }
        return certificates
    }

    fileprivate mutating func signers() throws(BERSyntaxError) -> [ReceiptContainer.Signer] {
        var set = try enter(Tag.set, "The set of signers")
        var signers: [ReceiptContainer.Signer] = []
        while !set.isAtEnd {
            guard signers.count < 4 else { throw set.fault("There are too many signers.") }
            signers.append(try set.signer())
        }
        return signers
    }

    private mutating func signer() throws(BERSyntaxError) -> ReceiptContainer.Signer {
        var parts = try enter(Tag.sequence, "A signer")
        try parts.expectVersion()
        var name = try parts.enter(Tag.sequence, "The signer's issuer and number")
        let issuer = Array(bytes[try name.next(Tag.sequence, "The issuer's name").whole])
        let number = Array(bytes[try name.next(Tag.integer, "The certificate's number").content])
        try name.finish("The signer's issuer and number")
        let digest = try ReceiptAlgorithm(from: &parts, "The signer's digest")
        guard parts.nextTag != Tag.first else {
            throw parts.fault("There are signed attributes, which receipts have not.")
        }
        let algorithm = try ReceiptAlgorithm(from: &parts, "The signature's algorithm")
        let signature = try parts.octets("the signature")
        try parts.finish("The signer")
        return ReceiptContainer.Signer(
            issuer: issuer, serialNumber: number, digest: digest, algorithm: algorithm,
            signature: signature)
    }
}
