public import AppStoreWire
import Crypto
import FoundationEssentials

/// Signs payloads as the App Store does: compact JWS, ES256, the chain in `x5c` (JWS-1).
///
/// The header is the same in every signature, so its text is made once and hashed once; a
/// signature costs little more than ECDSA itself.
public struct JWSSigner: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The header's base64url text and the dot after it.
    private let prefix: [UInt8]
    /// SHA-256 that has taken in `prefix`; a value, so each signature goes on from a copy.
    private let prefixHash: SHA256

    /// A signer with the leaf key of `chain`.
    public init(chain: CertificateChain) {
        self.init(
            key: chain.leafKey,
            certificates: [chain.leafDER, chain.intermediateDER, chain.rootDER])
    }

    /// A signer with a header of any length, for tests of verifiers.
    init(key: P256.Signing.PrivateKey, certificates: [[UInt8]], algorithm: String = "ES256") {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.field("alg", algorithm)
            json.field("x5c", certificates.map { Data($0).base64EncodedString() })
        }
        var prefix: [UInt8] = []
        Base64URL.append(json.bytes, to: &prefix)
        prefix.append(UInt8(ascii: "."))
        self.key = key
        self.prefix = prefix
        var hash = SHA256()
        hash.update(data: prefix)
        prefixHash = hash
    }

    /// The compact JWS of `payload`.
    public func sign(_ payload: some WireEncodable) throws -> String {
        try sign(payloadBytes: payload.jsonBytes())
    }

    /// The compact JWS of a payload that is JSON text already.
    public func sign(payloadBytes: [UInt8]) throws -> String {
        var text: [UInt8] = []
        text.reserveCapacity(
            prefix.count + Base64URL.encodedCount(of: payloadBytes.count) + 1 + 86)
        text.append(contentsOf: prefix)
        Base64URL.append(payloadBytes, to: &text)
        var hash = prefixHash
        text.withUnsafeBytes { text in
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: text[prefix.count...]))
        }
        let signature = try key.signature(for: hash.finalize())
        text.append(UInt8(ascii: "."))
        Base64URL.append(Array(signature.rawRepresentation), to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// Loggers print values by reflection; this one holds a private key, so it shows only its name.
extension JWSSigner: CustomStringConvertible, CustomReflectable {
    public var description: String { "JWSSigner" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
