/// Why a receipt is not to be trusted.
public struct ReceiptVerificationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of refusal.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The bytes are no receipt: neither the container of an app receipt with a set of
        /// attributes in it, nor the property list of a transaction receipt.
        case malformed
        /// Longer than ``ReceiptLimit/bytes``.
        case tooLarge
        /// It is signed over SHA-1, which receipts have not been since 2023, and the verifier was
        /// not told to allow it.
        case outdatedDigest
        /// Digest or signature are of an algorithm that receipts do not use.
        case wrongAlgorithm
        /// There is not exactly one signer.
        case wrongSignerCount
        /// There are neither the three certificates of the App Store nor one that is trusted.
        case wrongChainLength
        /// A certificate is no X.509 in DER, or the signer's key is not RSA of 2048 bits or more.
        case malformedCertificate
        /// A marker extension is missing on leaf or intermediate.
        case missingMarker
        /// A certificate is not valid at the receipt's creation date.
        case certificateNotValidAtDate
        /// No path leads from the leaf over the intermediate to a trusted root.
        case untrustedChain
        /// The signature is not the leaf's over this payload.
        case wrongSignature
        /// The receipt is of another app.
        case wrongBundle
        /// The receipt is of another version of the app.
        case wrongVersion
        /// The receipt is of another environment.
        case wrongEnvironment
        /// The receipt was made for another device.
        case wrongDevice
        /// The receipt's own expiration date has passed (volume purchases).
        case expired
    }

    /// The kind of refusal.
    public let code: Code
    /// A sentence for people.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ error: BERSyntaxError, in what: String) {
        self.init(.malformed, "\(what), byte \(error.offset): \(error.reason)")
    }

    /// Code and reason in one line.
    public var description: String { "\(code.rawValue): \(reason)" }
}
