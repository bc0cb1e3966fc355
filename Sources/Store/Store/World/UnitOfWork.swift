import AppStoreWire
import DueWork
import Journal
import Storage
import SubscriptionRules
import TimeAndChance

/// One change of the store at one moment, inside one database transaction. What it stages is
/// written together at the end, so that one purchase and a thousand renewals take the same path.
final class UnitOfWork {
    let session: any Session
    let apps: Apps
    private(set) var now: Instant
    let setAside: SetAside
    private let store: Store
    private(set) var world: World
    private var worldHasChanged = false
    private var numbers: Numbers
    private var numbersGiven = false
    /// Why nothing of this change may be kept, whatever else comes of it.
    private var failure: (any Error)?
    /// The customers whose rows are locked; nil where nothing else is changed meanwhile.
    private(set) var locked: Set<Int64>?
    private var staged = Staged()
    /// Whether the limit of the Small Business Program matters to any app.
    private let heedsLimit: Bool
    /// What the developer gained by what this change booked in Production, by year.
    private var gained: [Int: [Currency: Int64]] = [:]
    /// When something happens next to one of the bills that were made meanwhile.
    private(set) var nextBill: Instant?

    private var knownLetters: [Int64: LetterDue] = [:]

    /// Whether what it puts into the journal is kept here besides, for whoever only wants to know.
    var keepsRecords = false
    /// What it put into the journal; empty unless it is kept.
    private(set) var records: [TimelineEntry] = []

    /// What is written at the end.
    private struct Staged {
        var transactions: [TransactionRecord] = []
        var transactionPlaces: [Int64: Int] = [:]
        var amendments = StagedAmendments()
        /// The rows of the journal: an event with all its details would take up ten times as much.
        var entries: [[SQLValue]] = []
        var ledger: [LedgerEntry] = []
        /// Rows, as those of the journal.
        var newSubscriptions: [[SQLValue]] = []
        var subscriptions: [(id: Int64, changes: SubscriptionChanges)] = []
        /// The newest journal entry of each subscription, which says what changed it.
        var newestEntries: [Int64: Int64] = [:]
        var subscriptionPlaces: [Int64: Int] = [:]
        var bills: [Int64: BillRecord] = [:]
        var errands: [Int64: Errand] = [:]
        var notifications: [NotificationRecord] = []
        var letters = StagedLetters()
        var shares = StagedShares()
    }

    /// - Parameter scope: what it is about, which is locked before anything else is read, the
    ///   clock included: what happens to a customer happens in the order of its moments.
    init(store: Store, session: any Session, about scope: Scope) throws {
        self.store = store
        self.session = session
        setAside = store.setAside
        batchSize = store.pace.size
        if session.dialect.isShared, scope.company == .together {
            locked = Set(try Customer.lock(scope, in: session))
        }
        let draws: Bool
        if case .whatIsTakenUp = scope { draws = false } else { draws = true }
        let world = try store.world(session, drawingNumbers: draws)
        self.world = world
        now = store.time(of: world).now
        numbers =
            session.dialect.isShared
            ? Numbers(drawn: draws ? world.nextNumber : nil) : Numbers(from: world.nextNumber)
        let apps = try store.apps(version: world.settingsVersion, session)
        self.apps = apps
        heedsLimit = apps.all.contains {
            $0.settings.smallBusiness && $0.settings.heedsSmallBusinessLimit
        }
        // What everybody's purchases sum up to is known while nobody else buys.
        if heedsLimit { try needToBeAlone() }
    }

    /// The version of the apps as this change found them, until it changes them itself.
    var settingsVersion: Int64 { world.settingsVersion }

    /// Who writes to customers, if anybody does.
    var mailroom: Mailroom? { store.mailroom }

    /// The bank outside of the database, if there is one.
    var bank: (any Bank)? { store.bank }

    /// What the machine's own clock shows, by which banks are asked.
    var machineNow: Instant { store.machineNow }

    /// How many subscriptions this transaction takes up where work is about many.
    let batchSize: Int

    /// The secret from which identifiers and codes are derived.
    var seed: String { world.seed }

    /// The clock of the world.
    var clock: StoreClock { world.clock }

    /// Writes all that was staged.
    func finish() throws {
        try writeStaged()
        if let failure { throw failure }
        guard worldHasChanged || (numbersGiven && !isShared) else { return }
        if !isShared { world.nextNumber = try numbers.coming(in: session) }
        world.latestChange = max(world.latestChange ?? now, now)
        try world.save(session)
    }

    /// Whether other processes may change the same database.
    var isShared: Bool { session.dialect.isShared }

    /// Notes that a customer's row was locked on the way.
    func lock(_ customer: Int64) { locked?.insert(customer) }

