import AppStoreWire
import Crypto
import FoundationEssentials

/// The public half of an In-App Purchase key, as it is verified with (API-2, PRO-1).
///
/// Reading it and making its bytes are arithmetic on the curve: both are done once.
public struct VerificationKey: Sendable {
    let key: P256.Signing.PublicKey
    /// What two keys are told apart by.
    let bytes: [UInt8]

    init(_ key: P256.Signing.PublicKey) {
        self.key = key
        bytes = [UInt8](key.rawRepresentation)
    }

    /// Reads one; throws where the text is no P-256 public key in PEM.
    public init(publicKeyPEM: String) throws {
        self.init(try P256.Signing.PublicKey(pemRepresentation: publicKeyPEM))
    }

    /// The public half of a key.
    public init(_ key: APIKey) { self.init(key.publicKey) }

    /// The public key in PEM, for storing: of each key the same text.
    public var publicKeyPEM: String { key.pemRepresentation }
}

/// What a token says of itself before anything of it is verified: which key to look for.
public struct RequestTokenClaim: Sendable, Hashable {
    public let keyID: String
    /// Empty where it names none.
    public let bundleID: String

    init(keyID: String, bundleID: String) {
        self.keyID = keyID
        self.bundleID = bundleID
    }

    /// Reads a token.
    ///
    /// - Throws: `tooLarge`, `malformed`, `unknownKey` where it names no key.
    init(reading token: String) throws(RequestTokenError) {
        guard token.utf8.count <= RequestTokenVerifier.sizeLimit else { throw .tooLarge }
        guard let jws = try? SignedToken(token) else { throw .malformed }
        guard let keyID = jws.header["kid"]?.string else { throw .unknownKey }
        let claims = try? JSONValue(parsing: jws.payload)
        self.init(keyID: keyID, bundleID: claims?["bid"]?.string ?? "")
    }
}
