import AppStoreWire

/// A compact JWS (RFC 7515 section 7.1) cut at its dots. Its parts are decoded when they are asked
/// for, and nothing of it is trusted.
package struct CompactJWS: Sendable {
    /// Why a text is no compact JWS.
    package struct Malformed: Error {
        let reason: String
    }

    /// The three parts as they stand, in base64url.
    package let headerText: ArraySlice<UInt8>
    package let payloadText: ArraySlice<UInt8>
    package let signatureText: ArraySlice<UInt8>

    /// What is signed: the ASCII text before the second dot.
    var signedText: ArraySlice<UInt8> { text[..<payloadText.endIndex] }
    /// The same behind the header: the first dot and the payload.
    var signedTail: ArraySlice<UInt8> { text[headerText.endIndex..<payloadText.endIndex] }

    private let text: [UInt8]

    package init(_ text: String) throws(Malformed) {
        let dot = UInt8(ascii: ".")
        self.text = Array(text.utf8)
        // From both ends, for the payload is long.
        guard let first = self.text.firstIndex(of: dot),
            let last = self.text.lastIndex(of: dot), first < last
        else { throw Malformed(reason: "It has not three parts.") }
        headerText = self.text[..<first]
        payloadText = self.text[(first + 1)..<last]
        signatureText = self.text[(last + 1)...]
    }

    package func payload() throws(Malformed) -> [UInt8] {
        try Self.bytes(of: payloadText, "payload")
    }

    /// R and S, 64 bytes in all if the signature is one of ES256.
    package func signature() throws(Malformed) -> [UInt8] {
        try Self.bytes(of: signatureText, "signature")
    }

    package func headerBytes() throws(Malformed) -> [UInt8] {
        try Self.bytes(of: headerText, "header")
    }

    func header() throws(Malformed) -> [String: JSONValue] {
        let bytes = try headerBytes()
        guard let header = try? JSONValue(parsing: bytes), let members = header.object else {
            throw Malformed(reason: "The header is not a JSON object.")
        }
        // RFC 7515 section 4.1.11: who does not know what `crit` demands has to refuse.
        guard members["crit"] == nil else {
            throw Malformed(reason: "The header demands an extension.")
        }
        return members
    }

    /// What it says, read as `type`: only for texts that somebody has verified, or that nobody
    /// has to trust. Nil where it says something else.
    package func said<Payload: Decodable>(as type: Payload.Type) -> Payload? {
        guard let bytes = try? payload(), let value = try? JSONValue(parsing: bytes) else {
            return nil
        }
        return try? value.decoded(as: type)
    }

    private static func bytes(
        of part: ArraySlice<UInt8>, _ name: String
    ) throws(Malformed) -> [UInt8] {
        guard let bytes = Base64URL.decode(part) else {
            throw Malformed(reason: "The \(name) is not base64url.")
        }
        return bytes
    }
}

/// A compact JWS with all of its parts decoded: the tokens that developers sign.
struct SignedToken {
    let header: [String: JSONValue]
    let payload: [UInt8]
    let signature: [UInt8]
    /// What is signed: the ASCII text before the second dot.
    let signedText: ArraySlice<UInt8>

    init(_ text: String) throws(CompactJWS.Malformed) {
        let parts = try CompactJWS(text)
        header = try parts.header()
        payload = try parts.payload()
        signature = try parts.signature()
        signedText = parts.signedText
    }
}
