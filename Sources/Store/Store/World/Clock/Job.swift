import DueWork
import Storage
import SubscriptionRules

/// Due work that concerns many subscriptions or none: it is carried out a piece at a time, in the
/// order of its moment among the events of subscriptions.
enum Job {
    case price(ScheduledPrice)
    case massExtension(MassExtension)
    case refundDecision(RefundRequest)
    case bill(BillRecord)
    case heldPurchase(HeldPurchase)
    case sharing(SharingDue)

    /// The job that is due first by a horizon; at one moment a price goes first.
    static func next(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> Job? {
        guard try anyIsDue(by: horizon, passingOver: aside, in: session) else { return nil }
        let jobs: [Job] = [
            try ScheduledPrice.next(by: horizon, passingOver: aside, in: session).map(Job.price),
            try MassExtension.next(by: horizon, passingOver: aside, in: session)
                .map(Job.massExtension),
            try RefundRequest.next(by: horizon, passingOver: aside, in: session)
                .map(Job.refundDecision),
            try BillRecord.next(by: horizon, passingOver: aside, in: session).map(Job.bill),
            try HeldPurchase.next(by: horizon, passingOver: aside, in: session)
                .map(Job.heldPurchase),
            try SharingDue.next(by: horizon, passingOver: aside, in: session).map(Job.sharing),
        ].compactMap { $0 }
        return jobs.min { $0.turn < $1.turn }
    }

    /// What jobs that are due have in store for a customer, in their order. Prices that are due
    /// are live already; bills are the customer's own, and taken in turn with what is due besides.
    static func all(
        ofCustomer customer: Int64, by horizon: Instant, passingOver aside: SetAside,
        in session: any Session
    ) throws -> [Job] {
        guard try anyIsDue(by: horizon, passingOver: aside, in: session) else { return [] }
        let prices = try ScheduledPrice.ahead(
            ofCustomer: customer, passingOver: aside, in: session)
        let extensions = try MassExtension.ahead(
            ofCustomer: customer, by: horizon, passingOver: aside, in: session)
        let requests = try RefundRequest.due(
            ofCustomer: customer, by: horizon, passingOver: aside, in: session)
        let held = try HeldPurchase.due(
            ofCustomer: customer, by: horizon, passingOver: aside, in: session)
        let jobs =
            prices.map(Job.price) + extensions.map(Job.massExtension)
            + requests.map(Job.refundDecision) + held.map(Job.heldPurchase)
        return jobs.sorted { $0.turn < $1.turn }
    }

    /// Whether there is one at all: mostly there is none, which a single statement tells.
    private static func anyIsDue(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> Bool {
        let next = try session.earliest(in: DueColumn.jobs, passingOver: aside)
        return next.map { $0 <= horizon } ?? false
    }

    /// The order of jobs: that of their moments, at one moment of their kinds, and then of their
    /// numbers. Like a price, an answer comes before everything that goes by it.
    private var turn: (Instant, Int, Int64) {
        switch self {
        case .price(let change): (moment, 0, change.id)
        case .bill(let bill): (moment, 1, bill.id)
        case .refundDecision(let request): (moment, 2, request.id)
        // An order is given when what is due at its moment is done.
        case .massExtension(let order): (moment, 3, order.id)
        case .heldPurchase(let held): (moment, 4, held.id)
        case .sharing(let due): (moment, 5, due.id)
        }
    }

    /// When it is due.
    var moment: Instant {
        switch self {
        case .price(let change): change.start
        case .massExtension(let order): order.created
        case .refundDecision(let request): request.decidesAt ?? request.requested
        case .bill(let bill): bill.next ?? bill.made
        case .heldPurchase(let held): held.lapses ?? held.asked
        case .sharing(let due): due.moment
        }
    }

    /// Up to which moment the events of subscriptions come before it: a price is live for the
    /// renewals of its very moment, and so is a bank's answer; everything else follows on what is
    /// due.
    var others: Instant {
        switch self {
        case .price, .bill: moment - Span(milliseconds: 1)
        case .massExtension, .refundDecision, .heldPurchase, .sharing: moment
        }
    }

    /// Whether it concerns more than one customer.
    var isAboutMany: Bool {
        switch self {
        case .price, .massExtension: true
        case .refundDecision, .bill, .heldPurchase, .sharing: false
        }
    }

    /// Does the next piece.
    ///
    /// - Returns: how many events of subscriptions it made happen.
    func goOn(_ work: UnitOfWork) throws -> Int {
        try Damage.of(row.table, row.id) {
            switch self {
            case .price(var change):
                return try work.processNextPiece(of: &change)
            case .massExtension(var order):
                return try work.processNextPiece(of: &order)
            case .refundDecision(let request):
                try work.decideByPolicy(request, at: moment)
                return 1
            case .bill(let bill):
                return try work.processNextPiece(of: bill, at: moment)
            case .heldPurchase(let held):
                try work.lapse(held, at: moment)
                return 1
            case .sharing(let due):
                try work.share(due)
                return 1
            }
        }
    }

    /// Does what it has in store for one customer, before the customer's turn in it.
    func goAhead(_ work: UnitOfWork, for customer: Int64) throws {
        try Damage.of(row.table, row.id) {
            switch self {
            case .price(var change):
                try work.processAhead(of: &change, for: customer)
            case .massExtension(var order):
                try work.processAhead(of: &order, for: customer)
            case .refundDecision(let request):
                try work.decideByPolicy(request, at: moment)
            case .bill(let bill):
                _ = try work.processNextPiece(of: bill, at: moment)
            case .heldPurchase(let held):
                try work.lapse(held, at: moment)
            case .sharing(let due):
                try work.share(due)
            }
        }
    }

    private var row: (table: String, id: Int64) {
        switch self {
        case .price(let change): ("price_change", change.id)
        case .massExtension(let order): ("mass_extension", order.id)
        case .refundDecision(let request): ("refund_request", request.id)
        case .bill(let bill): ("bill", bill.id)
        case .heldPurchase(let held): ("held_purchase", held.id)
        case .sharing(let due): ("sharing_due", due.id)
        }
    }
}
