import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// The life of a merchant's subscription read again from the journal, which says of every event
/// what columns became: what each made of the items, and which request it came of.
struct ItemLife {
    /// An entry, and what it made of the subscription.
    struct Step {
        let entry: JournalEntry
        let alterations: [Alteration]
        /// The entry of the request that it came of, which is the entry itself where that was not
        /// paid later or approved; nil for what no request brought.
        let request: JournalEntry?
        /// The subscription after it; nil where the journal does not say.
        let subscription: Subscription?

        /// Whether a refund or a reversal left it revoked; nil for any other entry.
        var isRevoked: Bool? {
            switch entry.event.kind {
            case .wasRefunded, .itemsWereRefunded, .refundWasReversed:
                subscription.map { $0.state == .revoked }
            default: nil
            }
        }
    }

    private let session: any Session
    private let app: Int64
    private let zone: BillingZone
    private var columns: [String: SQLValue] = [:]
    private var record: SubscriptionRecord?
    /// What was given back of each item of a transaction, by its place there.
    private var refunds: [Int64: [[AdvancedCommerceRefund]]] = [:]

    init(app: Int64, zone: BillingZone, in session: any Session) {
        self.app = app
        self.zone = zone
        self.session = session
    }

    /// Takes the next entry of the subscription's journal.
    mutating func take(_ entry: JournalEntry) throws -> Step {
        let before = record?.subscription
        if let changes = entry.event.changes, !changes.columns.isEmpty {
            for column in changes.columns { columns[column.name] = column.value.sqlValue }
            record = try SubscriptionRecord(folded: columns)
        }
        let subscription = record?.subscription
        let request = try request(of: entry, before)
        var alterations: [Alteration] = []
        if let subscription, subscription != before {
            let renaming = request.flatMap(\.event.asked).map(MerchantRequestText.init)
            alterations =
                subscription.alterations(
                    since: before, renaming: renaming?.renamedAtOnce ?? [:], in: zone)
                + subscription.payments(since: before)
        }
        return Step(
            entry: entry, alterations: try alterations + givenBack(by: entry), request: request,
            subscription: subscription)
    }

    /// The request that an entry came of: its own, or the one after which the plan is named now,
    /// which was paid later or had to be approved.
    private func request(
        of entry: JournalEntry, _ before: Subscription?
    ) throws -> JournalEntry? {
        if entry.commandID?.hasPrefix(Command.advancedCommerce) == true { return entry }
        guard entry.event.kind != .becameDue, let record,
            let reference = record.subscription.newestRequestID,
            reference != before?.newestRequestID
        else { return nil }
        return try JournalEntry.find(
            commandID: Command.advancedCommerce(reference, app: app, record.environment),
            in: session)
    }

    /// What an entry gave back of the items of transactions, or took again.
    private mutating func givenBack(by entry: JournalEntry) throws -> [Alteration] {
        var found: [Alteration] = []
        for transaction in entry.event.transactions {
            let text = transaction.changes.columns.last { $0.name == "advanced_commerce" }?.value
            guard case .text(let text)? = text else { continue }
            let items = try AdvancedCommerceText.transactionInfo(text).items
            let before = refunds[transaction.id] ?? []
            refunds[transaction.id] = items.map { $0.refunds ?? [] }
            for (place, item) in items.enumerated() {
                let known = before.indices.contains(place) ? before[place] : []
                let now = item.refunds ?? []
                func sum(_ refunds: some Sequence<AdvancedCommerceRefund>) -> Int64 {
                    refunds.reduce(0) { $0 + $1.refundAmount }
                }
                let change = sum(now) - sum(known)
                guard change != 0 else { continue }
                var one = Alteration(change > 0 ? .refunded : .refundReversed, of: item.sku)
                one.amount = abs(change)
                found.append(one)
            }
        }
        return found
    }
}

extension Subscription {
    /// The request that made the plan what it is, or what it is going to be.
    fileprivate var newestRequestID: String? { (nextPlan ?? plan).merchant?.requestID }
}

extension StoreReader {
    /// So many entries are read at a time.
    private static let piece = 1000

    /// Reads the life of a merchant's subscription from its beginning.
    ///
    /// - Parameter body: takes a step, and says whether another one is wanted.
    /// - Throws: `StorageError` where the journal cannot be read.
    func forEachStep(
        ofMerchants id: Int64, _ body: (ItemLife.Step) throws -> Bool
    ) throws {
        var life: ItemLife?
        var after: Int64 = 0
        while true {
            let entries = try JournalEntry.page(
                ofSubscription: id, after: after, limit: Self.piece, in: session)
            for entry in entries {
                if life == nil, let app = entry.app {
                    life = ItemLife(
                        app: app, zone: try apps[app].settings.billingZone, in: session)
                }
                guard let step = try life?.take(entry) else { continue }
                guard try body(step) else { return }
            }
            guard entries.count == Self.piece, let last = entries.last else { return }
            after = last.sequence
        }
    }
}
