public import AppStoreWire
public import Storage
public import SubscriptionRules

/// Why the store refuses a command or finds nothing to show, by what it is about. Nothing has
/// changed.
public enum StoreError: Error, Sendable, Hashable {
    /// There is no such thing here by the name or identifier that was given.
    case unknown(Kind, String)
    /// The rules of a subscription's life do not allow it.
    case refused(Refusal)
    case purchase(PurchaseError)
    case offerCode(OfferCodeError)
    case subscription(SubscriptionError)
    case refund(RefundError)
    case setting(SettingError)
    case clock(ClockError)
    case request(RequestError)
    case copy(CopyError)
    case family(FamilyError)
    /// A request of Advanced Commerce, by its documented error.
    case advancedCommerce(APIError)

    /// What was looked for.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case account, app, appTransaction, bill, device, family, fault, fork, key, mail
        case massExtension, notification, offerCodeBatch, originalTransaction, product
        case purchaseRequest, refundRequest, scheduledPrice, snapshot, storefront, transaction
    }

    /// Why something is not sold.
    public enum PurchaseError: Sendable, Hashable {
        case notForSale(String)
        /// It has no plan that is billed monthly, or none in this storefront (CMT-1).
        case notBilledMonthly(String, in: Storefront?)
        case invalidQuantity(Int, largest: Int)
        /// The bank declined what the customer wanted to buy.
        case paymentDeclined
        /// The account is kept from paying for anything.
        case paymentsNotAllowed
        /// The customer has something to settle first; the request of this number waits for it.
        case interrupted(Int64)
        /// The request of this number is one that somebody else approves.
        case needsApproval(Int64)
        /// The request of this number waits no more.
        case requestClosed(Int64, HeldPurchase.State)
        case offer(OfferError)
    }

    /// Why an offer is not applied.
    public enum OfferError: Sendable, Hashable {
        /// The product has no such offer; the introductory one has no identifier.
        case unknown(String)
        case refused(OfferRefusal)
        /// The signature was used for an attempt already (PRO-1).
        case signatureUsed
        /// What was signed names another customer.
        case otherCustomer
    }

    /// Why an offer code is not redeemed, or not made.
    public enum OfferCodeError: Sendable, Hashable {
        /// It is none of this app's.
        case unknown
        /// Its time is over, or the operator ended it.
        case expired
        /// It was redeemed, or as often as it may be.
        case redeemed
        /// The customer has redeemed another code of the same offer (TAB-5.2).
        case offerRedeemedBefore
        /// A custom code is not taken in account settings (COD-2).
        case customTyped
        /// The app has a custom code of this text.
        case taken(String)
        /// More than the app can still have made in this quarter.
        case tooMany(left: Int64)
    }

    /// Why a plan is not changed, or nothing is said of a subscription.
    public enum SubscriptionError: Sendable, Hashable {
        case notAnOriginalTransaction(String)
        case notASubscription(String)
        /// The app asks nobody to share anything with its publisher.
        case notAsked
        case wrongGroup(product: String, group: String)
    }

    /// Why nothing is given back, or what was given back is not taken again.
    public enum RefundError: Sendable, Hashable {
        case alreadyRequested(String)
        case refused(RefundRefusal)
        /// There was a refund of this transaction, and it was reversed already.
        case alreadyReversed(String)
        case notRefundable(String, reason: String)
        /// The bank took the payment of this transaction back: only the bank restores it.
        case reversedByBank(String)
    }

    /// Why the operator cannot set something so.
    public enum SettingError: Sendable, Hashable {
        case appExists(String)
        /// - Parameter reason: what it must be, in words.
        case invalid(String, reason: String)
        /// It can be put on sale everywhere, and not in one storefront alone.
        case offSaleEverywhere(String)
        case noNotificationURL
        /// The app's Sandbox can defer purchases and approve none.
        case sandboxCannotApprove
        /// It was deleted, and its identifier never comes back.
        case productDeleted(String)
        /// The app has, or had, this key.
        case keyTaken(String)
        /// What is on sale anywhere is not deleted.
        case stillForSale(String)
    }

    /// Why the clock does not move, or moved and did not find what was waited for.
    public enum ClockError: Sendable, Hashable {
        case isSystem
        case wouldGoBack(Instant)
        case outOfRange(Instant)
        /// Nothing happens any more by itself; the clock shows this.
        case nothingAhead(Instant)
        /// What was waited for has not come; the clock stands at the limit.
        case limitReached(Instant)
    }

    /// Why a family is not changed, or what it shares is not.
    public enum FamilyError: Sendable, Hashable {
        /// The account is in a family already, this one or another.
        case inFamily(String)
        case notInFamily(String)
        /// There are as many as there may be (FAM-1).
        case isFull(most: Int)
        /// The organiser cannot go and leave the others (see ending the family).
        case isOrganiser(String)
        /// It came by sharing, and only its purchaser can do that (FAM-7).
        case isShared(String)
        /// Its product cannot be shared.
        case notShareable(String)
    }

    /// Why the world is not copied, or not put back.
    public enum CopyError: Sendable, Hashable {
        case exists(CopyPlace.Kind, String)
        case tooMany(CopyPlace.Kind, most: Int)
        /// The disk is full.
        case noRoom
        /// The database refuses to make copies.
        ///
        /// - Parameter reason: in its words, with what to do.
        case notAllowed(String)
        /// What a bank outside of the database was paid for cannot be forgotten.
        case hasOutsideBank
        /// This server makes no forks, since it has nothing to serve them with.
        case noForks
    }

    /// What is wrong with the request itself, whatever it asks for.
    public enum RequestError: Sendable, Hashable {
        /// No device is signed in with this token.
        case signedOut
        case commandIDReused
        case invalidRevision
        /// What was shown is no cursor of ours.
        case invalidCursor
        /// As many requests as may wait for changes on the device.
        case tooManyWaiting
        case invalidPaginationToken
        /// The token is one of ours, but for another question.
        case paginationTokenExpired
    }
}
