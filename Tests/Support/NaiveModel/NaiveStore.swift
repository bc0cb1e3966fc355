/// A second store, written from the rules alone and as simply as possible, to compare the real one
/// with. It is slow, keeps everything in plain arrays, and searches for what happens next among
/// everything that could.
public struct NaiveStore: Sendable {
    public internal(set) var now: Int
    public internal(set) var shop: Shop
    public internal(set) var accounts: [Account.Name: Account] = [:]
    /// In the order in which they began.
    public internal(set) var lives: [Life] = []
    /// Everything that was charged, given back or declined, in order.
    public internal(set) var books: [BookEntry] = []
    /// Everything that was bought or renewed, in order.
    public internal(set) var receipts: [Receipt] = []
    /// Everything that was to be paid, in order, and which of it nobody has answered.
    public internal(set) var invoices: [Invoice] = []
    public internal(set) var open: [Int] = []
    /// What was asked back and not decided yet, in order.
    public internal(set) var asked: [AskedBack] = []
    /// Codes that were made, in order.
    public internal(set) var batches: [CodeBatch] = []
    /// Purchases that waited for somebody, in order.
    public internal(set) var requests: [Request] = []
    /// Families, and what their members have of what others bought.
    public internal(set) var households: [Household] = []
    public internal(set) var shares: [Share] = []
    public internal(set) var handedOn: [HandedOn] = []
    var choices: [Shareable: Bool] = [:]
    /// When a product was made to be shared, that was sold without it before, and how many receipts
    /// there were by then.
    var shareableSince: [String: (moment: Int, receipts: Int)] = [:]
    /// What families know of purchases.
    var seenLives: [Life] = []
    var seenReceipts: [Receipt] = []
    /// What the developer is told, in order; `present` completes it.
    public internal(set) var notices: [Notice] = []
    var presented = 0
    /// For whom a merchant's plan went on.
    var migrated: Set<Shareable> = []
    /// How many requests of merchants changed plans.
    var requestCount = 0
    /// Prices that are not live yet.
    public internal(set) var coming: [ComingPrice] = []
    /// The prices that went live, in order.
    var history: [ComingPrice] = []
    /// What the developer gained in US dollars in each year, Sandbox aside.
    var proceeds: [Int: Int] = [:]
    /// How often each kind of thing happened, to see what random worlds reach.
    public internal(set) var tally: [String: Int] = [:]

    public init(now: Int, shop: Shop) {
        self.now = now
        self.shop = shop
    }

    /// When something happens next by itself.
    public var nextMoment: Int? {
        (lives.compactMap(moment) + coming.map(\.at) + asked.compactMap(\.decides)
            + open.compactMap { invoices[$0].moment } + requests.compactMap(\.moment)).min()
    }

    /// Lets time pass, one event after the other.
    public mutating func advance(to target: Int) {
        present()
        while let moment = nextMoment, moment <= target {
            defer { present() }
            now = max(now, moment)
            // A price that goes live holds for what happens at the same moment.
            if let price = coming.firstIndex(where: { $0.at == moment }) {
                goLive(coming.remove(at: price))
                continue
            }
            if let request = requests.firstIndex(where: { $0.moment == moment }) {
                lapse(request, at: moment)
                continue
            }
            // An answer comes before what happens because there is none.
            if let number = open.first(where: { invoices[$0].moment == moment }) {
                happen(toInvoice: number, at: moment)
                continue
            }
            // The oldest life first where several things happen at one moment, decisions last.
            var isQuiet = true
            for index in lives.indices.sorted(by: { lives[$0].number < lives[$1].number }) {
                while self.moment(of: lives[index]) == moment {
                    happen(to: index, at: moment)
                    present()
                    isQuiet = false
                }
            }
            if isQuiet { decide(asked.first { $0.decides == moment }!, at: moment) }
        }
        now = max(now, target)
    }

