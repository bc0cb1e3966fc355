import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// What a change of the store hands to a bank outside of it. Nobody is asked here: an errand is a
/// row that is written with the change, and the teller runs it afterwards.
extension UnitOfWork {
    /// An errand, staged or stored.
    func errand(_ id: Int64) throws -> Errand? {
        try stagedErrands[id] ?? Errand.find(id, in: session)
    }

    /// Asks the bank to let go of a payment; what it says then comes as an answer.
    func letGo(of errand: Errand) {
        guard errand.phase == .asking else { return }
        var errand = errand
        errand.phase = .voiding
        errand.quiet = 0
        errand.notKnown = 0
        errand.lookUp(at: machineNow)
        stage(errand)
    }

    /// Has money given back that a bank outside collected.
    func giveBack(_ amount: Money, ofBill id: Int64) throws {
        guard amount.milliunits > 0, let payment = try errand(id),
            let environment = try bill(id)?.environment
        else { return }
        let given = try refunds(ofBill: id).filter { $0.refundState != .failed }
            .reduce(0) { $0 + $1.amount.milliunits }
        guard given + amount.milliunits <= payment.amount.milliunits else {
            throw StorageError(.corrupt, "errand \(id): more is given back than was collected")
        }
        stage(
            Errand(
                refund: nextTransactionID(in: environment), of: amount, from: payment,
                next: machineNow))
    }

    /// Whether money of a payment was given back, or was to be.
    func hasRefunds(ofBill id: Int64) throws -> Bool { try !refunds(ofBill: id).isEmpty }

    /// Whether the bank gave money back of a payment, so that it is not here any more.
    func hasGivenBack(ofBill id: Int64) throws -> Bool {
        try refunds(ofBill: id).contains { $0.refundState != .failed }
    }

    private func refunds(ofBill id: Int64) throws -> [Errand] {
        let stored = try Errand.refunds(ofBill: id, in: session).filter {
            stagedErrands[$0.id] == nil
        }
        return stored + stagedErrands.values.filter { $0.kind == .refund && $0.bill == id }
    }

    /// An answer came that was not the bank's own: what was closed is closed there as well, and
    /// what was paid in another way is not collected besides.
    func followAnswer(toBill id: Int64) throws {
        guard var errand = try errand(id), let state = try bill(id)?.state else { return }
        switch state {
        case .declined, .void: letGo(of: errand)
        case .paid where errand.sent == nil:
            errand.phase = .settled
            errand.next = nil
            stage(errand)
        case .paid, .sent, .pending, .reversed: break
        }
    }
}

// MARK: What the bank said

extension UnitOfWork {
    /// Takes what the bank said of a payment, or that it said nothing.
    ///
    /// - Parameter asked: the errand as it was when the bank was asked.
    func take(_ report: PaymentReport?, of asked: Errand, byVoid: Bool) throws {
        guard var errand = try errand(asked.id), let before = try bill(errand.bill) else {
            throw Stored.missing("bill \(asked.bill)", for: "errand \(asked.id)")
        }
        let phase = errand.phase
        if let report { errand.trouble = report.trouble(expecting: errand.amount) }
        if report == .notKnown, isCertain(errand, byVoid: byVoid) { errand.notKnown += 1 }
        let heard = report.flatMap { errand.word(in: $0) }
        // An answer may begin something anew, about this errand as well.
        stage(errand)
        if case .declined(let reason, _)? = report {
            try remember(reason, of: errand)
        } else if case .paid? = heard {
            try remember(nil, of: errand)
        }
        for answer in heard?.answers(to: before.state) ?? [] {
            _ = try self.answer(errand.bill, answer, at: now)
        }
        guard let after = try bill(errand.bill) else { return }
        errand = try self.errand(asked.id) ?? errand
        if let heard { errand.settle(after: heard, after.state, byVoid: byVoid, bank?.traits) }
        let isNews = errand.phase != phase || after.state != before.state
        errand.quiet = isNews ? 0 : errand.quiet + 1
        errand.schedule(
            isHeard: report != nil, isPending: after.state == .pending, asked: asked,
            machine: machineNow, bank?.traits)
        tell(errand, before: asked, after)
        stage(errand)
    }

    /// Takes what the bank said of a refund, or that it said nothing.
    func take(_ report: RefundReport?, of asked: Errand) throws {
        guard var errand = try errand(asked.id), let bill = try bill(errand.bill) else {
            throw Stored.missing("bill \(asked.bill)", for: "errand \(asked.id)")
        }
        let before = errand.refundState
        if report != nil { errand.trouble = nil }
        switch report {
        case nil: break
        case .accepted:
            // Older than what is known.
            if errand.refundState == nil { errand.refundState = .accepted }
        case .done: errand.refundState = .done
        case .failed(let reason):
            errand.refundState = .failed
            errand.trouble = "the refund failed: \(reason)"
        case .notKnown:
            if isCertain(errand, byVoid: false) { errand.notKnown += 1 }
            // It has never arrived, and its key is dead: the money goes back under a new one.
            if errand.phase == .asking, errand.notKnown >= Errand.enough {
                errand.refundState = .failed
                stage(errand)
                try giveBack(errand.amount, ofBill: errand.bill)
            }
        case .unclear(let what): errand.trouble = "the bank says \(what)"
        }
        errand.phase = [.done, .failed].contains(errand.refundState) ? .settled : .asking
        errand.quiet = errand.refundState != before ? 0 : errand.quiet + 1
        errand.schedule(
            isHeard: report != nil, isPending: errand.refundState == .accepted, asked: asked,
            machine: machineNow, bank?.traits)
        tell(errand, before: asked, bill)
        stage(errand)
    }

