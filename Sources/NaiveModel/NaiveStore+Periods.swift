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
        case .running where life.rise?.told == moment && life.end > moment:
            announce(index)
        case .running:
            renew(index, at: moment)
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
        lives[index].phase = .over(reason)
        lives[index].renews = false
        lives[index].waiting = nil
        lives[index].graceEnds = nil
        lives[index].endedAt = moment
    }

    /// The end of a period (TAB-4.1).
    private mutating func renew(_ index: Int, at moment: Int) {
        let life = lives[index]
        // Who declined what was asked has turned renewal off, no more (TAB-4.3).
        guard life.renews else { return end(index, reason: 1, at: moment) }
        guard shop.sells(life.next.plan.product, in: life.country) else {
            return end(index, reason: 4, at: moment)
        }
        // SBX-1: the thirteenth attempt switches renewal off.
        if life.account.isSandbox, let most = shop.terms.sandboxRenewals, life.renewals >= most {
            lives[index].renews = false
            tellRenewal(false, index, at: moment)
            plan(index, from: moment)
            return end(index, reason: 1, at: moment)
        }
        if let rise = life.rise,
            rise.isDue(at: moment, isSandbox: life.account.isSandbox), life.waiting == nil
        {
            // INC-4: no consent, no renewal.
            guard rise.isAgreed || !rise.needsConsent else {
                return end(index, reason: 3, at: moment)
            }
        }
        if accounts[life.account]!.pay(price(ofRenewing: life, at: moment), at: moment) {
            take(riseOf: index, at: moment)
            open(index, from: moment, purchased: moment)
            tell("DID_RENEW", index, at: moment)
        } else {
            book(
                .declined, price(ofRenewing: life, at: moment), life.next.plan.product, life,
                at: moment)
            fail(index, at: moment)
            let hasGrace = lives[index].phase != .retry
            tell("DID_FAIL_TO_RENEW" + (hasGrace ? "/GRACE_PERIOD" : ""), index, at: moment)
        }
    }

    /// What a renewal charges: the new price from the renewal on that was announced.
    private func price(ofRenewing life: Life, at moment: Int) -> Int {
        guard life.waiting == nil, let rise = life.rise,
            rise.isDue(at: moment, isSandbox: life.account.isSandbox)
        else {
            return life.next.price
        }
        return rise.price
    }

    private mutating func take(riseOf index: Int, at moment: Int) {
        if lives[index].waiting != nil { lives[index].rise = nil }
        guard let rise = lives[index].rise else { return }
        guard rise.isDue(at: moment, isSandbox: lives[index].account.isSandbox) else {
            return lives[index].rise!.renewalsBefore -= 1
        }
        note("renewed at a higher price")
        lives[index].plan.price = rise.price
        lives[index].lastRise = moment
        lives[index].rise = nil
    }

    /// A renewal failed: retry begins, with grace where the app has it (GRA-6).
    private mutating func fail(_ index: Int, at moment: Int) {
        let life = lives[index]
        lives[index].failed = moment
        lives[index].attempts = 0
        let isSandbox = life.account.isSandbox
        lives[index].retryLasts =
            isSandbox
            ? accounts[life.account]!.sandboxLength(.months(2)) : 60 * NaiveCalendar.day
        lives[index].phase = .retry
        plan(index, from: moment)
        if shop.terms.graceOnlyPaid, life.paid == 0 { return }
        let length = life.next.length
        var grace: Int
        if isSandbox {
            guard shop.terms.sandboxGrace else { return }
            grace = accounts[life.account]!.sandboxLength(
                length.isWeekly ? .days(7) : .months(1))
        } else {
            guard let days = shop.terms.graceDays else { return }
            grace = (length.isWeekly ? min(days, 6) : days) * NaiveCalendar.day
        }
        // A recovery inside grace opens the period from the due date: grace ends with it.
        var counting = life.counting
        let recovered = count(length, from: life.end, &counting, for: life.account)
        grace = min(grace, recovered - moment)
        lives[index].phase = .grace(until: moment + grace)
        lives[index].graceEnds = moment + grace
        note("grace")
    }

    /// An attempt to collect what is owed.
    mutating func tryAgain(_ index: Int, at moment: Int) {
        let life = lives[index]
        guard shop.sells(life.next.plan.product, in: life.country) else {
            return end(index, reason: 4, at: moment)
        }
        guard accounts[life.account]!.pay(life.next.price, at: moment) else {
            book(.declined, life.next.price, life.next.plan.product, life, at: moment)
            while nextAttempt(lives[index]) <= moment { lives[index].attempts += 1 }
            return
        }
        note("recovered in \(life.phase == .retry ? "retry" : "grace")")
        var counting = life.counting
        if case .grace = life.phase,
            count(life.next.length, from: life.end, &counting, for: life.account) > moment
        {
            // GRA-6: counted from the due date, no paid day lost.
            open(index, from: life.end, purchased: moment)
        } else {
            lives[index].counting = Counting(anchor: moment)
            open(index, from: moment, purchased: moment)
        }
        if life.waiting != nil { lives[index].rise = nil }
        tell("DID_RENEW/BILLING_RECOVERY", index, at: moment)
        // INC-7: one more period at the old price, then the whole notice again.
        plan(index, from: moment)
    }

    /// Opens the next period, which was paid.
    private mutating func open(_ index: Int, from start: Int, purchased: Int) {
        var life = lives[index]
        let next = life.next
        life.served = served(before: start, of: life)
        life.plan = next.plan
        life.waiting = nil
        life.paid = next.price
        if next.isOffer { life.offersLeft -= 1 } else { (life.offer, life.offersLeft) = (nil, 0) }
        life.serviceStart = serviceStart(after: life, from: start)
        life.end = count(next.length, from: start, &life.counting, for: life.account)
        life.start = start
        life.phase = .running
        life.renewals += 1
        charge(&life, at: purchased, isRenewal: true)
        lives[index] = life
    }
}
