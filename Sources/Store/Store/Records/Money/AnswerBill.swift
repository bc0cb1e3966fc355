import AppStoreWire
import Journal
import Storage
public import SubscriptionRules

/// Why a bank cannot take a payment back, or give it back again, although the bill is such that it
/// could.
public enum BillObstacle: String, Sendable, Hashable, CaseIterable {
    /// The store refunded it itself.
    case refunded
    /// The store does not take it for taken back.
    case notRefunded
    /// An upgrade gave the unused share back.
    case upgraded
    /// Nothing was paid.
    case free
}

/// What came of a bank's answer.
public struct AnsweredBill: Sendable {
    /// The bill as it is now.
    public let bill: BillRecord
    public let outcome: BillOutcome
    /// Why it cannot be, where the state of the bill alone does not say it.
    public let obstacle: BillObstacle?
}

extension Store {
    /// Takes a bank's answer to a bill. Answers may come twice, late and out of order: see
    /// `BillState.outcome(of:)`. Only what moves a bill on changes anything.
    ///
    /// - Throws: `StoreError.unknown(.bill)`.
    @discardableResult
    public func answer(
        bill id: Int64, _ answer: BankAnswer, in environment: StoreEnvironment
    ) async throws -> AnsweredBill {
        try await write(about: .bill(id)) { work in
            guard let bill = try work.bill(id), bill.environment == environment else {
                throw StoreError.unknown(.bill, String(id))
            }
            try work.catchUp(customer: bill.customer)
            let outcome = try work.answer(id, answer, at: work.now)
            try work.followAnswer(toBill: id)
            guard let answered = try work.bill(id) else {
                throw Stored.missing("bill \(id)", for: "an answer")
            }
            return AnsweredBill(
                bill: answered, outcome: outcome,
                obstacle: try outcome == .report ? work.obstacle(to: answer, of: answered) : nil)
        }
    }
}

extension UnitOfWork {
    /// Takes a bank's answer to a bill that there is.
    func answer(
        _ id: Int64, _ answer: BankAnswer, at moment: Instant
    ) throws -> BillOutcome {
        guard var bill = try bill(id) else { throw Stored.missing("bill \(id)", for: "an answer") }
        var outcome = bill.state.outcome(of: answer)
        if case .moves(to: .paid) = outcome, answer == .paid, try !isWaited(for: bill) {
            outcome = .giveBack
            bill.state = .void
            bill.changed = moment
            stage(bill)
        }
        if case .moves = outcome, try obstacle(to: answer, of: bill) != nil { outcome = .report }
        // Whoever hears of it twice gives it back once.
        if outcome == .giveBack, try hasRefunds(ofBill: id) { outcome = .nothing }
        switch outcome {
        case .nothing: break
        case .giveBack, .report:
            if outcome == .giveBack { try giveBack(bill.amount, ofBill: id) }
            record(outcome == .report ? .unexpectedAnswer : .gavePaymentBack, at: moment) {
                $0.app = bill.app
                $0.customer = bill.customer
                $0.subscription = bill.subscription
                $0.event.detail = bill.detail(answer)
            }
        case .moves(let state):
            bill.state = state
            bill.changed = moment
            stage(bill)
            try carryOut(bill, answer, at: moment)
        }
        return outcome
    }

    /// Whether what a bill is for can still happen.
    private func isWaited(for bill: BillRecord) throws -> Bool {
        guard let subscription = bill.subscription else { return true }
        return try load(subscription).record.subscription.outstanding?.bill.id == bill.id
    }

    /// What about the transaction of a bill keeps money from being taken back for it, or from
    /// coming again; nil for nothing, and for any other answer.
    fileprivate func obstacle(
        to answer: BankAnswer, of bill: BillRecord
    ) throws -> BillObstacle? {
        switch (bill.state, answer) {
        case (.paid, .reversed), (.reversed, .restored): break
        default: return nil
        }
        guard let transaction = try transaction(bill.id) else {
            throw Stored.missing("transaction \(bill.id)", for: "bill \(bill.id)")
        }
        let isRevoked = transaction.revocation != nil
        guard answer == .reversed else { return isRevoked ? nil : .notRefunded }
        if isRevoked { return .refunded }
        if transaction.isUpgraded { return .upgraded }
        return transaction.price.milliunits > 0 ? nil : .free
    }

