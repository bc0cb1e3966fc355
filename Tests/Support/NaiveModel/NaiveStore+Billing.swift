/// Invoices, and banks that answer them at once, later, twice and never (0016).
extension NaiveStore {
    /// Asks the bank to pay.
    ///
    /// - Returns: the number of the invoice, and what the bank says.
    mutating func submit(_ invoice: Invoice, at moment: Int) -> (number: Int, reply: Reply) {
        var invoice = invoice
        let number = invoices.count
        let reply: Reply
        if case .answersLater(let after, let pays) = accounts[invoice.account]!.bank,
            invoice.amount > 0
        {
            reply = .later
            note("\(invoice.purpose.rawValue) pending")
            (invoice.answersAt, invoice.willBePaid) = (after.map { moment + $0 }, pays)
            open.append(number)
        } else if accounts[invoice.account]!.pay(invoice.amount, at: moment) {
            reply = .paid
            (invoice.state, invoice.isPaidAtOnce) = (.paid, true)
        } else {
            reply = .declined
            invoice.state = .declined
            bookDeclined(invoice, at: moment)
        }
        invoices.append(invoice)
        return (number, reply)
    }

    /// A customer is to pay for what was asked for, in the life that there is or that begins.
    mutating func ask(_ invoice: Invoice, _ index: Int?) -> Outcome {
        let (number, reply) = submit(invoice, at: now)
        switch reply {
        case .paid: settle(number, at: now)
        case .declined: return .paymentDeclined
        case .later: if let index { lives[index].invoice = number }
        }
        return .done
    }

    /// What a customer asked for in a group, or of a product, and nobody has answered.
    func awaited(by name: Account.Name, _ group: String?, _ product: String) -> Int? {
        open.first { number in
            let invoice = invoices[number]
            guard invoice.account == name, invoice.group == group else { return false }
            return group != nil || invoice.product == product
        }
    }

    /// The same thing asked for again is the same invoice, anything else has to wait.
    func asksAgain(for plan: HeldPlan, _ number: Int) -> Outcome {
        let invoice = invoices[number]
        let isSame = invoice.isChosen && invoice.plan?.isSame(as: plan) == true
        return isSame ? .done : .paymentPending
    }

    // MARK: Answers

    /// The bank, or the operator in its place, says something of an invoice: any, at any time.
    public mutating func answer(_ number: Int?, _ answer: Invoice.Answer) -> Outcome {
        guard let number, invoices.indices.contains(number) else { return .unknownBill }
        return take(answer, of: number, at: now)
    }

    private mutating func take(
        _ answer: Invoice.Answer, of number: Int, at moment: Int
    ) -> Outcome {
        switch (invoices[number].state, answer) {
        case (.pending, .paid):
            close(number, as: .paid, at: moment)
            settle(number, at: moment)
        case (.pending, .declined):
            close(number, as: .declined, at: moment)
            bookDeclined(invoices[number], at: moment)
            miss(number, at: moment)
        case (.pending, .voided):
            close(number, as: .void, at: moment)
            miss(number, at: moment)
        case (.paid, .reversed):
            let receipt = receipts.firstIndex { $0.invoice == number }!
            guard giveBack(receipt, fully: true, used: nil, at: moment) == .done else {
                return .reported
            }
            note("reversed by the bank")
            (invoices[number].state, invoices[number].changed) = (.reversed, moment)
            invoices[number].wasReversed = true
        case (.reversed, .restored):
            let receipt = receipts.firstIndex { $0.invoice == number }!
            guard restore(receipt) == .done else { return .reported }
            note("restored by the bank")
            (invoices[number].state, invoices[number].changed) = (.paid, moment)
        case (.declined, .paid), (.void, .paid):
            note("paid too late")
            return .gaveBack
        case (.pending, .pending), (.paid, .paid), (.paid, .pending), (.paid, .restored),
            (.declined, .pending), (.declined, .declined), (.declined, .voided),
            (.void, .pending), (.void, .declined), (.void, .voided),
            (.reversed, .pending), (.reversed, .paid), (.reversed, .reversed):
            return .ignored
        case (.pending, .reversed), (.pending, .restored), (.paid, .declined), (.paid, .voided),
            (.declined, .reversed), (.declined, .restored), (.void, .reversed),
            (.void, .restored), (.reversed, .declined), (.reversed, .voided):
            return .reported
        }
        return .answered
    }

    /// Something happens to an invoice by itself: an answer comes before everything else.
    mutating func happen(toInvoice number: Int, at moment: Int) {
        let isAnswer = invoices[number].answersAt == moment
        note(isAnswer ? "answered by itself" : "given up after a day")
        let answer: Invoice.Answer =
            !isAnswer ? .voided : invoices[number].willBePaid ? .paid : .declined
        _ = take(answer, of: number, at: moment)
    }

    private mutating func close(_ number: Int, as state: Invoice.State, at moment: Int) {
        open.removeAll { $0 == number }
        if state != .paid { release(codeOf: number) }
        (invoices[number].state, invoices[number].changed) = (state, moment)
        for index in lives.indices where lives[index].invoice == number {
            lives[index].invoice = nil
        }
    }

    /// Gives up what a life waits for.
    mutating func letGo(_ index: Int, at moment: Int) {
        guard let number = lives[index].invoice else { return }
        note("\(invoices[number].purpose.rawValue) given up")
        close(number, as: .void, at: moment)
    }

