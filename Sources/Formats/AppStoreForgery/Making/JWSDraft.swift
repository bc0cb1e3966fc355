import AppStoreSigning
import AppStoreWire
import Crypto
import FoundationEssentials

/// A compact JWS before it is signed: every part can be made wrong.
struct JWSDraft {
    /// Who signs.
    enum Key {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        /// HMAC with SHA-256.
        case secret([UInt8])
        case nobody
    }

    var header: RawObject
    var payload: [UInt8]
    var key: Key

    /// The payload, member by member.
    var members: RawObject {
        get { RawObject(payload) }
        set { payload = newValue.bytes }
    }

    /// Signs it.
    func sealed() throws -> SealedJWS { try SealedJWS(header: header.bytes, payload, key) }

    /// Signs it, and says it as it is sent.
    func text() throws -> String { try sealed().text }

    /// A copy with something changed.
    func with(_ change: (inout JWSDraft) throws -> Void) rethrows -> JWSDraft {
        var draft = self
        try change(&draft)
        return draft
    }

    /// Puts other certificates into `x5c`, as DER.
    mutating func certify(_ certificates: [[UInt8]]) {
        header.set(
            "x5c",
            raw: certificates.map { Data($0).base64EncodedString() }.jsonText())
    }
}

/// A compact JWS in its three parts.
struct SealedJWS {
    var header: String
    var payload: String
    var signature: [UInt8]

    init(header: [UInt8], _ payload: [UInt8], _ key: JWSDraft.Key) throws {
        self.header = Base64URL.encode(header)
        self.payload = Base64URL.encode(payload)
        let text = Array("\(self.header).\(self.payload)".utf8)
        switch key {
        case .p256(let key):
            signature = Array(try key.signature(for: SHA256.hash(data: text)).rawRepresentation)
        case .p384(let key):
            signature = Array(try key.signature(for: SHA384.hash(data: text)).rawRepresentation)
        case .secret(let secret):
            signature = Array(
                HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: secret)))
        case .nobody: signature = []
        }
    }

    /// The third part.
    var signatureText: String { Base64URL.encode(signature) }

    var text: String { "\(header).\(payload).\(signatureText)" }

    /// The text with another third part.
    func text(signature: String) -> String { "\(header).\(payload).\(signature)" }

    /// The text with another signature.
    func text(signature: [UInt8]) -> String { text(signature: Base64URL.encode(signature)) }

    /// The other signature that the same key makes of the same text without its owner: (R, n − S)
    /// is as good as (R, S).
    var mirroredSignature: [UInt8] {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2,
            0xFC, 0x63, 0x25, 0x51,
        ]
        var mirrored = signature
        var borrow = 0
        for place in order.indices.reversed() {
            let digit = Int(order[place]) - Int(signature[32 + place]) - borrow
            mirrored[32 + place] = UInt8(truncatingIfNeeded: digit)
            borrow = digit < 0 ? 1 : 0
        }
        return mirrored
    }
}
