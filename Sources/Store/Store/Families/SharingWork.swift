import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// Brings what has become of a purchase to the family: the members' transactions follow the
/// purchaser's (FAM-2), in the same database transaction, and whoever gains or loses access is
/// told.
final class SharingWork {
    let work: UnitOfWork
    let purchase: SharedPurchase
    let moment: Instant
    private var presenters: [Int64: Presenter] = [:]

    init(_ work: UnitOfWork, _ purchase: SharedPurchase, at moment: Instant) {
        self.work = work
        self.purchase = purchase
        self.moment = moment
    }

    private var environment: StoreEnvironment { purchase.newest.environment }

    /// The members who have it now.
    private func open() throws -> [FamilyShare] {
        try work.shares(ofSource: purchase.source).filter(\.isOpen)
    }

    /// Ends what may go on no longer, gives those what they have not yet who are to have it, and
    /// carries a new period on to those who go on.
    ///
    /// - Parameters:
    ///   - isOpening: whether the purchaser's newest transaction is new.
    ///   - notices: what the developer was told of the purchaser.
    ///   - why: why what ends does.
    func settle(
        isOpening: Bool = false, notices: [ServerNotification] = [],
        why: FamilyShare.Ending = .notShareable
    ) throws {
        let family = try Family.find(ofCustomer: purchase.purchaser, in: work.session)
        let others = (family?.members ?? []).map(\.customer).filter { $0 != purchase.purchaser }
        var served: Set<Int64> = []
        for share in try open() {
            guard purchase.isShared, others.contains(share.member) else {
                try end(share, why)
                continue
            }
            served.insert(share.member)
            let share = isOpening ? try renew(share) : share
            try passOn(notices, to: share)
        }
        guard purchase.isShared, purchase.isEntitled else { return }
        let newcomers = others.filter { !served.contains($0) }
        guard !newcomers.isEmpty, try !isLater(isOpening) else { return }
        for member in newcomers {
            try gain(member, purchased: isOpening ? purchase.newest.purchased : moment)
        }
    }

    /// Whether the first access is to come later than the purchase (FAM-4).
    private func isLater(_ isOpening: Bool) throws -> Bool {
        let delay = purchase.app.settings.sharingDelayMinutes
        if isOpening, delay > 0 {
            let wait = FamilySharing.delay(minutes: delay, at: purchase.tempo)
            try SharingDue(purchase.source, at: moment + wait).save(in: work.session)
        }
        return try SharingDue.exists(purchase.source, in: work.session)
    }

    // MARK: Transactions

    /// A member's transaction of the purchaser's newest period.
    private func transaction(
        _ id: Int64, for share: (id: Int64, member: Int64, firstPurchased: Instant),
        purchased: Instant, isRenewal: Bool
    ) -> TransactionRecord {
        let newest = purchase.newest
        var transaction = TransactionRecord(
            id: id, originalID: share.id, subscription: newest.subscription, app: newest.app,
            environment: newest.environment, customer: share.member, productID: newest.productID,
            groupID: newest.groupID, type: newest.type, purchased: purchased,
            firstPurchased: share.firstPurchased, expires: newest.expires, quantity: 1,
            isRenewal: isRenewal, price: Money(milliunits: 0, newest.price.currency),
            storefront: newest.storefront, offer: newest.offer, lines: [], appAccountToken: nil,
            isUpgraded: false, refunded: nil, revocation: nil, commission: .standard,
            finished: nil, modification: work.modification(ofNew: id))
        (transaction.source, transaction.billing) = (newest.id, newest.billing)
        work.stage(transaction)
        return transaction
    }

    private func renew(_ share: FamilyShare) throws -> FamilyShare {
        var share = share
        share.newest = work.nextTransactionID(in: environment)
        _ = transaction(
            share.newest, for: (share.id, share.member, share.firstPurchased),
            purchased: purchase.newest.purchased, isRenewal: purchase.newest.isRenewal)
        work.stage(share)
        return share
    }

