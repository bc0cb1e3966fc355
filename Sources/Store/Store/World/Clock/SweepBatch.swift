import DueWork
import Letters
import Storage
import SubscriptionRules

/// The subscriptions and the letters that are due first, in the order of their moments. At one
/// moment letters come last: they tell what became of everything else.
struct SweepBatch {
    /// How much one transaction may hold.
    var most: Int { 2 * work.batchSize }
    /// How much was done.
    private(set) var done = 0
    /// How much of that were events of subscriptions.
    private(set) var events = 0

    /// By when what it holds is due.
    let horizon: Instant
    private let work: UnitOfWork
    /// The last moment and, at that moment, the highest identifier that belong to the batch.
    private var end: (moment: Instant, id: Int64)
    private var items: [SubscriptionWork] = []
    /// What is due when, the earliest last.
    private var due: [Entry] = []
    /// The customers met, each once, since one customer may have several subscriptions.
    private var customers: [Int64: Customer] = [:]
    /// The places of the subscriptions of customers who are written to.
    private var places: [Int64: [Int]] = [:]
    /// For which moment each customer's next letters are among what is due.
    private var letters: [Int64: Instant] = [:]

    /// An event of the subscription at a place, or letters to a customer.
    private struct Entry: Comparable {
        let moment: Instant
        /// The subscription's identifier; for letters one that lies behind all others.
        var id = Int64.max
        var place = -1
        var customer: Int64 = 0

        static func < (one: Entry, other: Entry) -> Bool {
            (one.moment, one.id, one.customer) < (other.moment, other.id, other.customer)
        }
    }

    init(work: UnitOfWork, horizon: Instant) throws {
        self.work = work
        self.horizon = horizon
        end = (horizon, .max)
        items.reserveCapacity(work.batchSize)
        // Those that were set aside come again each time, and the batch is as long besides.
        let limit = work.batchSize + work.setAside.identifiers(of: "subscription").count
        var count = 0
        try SubscriptionRecord.forEachDue(by: horizon, limit: limit, in: work.session) { row in
            count += 1
            let item = try work.setAside.read("subscription", row.integer(0)) {
                let record = try SubscriptionRecord(row)
                if let due = record.subscription.nextChange, due > horizon {
                    throw StorageError(
                        .corrupt, "subscription \(record.subscription.id): its index is damaged")
                }
                return SubscriptionWork(
                    work: work, app: try work.apps[record.app],
                    customer: try Customer(row, first: SubscriptionRecord.columnCount),
                    record: record)
            }
            if let item {
                work.lock(item.customer.id)
                items.append(item)
            }
        }
        work.makeRoom(forRenewals: items.count)
        let found = items
        items = try work.lockingFamilies(of: items)
        due = items.indices.reversed().compactMap(next)
        // What somebody else had just changed has another moment than the one that it was found by.
        due.sort(by: >)
        // What lies behind the last one read is not known, others of its moment neither, so the
        // batch ends there.
        if count == limit, let last = due.first { end = (last.moment, last.id) }
        guard work.mailroom != nil else { return }
        // Who has events that are left to others is left to them.
        let left = items.count == found.count ? [] : Set(found.map(\.customer.id))
        try addLetters(except: left.subtracting(items.map(\.customer.id)))
    }

    /// Adds the letters that are due, and sees when those customers are written to next whose
    /// subscriptions are.
    private mutating func addLetters(except left: Set<Int64>) throws {
        let found = try LetterDue.due(
            by: end.moment, limit: work.batchSize, passingOver: work.setAside, in: work.session)
        if found.count >= work.batchSize, let last = found.last?.0.moment {
            end(at: last)
        }
        for (letter, customer) in found where !left.contains(letter.id) {
            work.lock(letter.id)
            work.know(letter)
            customers[letter.id] = customer
        }
        for (place, item) in items.enumerated()
        where item.app.settings.writes(to: item.customer, by: .mail)
            || customers[item.customer.id] != nil
        {
            places[item.customer.id, default: []].append(place)
        }
        let others = Set(places.keys).subtracting(found.map(\.0.id))
        for id in others { work.know(LetterDue(id)) }
        for letter in try LetterDue.find(others, in: work.session) { work.know(letter) }
        for (letter, _) in found { try addLetter(to: letter.id) }
    }

