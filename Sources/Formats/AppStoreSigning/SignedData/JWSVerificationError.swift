/// Why signed data is not to be trusted.
public struct JWSVerificationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of refusal.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The text is longer than ``JWSVerifier/sizeLimit``.
        case tooLarge
        /// The text is no compact JWS, or its header no JSON object.
        case malformed
        /// `alg` is not ES256.
        case wrongAlgorithm
        /// `x5c` does not hold exactly three entries.
        case wrongChainLength
        /// An entry of `x5c` is no certificate, or the leaf's key is not P-256.
        case malformedCertificate
        /// A marker extension is missing on leaf or intermediate.
        case missingMarker
        /// A certificate is not valid at the effective date.
        case certificateNotValidAtDate
        /// No path leads from the leaf over the intermediate to a trusted root, or the leaf is an
        /// authority itself.
        case untrustedChain
        /// The signature is not the leaf's over this header and payload.
        case wrongSignature
        /// The payload is not the JSON that it should be, or has a member twice.
        case malformedPayload
        /// The payload is of another app.
        case wrongBundle
        /// The payload is of another environment.
        case wrongEnvironment
        /// The payload is of an app with another Apple id.
        case wrongAppAppleID
    }

    /// The kind of refusal.
    public let code: Code
    /// A sentence for people.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Code and reason in one line.
    public var description: String { "\(code.rawValue): \(reason)" }
}