    /// Gives a member access, for the first time or again.
    private func gain(_ member: Int64, purchased: Instant) throws {
        try work.acquire(purchase.app, for: member)
        let earlier = try work.shares(ofSource: purchase.source).first { $0.member == member }
        let isFirst = try isFirst(member, earlier)
        let id = work.nextTransactionID(in: environment)
        var share =
            earlier
            ?? FamilyShare(
                id: id, source: purchase.source, subscription: purchase.newest.subscription,
                app: purchase.app.id, purchaser: purchase.purchaser, member: member,
                groupID: purchase.newest.groupID, firstPurchased: purchased, newest: id,
                since: moment, end: nil)
        (share.newest, share.since, share.end) = (id, moment, nil)
        work.stage(share)
        let transaction = transaction(
            id, for: (share.id, member, share.firstPurchased), purchased: purchased,
            isRenewal: false)
        try tellGain(transaction, share, isFirst: isFirst, [])
        try work.tellOfGain(
            purchase.newest.productID, to: member, from: purchase.purchaser, of: purchase.app,
            at: moment)
    }

    /// Whether it is the first that a member has of a group, by sharing (FAM-5).
    private func isFirst(_ member: Int64, _ earlier: FamilyShare?) throws -> Bool {
        guard earlier == nil, let groupID = purchase.newest.groupID else { return earlier == nil }
        return try !work.hasShare(member: member, app: purchase.app.id, groupID: groupID)
    }

    /// Takes access from a member (FAM-6). What was over anyway ends without a word.
    private func end(_ share: FamilyShare, _ why: FamilyShare.Ending) throws {
        var share = share
        share.end = (moment, why, nil)
        if case .expired(let reason, _) = purchase.record?.subscription.state {
            share.end?.expired = reason
        }
        work.stage(share)
        try keepTaken(share)
        guard let newest = try work.transaction(share.newest) else {
            throw Stored.missing("transaction \(share.newest)", for: "family_share \(share.id)")
        }
        guard !purchase.isOver, newest.revocation == nil else { return }
        try revoke(newest, share, note: why.rawValue, byRefund: false)
    }

    /// Who has left gets nothing back where a refund is taken back afterwards (FAM-6).
    private func keepTaken(_ share: FamilyShare) throws {
        let kept = try TransactionRecord.takenByRefunds(from: share, in: work.session).compactMap {
            one in
            one.revocation.map { taken in
                let amendment = TransactionAmendment.revoked(
                    Revocation(
                        kind: .familyRevoke, reason: nil, moment: taken.moment, price: one.price,
                        refunded: 0))
                work.stage(amendment, of: one.id)
                return amendment.changes(of: one.id)
            }
        }
        recordFollowed(kept)
    }

    private func revoke(
        _ transaction: TransactionRecord, _ share: FamilyShare, note: String, byRefund: Bool
    ) throws {
        var period = RefundablePeriod(
            start: transaction.purchased, end: transaction.expires ?? transaction.purchased,
            paid: transaction.price, revocation: transaction.revocation)
        guard (try? period.revokeFromFamilyMember(byRefund: byRefund, at: moment)) != nil,
            let revocation = period.revocation
        else { return }
        let amendment = TransactionAmendment.revoked(revocation)
        work.stage(amendment, of: transaction.id)
        var revoked = transaction
        amendment.apply(to: &revoked)
        try record(
            .lostAccess, revoked, [.revoke], [amendment.changes(of: transaction.id)], note)
        try tell(.revoke, nil, revoked, share)
    }
}

// MARK: What happens to the purchaser's transactions