    private func carryOut(
        _ bill: BillRecord, _ answer: BankAnswer, at moment: Instant
    ) throws {
        switch answer {
        case .pending: return
        case .reversed:
            return try takeBack(bill.id, at: moment)
        case .restored:
            return try bringBack(bill.id, at: moment)
        case .paid, .declined, .voided: break
        }
        if answer != .paid { try releaseCode(of: bill) }
        guard let content = bill.bill else {
            if answer == .paid { return try deliver(bill, at: moment) }
            return record(answer == .declined ? .declined : .wasVoided, at: moment) {
                $0.app = bill.app
                $0.customer = bill.customer
                $0.event.detail = bill.detail(answer)
            }
        }
        let one = try waiting(for: bill, content, answer, at: moment)
        guard one.record.subscription.outstanding?.bill.id == bill.id else { return }
        if let price = one.app.product(bill.productID)?
            .price(content.plan.billing, in: bill.storefront)
        {
            one.record.subscription.lowerWhatWasChosen(to: price)
        }
        let event: Event =
            switch answer {
            case .paid: .billWasPaid(bill.id)
            case .declined: .billWasDeclined(bill.id)
            default:
                .billWasVoided(bill.id, forSale: one.isNextForSale)
            }
        try one.handle(event, at: moment)
        guard answer == .paid, content.isChosen else { return }
        try raiseWhatWasChosen(one, bill, content, at: moment)
    }

    /// Nobody escapes an increase for having paid late: what went live for the subscribers between
    /// the choice and its payment comes to this one afterwards (PRC-5).
    private func raiseWhatWasChosen(
        _ one: SubscriptionWork, _ bill: BillRecord, _ content: Bill, at moment: Instant
    ) throws {
        guard let line = content.plan.line(bill.productID),
            content.plan.currency == bill.storefront.currency
        else { return }
        let price = try ScheduledPrice.course(
            of: Money(milliunits: line.price, content.plan.currency), since: bill.made,
            until: moment, app: bill.app, productID: bill.productID, content.plan.billing,
            bill.storefront, in: session)
        guard price > line.price else { return }
        try one.handle(
            .priceWasChanged(of: line.sku, to: price, billed: content.plan.billing), at: moment)
    }

    /// The subscription that waits for a bill, as it is when that is paid; for a first purchase the
    /// one that it begins.
    private func waiting(
        for bill: BillRecord, _ content: Bill, _ answer: BankAnswer, at moment: Instant
    ) throws -> SubscriptionWork {
        if let subscription = bill.subscription {
            let one = try load(subscription)
            if answer == .paid, content.isChosen {
                one.record.storefront = bill.storefront
                if let token = bill.appAccountToken { one.record.appAccountToken = token }
            }
            return one
        }
        guard let customer = try Customer.find(bill.customer, in: session),
            let groupID = bill.groupID
        else { throw Stored.missing("customer \(bill.customer)", for: "bill \(bill.id)") }
        let record = SubscriptionRecord(
            app: bill.app, environment: bill.environment, customer: bill.customer,
            storefront: bill.storefront, appAccountToken: bill.appAccountToken,
            firstPurchased: moment,
            subscription: Subscription(
                new: bill.id, groupID: groupID, plan: content.plan, at: moment,
                outstanding: OutstandingBill(content, isBeingVoided: bill.isBeingVoided)))
        return SubscriptionWork(
            work: self, app: try apps[bill.app], customer: customer, record: record)
    }

    // MARK: By itself

    /// The built-in bank answers, or the customer has waited long enough.
    func processNextPiece(of bill: BillRecord, at moment: Instant) throws -> Int {
        if let answersAt = bill.answersAt, answersAt <= moment, let answer = bill.answer {
            _ = try self.answer(bill.id, answer, at: moment)
            return 1
        }
        guard let subscription = bill.subscription else {
            if try isLeftToBank(bill.id) {
                _ = try void(bill.id, at: moment)
            } else {
                _ = try answer(bill.id, .voided, at: moment)
            }
            return 1
        }
        let one = try load(subscription)
        try one.handle(.gaveUpWaiting, at: moment)
        return 1
    }

    /// Whether a bank outside has the bill, or is to have it.
    private func isLeftToBank(_ id: Int64) throws -> Bool { try errand(id) != nil }

    /// Asks the bank to give a bill up. The built-in bank does so at once; what another one says
    /// comes later.
    ///
    /// - Returns: whether it has.
    func void(_ id: Int64, at moment: Instant) throws -> Bool {
        guard var bill = try bill(id) else { throw Stored.missing("bill \(id)", for: "its void") }
        bill.isBeingVoided = true
        if let errand = try errand(id) {
            stage(bill)
            letGo(of: errand)
            return false
        }
        bill.state = .void
        bill.changed = moment
        stage(bill)
        try releaseCode(of: bill)
        return true
    }
}

extension BillRecord {
    /// What the journal says of an answer to it.
    func detail(_ answer: BankAnswer, _ command: Command? = nil) -> JournalDetail {
        var detail = JournalDetail()
        detail.billID = id
        detail.productID = productID
        detail.currency = amount.currency.code
        // Of a bill that was closed before, a bank only says so.
        if answer == .declined, state == .declined { detail.declined = amount.milliunits }
        if answer == .pending { detail.pending = amount.milliunits }
        detail.asked = command?.asked
        detail.word = JournalDetail.BankWord(answer, leaving: state)
        return detail
    }
}
