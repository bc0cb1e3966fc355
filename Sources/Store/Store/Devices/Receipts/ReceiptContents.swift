import AppStoreSigning
import AppStoreWire
import Crypto
import SubscriptionRules

/// What receipts say of transactions: those of a customer in an app, as verifyReceipt tells them
/// and as they stand in a receipt.
struct ReceiptContents {
    /// A transaction, and when it was superseded.
    struct Entry {
        let payload: JWSTransactionDecodedPayload
        let type: ProductType
        let superseded: Instant?
        /// The reference name of the offer that a code gave; nil where no code was redeemed.
        let codeName: String?

        init(
            _ record: TransactionRecord, superseded: Instant?, by presenter: Presenter,
            at now: Instant
        ) {
            payload = presenter.transaction(record, signed: now)
            type = record.type
            self.superseded = superseded
            codeName = presenter.app.codeName(
                ofOffer: payload.offerIdentifier, payload.offerType, product: record.productID)
        }
    }

    /// Oldest first. Consumables that are finished are in no receipt (PRD-3).
    let entries: [Entry]

    /// - Parameters:
    ///   - records: a customer's transactions in an app, oldest first.
    ///   - superseded: when some of them were.
    init(
        _ records: [TransactionRecord], superseded: [Int64: Instant], by presenter: Presenter,
        at now: Instant
    ) {
        entries = records.filter { $0.type != .consumable || $0.finished == nil }.map { record in
            Entry(record, superseded: superseded[record.id], by: presenter, at: now)
        }
    }

    var hasSubscriptions: Bool { entries.contains { $0.type == .autoRenewableSubscription } }

    /// Why transactions of a receipt were refunded, by transaction identifier; those that were not
    /// are left out.
    func refundReasons(of receipt: [InAppReceipt]) -> [String: RevocationReason] {
        let refunded = Set(receipt.filter { $0.cancellationDate != nil }.map(\.transactionID))
        guard !refunded.isEmpty else { return [:] }
        return entries.reduce(into: [:]) { reasons, entry in
            guard refunded.contains(entry.payload.transactionId) else { return }
            reasons[entry.payload.transactionId] = entry.payload.revocationReason
        }
    }

    /// As they are now, newest first: `latest_receipt_info` (RCP-3.2).
    ///
    /// - Parameter excludesOld: whether only the newest of each subscription is wanted.
    func transactions(excludingOld excludesOld: Bool) -> [ReceiptTransaction] {
        var seen: Set<String> = []
        return entries.reversed().filter { entry in
            guard excludesOld else { return true }
            return entry.type == .autoRenewableSubscription
                && seen.insert(entry.payload.originalTransactionId).inserted
        }.map(\.transaction)
    }
}

extension ReceiptContents.Entry {
    /// Whole seconds: milliseconds of transactions are 000 in receipts (RCP-3.4).
    private func seconds(_ milliseconds: Int64?) -> Int64? { milliseconds.map { $0 - $0 % 1000 } }

    private var isTrial: Bool { payload.offerDiscountType == .freeTrial }

    private var isIntroductory: Bool { payload.offerType == .introductory && !isTrial }

    /// The moment of a refund, or of what took its place: a reader tells them apart by
    /// `is_upgraded`.
    private var cancelled: Int64? { payload.revocationDate ?? superseded?.milliseconds }

    /// As `latest_receipt_info` tells it.
    var transaction: ReceiptTransaction {
        let isSubscription = type == .autoRenewableSubscription
        return ReceiptTransaction(
            quantity: Int64(payload.quantity), productId: payload.productId,
            transactionId: payload.transactionId,
            originalTransactionId: payload.originalTransactionId,
            purchaseDate: seconds(payload.purchaseDate) ?? 0,
            originalPurchaseDate: seconds(payload.originalPurchaseDate) ?? 0,
            expiresDate: seconds(payload.expiresDate),
            webOrderLineItemId: payload.webOrderLineItemId, isTrialPeriod: isTrial,
            isInIntroOfferPeriod: isSubscription ? isIntroductory : nil,
            isUpgraded: payload.isUpgraded == true ? true : nil,
            cancellationDate: seconds(cancelled), cancellationReason: payload.revocationReason,
            inAppOwnershipType: payload.inAppOwnershipType,
            subscriptionGroupIdentifier: payload.subscriptionGroupIdentifier,
            promotionalOfferId: payload.offerType == .promotional ? payload.offerIdentifier : nil,
            offerCodeRefName: codeName,
            appAccountToken: payload.appAccountToken)
    }

