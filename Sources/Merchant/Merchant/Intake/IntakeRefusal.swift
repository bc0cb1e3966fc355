public import AppStoreSigning

/// Why a receipt, an app transaction or a notification of version 1 is not taken.
public enum IntakeRefusal: Hashable, Sendable {
    /// The receipt that was sent proves nothing.
    case receiptNotVerified(ReceiptVerificationError)
    /// `verifyReceipt` refuses the receipt, with this status.
    case receiptRefused(Int)
    /// `verifyReceipt` does not answer as it should, so that the receipt may be good.
    case receiptServiceAway
    /// The environment that the app believes to be in is none of those that are taken.
    case environmentNotTaken(MerchantEnvironment)
    /// A signed app transaction names no app transaction id: devices have signed it since 2025.
    case noAppTransactionID
    /// The app has no shared secret, so that no notification of version 1 could be proved.
    case noSharedSecret(String)
    /// A notification of version 1 shows another password than the shared secret.
    case wrongPassword
    /// The signature is right, and the data cannot be stored: a date is not of 1970 to 2199, a
    /// quantity is below 1, or an identifier is empty or contains a NUL character.
    case unstorable
}