    /// Writes what was staged so far, for those who read it again.
    func writeStaged() throws {
        var staged = staged
        self.staged = Staged()
        // What becomes of a subscription stands in the journal, so a number was given out.
        let change = numbers.last ?? world.nextNumber
        try SubscriptionRecord.insert(staged.newSubscriptions, by: change, in: session)
        try SubscriptionRecord.update(staged.subscriptions, in: session) { id in
            staged.newestEntries[id] ?? change
        }
        try TransactionRecord.insert(staged.transactions, in: session)
        try staged.amendments.write(in: session)
        for bill in staged.bills.values.sorted(by: { $0.id < $1.id }) {
            try bill.save(in: session)
        }
        for errand in staged.errands.values.sorted(by: { $0.id < $1.id }) {
            try errand.save(in: session)
        }
        try staged.shares.write(in: session)
        try JournalEntry.insert(staged.entries, in: session)
        try LedgerEntry.insert(staged.ledger, in: session)
        try NotificationRecord.insert(staged.notifications, in: session)
        try staged.letters.write(in: session)
        for letter in staged.letters.due.values { know(letter) }
    }

    /// Runs what a customer asked for. When it is refused or the bank declines, all of it is as if
    /// it had never been; only a declined bill is kept, and that the payment method was asked.
    ///
    /// - Returns: nil when it was declined.
    func unlessDeclined<T>(_ command: () throws -> T) throws -> T? {
        let before = (staged, gained)
        do {
            return try command()
        } catch let refusal as StoreError {
            (staged, gained) = before
            throw refusal
        } catch let declined as BillDeclined {
            // Whoever only asks is refused as by the command; nothing is kept anyway.
            if keepsRecords { throw StoreError.purchase(.paymentDeclined) }
            (staged, gained) = before
            let bill = declined.bill
            stage(bill)
            record(.declined) { entry in
                entry.app = bill.app
                entry.customer = bill.customer
                entry.subscription = bill.subscription
                entry.event.detail = bill.detail(.declined)
            }
            try declined.customer.update(in: session)
            return nil
        }
    }

    // MARK: The world

    /// The number that is given out next.
    func comingNumber() throws -> Int64 { try numbers.coming(in: session) }

    /// The next number for whatever needs one.
    func nextNumber() -> Int64 {
        numbersGiven = true
        do {
            return try numbers.next(in: session)
        } catch {
            // Nothing of this change is kept: `finish` says why.
            failure = failure ?? error
            return 1
        }
    }

    /// A UUID that follows from the world's seed and the next number.
    func derivedUUID(_ purpose: String) -> String { identifier(purpose, nextNumber()) }

    /// A UUID that follows from the world's seed and a number.
    func identifier(_ purpose: String, _ number: Int64) -> String {
        DerivedUUID.text(seed: world.seed, purpose: purpose, number: number)
    }

    func nextTransactionID(in environment: StoreEnvironment) -> Int64 {
        environment.firstTransactionID + nextNumber()
    }

    /// The place of a new transaction among all changes: the number in its identifier, unless
    /// that was given out before, to a bill that was paid later.
    func modification(ofNew transactionID: Int64) -> Int64 {
        let number = StoreEnvironment.number(inTransactionID: transactionID)
        guard let first = numbers.first, number >= first else { return nextNumber() }
        return number
    }

    /// Makes everybody read the apps again.
    func settingsChanged() {
        precondition(locked == nil, "apps are changed alone")
        worldHasChanged = true
        world.settingsVersion += 1
    }

    /// Moves the clock, and with it this work's moment.
    func moveClock(to moment: Instant) {
        precondition(locked == nil, "the clock is moved alone")
        worldHasChanged = true
        world.clock.move(to: moment, machine: store.machineNow)
        now = max(now, moment)
    }

    // MARK: Staging

    /// Makes room for so many renewals at once, instead of moving those that were staged again and
    /// again as their number grows.
    func makeRoom(forRenewals count: Int) {
        staged.transactions.reserveCapacity(count)
        staged.transactionPlaces.reserveCapacity(count)
        staged.entries.reserveCapacity(count)
        staged.ledger.reserveCapacity(count)
        staged.subscriptions.reserveCapacity(count)
        staged.subscriptionPlaces.reserveCapacity(count)
        staged.newestEntries.reserveCapacity(count)
    }

    func stage(_ transaction: TransactionRecord) {
        staged.transactionPlaces[transaction.id] = staged.transactions.count
        staged.transactions.append(transaction)
    }

    func stage(_ bill: BillRecord) {
        staged.bills[bill.id] = bill
        if let next = bill.next { nextBill = min(next, nextBill ?? next) }
    }
    func stage(_ mail: MailRecord) { staged.letters.add(mail) }
    func stage(_ due: LetterDue) { staged.letters.due[due.id] = due }
    /// Whether this change has found when a customer is to be written to.
    func hasFoundLetters(to id: Int64) -> Bool { staged.letters.due[id] != nil }

    /// Notes when a customer is to be written to, as it is stored.
    func know(_ due: LetterDue) { knownLetters[due.id] = due }

    /// When a customer is written to next, as it is by now.
    func letterDue(of customer: Int64) throws -> LetterDue {
        if let due = staged.letters.due[customer] ?? knownLetters[customer] { return due }
        let due = try LetterDue.find([customer], in: session).first ?? LetterDue(customer)
        know(due)
        return due
    }

    /// What a customer was told of a subscription from a moment on, staged or stored.
    func lettersSent(about subscription: Int64, since moment: Instant) throws -> [SentLetter] {
        try MailRecord.sent(about: subscription, since: moment, in: session)
            + staged.letters.sent(about: subscription).filter { $0.at >= moment }
    }

