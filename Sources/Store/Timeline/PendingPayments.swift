import Journal
import SubscriptionRules

/// The words for payments that are pending, and for their answers.
extension Words {
    /// Says what the customer asked for and the bank has not answered.
    mutating func tellAsking() {
        let isAgain = entry.isAskedAgain(after: before)
        say("asked for \(billed)" + (isAgain ? " again" : ""), .mark)
        if isAgain { note("which changed nothing") } else { notePending() }
    }

    /// Says that time brought something without an answer.
    mutating func tellWaiting() {
        if let amount = pendingAmount {
            say("payment of \(amount) pending", .grace)
            if entry.notices.isEmpty { foldAs("payments of \(amount) pending") }
        } else if entry.tells("DID_FAIL_TO_RENEW") {
            say("payment still pending", .retry)
        } else {
            say("pending payment to be given up", .retry)
        }
        if entry.tells("DID_FAIL_TO_RENEW") {
            note("billing retry begins")
        } else if let until = entry.graceUntil {
            note("access until \(figures.moment(until))")
        }
    }

    /// Says what of a payment was pending.
    mutating func notePending() {
        note(pendingAmount.map { "\($0) pending" } ?? "its payment is pending")
    }

    private var pendingAmount: String? { entry.pending.map { figures.amount($0, money) } }

    /// Says what the bank answered in the end.
    mutating func tellAnswer() {
        switch entry.kind {
        case .wasPaid:
            if entry.isChoice { tellPurchase() } else { tellRenewal() }
            note(
                entry.question.map { "pending since \(figures.moment($0.at))" }
                    ?? "after it was pending")
            return
        case .wasDeclined:
            say("\(paymentInQuestion) declined", .retry)
            if entry.notices.isEmpty, entry.pending == nil { foldAs("then declined") }
        default: say("\(paymentInQuestion) given up", .retry)
        }
        if entry.opensPeriod {
            note("renewed as agreed")
        } else if entry.tells("DID_FAIL_TO_RENEW") {
            note(
                entry.graceUntil.map { "grace until \(figures.moment($0))" }
                    ?? "billing retry begins")
        } else if entry.kind == .gaveUpWaiting {
            note("the bank did not answer")
        }
        if entry.pending != nil { notePending() }
    }

    /// Says what was about a bill alone.
    mutating func tellBill() {
        switch entry.kind {
        case .asked: tellAsking()
        case .declined: say("payment for \(billed) declined", .retry)
        case .gavePaymentBack: say("late payment went back", .retry)
        default: say("answer of the bank that cannot be", .retry)
        }
        guard entry.kind != .asked, let id = entry.billID else { return }
        let amount = entry.declined.map { "\(figures.amount($0, money)), " } ?? ""
        note("\(amount)bill \(id)")
    }

    /// Lets runs of the same become one line.
    private mutating func foldAs(_ plural: String) {
        event.plural = plural
        event.keepsEnds = false
    }

    private var paymentInQuestion: String {
        entry.question?.isChoice == true ? "payment for \(billed)" : "pending payment"
    }

    private var billed: String {
        (entry.billProductID ?? entry.productID).map(names.short) ?? "it"
    }
}