extension SharingWork {
    /// Does to the members' transactions what an event did to the purchaser's.
    func follow(_ amendments: [(id: Int64, amendment: TransactionAmendment)]) throws {
        var followed: [TransactionChanges] = []
        let shares = Dictionary(
            try open().map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        guard !shares.isEmpty else { return }
        for (id, amendment) in amendments {
            for one in try work.transactions(sharedFrom: id) {
                guard let share = shares[one.originalID] else { continue }
                switch amendment {
                case .upgraded, .rescheduled:
                    guard one.revocation == nil else { continue }
                    work.stage(amendment, of: one.id)
                    followed.append(amendment.changes(of: one.id))
                case .revoked:
                    guard one.revocation == nil else { continue }
                    try revoke(one, share, note: "refunded", byRefund: true)
                case .reinstated:
                    // What was taken when somebody left stays taken.
                    guard one.revocation?.kind == .familyRefund else { continue }
                    followed += try reinstate(one, share)
                // Money, what it binds to, and the developer's name are the purchaser's own.
                case .prorated, .described, .relabelled, .named, .recommitted: break
                }
            }
        }
        recordFollowed(followed)
    }

    private func recordFollowed(_ changes: [TransactionChanges]) {
        guard !changes.isEmpty else { return }
        work.record(.sharesFollowed, at: moment) { entry in
            entry.app = purchase.app.id
            entry.customer = purchase.purchaser
            entry.subscription = purchase.newest.subscription
            entry.event.transactions = changes
        }
    }

    /// The purchaser's refund was taken back: the member's transaction is as if nothing had been.
    /// Where that gives access again, the developer is told.
    ///
    /// - Returns: what is still to be said of it in the journal.
    private func reinstate(
        _ transaction: TransactionRecord, _ share: FamilyShare
    ) throws -> [TransactionChanges] {
        let amendment = TransactionAmendment.reinstated
        let changes = [amendment.changes(of: transaction.id)]
        work.stage(amendment, of: transaction.id)
        guard transaction.id == share.newest, purchase.isEntitled else { return changes }
        var restored = transaction
        amendment.apply(to: &restored)
        try tellGain(restored, share, isFirst: false, changes)
        return []
    }
}

// MARK: What the developer is told

extension SharingWork {
    /// What is told of each member besides the purchaser: whatever changes what the member has.
    /// What is about money, consent and refunds is told of the purchaser alone (0030).
    private static let toldOfMembers: Set<NotificationTypeV2> = [
        .didRenew, .didFailToRenew, .gracePeriodExpired, .expired, .didChangeRenewalPref,
        .didChangeRenewalStatus, .renewalExtended,
    ]

    private func passOn(_ notices: [ServerNotification], to share: FamilyShare) throws {
        guard !notices.isEmpty else { return }
        guard let newest = try work.transaction(share.newest) else {
            throw Stored.missing("transaction \(share.newest)", for: "family_share \(share.id)")
        }
        for notice in notices.map(\.asToldToMembers) {
            if notice.type == .subscribed {
                try tellGain(newest, share, isFirst: false, [])
            } else if Self.toldOfMembers.contains(notice.type) {
                try tell(notice.type, notice.subtype, newest, share)
            }
        }
    }

    private func tellGain(
        _ transaction: TransactionRecord, _ share: FamilyShare, isFirst: Bool,
        _ changes: [TransactionChanges]
    ) throws {
        let isSubscription = purchase.record != nil
        let type: NotificationTypeV2 = isSubscription ? .subscribed : .oneTimeCharge
        let subtype: Subtype? = isSubscription ? (isFirst ? .initialBuy : .resubscribe) : nil
        try record(.gainedAccess, transaction, [type], changes, nil, subtype)
        try tell(type, subtype, transaction, share)
    }

