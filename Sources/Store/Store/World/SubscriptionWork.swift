import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// One event of one subscription being carried out: what the rules decide, done in the store.
///
/// The rules answer an event with actions; what the bank says to a bill is the next event, until
/// nothing is left to do or the answer is to come later.
final class SubscriptionWork {
    let work: UnitOfWork
    let app: App
    var customer: Customer
    var record: SubscriptionRecord

    /// The transaction that the event opened.
    private(set) var opened: TransactionRecord?
    private var charged: Int64?
    private(set) var declined: Int64?
    private var pending: Int64?
    private var answered: Bill?
    var refunded: Int64?
    private var newPrice: NewPrice?
    /// How the plan that was chosen relates to the one before.
    private var planChange: PlanChange?
    private(set) var notices: [ServerNotification] = []
    /// What was changed of transactions.
    private(set) var amendments: [(id: Int64, amendment: TransactionAmendment)] = []
    /// The transaction that an event is about, where it is not the newest one.
    private var subject: Int64?
    /// The record as the journal knows it.
    private var journaled: SubscriptionRecord
    private var paymentMethodBefore: PaymentMethod

    init(work: UnitOfWork, app: App, customer: Customer, record: SubscriptionRecord) {
        self.work = work
        self.app = app
        self.customer = customer
        self.record = record
        journaled = record
        paymentMethodBefore = customer.paymentMethod
    }

    var customerHasChanged: Bool { customer.paymentMethod != paymentMethodBefore }

    /// Handles an event at a moment, writes it to the journal and tells the developer.
    ///
    /// - Parameters:
    ///   - subject: the transaction that it is about, where that may be an older one.
    ///   - amendment: what it changes about that transaction.
    ///   - others: what else it changes there.
    ///   - note: what the journal says of it besides.
    func handle(
        _ event: Event, at moment: Instant, about subject: Int64? = nil,
        amendment: TransactionAmendment? = nil, others: [TransactionAmendment] = [],
        note: String? = nil, command: Command? = nil
    ) throws {
        forget()
        noteAnswer(event)
        self.subject = subject
        if let subject, let amendment {
            let before = try work.transaction(subject)?.refunded ?? 0
            switch amendment {
            case .revoked(let revocation): refunded = revocation.refunded.milliunits - before
            case .prorated(let sum): refunded = sum - before
            default: break
            }
            for amendment in [amendment] + others { amend(subject, amendment) }
        }
        planChange = planChange(by: event)
        let before = (
            state: record.subscription.state, end: record.subscription.newestPeriod.end
        )
        try carryOut(try decide(event, at: moment), at: moment)
        newPrice = NewPrice(event, from: journaled.subscription, to: record.subscription)
        try conclude(
            event.journalKind, at: moment, note: note, command: command,
            isNew: journaled.subscription.state == .new)
        try tellByMail(event, from: before, at: moment)
        try share(at: moment)
    }

    /// How the plan that is chosen relates to the one that runs; nil where none is.
    private func planChange(by event: Event) -> PlanChange? {
        guard case .chosePlan(let plan, _) = event, !record.subscription.isOver,
            !plan.delivers(sameAs: record.subscription.plan)
        else { return nil }
        return PlanChange(from: record.subscription.plan, to: plan)
    }

    /// What an answer that came later is about.
    private func noteAnswer(_ event: Event) {
        let bill = record.subscription.outstanding?.bill
        switch event {
        case .billWasPaid: (answered, charged) = (bill, bill?.amount.milliunits)
        case .billWasDeclined: (answered, declined) = (bill, bill?.amount.milliunits)
        case .billWasVoided, .gaveUpWaiting: answered = bill
        default: break
        }
    }

    /// Writes a change to the journal that is no event of the subscription's life: of the record,
    /// or of one of its transactions.
    func adjust(
        _ kind: JournalEvent.Kind, about transactionID: Int64, _ amendment: TransactionAmendment
    ) throws {
        forget()
        subject = transactionID
        amend(transactionID, amendment)
        try conclude(kind, at: work.now, command: nil, isNew: false)
    }