    /// As it stands in a receipt of an environment.
    func inApp(in environment: StoreEnvironment) -> InAppReceipt {
        let one = transaction
        return InAppReceipt(
            quantity: one.quantity, productID: one.productId, transactionID: one.transactionId,
            purchaseDate: one.purchaseDate, originalTransactionID: one.originalTransactionId,
            originalPurchaseDate: one.originalPurchaseDate,
            productType: InAppReceipt.ProductType(type), expiresDate: one.expiresDate,
            storeItemID: environment == .production
                ? ReceiptNumber.of("\(payload.bundleId)/\(one.productId)") : 0,
            webOrderLineItemID: one.webOrderLineItemId.flatMap(Int64.init) ?? 0,
            cancellationDate: one.cancellationDate, isTrialPeriod: isTrial,
            isInIntroOfferPeriod: isIntroductory, promotionalOfferID: one.promotionalOfferId)
    }
}

extension InAppReceipt.ProductType {
    fileprivate init(_ type: ProductType) {
        self =
            switch type {
            case .consumable: .consumable
            case .nonConsumable: .nonConsumable
            case .nonRenewingSubscription: .nonRenewing
            case .autoRenewableSubscription: .autoRenewable
            }
    }
}

/// Numbers that receipts of Production have and that nothing else here has: ten digits that follow
/// from what they are of.
enum ReceiptNumber {
    static func of(_ text: String) -> Int64 {
        let bytes = SHA256.hash(data: Array(text.utf8)).prefix(4)
        return 1_000_000_000 + bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension PendingRenewalInfo {
    /// What comes next for a subscription (RCP-3.3).
    ///
    /// Nil where the customer turned renewal off while a payment was tried again: it ended there
    /// and then, and is in this list no more (REN-3).
    init?(_ snapshot: SubscriptionSnapshot, of app: App) {
        let (subscription, info) = (snapshot.subscription, snapshot.renewal)
        if case .expired(.voluntary, let moment) = subscription.state,
            moment > subscription.newestPeriod.end
        {
            return nil
        }
        self.init(
            autoRenewProductId: info.autoRenewProductId, productId: info.productId,
            originalTransactionId: info.originalTransactionId,
            autoRenewStatus: info.autoRenewStatus, expirationIntent: info.expirationIntent,
            isInBillingRetryPeriod: info.isTriedAgain,
            gracePeriodExpiresDate: info.gracePeriodExpiresDate.map { $0 - $0 % 1000 },
            priceConsentStatus: info.priceIncreaseStatus == nil
                ? nil : subscription.consents.map { $0 ? .accepted : .pending },
            priceIncreaseStatus: info.priceIncreaseStatus,
            offerCodeRefName: app.codeName(
                ofOffer: info.offerIdentifier, info.offerType, product: info.autoRenewProductId),
            promotionalOfferId: info.offerType == .promotional ? info.offerIdentifier : nil)
    }
}

extension App {
    /// What `offer_code_ref_name` calls an offer that a code gave: its reference name, or its
    /// identifier where it has none or was deleted since; nil for other kinds of offers.
    fileprivate func codeName(
        ofOffer id: String?, _ type: OfferType?, product: String
    ) -> String? {
        guard let id, type == .offerCode else { return nil }
        let product = self.product(product)
        let name =
            product?.subscription?.offer(.offerCode, id)?.referenceName
            ?? product?.oneTimeOffers.first { $0.id == id }?.referenceName
        return name.flatMap { $0.isEmpty ? nil : $0 } ?? id
    }
}

extension JWSRenewalInfoDecodedPayload {
    /// Whether a payment is tried again; verifyReceipt tells it of what has ended too (RCP-3.3).
    var isTriedAgain: Bool? { isInBillingRetryPeriod ?? expirationIntent.map { _ in false } }
}

extension Subscription {
    /// Whether the subscriber consented to all that needs consent; nil where nothing does.
    fileprivate var consents: Bool? {
        var answers = increases.values.filter { $0.schedule?.path == .consent }
            .compactMap(\.isAccepted)
        if let conversion, conversion.isAsked { answers.append(conversion.agreed != nil) }
        return answers.isEmpty ? nil : !answers.contains(false)
    }
}