    /// Whether what the bank does not know will not come any more: it is not sent again, and what
    /// was sent is long there.
    private func isCertain(_ errand: Errand, byVoid: Bool) -> Bool {
        guard let traits = bank?.traits, let sent = errand.sent else { return true }
        guard machineNow >= sent + traits.callLimit + traits.lookUpDelay else { return false }
        return byVoid || !traits.maySendAgain(sent, at: machineNow)
    }

    /// Remembers of the customer's method that it was declined for good, or that it pays.
    private func remember(_ reason: DeclineClass?, of errand: Errand) throws {
        guard var customer = try Customer.find(errand.customer, in: session),
            customer.bankMethod?.token == errand.method
        else { return }
        let refusal = reason.flatMap { $0.allowsAnother(isPresent: false) ? nil : $0 }
        guard customer.bankMethod?.refusal != refusal else { return }
        customer.bankMethod?.refusal = refusal
        try customer.update(in: session)
    }

    /// Writes to the journal, once, what somebody should look into.
    private func tell(_ errand: Errand, before: Errand, _ bill: BillRecord) {
        guard let trouble = errand.trouble, trouble != before.trouble else { return }
        record(.bankTrouble) { entry in
            entry.app = bill.app
            entry.customer = bill.customer
            entry.subscription = bill.subscription
            entry.event.billID = bill.id
            entry.event.trouble = trouble
        }
    }
}

extension Errand {
    /// How often the bank must not know something before that is believed.
    static let enough = 2

    /// How long somebody may wait for a first answer before it should be looked into.
    private static let patience = Span.days(5)

    /// The pauses between looks while nothing new is heard; the last one goes on.
    private static let pauses: [Span] = [.minutes(5), .hours(1), .days(1)]

    /// Has the bank asked, whatever is being asked of it already.
    mutating func lookUp(at moment: Instant) {
        hints += 1
        next = moment
    }

    /// What counts as the bank's word; nil where nothing follows from a report.
    fileprivate func word(in report: PaymentReport) -> PaymentReport? {
        switch report {
        case .paid(let money), .reversed(let money), .restored(let money):
            money == amount ? report : nil
        case .declined, .pending, .voided: report
        case .notKnown: notKnown >= Errand.enough ? .voided : nil
        case .unclear: nil
        }
    }

    /// Where the errand stands after the bank's word.
    fileprivate mutating func settle(
        after heard: PaymentReport, _ state: BillState, byVoid: Bool, _ traits: BankTraits?
    ) {
        switch heard {
        case .paid, .reversed, .restored, .voided: phase = .settled
        case .declined:
            let isClosed = byVoid || traits?.declinesAreFinal == true
            phase = isClosed ? .settled : .voiding
        case .pending:
            // The bank still has what nobody wants any more.
            if state == .declined || state == .void { phase = .voiding }
        case .notKnown, .unclear: break
        }
    }

    /// Says when the bank is asked next.
    ///
    /// - Parameter isHeard: whether the bank said anything; what it was asked about has to be
    ///   asked again otherwise.
    fileprivate mutating func schedule(
        isHeard: Bool, isPending: Bool, asked: Errand, machine: Instant, _ traits: BankTraits?
    ) {
        // What came while the bank was asked may be newer than what it said.
        let isOutrun = hints != asked.hints
        if phase == .settled, isHeard, !isOutrun {
            quiet = 0
            return next = nil
        }
        if trouble == nil, phase != .settled, let sent {
            let limit = isPending ? (traits?.longestAnswer ?? .days(14)) : Errand.patience
            if machine > sent + limit { trouble = "there is no answer for too long" }
        }
        let isAtOnce = isOutrun || (quiet == 0 && phase == .voiding)
        let step = isPending ? quiet + 1 : max(quiet - 1, 0)
        next = isAtOnce ? machine : machine + Errand.pauses[min(step, Errand.pauses.count - 1)]
    }
}

extension BankTraits {
    /// Whether an order that was sent at a moment is still known by its key when a call that
    /// begins now has ended.
    func maySendAgain(_ sent: Instant, at now: Instant) -> Bool {
        now + callLimit + callLimit < sent + keyLife
    }
}

extension PaymentReport {
    /// The answers that it brings to a bill. What was taken back was paid before, also where
    /// nobody has heard of that.
    fileprivate func answers(to state: BillState) -> [BankAnswer] {
        let isClosed = state == .declined || state == .void
        switch self {
        case .paid: return [.paid]
        case .declined: return [.declined]
        case .pending: return [.pending]
        case .voided: return [.voided]
        case .reversed:
            return isClosed ? [] : state.isOutstanding ? [.paid, .reversed] : [.reversed]
        case .restored: return isClosed || state.isOutstanding ? [.paid] : [.restored]
        case .notKnown, .unclear: return []
        }
    }

    /// What somebody should look into.
    fileprivate func trouble(expecting amount: Money) -> String? {
        switch self {
        case .paid(let money), .reversed(let money), .restored(let money):
            guard money != amount else { return nil }
            return "the bank names another amount: \(money.milliunits) thousandths of "
                + money.currency.code
        case .declined(.configuration, let code): return "the bank refused the request: \(code)"
        case .unclear(let what): return "the bank says \(what)"
        case .declined, .pending, .voided, .notKnown: return nil
        }
    }
}
