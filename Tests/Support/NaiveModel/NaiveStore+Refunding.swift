extension NaiveStore {
    /// A customer asks for money back (REF-4): renewal is turned off, somebody decides later, or
    /// the store does half a day later (REF-5).
    public mutating func askBack(_ receipt: Int) -> Outcome {
        let taken = receipts[receipt]
        guard taken.price > 0, !taken.isUpgraded, !taken.isRevoked else { return .notRefundable }
        guard !isAsked(receipt) else { return .alreadyRequested }
        ask(back: AskedBack(receipt: receipt))
        stopRenewing(after: receipt)
        tell("CONSUMPTION_REQUEST", receipt: receipt, at: now)
        return .done
    }

    /// Somebody is to decide, or the store decides half a day later.
    mutating func ask(back asking: AskedBack) {
        var request = asking
        let name = receipts[request.receipt].account
        if shop.terms.refunds != .somebody {
            let halfADay =
                name.isSandbox
                ? sandboxSpan(days: 1, of: .months(1), for: name) / 2 : NaiveCalendar.day / 2
            request.decides = now + halfADay
        }
        asked.append(request)
    }

    /// Whoever asks for what was paid last does not renew.
    mutating func stopRenewing(after receipt: Int) {
        if let index = lives.firstIndex(where: { $0.receipt == receipt && !$0.isOver }) {
            turn(false, index)
            stopTrying(index)
        }
    }

    /// The developer tells what it knows of a purchase; the store need not wait any longer.
    public mutating func consume(_ receipt: Int, _ wish: AskedBack.Wish?, used: Int?) {
        guard let index = asked.firstIndex(where: { $0.receipt == receipt }) else { return }
        (asked[index].wish, asked[index].used) = (wish, used)
        if let decides = asked[index].decides { asked[index].decides = min(decides, now) }
        advance(to: now)
    }

    /// The store decides what was asked, as it was told to.
    mutating func decide(_ request: AskedBack, at moment: Int) {
        let index = asked.firstIndex(of: request)!
        note("decided by itself")
        let outcome: Outcome
        switch (shop.terms.refunds, request.wish) {
        case (.somebody, _):
            // Somebody took it over since.
            return asked[index].decides = nil
        case (.declined, _), (.developer, .decline):
            outcome = .notRefundable
        case (_, _) where request.claim != nil:
            outcome = grantDecided(request, at: moment)
        case (.developer, .part):
            outcome = giveBack(request.receipt, fully: false, used: request.used, at: moment)
        case (.granted, _), (.developer, .full), (.developer, nil):
            outcome = giveBack(request.receipt, fully: true, used: nil, at: moment)
        }
        guard outcome != .done else { return }
        asked.removeAll { $0.receipt == request.receipt }
        tell("REFUND_DECLINED", receipt: request.receipt, at: moment)
    }

    /// Somebody declines what was asked.
    public mutating func declineBack(_ receipt: Int) -> Outcome {
        guard isAsked(receipt) else { return .notRefunded }
        asked.removeAll { $0.receipt == receipt }
        tell("REFUND_DECLINED", receipt: receipt, at: now)
        return .done
    }

    /// Somebody grants what was asked, with what the developer said of it.
    public mutating func grantBack(_ receipt: Int, fully: Bool) -> Outcome {
        guard let request = asked.first(where: { $0.receipt == receipt }) else {
            return .notRefunded
        }
        // What cannot be granted stays asked.
        guard request.claim == nil else { return grantDecided(request, at: now) }
        return giveBack(receipt, fully: fully, used: request.used, at: now)
    }

    /// Money is given back, asked for or not (REF-7, REF-8).
    public mutating func giveBack(_ receipt: Int, fully: Bool) -> Outcome {
        giveBack(receipt, fully: fully, used: nil, at: now)
    }

    /// Support cancels a subscription: what the running period cost is given back (REF-14).
    public mutating func cancel(
        _ group: String, of name: Account.Name, fully: Bool
    ) -> Outcome {
        guard let index = index(name, group), !lives[index].isOver else { return .notActive }
        return giveBack(lives[index].receipt, fully: fully)
    }

    mutating func giveBack(
        _ receipt: Int, fully: Bool, used: Int?, at moment: Int
    ) -> Outcome {
        let taken = receipts[receipt]
        guard taken.price > 0, !taken.isUpgraded, !taken.isRevoked else { return .notRefundable }
        var amount = taken.price
        if !fully, let until = taken.until {
            amount = share(
                of: taken.price, from: taken.purchased, to: until, at: moment,
                step: taken.step)
        } else if !fully, let used {
            let left = taken.price * (100_000 - used) / 100_000
            amount = min((left + taken.step / 2) / taken.step * taken.step, taken.price)
        }
        guard amount > 0 else { return .notRefundable }
        note(amount == taken.price ? "refund in full" : "refund of a part")
        guard !taken.isMerchants else {
            // Each item bears its share, and of each no more goes back than is left.
            let parts = shares(of: amount, among: taken.costs, step: taken.step)
            return giveBackWhole(
                receipt, parts, reason: "OTHER", type: fully ? "FULL" : "PRORATED", at: moment)
        }
        return giveBackOrdinary(receipt, amount, at: moment)
    }

    /// Of what is no merchant's: so much, as far as it is left.
    mutating func giveBackOrdinary(_ receipt: Int, _ asked: Int, at moment: Int) -> Outcome {
        let taken = receipts[receipt]
        let amount = min(asked, taken.price - taken.credited)
        guard amount > 0 else { return .notRefundable }
        receipts[receipt].returned = taken.credited + amount
        book(.refunded, amount, of: taken, before: taken.credited, at: moment)
        revoke(receipt, at: moment)
        return .done
    }

    /// A receipt was given back: of a running subscription it was the newest, and ends it. An older
    /// one may have paid for some of a merchant's items.
    mutating func revoke(_ receipt: Int, at moment: Int) {
        let taken = receipts[receipt]
        asked.removeAll { $0.receipt == receipt }
        receipts[receipt].revoked = moment
        if let index = taken.group.flatMap({ index(taken.account, $0) }),
            lives[index].receipt != receipt
        {
            let isFull = taken.returned == taken.price
            endWhatWasPaid(by: receipt, index, fully: isFull, at: moment)
        }
        if let index = lives.firstIndex(where: { $0.receipt == receipt }) {
            lives[index].isGivenBack = true
        }
        if let index = lives.firstIndex(where: { $0.receipt == receipt && !$0.isOver }) {
            if lives[index].owesMonth { note("month refunded") }
            endLast(index, fully: taken.returned == taken.price, at: moment)
        }
        tell("REFUND", receipt: receipt, at: moment)
    }

    /// A refund is taken back (REF-9): access comes back, to the end that was agreed.
    public mutating func takeBack(_ receipt: Int) -> Outcome {
        let given = receipts[receipt]
        // What the bank took back only the bank restores.
        guard !given.isRevoked || invoices[given.invoice].state != .reversed else {
            return .notRefundable
        }
        return restore(receipt)
    }

    mutating func restore(_ receipt: Int) -> Outcome {
        let given = receipts[receipt]
        guard given.isRevoked else { return .notRefunded }
        note("refund reversed")
        if given.isMerchants {
            takeItemsBack(receipt)
        } else {
            receipts[receipt].returned = given.credited
            book(
                .charged, given.returned - given.credited, of: given, before: given.credited,
                at: now)
        }
        receipts[receipt].revoked = nil
        if let index = comeBack(with: receipt, given: given.revoked!) {
            lives[index].phase = lives[index].end > now ? .running : .over(1)
            // What waited for the next period waits for none any more.
            if lives[index].isOver {
                (lives[index].waiting, lives[index].waitingIncreases) = (nil, [:])
            }
            // It ended where it had been going to (EXP-8).
            lives[index].endedAt = lives[index].end
            (lives[index].revokedAt, lives[index].isRevokedFully) = (nil, false)
            if lives[index].owesMonth { note("month taken back is owed again") }
            // INC-8: renewal stays off, so a higher price waits again; a merchant's stays told
            // (ACS-5).
            let life = lives[index]
            for (sku, increase) in life.increases
            where !(life.plan.isMerchants && increase.isAnnounced) {
                planIncrease(of: sku, index, from: now)
            }
        }
        tell("REFUND_REVERSED", receipt: receipt, at: now)
        return .done
    }

    func isAsked(_ receipt: Int) -> Bool { asked.contains { $0.receipt == receipt } }
}
