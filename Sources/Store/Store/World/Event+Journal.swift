import Journal
import SubscriptionRules

extension Event {
    /// What the event is in the journal.
    var journalKind: JournalEvent.Kind {
        switch self {
        case .chosePlan: .chosePlan
        case .turnedRenewalOff: .turnedRenewalOff
        case .turnedRenewalOn: .turnedRenewalOn
        case .changedPaymentMethod: .changedPaymentMethod
        case .becameDue: .becameDue
        case .billIsPending: .billIsPending
        case .billWasPaid: .wasPaid
        case .billWasDeclined: .wasDeclined
        case .billWasVoided: .wasVoided
        case .gaveUpWaiting: .gaveUpWaiting
        case .wasEnded: .wasEnded
        case .priceWasChanged: .priceWasChanged
        case .merchantChangedPrices: .merchantChangedPrices
        case .merchantModified: .merchantModified
        case .merchantReactivated: .merchantReactivated
        case .merchantDescribed: .merchantDescribed
        case .merchantMigrated: .merchantMigrated
        case .wasMigrated: .wasMigrated
        case .itemsWereRefunded: .itemsWereRefunded
        case .answeredPriceIncrease(agrees: true): .agreedToPriceIncrease
        case .answeredPriceIncrease(agrees: false): .declinedPriceIncrease
        case .wasExtended: .wasExtended
        case .requestedRefund: .requestedRefund
        case .refundWasDeclined: .refundWasDeclined
        case .wasRefunded: .wasRefunded
        case .refundWasReversed: .refundWasReversed
        }
    }
}