    func stage(_ errand: Errand) { staged.errands[errand.id] = errand }

    /// The errands that are to be written.
    var stagedErrands: [Int64: Errand] { staged.errands }

    func stage(new subscription: SubscriptionRecord) {
        staged.newSubscriptions.append(subscription.values)
    }

    func stage(_ changes: SubscriptionChanges, of id: Int64) {
        if let place = staged.subscriptionPlaces[id] {
            staged.subscriptions[place].changes.add(changes)
        } else {
            staged.subscriptionPlaces[id] = staged.subscriptions.count
            staged.subscriptions.append((id, changes))
        }
    }

    /// Changes a transaction, which thereby comes up again in histories.
    ///
    /// - Parameter subscription: the one whose event it is, if any.
    func stage(
        _ amendment: TransactionAmendment, of transactionID: Int64, for subscription: Int64? = nil
    ) {
        staged.amendments.stage(
            amendment, of: transactionID, modification: nextNumber(), for: subscription)
    }

    func stage(_ entry: LedgerEntry, of transaction: TransactionRecord) {
        staged.ledger.append(entry)
        guard heedsLimit, transaction.environment == .production else { return }
        // What one change books is far below overflow, as prices and batches have limits.
        gained[entry.at.yearInUTC, default: [:]][transaction.price.currency, default: 0] +=
            entry.developer
    }

    /// How much of the limit of the Small Business Program is used up by a moment, what this
    /// change booked included.
    func smallBusinessStanding(at moment: Instant) throws -> SmallBusinessStanding {
        try SmallBusinessStanding(year: moment.yearInUTC) { year in
            var known = try store.smallBusiness.proceeds(
                in: year, before: numbers.first ?? world.nextNumber, isComplete: locked == nil,
                session)
            for (currency, amount) in gained[year] ?? [:] {
                known[currency] = try (known[currency] ?? 0).exactly(amount)
            }
            return known
        }
    }

    /// Puts an entry into the journal.
    func record(
        _ kind: JournalEvent.Kind, at moment: Instant? = nil, _ fill: (inout JournalEntry) -> Void
    ) {
        var entry = JournalEntry(
            sequence: nextNumber(), event: JournalEvent(kind, at: moment ?? now))
        fill(&entry)
        if let locked, let customer = entry.customer, !locked.contains(customer) {
            failure = failure ?? NeedsToBeAlone()
        }
        staged.entries.append(entry.values)
        if let id = entry.subscription { staged.newestEntries[id] = entry.sequence }
        if keepsRecords {
            records.append(TimelineEntry(sequence: entry.sequence, entry.event))
        }
    }

    /// What an earlier run of the same command put into the journal.
    func earlier(_ commandID: String?) throws -> JournalEntry? {
        try commandID.flatMap { try JournalEntry.find(commandID: $0, in: session) }
    }

    /// A transaction, staged or stored.
    func transaction(_ id: Int64) throws -> TransactionRecord? {
        let stored =
            try staged.transactionPlaces[id].map { staged.transactions[$0] }
            ?? TransactionRecord.find(id, in: session)
        return stored.map(staged.amendments.applied)
    }

    /// A bill, staged or stored; one that was paid at once as its transaction tells it.
    func bill(_ id: Int64) throws -> BillRecord? {
        if let bill = try staged.bills[id] ?? BillRecord.find(id, in: session) { return bill }
        // A family member's transaction is nobody's bill.
        return try transaction(id).flatMap { $0.source == nil ? BillRecord(paidAtOnce: $0) : nil }
    }

    // MARK: What families share

    /// Who has something of a purchase, or had it, as it is by now.
    func shares(ofSource source: Int64) throws -> [FamilyShare] {
        try staged.shares.all(ofSource: source, in: session)
    }

    /// Whether a member has, or had, something of a group by sharing.
    func hasShare(member: Int64, app: Int64, groupID: String) throws -> Bool {
        try staged.shares.has(member: member, app: app, groupID: groupID, in: session)
    }

    func stage(_ share: FamilyShare) { staged.shares.stage(share) }

    /// The members' transactions that come from one of the purchaser's, staged or stored.
    func transactions(sharedFrom source: Int64) throws -> [TransactionRecord] {
        let stored = try TransactionRecord.shared(from: source, in: session)
        return (stored + staged.transactions.filter { $0.source == source })
            .map(staged.amendments.applied)
    }

    // MARK: Notifications

    func stage(_ notification: NotificationRecord) { staged.notifications.append(notification) }

    /// How many notifications that had no URL are kept, those of this change included; only where
    /// somebody asked.
    var unsent: [UnsentWatch.Place: Int] = [:]

    /// How many are kept by what was committed.
    func countUnsent(of place: UnsentWatch.Place) throws -> Int {
        try store.unsent.count(
            of: place, before: numbers.first ?? world.nextNumber, isComplete: locked == nil,
            session)
    }

    /// Whether the world is a fork, in which all notifications are kept.
    var isFork: Bool { store.isFork }
}
