extension NaiveStore {
    /// The developer extends a subscription (TAB-8).
    public mutating func extend(
        _ group: String, of name: Account.Name, days: Int
    ) -> Outcome {
        guard let index = index(name, group) else { return .notActive }
        let life = lives[index]
        // EXT-3, EXT-4: in a running period that is no trial, by whoever has paid for one.
        let hasPaid = receipts.contains {
            $0.account == name && $0.group == life.group && $0.price > 0
        }
        guard case .running = life.phase, !life.plan.isTrial, life.isPaid || hasPaid else {
            return .notExtended
        }
        guard life.extensions.filter({ $0 > now - year(of: life) }).count < 2 else {
            return .extendedTooOften
        }
        note("extended")
        lives[index].extensions.append(now)
        let end = extendedEnd(of: life, days: days)
        tell("RENEWAL_EXTENDED", index, at: now)
        lives[index].extended += end - life.end
        lives[index].end = end
        lives[index].counting = Counting(anchor: end, unit: life.counting.unit)
        receipts[life.receipt].until = end
        if let end = commitmentEnd(of: lives[index]) {
            note("commitment extended")
            receipts[life.receipt].month!.ends = end
        }
        replan(index, before: life)
        return .done
    }

    /// EXT-10; in Sandbox the same share of the shortened period, whole seconds (SBX-7).
    private func extendedEnd(of life: Life, days: Int) -> Int {
        guard life.account.isSandbox else {
            return NaiveCalendar.adding(
                days: days, to: life.end, isPacific: shop.terms.isPacific)
        }
        let span = sandboxSpan(days: days, of: life.plan.length, for: life.account)
        return life.end + span / 1000 * 1000
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
    ) -> Outcome {
        guard shop.article(product)?.group != nil else { return .notASubscription }
        var (succeeded, failed) = (0, 0)
        for (index, life) in lives.enumerated()
        where !life.isOver && life.plan.product == product && life.account.isSandbox == isSandbox
            && codes?.contains(life.country.code) != false
        {
            if extend(life.group, of: life.account, days: days) == .done {
                succeeded += 1
            } else {
                failed += 1
                tell("RENEWAL_EXTENSION/FAILURE", index, at: now)
            }
        }
        let counts = "\(succeeded) of \(succeeded + failed)"
        notices.append(Notice(at: now, kind: "RENEWAL_EXTENSION/SUMMARY " + counts))
        return .done
    }
}