    /// Writes to the journal that something was tried, and tells the developer, while the
    /// subscription stays as it is.
    func tell(
        _ kind: JournalEvent.Kind, _ notice: ServerNotification, about subject: Int64? = nil,
        at moment: Instant, note: String
    ) throws {
        forget()
        self.subject = subject
        notices = [notice]
        try conclude(kind, at: moment, note: note, command: nil, isNew: false)
    }

    private func forget() {
        notices = []
        opened = nil
        amendments = []
        subject = nil
        (answered, charged, declined, pending, refunded) = (nil, nil, nil, nil, nil)
        newPrice = nil
        planChange = nil
    }

    /// The customer chooses a plan. The catalogue may have moved levels since the old one was
    /// bought; the choice is judged by the levels of today.
    func choose(
        _ plan: Plan, grantsIntroductory: Bool = false, command: Command? = nil
    ) throws {
        let current = app.product(record.subscription.plan.productID)
        if let level = current?.subscription?.level { record.subscription.rank(asLevel: level) }
        try handle(
            .chosePlan(plan, grantsIntroductory: grantsIntroductory), at: work.now,
            command: command)
    }

    private func decide(_ event: Event, at moment: Instant) throws -> [Action] {
        var conditions = app.conditions(for: customer, in: record.storefront)
        conditions.isInSmallBusinessProgram = try work.isInSmallBusinessProgram(app, at: moment)
        do {
            let environment = record.environment
            return try record.subscription.handle(
                event, at: moment, under: conditions
            ) { work.nextTransactionID(in: environment) }
        } catch {
            throw StoreError.refused(error)
        }
    }

    private func carryOut(_ actions: [Action], at moment: Instant) throws {
        for action in actions {
            switch action {
            case .charge(let bill):
                try charge(bill, at: moment)
            case .void(let id):
                try void(id, at: moment)
            case .open(let newestPeriod, let plan, let reason):
                open(newestPeriod, plan, isRenewal: reason == .renewal)
            case .supersede(let id):
                amend(id, .upgraded)
            case .reschedule(let id, let end):
                amend(id, .rescheduled(end))
                if let end = commitmentEnd { amend(id, .recommitted(until: end)) }
            case .refund(let id, let money):
                refunded = money.milliunits
                amend(id, .prorated(money.milliunits))
                try bookProration(money, of: id, at: moment)
                try work.giveBack(money, ofBill: id)
            case .describe(let ids, let lines):
                for id in ids {
                    try describe(id, lines)
                    try renameClaim(of: id, lines)
                }
            case .refundItems(let id, let items):
                try giveBack(items, of: id, at: moment)
            case .notify(let notice):
                notices.append(
                    try wasSubscribed(before: notice) ? .subscribed(.resubscribe) : notice)
            }
        }
    }

    /// Whether what begins with a merchant's plan is not the customer's first: another subscription
    /// of the group was had before, and is over (EXP-6).
    private func wasSubscribed(before notice: ServerNotification) throws -> Bool {
        guard case .subscribed(.initialBuy) = notice, record.subscription.plan.merchant != nil
        else { return false }
        return try SubscriptionRecord.all(
            customer: record.customer, app: record.app, groupID: record.subscription.groupID,
            in: work.session
        ).contains { $0.subscription.isOver && $0.subscription.id != record.subscription.id }
    }

    func amend(_ id: Int64, _ amendment: TransactionAmendment) {
        work.stage(amendment, of: id, for: record.subscription.id)
        amendments.append((id, amendment))
    }

