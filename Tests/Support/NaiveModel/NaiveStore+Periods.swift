extension NaiveStore {
    /// Counts one more period from the anchor and says where it ends. What cannot be counted in
    /// the same unit starts a new count at `from` (TAB-3.1, CAL-13).
    func count(
        _ length: Length, from: Int, _ counting: inout Counting, for account: Account.Name
    ) -> Int {
        let unit: Counting.Unit
        let size: Int
        if account.isSandbox {
            (unit, size) = (.milliseconds, accounts[account]!.sandboxLength(length))
        } else {
            switch length {
            case .days(let days): (unit, size) = (.days, days)
            case .months(let months): (unit, size) = (.months, months)
            }
        }
        if counting.unit != unit { counting = Counting(anchor: from, unit: unit) }
        counting.elapsed += size
        return end(of: counting)
    }

    private func end(of counting: Counting) -> Int {
        switch counting.unit {
        case .milliseconds:
            counting.anchor + counting.elapsed
        case .days:
            NaiveCalendar.adding(
                days: counting.elapsed, to: counting.anchor, isPacific: shop.terms.isPacific)
        case .months:
            NaiveCalendar.adding(
                months: counting.elapsed, to: counting.anchor, isPacific: shop.terms.isPacific)
        }
    }

    /// Something happens to a life at its moment.
    mutating func happen(to index: Int, at moment: Int) {
        let life = lives[index]
        switch life.phase {
        // What is told at the start of a period is told after it has begun.
        case .running where life.told == moment && life.end > moment:
            announce(index)
        case .running:
            renew(index, at: moment)
        case .awaiting:
            stopWaiting(index, at: moment)
        case .grace(let until) where moment == until:
            note("grace ended")
            lives[index].phase = .retry
            tell("GRACE_PERIOD_EXPIRED", index, at: moment)
        case .retry where moment == life.failed + life.retryLasts:
            end(index, reason: 2, at: moment)
        case .grace, .retry:
            tryAgain(index, at: moment)
        case .revoked, .over:
            break
        }
    }

    mutating func end(_ index: Int, reason: Int, at moment: Int) {
        finish(index, reason: reason, at: moment)
        tellEnd(index, reason: reason, at: moment)
    }

    mutating func finish(_ index: Int, reason: Int, at moment: Int) {
        note("over (\(reason))")
        if let month = lives[index].month {
            note(month == 12 ? "commitment over" : "commitment broken off (\(reason))")
        }
        letGo(index, at: moment)
        lives[index].phase = .over(reason)
        lives[index].renews = false
        lives[index].waiting = nil
        lives[index].waitingIncreases = [:]
        lives[index].graceEnds = nil
        lives[index].endedAt = moment
    }

    /// The end of a period (TAB-4.1).
    private mutating func renew(_ index: Int, at moment: Int) {
        // Another plan that was asked for and not answered is given up, and the old one renewed.
        letGo(index, at: moment)
        let life = lives[index]
        // Who declined what was asked has turned renewal off, no more (TAB-4.3).
        guard life.renews || life.owesMonth else { return end(index, reason: 1, at: moment) }
        guard sellsNext(of: life) else {
            return end(index, reason: 4, at: moment)
        }
        // SBX-1: the thirteenth attempt switches renewal off.
        if life.account.isSandbox, let most = shop.terms.sandboxRenewals, life.renewals >= most,
            !life.owesMonth
        {
            lives[index].renews = false
            tellRenewal(false, index, at: moment)
            planIncreases(index, from: moment)
            return end(index, reason: 1, at: moment)
        }
        let refused = refusedIncreases(life)
        if let rest = rest(of: life, without: refused), !refused.isEmpty {
            // ACS-2: an item without consent ends, and those that depend on it.
            note("item ended for want of consent")
            if rest.lines.count + refused.count < life.next.lines.count {
                note("items ended with another")
            }
            lives[index].waiting = rest
            lives[index].forgetWhatDoesNotCome()
        } else if !refused.isEmpty {
            // INC-4: no consent, no renewal, whatever else it delivers.
            if life.plan.lines.count > 1 { note("over for want of an answer about one line") }
            return end(index, reason: 3, at: moment)
        }
        let (number, reply) = submit(
            nextInvoice(.renewal, lives[index], at: moment), at: moment)
        switch reply {
        case .paid: settle(number, at: moment)
        case .declined:
            fail(index, at: moment)
            let hasGrace = lives[index].phase != .retry
            tell("DID_FAIL_TO_RENEW" + (hasGrace ? "/GRACE_PERIOD" : ""), index, at: moment)
        case .later:
            lives[index].invoice = number
            // Charged anew it is the same renewal, and waited for as long.
            if !lives[index].isAwaiting { wait(index, at: moment) }
        }
    }

    /// What lacks an answer, or was declined, of which the next period would be the first at a
    /// higher price.
    private func refusedIncreases(_ life: Life) -> Set<String> {
        guard life.waiting == nil || life.plan.isMerchants, !life.owesMonth else { return [] }
        return Set(
            life.increases.filter { _, increase in
                increase.isDue(at: life.end, isSandbox: life.account.isSandbox)
                    && increase.needsConsent && !increase.isAgreed
            }.keys)
    }

    /// The next period as it is charged: at the prices of which it is the first, and of what.
    ///
    /// - Parameter isShown: whether only what was announced and not declined counts.
    func nextPeriod(of life: Life, isShown: Bool) -> (plan: HeldPlan, raised: Set<String>) {
        var (plan, raised) = (life.next, Set<String>())
        guard life.waiting == nil || life.plan.isMerchants, !life.owesMonth else {
            return (plan, [])
        }
        for (place, line) in plan.lines.enumerated() {
            guard let increase = life.increases[line.origin],
                increase.isDue(at: life.end, isSandbox: life.account.isSandbox),
                !isShown || increase.isAnnounced && !increase.isDeclined,
                // What comes with an offer gets dearer after that.
                life.waiting == nil || line.offer == nil
            else { continue }
            plan.lines[place].price = increase.price
            raised.insert(line.sku)
        }
        return (plan, raised)
    }

    /// What the next period costs: the new prices from the renewals on that were announced.
    private func nextInvoice(
        _ purpose: Invoice.Purpose, _ life: Life, at moment: Int
    ) -> Invoice {
        let (plan, raised) = nextPeriod(of: life, isShown: false)
        return Invoice(
            purpose, plan.product, plan.cost, of: life.account, in: life.country,
            group: life.group, at: moment,
            .period(
                plan,
                isOther: life.waiting != nil && !life.owesMonth && !life.plan.isMerchants,
                raised: raised))
    }

    /// The next period is paid: when it was due, when the answer came, or by a later attempt.
    mutating func renewed(
        _ index: Int, _ number: Int, _ plan: HeldPlan, isOther: Bool, raised: Set<String>,
        at moment: Int
    ) {
        let before = lives[index]
        var start = before.end
        if before.phase == .retry || nextEnd(before, plan.lasts) <= moment {
            // Counted from the payment; while there was access no paid day is lost (GRA-6).
            start = moment
            lives[index].counting = Counting(anchor: moment)
        }
        var hadProblem = true
        switch before.phase {
        case .grace: note("recovered in grace")
        case .retry: note("recovered in retry")
        case .running, .awaiting, .revoked, .over: hadProblem = false
        }
        open(index, number, plan, from: start, purchased: moment)
        tell("DID_RENEW" + (hadProblem ? "/BILLING_RECOVERY" : ""), index, at: moment)
        if isOther { lives[index].increases = [:] }
        for line in (isOther ? before.waiting ?? plan : plan).lines {
            guard let price = line.raised else { continue }
            note("raised after the first period")
            lives[index].increases[line.sku] = PriceIncrease(price: price, live: moment)
        }
        // What the bill was made for may have been promised a price that holds no more.
        for line in plan.lines { lives[index].plan.setRaised(nil, of: line.sku) }
        if !raised.isEmpty { note("renewed at a higher price") }
        if !raised.isEmpty, plan.billing == .monthly { note("commitment dearer") }
        if !raised.isEmpty, raised.count < plan.lines.count { note("one of several raised") }
        for sku in raised {
            // A lower price is no increase, nor is one that an offer hides (THR-1 c).
            let line = plan.line(sku)!
            if line.price > before.plan.line(line.origin)!.price, line.offer == nil {
                lives[index].lastIncreases[sku] = before.end
            }
            // Another one may have gone live since.
            if lives[index].increases[sku]?.price == plan.line(sku)!.price {
                lives[index].increases[sku] = nil
            }
        }
        // Items that ended may leave one whose offer has periods of its own.
        let isOfAnotherLength = plan.isMerchants && plan.lasts != before.plan.afterwards.lasts
        if plan.length != before.plan.length || isOfAnotherLength { countAnew(index) }
        for (sku, increase) in lives[index].increases {
            // INC-7: after a problem one more period at the old price, then the whole notice
            // again; so for what could not be told in time.
            let isLate = increase.told.map { $0 < moment } == true
            if !hadProblem, before.increases[sku].map({ $0.renewal == nil }) == true {
                note("planned again, back on sale")
            }
            if raised.contains(sku) || hadProblem || increase.renewal == nil
                || before.isAwaiting && isLate
            {
                planIncrease(of: sku, index, from: moment)
            } else {
                lives[index].increases[sku]!.renewalsBefore -= 1
            }
        }
    }

    /// An item that is called something else from the renewal on keeps its increase (ACS-8); what
    /// is delivered no more has none.
    private func increases(of life: Life, in plan: HeldPlan) -> [String: PriceIncrease] {
        var kept: [String: PriceIncrease] = [:]
        for line in plan.lines {
            guard var increase = life.waitingIncreases[line.sku] ?? life.increases[line.origin]
            else { continue }
            // What depends on it may have another name as well.
            increase.dependents = increase.dependents.map { sku in
                plan.lines.first { $0.replaces == sku }?.sku ?? sku
            }
            kept[line.sku] = increase
        }
        return kept
    }

    /// The day that was told for a price holds, also where periods have another length than then.
    private mutating func countAnew(_ index: Int) {
        guard lives[index].plan.isMerchants else { return }
        for (sku, increase) in lives[index].increases {
            guard let renewal = increase.renewal else { continue }
            var ahead = Ahead(lives[index])
            while ahead.end < renewal { ahead.goOn(self) }
            // The renewal that has just been is taken off with the others'.
            lives[index].increases[sku]!.renewalsBefore = ahead.renewals + 1
        }
    }

    /// A renewal failed: retry begins, with grace where the app has it (GRA-6). Both count from
    /// the day that was due.
    mutating func fail(_ index: Int, at moment: Int) {
        if lives[index].owesMonth { note("month failed without grace") }
        startRetry(index)
        planIncreases(index, from: moment)
        lives[index].graceEnds = nil
        while nextAttempt(lives[index]) <= moment { lives[index].attempts += 1 }
        guard let until = graceEnd(of: lives[index]), until > moment else { return }
        lives[index].phase = .grace(until: until)
        lives[index].graceEnds = until
        note("grace")
    }

    mutating func startRetry(_ index: Int) {
        let life = lives[index]
        lives[index].failed = life.end
        lives[index].attempts = 0
        lives[index].retryLasts =
            life.account.isSandbox
            ? accounts[life.account]!.sandboxLength(.months(2)) : 60 * NaiveCalendar.day
        lives[index].phase = .retry
    }

    /// When grace ends of a renewal that fails; nil without one.
    func graceEnd(of life: Life) -> Int? {
        if shop.terms.graceOnlyPaid, !life.isPaid { return nil }
        // GRA-7.
        if life.next.billing == .monthly { return nil }
        let length = life.next.length
        let grace: Int
        if life.account.isSandbox {
            guard shop.terms.sandboxGrace else { return nil }
            grace = accounts[life.account]!.sandboxLength(
                length.isWeekly ? .days(7) : .months(1))
        } else {
            guard let days = shop.terms.graceDays else { return nil }
            grace = (length.isWeekly ? min(days, 6) : days) * NaiveCalendar.day
        }
        // A recovery inside grace opens the period from the due date: grace ends with it.
        return min(life.end + grace, nextEnd(life, life.next.lasts))
    }

    /// Where the period ends that comes after the newest.
    func nextEnd(_ life: Life, _ length: Length) -> Int {
        var counting = life.counting
        return count(length, from: life.end, &counting, for: life.account)
    }

    /// An attempt to collect what is owed.
    mutating func tryAgain(_ index: Int, at moment: Int) {
        if lives[index].isAwaiting { return renew(index, at: moment) }
        let life = lives[index]
        guard sellsNext(of: life) else {
            return end(index, reason: 4, at: moment)
        }
        let (number, reply) = submit(nextInvoice(.recovery, life, at: moment), at: moment)
        switch reply {
        case .paid: settle(number, at: moment)
        case .declined:
            while nextAttempt(lives[index]) <= moment { lives[index].attempts += 1 }
        case .later: lives[index].invoice = number
        }
    }

    /// Opens the next period, which was paid.
    private mutating func open(
        _ index: Int, _ number: Int, _ plan: HeldPlan, from start: Int, purchased: Int
    ) {
        var life = lives[index]
        life.served = served(before: start, of: life)
        life.increases = increases(of: life, in: plan)
        life.waitingIncreases = [:]
        life.plan = plan.settled
        if life.owesMonth {
            note("month of a commitment")
            if life.phase == .retry { note("month recovered") }
            if !sells(life.plan, to: life) { note("commitment honoured") }
            if !life.renews { note("owed although renewal is off") }
            life.month! += 1
        } else {
            if life.month != nil { note("commitment fulfilled, and on") }
            life.month = plan.firstMonth
            life.waiting = nil
        }
        life.serviceStart = serviceStart(after: life, from: start)
        life.end = count(plan.lasts, from: start, &life.counting, for: life.account)
        life.start = start
        life.phase = .running
        life.renewals += 1
        charge(&life, number, at: purchased, isRenewal: true)
        for (sku, price) in invoices[number].lowered { life.plan.setPrice(price, of: sku) }
        lives[index] = life
    }
}
