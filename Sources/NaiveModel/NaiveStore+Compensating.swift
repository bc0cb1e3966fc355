extension NaiveStore {
    /// The developer extends a subscription (section 8).
    public mutating func extend(
        _ group: String, of name: Account.Name, days: Int
    ) -> Outcome {
        guard let index = index(name, group) else { return .notActive }
        let life = lives[index]
        // EXT-3, EXT-4: in a running period that was paid for.
        guard case .running = life.phase, life.paid > 0 else { return .notExtended }
        let year =
            name.isSandbox
            ? accounts[name]!.sandboxLength(.months(12)) : 365 * NaiveCalendar.day
        guard life.extensions.filter({ $0 > now - year }).count < 2 else {
            return .extendedTooOften
        }
        note("extended")
        lives[index].extensions.append(now)
        let end = extendedEnd(of: life, days: days)
        guard end != life.end else { return .done }
        lives[index].extended += end - life.end
        lives[index].end = end
        lives[index].counting = Counting(anchor: end, unit: life.counting.unit)
        receipts[life.receipt].until = end
        replan(index, before: life)
        return .done
    }

    /// EXT-10; in Sandbox the same share of the shortened period, whole minutes (SBX-7).
    private func extendedEnd(of life: Life, days: Int) -> Int {
        guard life.account.isSandbox else {
            return NaiveCalendar.adding(
                days: days, to: life.end, isPacific: shop.terms.isPacific)
        }
        let span = sandboxSpan(days: days, of: life.plan.length, for: life.account)
        return life.end + span / NaiveCalendar.minute * NaiveCalendar.minute
    }

    /// So many days as a share of the plan's week or of its month of thirty days.
    func sandboxSpan(days: Int, of length: Length, for name: Account.Name) -> Int {
        let account = accounts[name]!
        return switch length {
        case .days: account.sandboxLength(.days(7)) * days / 7
        case .months: account.sandboxLength(.months(1)) * days / 30
        }
    }

    /// The developer extends everybody who has a product, in some countries or in all.
    public mutating func extendAll(
        _ product: String, in codes: [String]?, days: Int, isSandbox: Bool
    ) {
        for life in lives
        where life.plan.product == product && life.account.isSandbox == isSandbox
            && codes?.contains(life.country.code) != false
        {
            _ = extend(life.group, of: life.account, days: days)
        }
    }

    // MARK: Money back

    /// A customer asks for money back (REF-4): renewal is turned off, somebody decides later.
    public mutating func askBack(_ receipt: Int) -> Outcome {
        let asked = receipts[receipt]
        guard asked.price > 0, !asked.isUpgraded, !asked.isRevoked else { return .notRefundable }
        guard !asked.isAskedBack else { return .alreadyRequested }
        receipts[receipt].isAskedBack = true
        if let index = lives.firstIndex(where: { $0.receipt == receipt && !$0.isOver }) {
            turn(false, index)
            if lives[index].phase != .running { end(index, reason: 1, at: now) }
        }
        return .done
    }

    /// What was asked is declined.
    public mutating func declineBack(_ receipt: Int) -> Outcome {
        guard receipts[receipt].isAskedBack else { return .notRefunded }
        receipts[receipt].isAskedBack = false
        return .done
    }

    /// Money is given back, asked for or not (REF-7, REF-8).
    public mutating func giveBack(_ receipt: Int, fully: Bool) -> Outcome {
        let taken = receipts[receipt]
        guard taken.price > 0, !taken.isUpgraded, !taken.isRevoked else { return .notRefundable }
        var amount = taken.price
        if !fully, let until = taken.until {
            amount = share(
                of: taken.price, from: taken.purchased, to: until, at: now,
                step: taken.step)
            guard amount > 0 else { return .notRefundable }
        }
        note(amount == taken.price ? "refund in full" : "refund of a part")
        receipts[receipt].isAskedBack = false
        receipts[receipt].isRevoked = true
        receipts[receipt].returned = amount
        books.append(
            BookEntry(
                at: now, account: taken.account, kind: .refunded, product: taken.product,
                amount: amount, currency: taken.currency,
                share: taken.share(of: taken.price) - taken.share(of: taken.price - amount)))
        if let index = lives.firstIndex(where: { $0.receipt == receipt && !$0.isOver }) {
            // What has ended already cannot be cut short: the retries for the next period end.
            let isRunning = lives[index].phase == .running
            end(index, reason: 1, at: now)
            if isRunning {
                lives[index].phase = .revoked
                lives[index].revokedAt = now
                lives[index].isRevokedFully = amount == taken.price
            }
        }
        return .done
    }

    /// A refund is taken back (REF-9): access comes back, to the end that was agreed.
    public mutating func takeBack(_ receipt: Int) -> Outcome {
        let given = receipts[receipt]
        guard given.isRevoked else { return .notRefunded }
        note("refund reversed")
        receipts[receipt].isRevoked = false
        receipts[receipt].returned = 0
        books.append(
            BookEntry(
                at: now, account: given.account, kind: .charged, product: given.product,
                amount: given.returned, currency: given.currency,
                share: given.share(of: given.price) - given.share(of: given.price - given.returned))
        )
        if let index = lives.firstIndex(where: { $0.receipt == receipt }),
            lives[index].phase == .revoked
        {
            lives[index].phase = lives[index].end > now ? .running : .over(1)
            (lives[index].revokedAt, lives[index].isRevokedFully) = (nil, false)
        }
        return .done
    }
}
