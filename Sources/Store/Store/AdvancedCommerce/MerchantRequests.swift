import AppStoreWire
import Journal
import Storage
public import SubscriptionRules

/// A request of Advanced Commerce that was made for one subscription, and what it did, as the
/// journal has it.
public struct MerchantRequest: Sendable, Hashable {
    /// What can be asked for; the names are Apple's.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        case createSubscription, modifySubscription, reactivateSubscription
        case cancel, changeMetadata, changePrice, migrate, revoke, requestRefund

        /// Whether it is signed for a purchase on a device, and not sent by a server.
        public var isInApp: Bool {
            switch self {
            case .createSubscription, .modifySubscription, .reactivateSubscription: true
            case .cancel, .changeMetadata, .changePrice, .migrate, .revoke, .requestRefund: false
            }
        }
    }

    /// How it came out.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// It was carried out.
        case done
        /// The bank has not answered its bill, or nobody has decided about its refund.
        case pending
        /// The bank did not pay its bill, or its refund was not granted.
        case declined
    }

    /// Its place in the journal.
    public let sequence: Int64
    /// When it was made.
    public let at: Instant
    public let operation: Operation
    /// The UUID by which it is known, in lower case.
    public let requestReferenceID: String
    /// The transaction that a server named; nil for a request on a device.
    public let namedTransactionID: Int64?
    public fileprivate(set) var outcome = Outcome.done
    /// When it was carried out or declined; nil while it is pending.
    public fileprivate(set) var settled: Instant?
    /// The transaction that it made, or of which money was asked back.
    public fileprivate(set) var transactionID: Int64?
    /// The currency of all amounts.
    public fileprivate(set) var currency: String?
    /// What was charged, in milliunits; nil where nothing was to be paid.
    public fileprivate(set) var charged: Int64?
    /// What was given back, in milliunits.
    public fileprivate(set) var refunded: Int64 = 0
    /// What it changed, at once or from a renewal on.
    public fileprivate(set) var alterations: [Alteration] = []
    /// What the developer was told.
    public fileprivate(set) var notices: [String] = []
    /// The bill that the bank has to answer.
    fileprivate var bill: Int64?
    /// The transaction of which money is asked back.
    fileprivate var asked: Int64?
    /// Whether it is a revocation that was granted, and whose refunds may not be all that there
    /// are.
    fileprivate var isRevoking = false
}

extension Store {
    /// The requests of Advanced Commerce that were made for a subscription, first to last; none
    /// for one of the catalogue's products. What was refused changed nothing and is in no journal.
    ///
    /// - Parameter after: the sequence of the last one of the page before.
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func merchantRequests(
        subscription id: Int64, after: Int64, limit: Int
    ) async throws -> [MerchantRequest] {
        try await read { reader in
            guard try SubscriptionRecord.exists(id, in: reader.session) else {
                throw StoreError.unknown(.originalTransaction, String(id))
            }
            guard try SubscriptionRecord.isMerchants(id, in: reader.session) else { return [] }
            // What comes of a request may stand far behind it.
            var log = MerchantRequestLog()
            try reader.forEachStep(ofMerchants: id) { step in
                log.take(step)
                return true
            }
            return Array(log.requests.lazy.filter { $0.sequence > after }.prefix(limit))
        }
    }
}

/// Puts together what entries of a journal say of requests.
private struct MerchantRequestLog {
    private(set) var requests: [MerchantRequest] = []
    private var places: [String: Int] = [:]

    mutating func take(_ step: ItemLife.Step) {
        if let request = step.request, let place = place(of: request, at: step.entry) {
            return requests[place].take(step)
        }
        for place in requests.indices where requests[place].isHeard(at: step.entry.event.at) {
            requests[place].hear(step)
        }
    }

    private mutating func place(of request: JournalEntry, at entry: JournalEntry) -> Int? {
        guard let made = MerchantRequest(request, at: entry) else { return nil }
        if let place = places[made.requestReferenceID] { return place }
        requests.append(made)
        places[made.requestReferenceID] = requests.count - 1
        return requests.count - 1
    }
}

extension MerchantRequest {
    /// - Parameter entry: where the subscription's own journal first tells of it.
    fileprivate init?(_ request: JournalEntry, at entry: JournalEntry) {
        guard let text = request.event.asked.map(MerchantRequestText.init),
            let reference = text.reference,
            let operation = Operation(text, request.event.kind)
        else { return nil }
        self.init(
            sequence: entry.sequence, at: request.event.at, operation: operation,
            requestReferenceID: reference, namedTransactionID: text.transactionID)
    }

    /// Takes the entry in which it was made, or in which it was carried out later.
    fileprivate mutating func take(_ step: ItemLife.Step) {
        let event = step.entry.event
        add(step)
        currency = event.currency ?? step.subscription?.plan.currency.code
        transactionID = event.transactionID
        charged = event.amount
        if event.pending != nil {
            (outcome, bill) = (.pending, event.billID)
        } else if operation == .requestRefund || operation == .revoke {
            (outcome, asked) = (.pending, event.transactionID)
        } else {
            (outcome, settled, bill) = (.done, event.at, nil)
        }
    }

    /// Whether more may come of it: of a revocation also in the moment in which it is granted, for
    /// it gives back several transactions, the newest first.
    fileprivate func isHeard(at moment: Instant) -> Bool {
        outcome == .pending || outcome == .done && isRevoking && settled == moment
    }

    /// Hears what comes after it.
    fileprivate mutating func hear(_ step: ItemLife.Step) {
        let event = step.entry.event
        if let bill {
            guard event.billID == bill, step.subscription?.outstanding?.bill.id != bill else {
                return
            }
            (outcome, settled, self.bill) = (.declined, event.at, nil)
            return
        }
        guard let asked else { return }
        let isAbout = event.transactionID == asked
        switch event.kind {
        case .requestedRefund where isAbout:
            add(step)
        case .refundWasDeclined where isAbout:
            add(step)
            (outcome, settled) = (.declined, event.at)
        case .itemsWereRefunded where isAbout, .wasRefunded where isAbout || operation == .revoke:
            add(step)
            if isAbout { (outcome, settled) = (.done, event.at) }
            isRevoking = operation == .revoke && outcome == .done
        case .refundWasReversed: isRevoking = false
        default: break
        }
    }

    private mutating func add(_ step: ItemLife.Step) {
        for one in step.alterations where one.kind == .refunded { refunded += one.amount ?? 0 }
        alterations += step.alterations
        notices += step.entry.event.notices
    }
}

extension MerchantRequest.Operation {
    /// - Parameter kind: of the entry in which it was made.
    fileprivate init?(_ text: MerchantRequestText, _ kind: JournalEvent.Kind?) {
        switch text.operation {
        case AdvancedCommerceSubscriptionCreateRequest.operation: self = .createSubscription
        case AdvancedCommerceSubscriptionModifyInAppRequest.operation: self = .modifySubscription
        case AdvancedCommerceSubscriptionReactivateInAppRequest.operation:
            self = .reactivateSubscription
        case nil:
            switch kind {
            case .turnedRenewalOff: self = .cancel
            case .merchantDescribed: self = .changeMetadata
            case .merchantChangedPrices: self = .changePrice
            case .merchantMigrated: self = .migrate
            case .askedForItems: self = text.hasItems ? .requestRefund : .revoke
            default: return nil
            }
        default: return nil
        }
    }
}
