import AppStoreSigning
import HTTPSurface
import HTTPTypes
import Merchant

extension ErrorBody {
    /// Why what an app or the App Store sent is not taken.
    init(_ refusal: IntakeRefusal) {
        switch refusal {
        case .receiptNotVerified(let reason):
            self.init(
                .badRequest, "notVerified",
                "The receipt proves nothing (\(reason.code.rawValue)): \(reason.reason)",
                field: "receipt")
        case .receiptRefused(let status):
            self.init(
                .badRequest, "notVerified",
                "The receipt proves nothing: verifyReceipt answers \(status).", field: "receipt")
        case .receiptServiceAway:
            self.init(
                .serviceUnavailable, "receiptServiceAway",
                "verifyReceipt does not answer, and nothing was done: try again in a moment.")
        case .environmentNotTaken(let environment):
            self.init(
                .badRequest, "environmentNotTaken",
                "Nothing of \(environment.name) is taken for this app: its configuration names "
                    + "the environments that are.", field: "environment")
        case .noAppTransactionID:
            self.init(
                .badRequest, "noAppTransactionId",
                "The app transaction names no `appTransactionId`: let the app ask StoreKit for a "
                    + "newer one.", field: "signedAppTransaction")
        case .noSharedSecret(let bundleID):
            self.init(
                .notFound, "noSharedSecret",
                "Notifications of version 1 are not taken for \(bundleID.prefix(128)): its "
                    + "configuration has no `sharedSecret`.", field: "bundleId")
        case .wrongPassword:
            self.init(
                .badRequest, "wrongPassword",
                "The password is not the app's shared secret, so that nothing is proved.",
                field: "password")
        case .unstorable:
            self.init(
                .badRequest, "notVerified",
                "The signed data cannot be stored: a date is not of 1970 to 2199, a quantity is "
                    + "below 1, or an identifier is empty or contains a NUL character.")
        }
    }
}