    /// The next moment of one life: the end of its period, the next attempt, the end of grace or
    /// the end of the retries.
    func moment(of life: Life) -> Int? {
        switch life.phase {
        case .running: min(life.end, life.told ?? life.end)
        case .awaiting(let until): until
        // Nothing is tried while nobody has answered the last try.
        case .grace(let until): life.invoice == nil ? min(until, nextAttempt(life)) : until
        case .retry:
            min(
                life.invoice == nil ? nextAttempt(life) : .max, life.failed + life.retryLasts)
        case .revoked, .over: nil
        }
    }

    /// REN-1: sixty evenly spaced attempts.
    func nextAttempt(_ life: Life) -> Int {
        life.failed + (life.attempts + 1) * (life.retryLasts / 60)
    }

    // MARK: Who has what

    /// The products that a customer has access to now.
    public func access(_ name: Account.Name) -> Set<String> {
        var products = owned(name).union(sharedAccess(name))
        for life in lives where life.account == name && life.hasAccess {
            products.insert(life.plan.product)
        }
        return products
    }

    /// What a customer bought to keep and was not given the money back for.
    func owned(_ name: Account.Name) -> Set<String> {
        let kept = receipts.filter {
            $0.account == name && $0.until == nil && !$0.isRevoked
                && shop.article($0.product)?.kind != .consumable
        }
        return Set(kept.map(\.product))
    }

    /// What everybody who comes now pays for a product.
    public func price(
        of product: String, _ billing: Billing = .upFront, in country: Country
    ) -> Int {
        shop.article(product).map { shop.price($0, billing, in: country) } ?? 0
    }

    /// A customer's life in a group.
    public func life(_ name: Account.Name, in group: String) -> Life? {
        index(name, group).map { lives[$0] }
    }

    func index(_ name: Account.Name, _ group: String) -> Int? {
        lives.firstIndex { $0.account == name && $0.group == group }
    }

    mutating func note(_ what: String) { tally[what, default: 0] += 1 }

    /// Writes the receipt of a period that was just opened, and what was charged for it.
    ///
    /// - Parameters:
    ///   - charges: what each line costs, where that is not its price: nil for what goes on as it
    ///     was paid.
    ///   - goesOn: whether a discount was taken up before.
    mutating func charge(
        _ life: inout Life, _ invoice: Int, at moment: Int, isRenewal: Bool = false,
        charges: [Int?]? = nil, goesOn: (HeldLine) -> Bool = { !$0.beginsOffer }
    ) {
        (life.extended, life.revokedAt, life.isRevokedFully) = (0, nil, false)
        (life.isGivenBack, life.ended) = (false, [])
        life.graceEnds = nil
        // THR-1 c is about what is delivered; what is new starts without a history.
        life.lastIncreases = life.lastIncreases.filter { life.plan.skus.contains($0.key) }
        life.costs = charges.map { $0.map { $0 ?? 0 } } ?? life.plan.lines.map(\.cost)
        pay(&life, charges, at: moment)
        for line in life.plan.lines where line.offer != nil && !goesOn(line) {
            note(line.offer!.name == nil ? "introductory offer" : "promotional offer")
            life.offersTaken.append(OfferTaken(name: line.offer!.name, at: moment))
        }
        life.receipt = receipts.count
        var receipt = Receipt(
            account: life.account, product: life.plan.product, purchased: moment,
            until: life.end, price: life.paid, currency: life.country.currency,
            step: life.country.step, group: life.group, isRenewal: isRenewal,
            lines: life.plan.lines)
        let year =
            life.account.isSandbox ? accounts[life.account]!.sandboxLength(.months(12)) : 365
        if life.served >= year {
            note("reduced commission")
            receipt.commission = 15
        }
        if isSmallBusiness(at: moment) { receipt.commission = 15 }
        receipt.billing = life.plan.billing
        if let month = life.month {
            receipt.month = MonthOfCommitment(
                number: month, ends: commitmentEnd(of: life)!, price: 12 * life.plan.price)
        }
        receipt.isMerchants = life.plan.isMerchants
        receipt.costs = life.costs
        (receipt.title, receipt.length) = (life.plan.title, life.plan.length)
        receipt.token = life.token
        receipt.invoice = invoice
        receipts.append(receipt)
        if life.plan.lines.count > 1 {
            note("several lines")
            if life.plan.line(life.plan.product) != nil { note("the product among several lines") }
            if life.plan.lines.contains(where: { $0.beginsOffer && $0.offer?.name == nil }) {
                note("introductory offer on one of several lines")
            }
        }
        book(.charged, life.paid, of: receipt, at: moment)
    }

