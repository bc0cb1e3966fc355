public import Crypto
import FoundationEssentials

/// A developer's In-App Purchase key: it signs request tokens (API-2).
public struct APIKey: Sendable {
    /// Ten characters, upper-case letters and digits: the token's `kid`.
    public let keyID: String
    /// The developer team's UUID: the token's `iss`.
    public let issuerID: String
    /// The private key as Apple hands it out: PKCS#8 in PEM, a `.p8` file.
    public let privateKeyPEM: String
    /// The key that servers verify with.
    public let publicKey: P256.Signing.PublicKey
    package let privateKey: P256.Signing.PrivateKey

    /// The public key in PEM, for storing.
    public var publicKeyPEM: String { publicKey.pemRepresentation }

    /// A key that exists already; throws if `privateKeyPEM` is no P-256 private key in PEM.
    public init(keyID: String, issuerID: String, privateKeyPEM: String) throws {
        let privateKey = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
        self.init(keyID: keyID, issuerID: issuerID, privateKey: privateKey)
    }

    private init(keyID: String, issuerID: String, privateKey: P256.Signing.PrivateKey) {
        self.keyID = keyID
        self.issuerID = issuerID
        self.privateKey = privateKey
        privateKeyPEM = privateKey.pemRepresentation
        publicKey = privateKey.publicKey
    }

    private static let keyIDCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    private static let keyIDLength = 10

    /// Whether a text has the form of a key's identifier.
    public static func isKeyID(_ text: String) -> Bool {
        text.utf8.count == keyIDLength && text.allSatisfy(keyIDCharacters.contains)
    }

    /// Makes a new key; its secret comes from the system, the two ids from `generator`.
    ///
    /// - Parameter issuerID: The team's issuer id if it has keys already.
    public static func generate(
        using generator: inout some RandomNumberGenerator, issuerID: String? = nil
    ) -> APIKey {
        let characters = Array(keyIDCharacters)
        var keyID = ""
        for _ in 0..<keyIDLength {
            let index = generator.next(upperBound: UInt64(characters.count))
            keyID.append(characters[Int(index)])
        }
        let issuerID = issuerID ?? makeIssuerID(using: &generator)
        return APIKey(keyID: keyID, issuerID: issuerID, privateKey: P256.Signing.PrivateKey())
    }

    /// A version 4 UUID in lower case.
    private static func makeIssuerID(using generator: inout some RandomNumberGenerator) -> String {
        let hexadecimals = Array("0123456789abcdef")
        var text = ""
        for place in 0..<32 {
            var digit = Int(generator.next(upperBound: UInt64(16)))
            if place == 12 { digit = 4 }
            if place == 16 { digit = 8 | digit & 3 }
            if [8, 12, 16, 20].contains(place) { text.append("-") }
            text.append(hexadecimals[digit])
        }
        return text
    }
}

/// Loggers print values by reflection; this one holds a private key, so it shows only its name.
extension APIKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "APIKey(\(keyID))" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
