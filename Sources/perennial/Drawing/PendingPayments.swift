import SubscriptionRules

extension Life {
    /// The entries, in which answers of the bank say what they are an answer to.
    var told: [Entry] {
        var asked: Entry?
        return entries.map { entry in
            var told = entry
            if let asked, entry.isAnswer {
                told.asked = Entry.Asked(at: asked.at, isChoice: asked.event == "chosePlan")
                told.planChange = entry.planChange ?? asked.planChange
            }
            if entry.pending != nil { asked = entry }
            return told
        }
    }
}

extension Life.Entry {
    /// What an answer of the bank is an answer to.
    struct Asked: Hashable, Sendable {
        /// When the payment became pending.
        var at: Instant
        /// Whether the customer chose it.
        var isChoice: Bool
    }

    /// Whether the bank, or somebody's patience, decided about a payment that was pending.
    fileprivate var isAnswer: Bool {
        switch event {
        case "wasPaid", "wasDeclined", "wasVoided", "gaveUpWaiting": true
        default: false
        }
    }

    /// Whether it leaves the plan as it is and does not name it: about a bill alone, whose product
    /// it names, or about how the subscription is kept.
    var isBesides: Bool {
        switch event {
        case "declined", "unexpectedAnswer", "gavePaymentBack", "asked", "broughtUpToDate": true
        default: false
        }
    }

    /// Whether the customer chose the plan that holds after it. The first payment of all was
    /// chosen, and its life begins with the answer.
    var isChoice: Bool {
        switch event {
        case "chosePlan": true
        case "wasPaid": asked?.isChoice ?? true
        default: false
        }
    }
}

/// The words for payments that are pending, and for their answers.
extension Words {
    /// Says what the customer asked for and the bank has not answered.
    mutating func tellAsking() {
        say("asked for \(billed)", .mark)
        notePending()
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
            note("access until \(until.plainText)")
        }
    }

    /// Says what of a payment was pending.
    mutating func notePending() {
        note(pendingAmount.map { "\($0) pending" } ?? "its payment is pending")
    }

    private var pendingAmount: String? { entry.pending.map { Money.plainText($0, money) } }

    /// Says what the bank answered in the end.
    mutating func tellAnswer() {
        switch entry.event {
        case "wasPaid":
            if entry.isChoice { tellPurchase() } else { tellRenewal() }
            note(entry.asked.map { "pending since \($0.at.plainText)" } ?? "after it was pending")
            return
        case "wasDeclined":
            say("\(paymentInQuestion) declined", .retry)
            if entry.notices.isEmpty, entry.pending == nil { foldAs("then declined") }
        default: say("\(paymentInQuestion) given up", .retry)
        }
        if entry.opensPeriod {
            note("renewed as agreed")
        } else if entry.tells("DID_FAIL_TO_RENEW") {
            note(entry.graceUntil.map { "grace until \($0.plainText)" } ?? "billing retry begins")
        } else if entry.event == "gaveUpWaiting" {
            note("the bank did not answer")
        }
        if entry.pending != nil { notePending() }
    }

    /// Says what was about a bill alone.
    mutating func tellBill() {
        switch entry.event {
        case "asked": tellAsking()
        case "declined": say("payment for \(billed) declined", .retry)
        case "gavePaymentBack": say("late payment went back", .retry)
        default: say("answer of the bank that cannot be", .retry)
        }
        guard entry.event != "asked", let id = entry.billID else { return }
        let amount = entry.declined.map { "\(Money.plainText($0, money)), " } ?? ""
        note("\(amount)bill \(id)")
    }

    /// Lets runs of the same become one line.
    private mutating func foldAs(_ plural: String) {
        happening.plural = plural
        happening.keepsEnds = false
    }

    private var paymentInQuestion: String {
        entry.asked?.isChoice == true ? "payment for \(billed)" : "pending payment"
    }

    private var billed: String {
        (entry.billProductID ?? entry.productID).map(names.short) ?? "it"
    }
}
