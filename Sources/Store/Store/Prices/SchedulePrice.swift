import AppStoreWire
import DueWork
import Journal
import Storage
public import SubscriptionRules

/// A new price that the operator wants for a product in a storefront.
public struct PriceOrder: Sendable, Hashable {
    public var productID: String
    /// How those are billed whose price it is.
    public var billing: BillingPlan
    public var storefront: Storefront
    /// In milliunits of the storefront's currency.
    public var price: Int64
    /// When it goes live, not in the past; nil for at once.
    public var start: Instant?
    /// Nil where the price does not rise, so that nobody is asked.
    public var existing: ScheduledPrice.Existing?
    /// The cohort whose preserved price ends, by what it pays; nil to change the list price.
    public var cohortPrice: Int64?

    public init(
        productID: String, billing: BillingPlan = .upFront, storefront: Storefront, price: Int64,
        start: Instant? = nil, existing: ScheduledPrice.Existing?, cohortPrice: Int64? = nil
    ) {
        self.productID = productID
        self.billing = billing
        self.storefront = storefront
        self.price = price
        self.start = start
        self.existing = existing
        self.cohortPrice = cohortPrice
    }
}

extension Store {
    /// Schedules a price. It takes the place of the one that was scheduled before (PRC-2).
    ///
    /// A product that nobody subscribes to has scheduled prices as well, for purchases alone.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`; `.purchase(.notBilledMonthly)`;
    ///   `.setting(.invalid)` when the currency has fewer decimals, a cohort would pay less or more
    ///   than the list price or pays it already, the start is past, the price of a subscription
    ///   rises and `existing` says nothing or would be 0, or something is said about subscribers of
    ///   what is no subscription; `.clock(.outOfRange)` when the clock can never come to the start.
    @discardableResult
    public func schedule(_ order: PriceOrder, bundleID: String) async throws -> ScheduledPrice {
        try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            let product = try app.kept(order.productID)
            try order.storefront.checkPrice(order.price, of: product)
            try work.settlePrices()
            guard let list = product.price(order.billing, in: order.storefront) else {
                throw StoreError.purchase(.notBilledMonthly(product.id, in: nil))
            }
            let existing = try order.existing(of: product, whereListPriceIs: list)
            try order.checkStart(at: work.now)
            let change = ScheduledPrice(
                id: work.nextNumber(), app: app.id, productID: order.productID,
                billing: order.billing, storefront: order.storefront, price: order.price,
                cohortPrice: order.cohortPrice ?? list.milliunits,
                isForCohort: order.cohortPrice != nil,
                start: max(order.start ?? work.now, work.now), existing: existing,
                scheduled: work.now)
            _ = try ScheduledPrice.withdraw(
                app: app.id, productID: order.productID, order.billing, order.storefront,
                at: work.now, for: change.id, in: work.session)
            try change.insert(in: work.session)
            work.record(.scheduledPrice) { entry in
                entry.app = app.id
                entry.event.detail = change.detail
            }
            // Who rehearses it wants to know whom it reaches.
            if work.keepsRecords { try work.tryOut(change) }
            return change
        }
    }

    /// Takes back a price that is scheduled and not live yet; it stays in the list.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`, `.unknown(.scheduledPrice)`.
    @discardableResult
    public func withdrawScheduledPrice(
        product: String, _ billing: BillingPlan = .upFront, storefront: Storefront,
        bundleID: String
    ) async throws -> ScheduledPrice {
        try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard app.product(product) != nil else { throw StoreError.unknown(.product, product) }
            try work.settlePrices()
            guard
                let change = try ScheduledPrice.withdraw(
                    app: app.id, productID: product, billing, storefront, at: work.now,
                    in: work.session)
            else { throw StoreError.unknown(.scheduledPrice, product) }
            work.record(.withdrewScheduledPrice) { $0.app = app.id }
            return change
        }
    }

    /// The price changes of an app, newest first.
    ///
    /// - Parameter before: the number of the last one of the page before; nil for the newest.
    /// - Throws: `StoreError.unknown(.app)`.
    public func scheduledPrices(
        product: String?, before: Int64? = nil, limit: Int, bundleID: String
    ) async throws -> [ScheduledPrice] {
        try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            return try ScheduledPrice.all(
                app: app.id, productID: product, before: before, limit: limit, in: reader.session)
        }
    }

    /// Lets prices go live whose moment has come, for whoever reads prices: one that was scheduled
    /// for at once is read back as it is.
    public func letPricesGoLive() async throws {
        let isDue = try await read { reader in
            try ScheduledPrice.isToGoLive(by: reader.now, in: reader.session)
        }
        if isDue { try await write { try $0.goLive() } }
    }
}

