import AppStoreWire

/// The three parts of a compact JWS (RFC 7515 section 7.1), decoded but not trusted.
struct CompactJWS {
    /// Why a text is no compact JWS.
    struct Malformed: Error {
        let reason: String
    }

    let header: [String: JSONValue]
    let payload: [UInt8]
    /// R and S, 64 bytes in all if the signature is one of ES256.
    let signature: [UInt8]
    /// What is signed: the ASCII text before the second dot.
    let signedText: ArraySlice<UInt8>

    init(_ text: String) throws(Malformed) {
        let parts = try CompactJWSParts(text)
        header = try parts.header()
        payload = parts.payload
        signature = parts.signature
        signedText = parts.signedText
    }
}

/// The same with its header as it stands: one signer writes the same into all that it signs.
struct CompactJWSParts {
    /// Base64url of the header.
    let headerText: ArraySlice<UInt8>
    let payload: [UInt8]
    let signature: [UInt8]
    let signedText: ArraySlice<UInt8>

    init(_ text: String) throws(CompactJWS.Malformed) {
        let utf8 = Array(text.utf8)
        let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw CompactJWS.Malformed(reason: "It has not three parts.")
        }
        guard let payload = Base64URL.decode(parts[1]) else {
            throw CompactJWS.Malformed(reason: "The payload is not base64url.")
        }
        guard let signature = Base64URL.decode(parts[2]) else {
            throw CompactJWS.Malformed(reason: "The signature is not base64url.")
        }
        headerText = parts[0]
        self.payload = payload
        self.signature = signature
        signedText = utf8[..<parts[1].endIndex]
    }

    func header() throws(CompactJWS.Malformed) -> [String: JSONValue] {
        guard let bytes = Base64URL.decode(headerText) else {
            throw CompactJWS.Malformed(reason: "The header is not base64url.")
        }
        guard let header = try? JSONValue(parsing: bytes), let members = header.object else {
            throw CompactJWS.Malformed(reason: "The header is not a JSON object.")
        }
        // RFC 7515 section 4.1.11: who does not know what `crit` demands has to refuse.
        guard members["crit"] == nil else {
            throw CompactJWS.Malformed(reason: "The header demands an extension.")
        }
        return members
    }
}