    private func bookProration(_ money: Money, of id: Int64, at moment: Instant) throws {
        guard let transaction = try work.transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "subscription \(record.subscription.id)")
        }
        guard transaction.price.currency == money.currency,
            transaction.price.milliunits >= money.milliunits
        else {
            throw StorageError(
                .corrupt, "store_transaction \(id): more is refunded than was paid for it")
        }
        work.book(.proration, of: money, in: transaction, at: moment)
    }

    /// Asks the bank. Nothing that a customer asked for happens when it declines.
    ///
    /// - Throws: `BillDeclined` for a purchase or a plan change.
    private func charge(_ bill: Bill, at moment: Instant) throws {
        // A token goes along only where the purchase brings one.
        let bringsToken =
            record.subscription.state == .new
            || record.appAccountToken != journaled.appAccountToken
        let asked = BillRecord(
            bill, of: record, token: bringsToken ? record.appAccountToken : nil, at: moment)
        let amount = bill.amount.milliunits
        let event: Event
        switch try work.collect(asked, from: &customer, at: moment).state {
        case .paid:
            charged = amount
            event = .billWasPaid(bill.id)
        case .declined:
            declined = amount
            event = .billWasDeclined(bill.id)
        case .sent, .pending, .void, .reversed:
            pending = amount
            putAside()
            event = .billIsPending(bill.id)
        }
        try carryOut(try decide(event, at: moment), at: moment)
    }

    /// What a purchase brings along, its storefront and token, holds once it is paid.
    private func putAside() {
        guard record.subscription.state != .new else { return }
        record.storefront = journaled.storefront
        record.appAccountToken = journaled.appAccountToken
    }

    private func void(_ id: Int64, at moment: Instant) throws {
        guard try work.void(id, at: moment), record.subscription.outstanding?.bill.id == id
        else { return }
        let event = Event.billWasVoided(id, forSale: isNextForSale)
        try carryOut(try decide(event, at: moment), at: moment)
    }

    /// Whether the product of the next period is on sale in the customer's storefront.
    var isNextForSale: Bool {
        app.isForSale(
            record.subscription.renewalPlan, in: record.storefront, record.environment)
    }

    /// When the running commitment ends; nil outside of one.
    private var commitmentEnd: Instant? {
        record.subscription.commitmentEnd(in: app.settings.billingZone)
    }

    private func open(
        _ newestPeriod: BillingPeriod, _ plan: Plan, isRenewal: Bool
    ) {
        var transaction = TransactionRecord(
            id: newestPeriod.transactionID, originalID: record.subscription.id,
            subscription: record.subscription.id,
            app: record.app, environment: record.environment, customer: record.customer,
            productID: plan.productID, groupID: record.subscription.groupID,
            type: .autoRenewableSubscription, purchased: newestPeriod.purchased,
            firstPurchased: record.firstPurchased, expires: newestPeriod.end, quantity: 1,
            isRenewal: isRenewal, price: Money(milliunits: newestPeriod.price, plan.currency),
            storefront: record.storefront,
            offer: (plan.merchant == nil ? plan.onlyOffer : nil).map {
                TransactionRecord.Offer(
                    kind: $0.kind, id: $0.id, terms: .lasting($0.mode, $0.wholePeriod))
            },
            lines: plan.lines.count == 1 && plan.merchant == nil
                ? []
                : zip(plan.lines, newestPeriod.charges).map {
                    TransactionRecord.Line(sku: $0.sku, price: $1, offer: $0.offer)
                },
            appAccountToken: record.appAccountToken, isUpgraded: false, refunded: nil,
            revocation: nil, commission: newestPeriod.commission, finished: nil,
            modification: work.modification(ofNew: newestPeriod.transactionID))
        transaction.billing = plan.billing
        transaction.advancedCommerce = AdvancedCommerceTransactionInfo(plan)
        transaction.previousOriginalID = plan.merchant?.migratedFrom
        if let number = newestPeriod.instalment, let end = commitmentEnd {
            transaction.instalment = TransactionRecord.Instalment(
                number: number, commitmentEnd: end,
                commitmentPrice: Commitment.price(ofMonth: plan.price.milliunits))
        }
        work.stage(transaction)
        work.book(chargeOf: transaction, at: newestPeriod.purchased)
        opened = transaction
    }

    /// Stages the subscription, its journal entry and its notifications.
    private func conclude(
        _ kind: JournalEvent.Kind, at moment: Instant, note: String? = nil, command: Command?,
        isNew: Bool
    ) throws {
        // What nothing was paid for yet is no subscription: only its bill is kept.
        let isUnpaid = record.subscription.state == .new
        let changes = isUnpaid ? ColumnChanges() : stage(isNew: isNew)
        work.record(kind, at: moment) { entry in
            entry.app = record.app
            entry.customer = record.customer
            entry.subscription = isUnpaid ? nil : record.subscription.id
            entry.event.transactionID = opened?.id ?? subject
            entry.event.amount = charged
            entry.commandID = command?.id
            entry.event.detail = detail(command, note: note, changes)
        }
        if customerHasChanged { try customer.update(in: work.session) }
        guard !notices.isEmpty,
            try work.keepsNotifications(record.app, record.environment)
        else { return }
        let presenter = try Presenter(app, customer: record.customer, in: work.session)
        let newest = opened?.id ?? record.subscription.newestPeriod.transactionID
        for notice in notices {
            let id = notice.isOfSubscription ? newest : subject ?? newest
            guard let transaction = try work.transaction(id) else {
                throw Stored.missing(
                    "transaction \(id)", for: "subscription \(record.subscription.id)")
            }
            work.notify(
                notice.type, notice.subtype, app: record.app, environment: record.environment,
                customer: record.customer, at: moment, status: record.subscription.status,
                transaction: presenter.transaction(transaction, signed: moment),
                renewal: presenter.renewalInfo(record, signed: moment),
                detail: notice == .consumptionRequested ? note : nil,
                subscription: record.subscription.id)
        }
    }

    /// Stages what has become of the subscription since the journal was written last.
    private func stage(isNew: Bool) -> ColumnChanges {
        defer { journaled = record }
        guard !isNew else {
            work.stage(new: record)
            return record.allColumns
        }
        let changes = record.changes(since: journaled)
        work.stage(changes, of: record.subscription.id)
        return SubscriptionRecord.columns(of: changes)
    }

    /// What the journal says besides: the product, the end of the period, what the bank refused
    /// or gave back, and what the developer was told.
    private func detail(
        _ command: Command?, note: String?, _ changes: ColumnChanges
    ) -> JournalDetail {
        let bill = answered ?? record.subscription.outstanding?.bill
        let billed = bill?.plan.productID
        var detail = JournalDetail()
        detail.productID = record.subscription.plan.productID
        detail.currency = record.subscription.plan.currency.code
        detail.until = record.subscription.newestPeriod.end
        detail.nextProductID = record.subscription.nextPlan?.productID
        detail.planChange = planChange.map(JournalDetail.PlanStep.init)
        if case .lasting(let mode, _)? = opened?.offer?.terms { detail.offerMode = mode }
        detail.offer = opened?.offer.map { NamedOffer(kind: $0.kind, id: $0.id) }
        detail.nextOffer = record.subscription.waitingOffer.map { NamedOffer($0) }
        let isOver = record.subscription.isOver
        detail.instalment = isOver ? nil : record.subscription.newestPeriod.instalment
        (detail.declined, detail.pending, detail.refunded) = (declined, pending, refunded)
        detail.billID = bill?.id
        detail.billProductID = billed == record.subscription.plan.productID ? nil : billed
        (detail.asked, detail.note) = (command?.asked, note)
        (detail.oldPrice, detail.newPrice) = (newPrice?.old, newPrice?.new)
        (detail.newPriceFrom, detail.pricedProductID) = (newPrice?.from, newPrice?.waitingProductID)
        switch record.subscription.state {
        case .awaitingPayment(let until), .grace(_, let until): detail.graceUntil = until
        case .new, .active, .retrying, .expired, .revoked: break
        }
        detail.notices = notices.map(\.journalText)
        detail.changes = changes
        detail.transactions = amendments.map { $1.changes(of: $0) }
        return detail
    }
}
