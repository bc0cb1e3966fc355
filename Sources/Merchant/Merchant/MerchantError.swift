public import AppStoreSigning

/// Why a merchant refuses; nothing was changed.
public enum MerchantError: Error, Sendable, Hashable {
    /// It serves no app with this bundle id.
    case unknownApp(String)
    /// What was sent proves nothing.
    case notVerified(JWSVerificationError)
    /// What came in is not taken.
    case intake(IntakeRefusal)
    /// The purchase belongs to another account, which is not named: the customer may restore it.
    case ownedByAnother
    /// The purchase belongs to another account and stays there.
    case keptByOwner
    /// The purchase belongs to another account and gives access now, or may do so again.
    case stillActive
    /// As many accounts have the purchase as may share it.
    case sharedByTooMany
    /// The name is one that apps send where they mean no account.
    case reservedAccount(String)
    /// The account has had no such version.
    case unknownVersion(Int64)
    /// No purchase of this original transaction was ever heard of.
    case unknownPurchase(String)
    /// The store knows no such order of the app.
    case unknownOrder(String)
    /// The App Store Server API did not answer.
    case storeUnavailable(String)
    /// The configuration does not say where the App Store Server API of an app's environment is.
    case noServerAPI(String, MerchantEnvironment)
    /// There is no rebuild of this number.
    case unknownRebuild(Int64)
    /// A member of a contact is wrong: its name, and what it must be.
    case invalidContact(String, String)
    /// There is no plan of a campaign with this number.
    case unknownPlan(Int64)
    /// The app has a campaign of this name that was started.
    case campaignExists(String)
    /// No campaign of this name was started.
    case unknownCampaign(String)
    /// A campaign in this state does not do that.
    case campaignState(String, CampaignRunState)
    /// A campaign of the other kind has nothing of that.
    case otherCampaignKind(String)
    /// The account has no sheet of this number, or it was answered or withdrawn.
    case unknownSheet(Int64)
    /// The sheet does not ask that: what it offers.
    case actionNotOffered([String])
    /// There is no dead letter of this number.
    case unknownDeadLetter(Int64)
    /// A dead letter is meant for an app or environment that is not served: its number and problem.
    case stillSetAside(Int64, String)
}