extension UnitOfWork {
    /// What is live by now is charged, and cannot be replaced or taken back: it goes live first.
    ///
    /// It comes to the subscribers in its own time.
    ///
    /// - Throws: `PriceIsDue`, upon which the change starts again with the price live.
    func settlePrices() throws {
        let next = try ScheduledPrice.nextToGoLive(
            by: now, passingOver: setAside, in: session)
        guard next == nil else { throw PriceIsDue() }
    }

    /// Lets the prices go live whose moment has come.
    func goLive() throws {
        for _ in 0..<batchSize {
            guard
                var change = try ScheduledPrice.nextToGoLive(
                    by: now, passingOver: setAside, in: session)
            else { return }
            try Damage.of("price_change", change.id) {
                try goLive(with: &change)
                try change.saveProgress(in: session)
            }
        }
    }

    /// Brings a price to the first subscribers as if it were live now, for a rehearsal: so the
    /// rules say whom it reaches. What is over is left out.
    fileprivate func tryOut(_ change: ScheduledPrice) throws {
        let piece = try change.next(batchSize, passingOver: setAside, in: session)
        for (record, customer) in piece.subscriptions
        where !record.subscription.isOver && change.reaches(record.subscription) {
            let one = SubscriptionWork(
                work: self, app: try apps[record.app], customer: customer, record: record)
            try one.handle(
                .priceWasChanged(of: change.productID, to: change.price, billed: change.billing),
                at: now)
        }
    }

    /// Brings a price that is live to the next subscribers.
    ///
    /// - Returns: how many it changed something for.
    func processNextPiece(of change: inout ScheduledPrice) throws -> Int {
        if change.state == .scheduled { try goLive(with: &change) }
        if change.state == .done {
            try change.saveProgress(in: session)
            return 0
        }
        let piece = try change.next(batchSize, passingOver: setAside, in: session)
        let changed = try bring(&change, to: piece)
        change.reached = piece.last ?? change.reached
        if piece.isLast { change.state = .done }
        try change.saveProgress(in: session)
        if piece.isLast { try CustomerAhead.forgetAfterLastJob(in: session) }
        return changed
    }

    /// Brings a price that is live to a customer.
    func processAhead(of change: inout ScheduledPrice, for customer: Int64) throws {
        let piece = try change.next(ofCustomer: customer, passingOver: setAside, in: session)
        if try bring(&change, to: piece) > 0 { try change.saveProgress(in: session) }
    }

    /// - Returns: how many it changed something for.
    private func bring(_ change: inout ScheduledPrice, to piece: JobPiece) throws -> Int {
        var (changed, subscribers) = (0, 0)
        for (record, customer) in piece.subscriptions where change.reaches(record.subscription) {
            try Damage.of("subscription", record.subscription.id) { [change] in
                let one = SubscriptionWork(
                    work: self, app: try apps[record.app], customer: customer, record: record)
                try one.handle(
                    .priceWasChanged(
                        of: change.productID, to: change.price, billed: change.billing),
                    at: change.start)
            }
            changed += 1
            // What is over has the price too, for whoever comes back.
            if !record.subscription.isOver { subscribers += 1 }
        }
        change.subscribers += Int64(subscribers)
        return changed
    }

    /// From here on everybody who buys sees the new price (PRC-9).
    private func goLive(with change: inout ScheduledPrice) throws {
        change.state = .going
        record(.priceWentLive, at: change.start) { entry in
            entry.app = change.app
            entry.event.detail = change.detail
        }
        let list = try apps[change.app].product(change.productID)?
            .price(change.billing, in: change.storefront)
        guard !change.isForCohort else {
            // The list price may have fallen since: nobody is moved above it.
            if let list, change.price > list.milliunits { change.state = .done }
            return
        }
        change.cohortPrice = list?.milliunits
        try ProductStorefront.save(
            price: change.price, change.billing, of: change.productID, app: change.app,
            in: change.storefront, session)
        settingsChanged()
    }
}