    var isEmpty: Bool { due.isEmpty }

    /// Leaves what is due after a moment to a later batch.
    mutating func end(at moment: Instant) {
        guard (moment, .max) < end else { return }
        end = (moment, .max)
        due.removeAll { $0.moment > moment }
        letters = letters.filter { $0.value <= moment }
    }

    /// Sets those aside that are due and that a batch cannot read since their customer is missing.
    ///
    /// - Returns: whether there were any.
    static func setAsideOrphans(_ work: UnitOfWork, horizon: Instant) throws -> Bool {
        try SubscriptionRecord.dueOrphans(by: horizon, in: work.session).reduce(false) {
            found, orphan in
            let error = Stored.missing(
                "customer \(orphan.customer)", for: "subscription \(orphan.id)")
            return work.setAside.add(Damage("subscription", orphan.id, error).row) || found
        }
    }

    /// Handles the earliest event, or writes the earliest letters.
    ///
    /// - Returns: whether there was anything; nothing is when the batch is done.
    mutating func handleNext() throws -> Bool {
        // A bill of this batch is answered before what comes after it.
        if let nextBill = work.nextBill, let moment = due.last?.moment, moment >= nextBill {
            return false
        }
        guard let entry = due.popLast() else { return false }
        guard entry.place >= 0 else {
            try write(entry)
            return true
        }
        let place = entry.place
        if let customer = customers[items[place].customer.id] { items[place].customer = customer }
        try Damage.of("subscription", items[place].record.subscription.id) {
            try items[place].becomeDue()
        }
        done += 1
        events += 1
        if items[place].customerHasChanged {
            customers[items[place].customer.id] = items[place].customer
        }
        if let next = next(place) { insert(next) }
        let customer = items[place].customer.id
        // An event may bring the first date of a customer who gets no mail: of a price.
        if places[customer] == nil, work.hasFoundLetters(to: customer) {
            places[customer] = items.indices.filter { items[$0].customer.id == customer }
        }
        if places[customer] != nil { try addLetter(to: customer) }
        return true
    }

    /// Writes the letters to a customer, unless they were written or put off meanwhile.
    private mutating func write(_ entry: Entry) throws {
        let id = entry.customer
        guard letters[id] == entry.moment,
            let customer = customers[id] ?? places[id]?.first.map({ items[$0].customer })
        else { return }
        letters[id] = nil
        try Damage.of("letter_due", id) {
            let changed = Dictionary(
                (places[id] ?? []).map { (items[$0].record.subscription.id, items[$0].record) },
                uniquingKeysWith: { one, _ in one })
            let records = try SubscriptionRecord.readable(
                ofCustomer: id, passingOver: work.setAside, in: work.session)
            try work.writeLetters(
                to: customer, at: entry.moment,
                about: records.map { changed[$0.subscription.id] ?? $0 })
        }
        done += 1
        try addLetter(to: id)
    }

    /// Puts the next letters to a customer among what is due, where they come earlier than known.
    private mutating func addLetter(to id: Int64) throws {
        guard let moment = try work.letterDue(of: id).moment,
            letters[id].map({ moment < $0 }) ?? true,
            insert(Entry(moment: moment, customer: id))
        else { return }
        letters[id] = moment
    }

    private func next(_ place: Int) -> Entry? {
        guard let moment = items[place].record.subscription.nextChange else { return nil }
        return Entry(moment: moment, id: items[place].record.subscription.id, place: place)
    }

    /// Puts something among what is due.
    ///
    /// - Returns: whether it belongs to the batch.
    @discardableResult
    private mutating func insert(_ entry: Entry) -> Bool {
        guard (entry.moment, entry.id) <= end else { return false }
        var (low, high) = (0, due.count)
        while low < high {
            let middle = (low + high) / 2
            if due[middle] > entry { low = middle + 1 } else { high = middle }
        }
        due.insert(entry, at: low)
        return true
    }
}

extension SubscriptionWork {
    /// Lets the event happen that is due next, at its own moment.
    func becomeDue() throws {
        guard let moment = record.subscription.nextChange else {
            preconditionFailure("subscription \(record.subscription.id) has nothing due")
        }
        try handle(.becameDue(forSale: isNextForSale), at: moment)
    }
}