    private func record(
        _ kind: JournalEvent.Kind, _ transaction: TransactionRecord,
        _ types: [NotificationTypeV2], _ changes: [TransactionChanges], _ note: String?,
        _ subtype: Subtype? = nil
    ) throws {
        let id = transaction.customer
        let account = try Customer.accounts(of: [id], in: work.session)[id]
        work.record(kind, at: moment) { entry in
            entry.app = transaction.app
            entry.customer = transaction.customer
            entry.subscription = transaction.subscription
            entry.event.transactionID = transaction.id
            entry.event.productID = transaction.productID
            entry.event.until = transaction.expires
            entry.event.note = note
            entry.event.member = account
            entry.event.notices = types.map { type in
                type.rawValue + (subtype.map { "/\($0.rawValue)" } ?? "")
            }
            entry.event.transactions = changes
        }
    }

    private func tell(
        _ type: NotificationTypeV2, _ subtype: Subtype?, _ transaction: TransactionRecord,
        _ share: FamilyShare
    ) throws {
        guard try work.keepsNotifications(purchase.app.id, transaction.environment) else { return }
        let presenter = try presenter(of: share.member)
        // Of an older period that a refund took the newest one says how things stand.
        let newest =
            transaction.id == share.newest ? transaction : try work.transaction(share.newest)
        work.notify(
            type, subtype, app: purchase.app.id, environment: transaction.environment,
            customer: share.member, at: moment,
            status: purchase.record.map {
                share.status(of: $0.subscription, newest ?? transaction)
            },
            transaction: presenter.transaction(transaction, signed: moment),
            renewal: purchase.record.map {
                presenter.renewalInfo($0, of: share, newest ?? transaction, signed: moment)
            },
            subscription: transaction.subscription)
    }

    private func presenter(of member: Int64) throws -> Presenter {
        if let known = presenters[member] { return known }
        let presenter = try Presenter(purchase.app, customer: member, in: work.session)
        presenters[member] = presenter
        return presenter
    }
}

extension FamilyShare {
    /// The status that a member's newest transaction has.
    func status(of subscription: Subscription, _ newest: TransactionRecord) -> Status {
        if newest.revocation != nil { return .revoked }
        return isOpen ? subscription.status : .expired
    }

    /// Whether a member has access by it.
    func isEntitled(by subscription: Subscription, _ newest: TransactionRecord) -> Bool {
        isOpen && newest.revocation == nil && subscription.isEntitled
    }
}

extension Presenter {
    /// What comes next for a family member, who pays nothing, has no name from the developer and
    /// is not won back (WIN-1). For who does not have it any more that is nothing, but why it had
    /// ended by then: what the purchaser does from then on is the purchaser's.
    ///
    /// - Parameter newest: the member's newest transaction.
    func renewalInfo(
        _ record: SubscriptionRecord, of share: FamilyShare, _ newest: TransactionRecord,
        signed: Instant
    ) -> JWSRenewalInfoDecodedPayload {
        guard share.isOpen else {
            let expired = share.end?.expired
            return JWSRenewalInfoDecodedPayload(
                originalTransactionId: String(share.id), productId: newest.productID,
                autoRenewProductId: newest.productID, autoRenewStatus: .off,
                renewalDate: newest.expires?.milliseconds,
                expirationIntent: expired.map { ExpirationIntent(rawValue: $0.rawValue) },
                isInBillingRetryPeriod: expired == .billingError ? false : nil,
                recentSubscriptionStartDate: newest.firstPurchased.milliseconds,
                appTransactionId: String(appTransactionID), environment: record.environment.wire,
                signedDate: signed.milliseconds)
        }
        var info = renewalInfo(record, signed: signed)
        info.originalTransactionId = String(share.id)
        (info.renewalPrice, info.currency, info.appAccountToken) = (nil, nil, nil)
        info.eligibleWinBackOfferIds = nil
        // Only the purchaser is bound to it.
        info.commitmentInfo = nil
        return info
    }
}

extension ServerNotification {
    /// An offer is the purchaser's; that the plan changes with it concerns everybody.
    fileprivate var asToldToMembers: ServerNotification {
        guard case .offerRedeemed(let effect?) = self else { return self }
        return .didChangeRenewalPreference(effect)
    }
}