    /// Something else is to be paid than an invoice says: it is given up, and what is owed is
    /// charged anew.
    mutating func giveUp(_ number: Int, at moment: Int) {
        let index = index(invoices[number].account, invoices[number].group!)!
        close(number, as: .void, at: moment)
        note("given up for a refund")
        guard lives[index].phase != .running else { return }
        guard lives[index].renews else { return end(index, reason: 1, at: moment) }
        tryAgain(index, at: moment)
    }

    // MARK: What follows

    /// It is paid: what it was for happens.
    mutating func settle(_ number: Int, at moment: Int) {
        let invoice = invoices[number]
        let index = invoice.group.flatMap { self.index(invoice.account, $0) }
        if let index, let token = invoice.token { lives[index].token = token }
        switch invoice.order {
        case .once: deliver(number, at: moment)
        case .begin(let plan): begin(plan, number)
        case .byHand(let plan):
            let goesOn = plan.lines.contains { $0.offer != nil && !$0.beginsOffer }
            note(goesOn ? "discounted run bought by hand" : "bought by hand in retry")
            if lives[index!].owesMonth { note("bought anew in retry of a month") }
            startFresh(plan, index!, number)
            tell("DID_RENEW/BILLING_RECOVERY", index!, at: moment)
        case .change(let plan, let unused): change(to: plan, unused, index!, number)
        case .modify(let plan, let terms): modified(index!, number, plan, terms)
        case .period(let plan, let isOther, let raised):
            renewed(index!, number, plan, isOther: isOther, raised: raised, at: moment)
        }
        guard !invoice.isPaidAtOnce else { return }
        note("\(invoice.purpose.rawValue) paid later")
        if let group = invoice.group {
            settlePrices(self.index(invoice.account, group)!, after: invoice, at: moment)
        }
    }

    /// A price that fell while a bill was pending holds from the next bill on; one that rose for
    /// those who subscribe rises for this one as well.
    private mutating func settlePrices(
        _ index: Int, after invoice: Invoice, at moment: Int
    ) {
        for line in lives[index].plan.lines {
            var price = invoice.lowered[line.sku] ?? line.price
            let billing = invoice.plan!.billing
            if invoice.isChosen, line.sku == invoice.product {
                price = min(price, self.price(of: invoice.product, billing, in: invoice.country))
            }
            if price < line.price { note("paid later, cheaper from then on") }
            let chosen = line.price
            lives[index].plan.setPrice(price, of: line.sku)
            if let increase = lives[index].increases[line.sku],
                increase.price == price || increase.price < price && !lives[index].plan.isMerchants
            {
                lives[index].increases[line.sku] = nil
            }
            guard invoice.isChosen, line.sku == invoice.product else { continue }
            let today = course(
                of: chosen, line.sku, billing, in: invoice.country, since: invoice.made)
            guard today > chosen else { continue }
            note("paid later, dearer after that")
            lives[index].increases[line.sku] = PriceIncrease(price: today, live: moment)
            planIncrease(of: line.sku, index, from: moment)
        }
    }

    /// It is not paid: what was asked for does not happen, a renewal has failed.
    private mutating func miss(_ number: Int, at moment: Int) {
        let invoice = invoices[number]
        note("\(invoice.purpose.rawValue) \(invoice.state.rawValue) later")
        guard let index = invoice.group.flatMap({ self.index(invoice.account, $0) }) else { return }
        switch lives[index].phase {
        case .running, .revoked, .over: break
        case .awaiting: failLate(index, at: moment)
        case .grace, .retry:
            // The next try comes on the next beat; a renewal that failed is announced anew.
            while nextAttempt(lives[index]) <= moment { lives[index].attempts += 1 }
            planIncreases(index, from: moment)
        }
    }

    private mutating func failLate(_ index: Int, at moment: Int) {
        fail(index, at: moment)
        guard lives[index].failed + lives[index].retryLasts > moment else {
            return end(index, reason: 2, at: moment)
        }
        let hasGrace = lives[index].phase != .retry
        tell("DID_FAIL_TO_RENEW" + (hasGrace ? "/GRACE_PERIOD" : ""), index, at: moment)
    }

    /// A renewal has no answer: access goes on for a while, and nobody is told.
    mutating func wait(_ index: Int, at moment: Int) {
        let until = patience(of: lives[index])
        guard until > moment else { return stopWaiting(index, at: moment) }
        note("renewal awaited")
        lives[index].phase = .awaiting(until: until)
        lives[index].graceEnds = until
    }

    /// Until when access goes on after a period while its renewal has no answer: for some days,
    /// or as long as grace, and never beyond what is paid for.
    public func patience(of life: Life) -> Int {
        let days = shop.terms.pendingDays
        let span =
            life.account.isSandbox
            ? sandboxSpan(days: days, of: life.next.length, for: life.account)
            : days * NaiveCalendar.day
        return min(
            max(life.end + span, graceEnd(of: life) ?? 0), nextEnd(life, life.next.lasts))
    }

    /// Still no answer: access stops as in retry.
    mutating func stopWaiting(_ index: Int, at moment: Int) {
        note("waited too long")
        startRetry(index)
        lives[index].graceEnds = nil
        guard lives[index].failed + lives[index].retryLasts > moment else {
            return end(index, reason: 2, at: moment)
        }
        tell("DID_FAIL_TO_RENEW", index, at: moment)
        while nextAttempt(lives[index]) <= moment { lives[index].attempts += 1 }
    }
}
