import AppStoreWire
import HTTPSurface
import HTTPTypes
import Merchant

/// What is refused of accounts and of what they have.
extension ErrorBody {
    /// That a purchase stays where it is.
    init(ofTransfer error: MerchantError) {
        switch error {
        case .ownedByAnother:
            self.init(
                .conflict, "ownedByAnother",
                "The purchase belongs to another account: send it with `\"restore\": true` once "
                    + "the customer has asked to restore it.", field: "account")
        case .keptByOwner:
            self.init(
                .conflict, "keptByOwner",
                "The purchase belongs to another account and stays there: sign in to that account, "
                    + "or ask support.", field: "account")
        case .stillActive:
            self.init(
                .conflict, "stillActive",
                "The purchase belongs to another account, where it is active: it moves once it "
                    + "has ended.", field: "account")
        case .sharedByTooMany:
            self.init(
                .conflict, "sharedByTooMany",
                "As many accounts have the purchase as may share it: sign in to one of them.",
                field: "account")
        default: preconditionFailure("\(error) refuses no transfer")
        }
    }

    /// That something was named wrongly, or cannot be asked.
    init(ofAccount error: MerchantError) {
        switch error {
        case .reservedAccount(let name):
            self.init(
                .badRequest, "reservedAccount",
                "`\(name.prefix(64))` is no account: apps send it by mistake where nobody is "
                    + "signed in. Send the name of the account, or one that you made up for the "
                    + "device.",
                field: "account")
        case .unknownVersion(let version):
            self.init(
                .notFound, "unknownVersion",
                "The account has had no version \(version), or nothing in it.", field: "version")
        case .unknownPurchase(let id):
            self.init(
                .notFound, "unknownPurchase",
                "No purchase \(id.prefix(64)) was ever heard of: give its original transaction.",
                field: "originalTransactionId")
        case .unknownOrder(let id):
            self.init(
                .notFound, "unknownOrder",
                "The App Store knows no order \(id.prefix(64)) with purchases of this app: copy it "
                    + "from the receipt.", field: "orderId")
        case .storeUnavailable(let reason):
            self.init(
                .badGateway, "storeUnavailable",
                "The App Store Server API did not answer; try again. \(reason)")
        default: preconditionFailure("\(error) is about no account")
        }
    }
}
