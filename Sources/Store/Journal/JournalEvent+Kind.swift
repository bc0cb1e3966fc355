extension JournalEvent {
    /// Everything that is written to the journal, in the past tense. The raw values are stored:
    /// none is ever renamed, nor given to something else.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        // What happens to a subscription.
        case chosePlan, turnedRenewalOff, turnedRenewalOn, changedPaymentMethod, becameDue, wasEnded
        case priceWasChanged, agreedToPriceIncrease, declinedPriceIncrease
        // What a merchant's requests change.
        case merchantChangedPrices, merchantModified, merchantReactivated
        case merchantDescribed, merchantMigrated, wasMigrated
        case askedForItems, itemsWereRefunded
        case wasExtended, extensionFailed
        case requestedRefund, refundWasDeclined, wasRefunded, refundWasReversed
        case setAppAccountToken, finished, sentConsumption, provokedNotification
        case broughtUpToDate
        // A bill that was not paid at once.
        case asked, billIsPending, wasPaid, wasDeclined, wasVoided, gaveUpWaiting
        case declined, unexpectedAnswer, gavePaymentBack, bankTrouble
        // What is bought once.
        case bought, deliveredAgain
        // A purchase that waits for somebody else.
        case askedToBuy, wasInterrupted, approvedPurchase, declinedPurchase, purchaseLapsed
        // What a customer shares with a publisher.
        case sharedDetails, declinedDetails, revokedDetails
        // Accounts, and what the operator sets.
        case signedUp, changedAccount, clearedHistory
        // Devices and their queues; what is finished is above.
        case registeredDevice, restored, signedOut, wipedDevice, removedDevice
        // Families, and what they share.
        case createdFamily, joinedFamily, leftFamily, endedFamily, changedSharing
        case gainedAccess, lostAccess, sharesFollowed
        case addedKey, revokedKey, madeSharedSecret
        case addedApp, configuredApp, importedCatalogue, setPrice, setAvailability
        case deletedProduct
        case scheduledPrice, withdrewScheduledPrice, priceWentLive
        case orderedMassExtension, completedMassExtension
        case setConsentThreshold
        case createdOffer, endedOffer, madeOfferCodes, endedOfferCodes
        case addedFault, removedFault, clearedFaults, requestedTestNotification
    }
}
