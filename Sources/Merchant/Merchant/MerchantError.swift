public import AppStoreSigning

/// Why a merchant refuses; nothing was changed.
public enum MerchantError: Error, Sendable, Hashable {
    /// It serves no app with this bundle id.
    case unknownApp(String)
    /// What was sent proves nothing.
    case notVerified(JWSVerificationError)
    /// What came in is not taken.
    case intake(IntakeRefusal)
    /// The purchase belongs to another account, which is not named.
    case ownedByAnother
    /// There is no dead letter of this number.
    case unknownDeadLetter(Int64)
}
