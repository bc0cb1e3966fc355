import HTTPSurface
import HTTPTypes

/// What is wrong with an app's keys.
extension ErrorBody {
    static func unknownKey(_ id: String) -> ErrorBody {
        ErrorBody(.notFound, "unknownKey", "The app has no key \(id).")
    }

    static func keyTaken(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "keyTaken",
            "The key \(id) is there already, or was: an identifier and a public key are one app's "
                + "once.", field: "keyId")
    }

    /// Never any part of what was sent: it may be the private half.
    static let notAPublicKey = ErrorBody(
        .badRequest, "invalidPublicKey",
        "Send the public half alone, as P-256 in PEM: BEGIN PUBLIC KEY.", field: "publicKey")
}
