import AppStoreWire
import Journal
import Storage
public import SubscriptionRules

extension Store {
    /// Gives the price of a transaction back, in full or the unused share; with or without a
    /// request. Of a subscription's running period this is customer support's cancellation: it
    /// ends at once (REF-7, REF-8, REF-14).
    ///
    /// - Returns: what was given back.
    /// - Throws: `StoreError.unknown(.transaction)`, `.refund(.notRefundable)`,
    ///   `.refund(.refused)`, `.family(.isShared)`.
    @discardableResult
    public func refund(
        transaction id: Int64, _ extent: RefundablePeriod.Extent, reason: Revocation.Reason,
        in environment: StoreEnvironment
    ) async throws -> Revocation {
        try await write(about: .transaction(id)) { work in
            try work.catchUp(customer: try work.refundable(id, environment).customer)
            let revocation = try work.refund(
                try work.refundable(id, environment), extent, reason, at: work.now)
            try work.closeRequest(of: id, as: .granted, at: work.now)
            return revocation
        }
    }

    /// Customer support's cancellation of a subscription (REF-14): its newest transaction is
    /// refunded, and it ends at once.
    ///
    /// - Returns: the transaction, and what was given back.
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.refused(.notActive)` when it is
    ///   over, `.refund(.refused)`.
    public func cancel(
        subscription id: Int64, _ extent: RefundablePeriod.Extent, reason: Revocation.Reason,
        in environment: StoreEnvironment
    ) async throws -> (transactionID: Int64, Revocation) {
        try await write(about: .subscription(id)) { work in
            guard try SubscriptionRecord.find(id, in: work.session)?.environment == environment
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            let subscription = try work.subscription(id).record.subscription
            guard !subscription.isOver else { throw StoreError.refused(.notActive) }
            let newest = subscription.newestPeriod.transactionID
            let revocation = try work.refund(
                try work.refundable(newest, environment), extent, reason, at: work.now)
            try work.closeRequest(of: newest, as: .granted, at: work.now)
            return (newest, revocation)
        }
    }

    /// Takes a refund back: the customer lost the dispute (REF-9).
    ///
    /// - Throws: `StoreError.unknown(.transaction)`, `.refund(.refused(.notRefunded))`,
    ///   `.refund(.alreadyReversed)`, `.refund(.reversedByBank)`, `.refund(.notRefundable)` where a
    ///   bank outside gave the money back.
    public func reverseRefund(
        transaction id: Int64, in environment: StoreEnvironment
    ) async throws {
        try await write(about: .transaction(id)) { work in
            try work.catchUp(customer: try work.refundable(id, environment).customer)
            let transaction = try work.refundable(id, environment)
            // What a bank gave back it does not collect again.
            let isGivenBack = try work.hasGivenBack(ofBill: id)
            guard transaction.revocation == nil || !isGivenBack else {
                throw StoreError.refund(
                    .notRefundable(
                        String(id), reason: "the bank gave the money back, or is to"))
            }
            // Nor does the store say that a payment came again which the bank took back.
            if transaction.revocation != nil, try work.bill(id)?.state == .reversed {
                throw StoreError.refund(.reversedByBank(String(id)))
            }
            if transaction.revocation == nil, try LedgerEntry.hasReversal(of: id, in: work.session)
            {
                throw StoreError.refund(.alreadyReversed(String(id)))
            }
            try work.reverseRefund(of: transaction, at: work.now)
        }
    }

    /// Decides a request: grants it to an extent, or declines it when there is none.
    ///
    /// - Returns: what was given back; nil when it was declined.
    /// - Throws: `StoreError.unknown(.refundRequest)` when there is none that is open,
    ///   `.refund(.refused)`.
    @discardableResult
    public func decide(
        refundRequest id: Int64, granting extent: RefundablePeriod.Extent?,
        in environment: StoreEnvironment
    ) async throws -> (transactionID: Int64, Revocation?) {
        try await write(about: .refundRequest(id)) { work in
            func open() throws -> RefundRequest {
                guard let request = try RefundRequest.find(id, in: work.session),
                    request.environment == environment, request.state == .open
                else { throw StoreError.unknown(.refundRequest, String(id)) }
                return request
            }
            try work.catchUp(customer: open().customer)
            // The policy's own decision may have been due before.
            let request = try open()
            return (
                request.transactionID,
                try work.decide(request, granting: extent, at: work.now)
            )
        }
    }
}

extension UnitOfWork {
    fileprivate func refundable(
        _ id: Int64, _ environment: StoreEnvironment
    ) throws -> TransactionRecord {
        guard let transaction = try transaction(id), transaction.environment == environment else {
            throw StoreError.unknown(.transaction, String(id))
        }
        guard transaction.source == nil else { throw StoreError.family(.isShared(String(id))) }
        return transaction
    }

    /// Lets the app's policy decide a request whose time has come. What cannot be granted any
    /// more is declined.
    func decideByPolicy(_ request: RefundRequest, at moment: Instant) throws {
        let preference = request.consumption?.preference
        let policy = try apps[request.app].settings.refundPolicy(in: request.environment)
        guard policy != .operatorDecides else {
            // The operator took the decision over since.
            var waiting = request
            waiting.decidesAt = nil
            return try waiting.save(in: session)
        }
        let extent: RefundablePeriod.Extent? =
            switch (policy, preference) {
            case (.decline, _), (.developer, .decline): nil
            case (.developer, .grantProrated): .prorated
            case (.developer, .grantFull), (.developer, nil), (.approve, _),
                (.operatorDecides, _):
                .full
            }
        do {
            try decide(request, granting: extent, at: moment)
        } catch StoreError.refund(.refused), StoreError.refund(.notRefundable) {
            try decide(request, granting: nil, at: moment)
        }
    }

    @discardableResult
    fileprivate func decide(
        _ request: RefundRequest, granting extent: RefundablePeriod.Extent?, at moment: Instant
    ) throws -> Revocation? {
        if request.items != nil {
            return try decideItems(of: request, isGranted: extent != nil, at: moment)
        }
        var revocation: Revocation?
        let transaction = try transaction(of: request)
        if let extent {
            revocation = try refund(
                transaction, extent, request.reason.revocationReason,
                used: request.consumption?.percentage, at: moment)
        } else {
            try tellDeclined(transaction, at: moment)
        }
        try closeRequest(
            of: transaction.id, as: extent == nil ? .declined : .granted,
            at: moment)
        return revocation
    }

    /// Decides what a merchant asks back item by item, where each item says how much (ACM-7).
    ///
    /// - Returns: what was given back of the transaction; nil when it was declined.
    private func decideItems(
        of request: RefundRequest, isGranted: Bool, at moment: Instant
    ) throws -> Revocation? {
        let before = try transaction(of: request)
        if isGranted, let items = request.items { try check(items, of: before, at: moment) }
        try decide(request, isGranted: isGranted, at: moment)
        guard isGranted else { return nil }
        try writeStaged()
        let after = try transaction(of: request)
        if let revocation = after.revocation { return revocation }
        let amount = (after.refunded ?? 0) - (before.refunded ?? 0)
        return Revocation(
            kind: amount == after.price.milliunits ? .refundFull : .refundProrated,
            reason: request.reason.revocationReason, moment: moment, price: after.price,
            refunded: amount)
    }

    /// Whether a transaction paid for what a subscription delivers now.
    private func isRunning(_ transaction: TransactionRecord) throws -> Bool {
        guard let id = transaction.subscription else { return false }
        let subscription = try load(id).record.subscription
        return !subscription.isOver && subscription.newestPeriod.payers.contains(transaction.id)
    }

    /// Refuses to grant what cannot be granted any more, before anything happens.
    private func check(
        _ items: ItemRefundRequest, of transaction: TransactionRecord, at moment: Instant
    ) throws {
        guard !items.isToBeDeclined else {
            throw StoreError.refund(
                .notRefundable(
                    String(transaction.id),
                    reason: "the developer asked to see this request declined"))
        }
        if items.endsSubscription, try isRunning(transaction) { return }
        guard transaction.revocation == nil else {
            throw StoreError.refund(.refused(.alreadyRevoked))
        }
        let givesBack = items.items.contains { transaction.refund(of: $0, at: moment) > 0 }
        guard items.endsSubscription || givesBack else {
            throw StoreError.refund(.refused(.nothingLeft))
        }
    }

    /// Decides what a merchant asks back item by item (ACM-7).
    func decide(_ request: RefundRequest, isGranted: Bool, at moment: Instant) throws {
        let transaction = try transaction(of: request)
        if isGranted, let items = request.items, !items.isToBeDeclined {
            try refund(items, of: transaction, request.reason.revocationReason, at: moment)
            try closeRequest(of: transaction.id, as: .granted, at: moment)
        } else {
            try tellDeclined(transaction, at: moment)
            try closeRequest(of: transaction.id, as: .declined, at: moment)
        }
    }

    private func transaction(of request: RefundRequest) throws -> TransactionRecord {
        guard let transaction = try transaction(request.transactionID) else {
            throw Stored.missing(
                "transaction \(request.transactionID)", for: "refund_request \(request.id)")
        }
        return transaction
    }

    private func tellDeclined(_ transaction: TransactionRecord, at moment: Instant) throws {
        if let subscription = transaction.subscription {
            let one = try load(subscription)
            try one.handle(
                .refundWasDeclined(transactionID: transaction.id), at: moment,
                about: transaction.id)
        } else {
            try tell(.refundWasDeclined, .refundDeclined, of: transaction, at: moment)
        }
        try writeDecision(about: transaction, granting: nil, at: moment)
    }

    func closeRequest(
        of id: Int64, as state: RefundRequest.State, at moment: Instant
    ) throws {
        guard var request = try RefundRequest.open(forTransaction: id, in: session) else { return }
        request.state = state
        request.decided = moment
        request.decidesAt = nil
        try request.save(in: session)
    }

    /// - Parameter used: how much of a product without periods was used up, 100000 for all.
    fileprivate func refund(
        _ transaction: TransactionRecord, _ extent: RefundablePeriod.Extent,
        _ reason: Revocation.Reason, used: Int? = nil, isTakenByBank: Bool = false,
        at moment: Instant
    ) throws -> Revocation {
        guard !transaction.isUpgraded else {
            throw StoreError.refund(
                .notRefundable(
                    String(transaction.id), reason: "an upgrade gave its unused share back already")
            )
        }
        let revocation = try revoking(transaction, extent, reason, used: used, at: moment)
        if transaction.advancedCommerce != nil {
            return try refundWhole(
                transaction,
                transaction.refunding(
                    extent == .full ? .full : .prorated, revocation.refunded), reason,
                isTakenByBank: isTakenByBank, at: moment)
        }
        // Of one that a merchant's plan goes on for, a change may have given a part back.
        let amount = min(revocation.refunded.milliunits, transaction.rest)
        guard amount > 0 else { throw StoreError.refund(.refused(.nothingLeft)) }
        return try refundOrdinary(
            transaction, amount, reason, isTakenByBank: isTakenByBank, at: moment)
    }

    /// Gives back what is no merchant's.
    ///
    /// - Parameter amount: in milliunits, something, and at most what is left of the price.
    @discardableResult
    func refundOrdinary(
        _ transaction: TransactionRecord, _ amount: Int64, _ reason: Revocation.Reason,
        isTakenByBank: Bool = false, at moment: Instant
    ) throws -> Revocation {
        let before = transaction.refunded ?? 0
        let money = Money(milliunits: amount, transaction.price.currency)
        let revocation = Revocation(
            kind: amount == transaction.price.milliunits - before ? .refundFull : .refundProrated,
            reason: reason, moment: moment, price: transaction.price, refunded: before + amount)
        book(.refund, of: money, in: transaction, refundedBefore: before, at: moment)
        if !isTakenByBank {
            try giveBack(money, ofBill: transaction.id)
            try writeDecision(about: transaction, granting: money, at: moment)
        }
        guard let subscription = transaction.subscription else {
            try tell(
                .wasRefunded, .refunded, of: transaction, at: moment,
                amendments: [.revoked(revocation)], refunded: amount)
            return revocation
        }
        let one = try load(subscription)
        try one.handle(
            .wasRefunded(
                transactionID: transaction.id, fully: revocation.kind == .refundFull),
            at: moment, about: transaction.id, amendment: .revoked(revocation))
        return revocation
    }

    /// The bank took a payment back: a dispute, or a debit that failed late. To the developer it is
    /// a refund, and nothing more is charged.
    func takeBack(_ id: Int64, at moment: Instant) throws {
        guard let transaction = try transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "bill \(id)")
        }
        _ = try refund(transaction, .full, .other, isTakenByBank: true, at: moment)
        try closeRequest(of: id, as: .granted, at: moment)
    }

    /// What the bank took back is there again.
    func bringBack(_ id: Int64, at moment: Instant) throws {
        guard let transaction = try transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "bill \(id)")
        }
        try reverseRefund(of: transaction, at: moment)
    }

    fileprivate func reverseRefund(of transaction: TransactionRecord, at moment: Instant) throws {
        guard let revocation = transaction.revocation, !revocation.kind.isOfMember else {
            throw StoreError.refund(.refused(.notRefunded))
        }
        // What a change of the plan gave back stays given back.
        var others: [TransactionAmendment] = []
        let one = try transaction.subscription.map { try load($0) }
        if let info = transaction.advancedCommerce {
            var kept = revocation.refunded.milliunits
            let period = one?.record.subscription.newestPeriod
            let away = period?.endedAlone(of: transaction.id, at: revocation.moment) ?? []
            for item in info.items where !away.contains(item.sku) {
                let amount = item.refunded(at: revocation.moment)
                guard amount > 0 else { continue }
                kept -= amount
                book(
                    .reversal,
                    of: ItemRefund(
                        transactionID: transaction.id, sku: item.sku, amount: amount),
                    in: transaction, at: moment)
            }
            others = [
                .prorated(kept),
                .described(info.withoutRevocation(at: revocation.moment, exceptOf: away)),
            ]
        } else {
            let kept = try LedgerEntry.prorated(transaction.id, in: session)
            let taken = Money(
                milliunits: revocation.refunded.milliunits - kept, transaction.price.currency)
            book(.reversal, of: taken, in: transaction, refundedBefore: kept, at: moment)
            if kept > 0 { others = [.prorated(kept)] }
        }
        guard let one else {
            return try tell(
                .refundWasReversed, .refundReversed, of: transaction, at: moment,
                amendments: [.reinstated] + others)
        }
        let newest = one.record.subscription.newestPeriod.transactionID
        let isNewestGivenBack =
            try newest != transaction.id && self.transaction(newest)?.revocation != nil
        try one.handle(
            .refundWasReversed(
                transactionID: transaction.id, refunded: revocation.moment,
                isNewestGivenBack: isNewestGivenBack), at: moment, about: transaction.id,
            amendment: .reinstated, others: others)
    }

    private func revoking(
        _ transaction: TransactionRecord, _ extent: RefundablePeriod.Extent,
        _ reason: Revocation.Reason, used: Int?, at moment: Instant
    ) throws -> Revocation {
        var period = RefundablePeriod(
            start: transaction.purchased, end: transaction.expires ?? transaction.purchased,
            paid: transaction.price, revocation: transaction.revocation)
        do {
            guard transaction.expires == nil, extent == .prorated, let used else {
                return try period.grant(
                    transaction.expires == nil ? .full : extent, reason: reason, at: moment)
            }
            return try period.grant(sharePer100000: 100_000 - used, reason: reason, at: moment)
        } catch {
            throw StoreError.refund(.refused(error))
        }
    }
}