    /// The paid service before a period that begins at a moment (COM-2 to COM-4, COM-8): whole
    /// days, extensions and free periods left out, from zero after a lapse of over 60 days.
    func served(before start: Int, of old: Life) -> Int {
        let end = min(old.end, old.revokedAt ?? start, start)
        let isSandbox = old.account.isSandbox
        guard start - end <= longestLapse(old) else { return 0 }
        let paidEnd = min(end, old.end - old.extended)
        guard old.isPaid, !old.isRevokedFully, paidEnd > old.start else { return old.served }
        if isSandbox { return old.served + paidEnd - old.start }
        func wall(_ instant: Int) -> Int {
            instant + NaiveCalendar.offset(at: instant, isPacific: shop.terms.isPacific)
        }
        return old.served + (wall(paidEnd) - wall(old.start)) / NaiveCalendar.day
    }

    /// Books what moved for a receipt: all of its price, or a part that goes back or comes again,
    /// of which each line bears its share.
    ///
    /// - Parameter before: what went back before of what has one line.
    mutating func book(
        _ kind: BookEntry.Kind, _ amount: Int, of receipt: Receipt, before: Int = 0,
        at moment: Int
    ) {
        note(kind.rawValue)
        let isItemised = receipt.lines.count > 1 || receipt.isMerchants
        let costs = isItemised ? receipt.costs : [receipt.price]
        if costs.count > 1, amount < receipt.price { note("a part shared by lines") }
        for (place, part) in shares(of: amount, among: costs, step: receipt.step).enumerated() {
            let cost = costs[place] - before
            let entry = BookEntry(
                at: moment, account: receipt.account, kind: kind, product: receipt.product,
                amount: part, currency: receipt.currency,
                // What stays is divided as if only that had been charged.
                share: receipt.share(of: cost) - receipt.share(of: cost - part),
                sku: isItemised ? receipt.lines[place].sku : nil)
            enter(entry)
        }
    }

    mutating func enter(_ entry: BookEntry) {
        books.append(entry)
        guard entry.currency == "USD", !entry.account.isSandbox else { return }
        let gained = entry.amount - entry.share
        proceeds[NaiveCalendar.year(of: entry.at), default: 0] +=
            entry.kind == .charged ? gained : -gained
    }

    /// COM-5: whether the store takes 15 % of a charge, since the developer gained no more than a
    /// million dollars last year, nor this year before it.
    func isSmallBusiness(at moment: Int) -> Bool {
        guard shop.terms.isSmallBusiness, shop.terms.heedsLimit else {
            return shop.terms.isSmallBusiness
        }
        let year = NaiveCalendar.year(of: moment)
        return [year - 1, year].allSatisfy { proceeds[$0] ?? 0 <= 1_000_000_000 }
    }

    /// Shares an amount out in proportion: the first lines together have what their part of the
    /// whole is, half up to a step of the currency, so that nothing is left over at the end.
    func shares(of amount: Int, among costs: [Int], step: Int) -> [Int] {
        guard costs.count > 1 else { return [amount] }
        let total = costs.reduce(0, +)
        guard total > 0 else { return costs.map { _ in 0 } }
        let upTo = costs.indices.map { place in
            let (high, low) = (2 * amount).multipliedFullWidth(
                by: costs[...place].reduce(0, +))
            return ((total * step).dividingFullWidth((high, low)).quotient + 1) / 2 * step
        }
        return upTo.indices.map { upTo[$0] - ($0 == 0 ? 0 : upTo[$0 - 1]) }
    }

    /// Books that a bank refused an invoice.
    mutating func bookDeclined(_ invoice: Invoice, at moment: Int) {
        note("declined")
        books.append(
            BookEntry(
                at: moment, account: invoice.account, kind: .declined, product: invoice.product,
                amount: invoice.amount, currency: invoice.country.currency))
    }
}
