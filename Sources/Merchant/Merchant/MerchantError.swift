public import AppStoreSigning

/// Why a merchant refuses; nothing was changed.
public enum MerchantError: Error, Sendable, Hashable {
    /// It serves no app with this bundle id.
    case unknownApp(String)
    /// What was sent proves nothing.
    case notVerified(JWSVerificationError)
    /// The purchase belongs to another account, which is not named.
    case ownedByAnother
    /// The configuration does not say where the App Store Server API of an app's environment is.
    case noServerAPI(String, MerchantEnvironment)
    /// There is no rebuild of this number.
    case unknownRebuild(Int64)
    /// There is no dead letter of this number.
    case unknownDeadLetter(Int64)
}
