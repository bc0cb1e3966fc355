import AppStoreSigning
import Crypto

/// A team's key for APNs: it signs provider tokens.
package struct APNsKey: Sendable {
    /// Ten characters, upper-case letters and digits: the token's `kid`.
    package let keyID: String
    /// Ten characters, upper-case letters and digits: the token's `iss`.
    package let teamID: String
    let privateKey: P256.Signing.PrivateKey

    /// Throws `APNsKeyError`.
    ///
    /// - Parameter privateKeyPEM: as Apple hands it out: PKCS#8 in PEM, a `.p8` file.
    package init(keyID: String, teamID: String, privateKeyPEM: String) throws(APNsKeyError) {
        // Both identifiers have the form of the App Store's keys.
        guard APIKey.isKeyID(keyID) else { throw .keyID }
        guard APIKey.isKeyID(teamID) else { throw .teamID }
        self.keyID = keyID
        self.teamID = teamID
        do {
            privateKey = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
        } catch {
            throw .privateKey
        }
    }
}

/// Loggers print values by reflection; this one holds a private key, so it shows only its name.
extension APNsKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "APNsKey(\(keyID))" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why something is no key for APNs.
package enum APNsKeyError: Error, Hashable, CustomStringConvertible {
    case keyID
    case teamID
    case privateKey

    package var description: String {
        switch self {
        case .keyID: "a key's identifier is ten characters, upper-case letters and digits"
        case .teamID: "a team's identifier is ten characters, upper-case letters and digits"
        case .privateKey: "the private key is no P-256 key in PEM, as in Apple's .p8 files"
        }
    }
}