extension PriceOrder {
    /// What the subscribers of before will pay: a moved cohort the new price, and where a price
    /// does not rise, or nobody subscribes, the question does not arise.
    ///
    /// - Throws: `StoreError.setting(.invalid)` for an increase that leaves it open, for a cohort
    ///   that would pay less than now or more than the list price, and for any word about
    ///   subscribers of what is no subscription.
    fileprivate func existing(
        of product: Product, whereListPriceIs list: Money
    ) throws(StoreError) -> ScheduledPrice.Existing {
        guard product.subscription != nil else {
            guard existing == nil, cohortPrice == nil else {
                throw .setting(
                    .invalid(
                        cohortPrice == nil ? "existing" : "cohortPrice",
                        reason: "\(product.id) is no auto-renewable subscription, so that nobody "
                            + "goes on paying for it: a price is for purchases alone"))
            }
            return .preserve
        }
        guard let cohortPrice else {
            if let existing { return existing }
            guard price <= list.milliunits else {
                throw .setting(
                    .invalid(
                        "existing",
                        reason:
                            "\(Money(milliunits: price, list.currency).plainText) is more than the "
                            + "list price, \(list.plainText): preserve what subscribers pay, or "
                            + "apply it to them too"))
            }
            return .preserve
        }
        guard cohortPrice != list.milliunits else {
            throw .setting(
                .invalid(
                    "cohortPrice",
                    reason: "\(list.plainText) is the list price, which is preserved for nobody"))
        }
        guard price > cohortPrice, price <= list.milliunits else {
            let pays = Money(milliunits: cohortPrice, list.currency)
            throw .setting(
                .invalid(
                    "price",
                    reason: "a cohort that pays \(pays.plainText) can be moved to more than "
                        + "that and at most to the list price, \(list.plainText)"))
        }
        return .apply
    }

    /// None starts in the past (PRC-3), but whoever reads the clock and writes its minute means
    /// now.
    ///
    /// - Throws: `StoreError.setting(.invalid)` for a start that is past, `.clock(.outOfRange)` for
    ///   one that never comes.
    fileprivate func checkStart(at now: Instant) throws(StoreError) {
        guard let start else { return }
        guard start > now - .minutes(1) else {
            throw .setting(
                .invalid(
                    "start", reason: "it is past: the store's clock shows \(now.plainText)"))
        }
        guard start < .latest else { throw .clock(.outOfRange(start)) }
    }
}

extension ScheduledPrice {
    /// What the journal says of it.
    var detail: JournalDetail {
        var detail = JournalDetail()
        detail.productID = productID
        detail.currency = storefront.currency.code
        detail.scheduled = JournalDetail.Scheduled(
            storefront: storefront.code, price: price, cohortPrice: cohortPrice, start: start,
            existing: existing.rawValue,
            billingPlan: billing == .upFront ? nil : billing.rawValue)
        return detail
    }
}

extension Storefront {
    /// Whether an amount can be the price of a product here. Nothing but an offer makes an
    /// auto-renewable subscription free.
    ///
    /// - Throws: `StoreError.setting(.invalid)`.
    func checkPrice(_ price: Int64, of product: Product) throws(StoreError) {
        try currency.checkPrice(price)
        guard price > 0 || product.subscription == nil else {
            throw StoreError.setting(
                .invalid(
                    "price",
                    reason: "\(product.id) is an auto-renewable subscription, which only an offer "
                        + "makes free"))
        }
    }
}

extension Currency {
    /// Whether an amount can be a price in it.
    ///
    /// - Throws: `StoreError.setting(.invalid)`.
    func checkPrice(_ price: Int64) throws(StoreError) {
        guard (0...Catalogue.largestPrice).contains(price), allows(price) else {
            throw .setting(
                .invalid(
                    "price",
                    reason: "it must be 0 to \(Catalogue.largestPrice) milliunits in steps of "
                        + "\(step), as \(code) allows"))
        }
    }
}
