import AppStoreWire
import Storage
import SubscriptionRules

/// One event of one subscription being carried out: what the rules decide, done in the store.
///
/// The rules answer an event with actions; a charge is answered by the bank at once and the
/// answer is the next event, until nothing is left to do.
struct SubscriptionWork {
    let work: Work
    let app: App
    var customer: Customer
    var record: SubscriptionRecord

    /// The transaction that the event opened.
    private(set) var opened: TransactionRecord?
    private var charged: Int64?
    private var declined: Int64?
    private var refunded: Int64?
    private var notices: [Notice] = []
    private var paymentMethodBefore: PaymentMethod

    init(work: Work, app: App, customer: Customer, record: SubscriptionRecord) {
        self.work = work
        self.app = app
        self.customer = customer
        self.record = record
        paymentMethodBefore = customer.paymentMethod
    }

    var customerHasChanged: Bool { customer.paymentMethod != paymentMethodBefore }

    /// Buys the first subscription of a group.
    static func begin(
        _ bill: Bill, work: Work, app: App, customer: Customer, groupID: String,
        appAccountToken: String?, command: Command?
    ) throws -> SubscriptionWork {
        var customer = customer
        let before = customer.paymentMethod
        guard customer.paymentMethod.pay(bill.amount, at: work.now) else {
            throw StoreError.refused(.paymentDeclined)
        }
        let id = work.nextTransactionID(in: customer.environment)
        let (subscription, actions) = Subscription.begin(
            bill, groupID: groupID, transactionID: id, at: work.now,
            under: app.conditions(for: customer))
        let record = SubscriptionRecord(
            app: app.id, environment: customer.environment, customer: customer.id,
            storefront: customer.storefront, appAccountToken: appAccountToken,
            firstPurchased: work.now, subscription: subscription)
        var one = SubscriptionWork(work: work, app: app, customer: customer, record: record)
        one.paymentMethodBefore = before
        one.charged = bill.amount.milliunits
        try one.carryOut(actions, at: work.now)
        try one.conclude("chosePlan", at: work.now, command: command, isNew: true)
        return one
    }

    /// Handles an event at a moment, writes it to the journal and tells the developer.
    mutating func handle(
        _ event: Event, at moment: Instant, command: Command? = nil
    ) throws {
        notices = []
        opened = nil
        (charged, declined, refunded) = (nil, nil, nil)
        try carryOut(try decide(event, at: moment), at: moment)
        try conclude(event.journalKind, at: moment, command: command, isNew: false)
    }

    /// The customer chooses a plan. The catalogue may have moved levels since the old one was
    /// bought; the choice is judged by the levels of today.
    mutating func choose(
        _ plan: Plan, introductory: AppliedOffer?, command: Command? = nil
    ) throws {
        let current = app.product(record.subscription.plan.productID)
        if let level = current?.subscription?.level { record.subscription.rank(asLevel: level) }
        try handle(
            .chosePlan(plan, introductory: introductory), at: work.now, command: command)
    }

    private mutating func decide(_ event: Event, at moment: Instant) throws -> [Action] {
        do {
            return try record.subscription.handle(
                event, at: moment, under: app.conditions(for: customer))
        } catch {
            throw StoreError.refused(error)
        }
    }

    private mutating func carryOut(_ actions: [Action], at moment: Instant) throws {
        for action in actions {
            switch action {
            case .charge(let bill):
                try charge(bill, at: moment)
            case .open(let term, let plan, let reason):
                open(term, plan, isRenewal: reason == .renewal)
            case .supersede(let id):
                try amend(id, "is_upgraded = 1")
            case .shorten(let id, let end):
                try amend(id, "expires_at = \(end)")
            case .refund(let id, let money):
                refunded = money.milliunits
                try amend(id, "refunded = \(money.milliunits)")
            case .notify(let notice):
                notices.append(notice)
            }
        }
    }

    /// Changes a transaction, which thereby comes up again in histories.
    private func amend(_ id: Int64, _ assignment: SQL) throws {
        // It may have been opened a moment ago.
        try work.writeStaged()
        try work.session.execute(
            """
            UPDATE store_transaction SET \(assignment), modification = \(work.nextNumber())
            WHERE id = \(id)
            """)
    }

    private mutating func charge(_ bill: Bill, at moment: Instant) throws {
        let amount = bill.amount
        if customer.paymentMethod.pay(amount, at: moment) {
            charged = amount.milliunits
            let id = work.nextTransactionID(in: record.environment)
            try carryOut(
                try decide(.wasPaid(bill, transactionID: id), at: moment), at: moment)
        } else {
            declined = amount.milliunits
            try carryOut(try decide(.wasDeclined(bill), at: moment), at: moment)
        }
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
            offer: term.offer.map {
                TransactionRecord.Offer(
                    kind: $0.kind, id: $0.id, mode: $0.mode, wholePeriod: $0.wholePeriod)
            },
            appAccountToken: record.appAccountToken, isUpgraded: false, refunded: nil,
            finished: nil, modification: work.modification(ofNew: term.transactionID))
        work.stage(transaction)
        opened = transaction
    }

    /// Stages the subscription, its journal entry and its notifications.
    private mutating func conclude(
        _ kind: String, at moment: Instant, command: Command?, isNew: Bool
    ) throws {
        work.stage(record, isNew: isNew)
        work.record(kind, at: moment) { entry in
            entry.app = record.app
            entry.customer = record.customer
            entry.subscription = record.subscription.id
            entry.transactionID = opened?.id
            entry.amount = charged
            entry.commandID = command?.id
            entry.detail = detail(command)
        }
        if customerHasChanged { try customer.update(in: work.session) }
        guard !notices.isEmpty, work.listens(record.app, record.environment) else { return }
        let presenter = try Presenter(app, customer: record.customer, in: work.session)
        guard
            let transaction = try opened
                ?? work.transaction(
                    record.subscription.term.transactionID)
        else { preconditionFailure("a subscription has no newest transaction") }
        for notice in notices {
            work.notify(
                notice.type, notice.subtype, app: record.app, environment: record.environment,
                customer: record.customer, at: moment, status: record.subscription.status,
                transaction: presenter.transaction(transaction, signed: moment),
                renewal: presenter.renewalInfo(record, signed: moment),
                subscription: record.subscription.id)
        }
    }

    /// What the journal says besides: the product, the end of the period, what the bank refused
    /// or gave back, and what the developer was told.
    private func detail(_ command: Command?) -> String {
        let subscription = record.subscription
        var json = JSONWriter(capacity: 160)
        json.object { json in
            json.field("product", subscription.plan.productID)
            json.field("currency", subscription.plan.currency.code)
            json.field("until", subscription.term.end.milliseconds)
            json.field("nextProduct", subscription.nextPlan?.productID)
            json.field("offer", opened?.offer?.mode.rawValue)
            json.field("declined", declined)
            json.field("refunded", refunded)
            json.field("asked", command?.asked)
            if case .grace(_, let until) = subscription.state {
                json.field("graceUntil", until.milliseconds)
            }
            guard !notices.isEmpty else { return }
            json.array("notices") { json in
                for notice in notices {
                    json.element(notice.journalText)
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
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
        case .wasPaid: "wasPaid"
        case .wasDeclined: "wasDeclined"
        case .wasEnded: "wasEnded"
        }
    }
}
