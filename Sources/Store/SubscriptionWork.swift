import AppStoreWire
import Storage
import SubscriptionRules

/// One event of one subscription being carried out: what the rules decide, done in the store.
///
/// The rules answer an event with actions; what the bank says to a bill is the next event, until
/// nothing is left to do or the answer is to come later.
struct SubscriptionWork {
    let work: Work
    let app: App
    var customer: Customer
    var record: SubscriptionRecord

    /// The transaction that the event opened.
    private(set) var opened: TransactionRecord?
    private var charged: Int64?
    private var declined: Int64?
    private var pending: Int64?
    private var answered: Bill?
    private var refunded: Int64?
    private var newPrice: NewPrice?
    /// How the plan that was chosen relates to the one before.
    private var planChange: PlanChange?
    private var notices: [Notice] = []
    /// What was changed of transactions, for the journal.
    private var amendments: [(id: Int64, change: TransactionAmendment)] = []
    /// The transaction that the notices are about, where it is not the newest one.
    private var subject: Int64?
    /// The record as the journal knows it.
    private var journaled: SubscriptionRecord
    private var paymentMethodBefore: PaymentMethod

    init(work: Work, app: App, customer: Customer, record: SubscriptionRecord) {
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
    ///   - note: what the journal says of it besides.
    mutating func handle(
        _ event: Event, at moment: Instant, about subject: Int64? = nil,
        amendment: TransactionAmendment? = nil, note: String? = nil, command: Command? = nil
    ) throws {
        forget()
        noteAnswer(event)
        self.subject = subject
        if let subject, let amendment {
            amend(subject, amendment)
            if case .revoked(let revocation) = amendment {
                refunded = revocation.refunded.milliunits
            }
        }
        let before = record.subscription
        try carryOut(try decide(event, at: moment), at: moment)
        newPrice = NewPrice(event, from: before, to: record.subscription)
        if case .chosePlan(let plan) = event, !before.isOver,
            !plan.delivers(sameAs: before.plan)
        {
            planChange = PlanChange(from: before.plan, to: plan)
        }
        try conclude(
            event.journalKind, at: moment, note: note, command: command,
            isNew: before.state == .new)
    }

    /// What an answer that came later is about.
    private mutating func noteAnswer(_ event: Event) {
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
    mutating func adjust(
        _ kind: String, about transactionID: Int64, _ amendment: TransactionAmendment
    ) throws {
        forget()
        subject = transactionID
        amend(transactionID, amendment)
        try conclude(kind, at: work.now, command: nil, isNew: false)
    }

    /// Writes to the journal that something was tried, and tells the developer, while the
    /// subscription stays as it is.
    mutating func tell(
        _ kind: String, _ notice: Notice, at moment: Instant, note: String
    ) throws {
        forget()
        notices = [notice]
        try conclude(kind, at: moment, note: note, command: nil, isNew: false)
    }

    private mutating func forget() {
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
    mutating func choose(_ plan: Plan, command: Command? = nil) throws {
        let current = app.product(record.subscription.plan.productID)
        if let level = current?.subscription?.level { record.subscription.rank(asLevel: level) }
        try handle(.chosePlan(plan), at: work.now, command: command)
    }

    private mutating func decide(_ event: Event, at moment: Instant) throws -> [Action] {
        var conditions = app.conditions(for: customer, in: record.storefront)
        conditions.isInSmallBusinessProgram = try work.isInSmallBusinessProgram(app, at: moment)
        do {
            return try record.subscription.handle(
                event, at: moment, under: conditions
            ) { work.nextTransactionID(in: record.environment) }
        } catch {
            throw StoreError.refused(error)
        }
    }

    private mutating func carryOut(_ actions: [Action], at moment: Instant) throws {
        for action in actions {
            switch action {
            case .charge(let bill):
                try charge(bill, at: moment)
            case .void(let id):
                try void(id, at: moment)
            case .open(let term, let plan, let reason):
                open(term, plan, isRenewal: reason == .renewal)
            case .supersede(let id):
                amend(id, .upgraded)
            case .reschedule(let id, let end):
                amend(id, .rescheduled(end))
            case .refund(let id, let money):
                refunded = money.milliunits
                amend(id, .prorated(money.milliunits))
                try bookProration(money, of: id, at: moment)
                try work.giveBack(money, ofBill: id)
            case .notify(let notice):
                notices.append(notice)
            }
        }
    }

    private mutating func amend(_ id: Int64, _ amendment: TransactionAmendment) {
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
    private mutating func charge(_ bill: Bill, at moment: Instant) throws {
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
    private mutating func putAside() {
        guard record.subscription.state != .new else { return }
        record.storefront = journaled.storefront
        record.appAccountToken = journaled.appAccountToken
    }

    private mutating func void(_ id: Int64, at moment: Instant) throws {
        guard try work.void(id, at: moment), record.subscription.outstanding?.bill.id == id
        else { return }
        let event = Event.billWasVoided(id, forSale: isNextForSale)
        try carryOut(try decide(event, at: moment), at: moment)
    }

    /// Whether the product of the next period is on sale in the customer's storefront.
    var isNextForSale: Bool {
        app.isForSale(record.subscription.renewalPlan.productID, in: record.storefront)
    }

    private mutating func open(
        _ term: Term, _ plan: Plan, isRenewal: Bool
    ) {
        let subscription = record.subscription
        let transaction = TransactionRecord(
            id: term.transactionID, originalID: subscription.id, subscription: subscription.id,
            app: record.app, environment: record.environment, customer: record.customer,
            productID: plan.productID, groupID: subscription.groupID,
            type: .autoRenewableSubscription, purchased: term.purchased,
            firstPurchased: record.firstPurchased, expires: term.end, quantity: 1,
            isRenewal: isRenewal, price: Money(milliunits: term.price, plan.currency),
            storefront: record.storefront,
            offer: plan.onlyOffer.map {
                TransactionRecord.Offer(
                    kind: $0.kind, id: $0.id, mode: $0.mode, wholePeriod: $0.wholePeriod)
            },
            lines: plan.lines.count == 1
                ? []
                : zip(plan.lines, term.charges).map {
                    TransactionRecord.Line(sku: $0.sku, price: $1, offer: $0.offer)
                },
            appAccountToken: record.appAccountToken, isUpgraded: false, refunded: nil,
            revocation: nil, commission: term.commission, finished: nil,
            modification: work.modification(ofNew: term.transactionID))
        work.stage(transaction)
        work.book(chargeOf: transaction, at: term.purchased)
        opened = transaction
    }

    /// Stages the subscription, its journal entry and its notifications.
    private mutating func conclude(
        _ kind: String, at moment: Instant, note: String? = nil, command: Command?, isNew: Bool
    ) throws {
        // What nothing was paid for yet is no subscription: only its bill is kept.
        let isUnpaid = record.subscription.state == .new
        var changes = SubscriptionChanges()
        if !isUnpaid {
            changes = isNew ? record.allValues : record.changes(since: journaled)
            record.touch(changes)
            journaled = record
            work.stage(record, isNew: isNew)
        }
        work.record(kind, at: moment) { entry in
            entry.app = record.app
            entry.customer = record.customer
            entry.subscription = isUnpaid ? nil : record.subscription.id
            entry.transactionID = opened?.id ?? subject
            entry.amount = charged
            entry.commandID = command?.id
            entry.detail = detail(command, note: note, changes)
        }
        if customerHasChanged { try customer.update(in: work.session) }
        guard !notices.isEmpty, try work.listens(record.app, record.environment) else { return }
        let presenter = try Presenter(app, customer: record.customer, in: work.session)
        let id = subject ?? opened?.id ?? record.subscription.term.transactionID
        guard let transaction = try work.transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "subscription \(record.subscription.id)")
        }
        for notice in notices {
            work.notify(
                notice.type, notice.subtype, app: record.app, environment: record.environment,
                customer: record.customer, at: moment, status: record.subscription.status,
                transaction: presenter.transaction(transaction, signed: moment),
                renewal: presenter.renewalInfo(record, signed: moment),
                detail: notice == .consumptionRequested ? note : nil,
                subscription: record.subscription.id)
        }
    }

    /// What the journal says besides: the product, the end of the period, what the bank refused
    /// or gave back, and what the developer was told.
    private func detail(
        _ command: Command?, note: String?, _ changes: SubscriptionChanges
    ) -> String {
        let subscription = record.subscription
        var json = JSONWriter(capacity: 160)
        json.object { json in
            json.field("product", subscription.plan.productID)
            json.field("currency", subscription.plan.currency.code)
            json.field("until", subscription.term.end.milliseconds)
            json.field("nextProduct", subscription.nextPlan?.productID)
            json.field("planChange", planChange?.journalName)
            json.field("offer", opened?.offer?.mode.rawValue)
            json.field("declined", declined)
            json.field("pending", pending)
            let bill = answered ?? subscription.outstanding?.bill
            json.field("bill", bill?.id)
            let billed = bill?.plan.productID
            json.field("billProduct", billed == subscription.plan.productID ? nil : billed)
            json.field("refunded", refunded)
            json.field("asked", command?.asked)
            json.field("note", note)
            json.field("oldPrice", newPrice?.old)
            json.field("newPrice", newPrice?.new)
            json.field("newPriceFrom", newPrice?.from?.milliseconds)
            switch subscription.state {
            case .awaitingPayment(let until), .grace(_, let until):
                json.field("graceUntil", until.milliseconds)
            case .new, .active, .retrying, .expired, .revoked: break
            }
            if !notices.isEmpty {
                json.array("notices") { json in
                    for notice in notices { json.element(notice.journalText) }
                }
            }
            json.columns(changes.values)
            json.amendments(amendments)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension PlanChange {
    /// The name of the change in the journal, whatever the durations.
    fileprivate var journalName: String {
        switch self {
        case .upgrade: "upgrade"
        case .crossgradeOfSameDuration, .crossgradeOfOtherDuration: "crossgrade"
        case .downgrade: "downgrade"
        }
    }
}

extension Event {
    /// The name of the event in the journal.
    fileprivate var journalKind: String {
        switch self {
        case .chosePlan: "chosePlan"
        case .turnedRenewalOff: "turnedRenewalOff"
        case .turnedRenewalOn: "turnedRenewalOn"
        case .changedPaymentMethod: "changedPaymentMethod"
        case .becameDue: "becameDue"
        case .billIsPending: "billIsPending"
        case .billWasPaid: "wasPaid"
        case .billWasDeclined: "wasDeclined"
        case .billWasVoided: "wasVoided"
        case .gaveUpWaiting: "gaveUpWaiting"
        case .wasEnded: "wasEnded"
        case .priceWasChanged: "priceWasChanged"
        case .answeredPriceIncrease(agrees: true): "agreedToPriceIncrease"
        case .answeredPriceIncrease(agrees: false): "declinedPriceIncrease"
        case .wasExtended: "wasExtended"
        case .requestedRefund: "requestedRefund"
        case .refundWasDeclined: "refundWasDeclined"
        case .wasRefunded: "wasRefunded"
        case .refundWasReversed: "refundWasReversed"
        }
    }
}
