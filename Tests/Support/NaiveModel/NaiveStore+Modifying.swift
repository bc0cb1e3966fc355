/// What becomes of a merchant's plan by requests to which its customer agrees (ACM-3, ACM-4).
extension NaiveStore {
    public mutating func modify(
        _ product: String, _ change: Modification, by name: Account.Name
    ) -> Outcome {
        var wish = Wish(product: product)
        wish.modification = change
        return modify(wish, by: name)
    }

    mutating func modify(
        _ wish: Wish, by name: Account.Name, isApproved: Bool = false
    ) -> Outcome {
        guard let group = shop.article(wish.product)?.group, let index = index(name, group) else {
            return .notActive
        }
        let (change, life) = (wish.modification!, lives[index])
        guard change.amounts.allSatisfy({ $0 % life.country.step == 0 }) else {
            return .invalidAmount
        }
        guard life.invoice == nil else { return .notEligible }
        if let refusal = refusal(of: change, life) { return refusal }
        let asked = change.atRunningPrices(of: life.plan)
        requestCount += 1
        let (plan, next) = asked.made(of: life, request: requestCount)
        if let refusal = refusal(of: plan, next, asked) { return refusal }
        if !isApproved, let outcome = hold(wish, in: group, by: name) { return outcome }
        guard asked.isPaidNow else {
            putOff(plan, next, asked, index)
            return .done
        }
        noteWhatIs(asked, life)
        let terms = ModificationTerms(
            charges: plan.lines.map { charge(for: $0, asked, life) },
            credits: credits(for: asked, life), next: waiting(next, behind: plan),
            keepsCycle: asked.keepsCycle)
        let amount = terms.charges.reduce(0) { $0 + ($1 ?? 0) }
        return ask(
            Invoice(
                .modification, plan.product, amount, of: name, in: life.country, group: group,
                at: now, .modify(plan, terms)), index)
    }

    private mutating func noteWhatIs(_ change: Modification, _ life: Life) {
        note(change.keepsCycle ? "items changed in the cycle" : "items changed, a new cycle")
        if change.length != nil { note("another period at once") }
        if (change.added.map(\.prorated) + change.changed.map(\.prorated)).contains(where: {
            $0 != nil
        }) {
            note("item prorated by the merchant")
        }
        if (change.added.map(\.line) + change.changed.map(\.line)).contains(where: {
            $0.offer != nil
        }) {
            note("offer of an item that comes")
        }
        if life.waiting != nil { note("changed beside what waits") }
    }

    // MARK: Why not

    private func refusal(of change: Modification, _ life: Life) -> Outcome? {
        guard life.phase == .running, life.plan.isMerchants else { return .notEligible }
        for one in change.changed {
            guard let line = life.plan.line(one.current) else { return .changedItemMissing }
            if change.keepsCycle, one.isNow, line.offer != nil { return .offerRuns }
            if one.current == one.line.sku, let refusal = refusal(of: one.line, line, life) {
                return refusal
            }
        }
        // What goes with the renewal anyhow can only go at once, and something has to stay.
        let going = Set((life.waiting ?? life.plan).lines.map(\.origin))
        guard
            change.removed.allSatisfy({ sku in
                life.plan.line(sku) != nil && (!change.keepsCycle || going.contains(sku))
            })
        else { return .removedItemMissing }
        guard !going.isSubset(of: change.removed) else { return .nothingLeft }
        let touched = Set(change.changed.map(\.current) + change.removed)
        guard change.length == nil || life.plan.skus.isSubset(of: touched) else {
            return .itemsOfPeriodMissing
        }
        return change.coming.contains { life.plan.line($0) != nil } ? .itemExists : nil
    }

    /// ACP-7, ACS-6: what stays what it is has the price of today or the one that was told; with an
    /// offer the one that was told.
    private func refusal(of sent: HeldLine, _ line: HeldLine, _ life: Life) -> Outcome? {
        guard let increase = life.increases[line.sku], increase.isAnnounced, !increase.isDeclined
        else {
            return sent.price == line.price ? nil : .noPriceChange
        }
        guard sent.offer == nil else {
            return sent.price == increase.price ? nil : .notTheIncreasedPrice
        }
        return [line.price, increase.price].contains(sent.price) ? nil : .noPriceChange
    }

    private func refusal(
        of plan: HeldPlan, _ next: HeldPlan, _ change: Modification
    ) -> Outcome? {
        guard !plan.lines.isEmpty, !next.lines.isEmpty else { return .nothingLeft }
        guard [plan, next].allSatisfy({ $0.skus.count == $0.lines.count }) else {
            return .itemExists
        }
        // No offer ends on another day than the cycle.
        guard next.isAligned else { return .misaligned }
        guard change.isPaidNow else { return nil }
        let fits =
            change.keepsCycle
            ? plan.discountsFitPeriods && plan.offer == nil : plan.isAligned
        return fits ? nil : .misaligned
    }

    // MARK: What it costs

    /// ACM-4: with a new cycle everything is charged; in the cycle what is new is, at the price
    /// that was sent or for what is left of the period.
    private func charge(
        for line: HeldLine, _ change: Modification, _ life: Life
    ) -> Int? {
        guard change.keepsCycle else { return line.cost }
        let added = change.added.first { $0.line.sku == line.sku }
        let changed = change.changed.first { $0.isNow && $0.line.sku == line.sku }
        guard added != nil || changed != nil else { return nil }
        return added?.prorated ?? changed?.prorated
            ?? share(
                of: line.cost, from: life.start, to: life.end, at: now, step: life.country.step)
    }

    /// What goes back for items that end at once or begin anew: the unused share of what was paid.
    private func credits(
        for change: Modification, _ life: Life
    ) -> [ModificationTerms.Credit] {
        let ending = Set(change.changed.filter(\.isNow).map(\.current))
        return life.plan.lines.compactMap { line in
            guard !change.keepsCycle || ending.contains(line.sku),
                let paid = life.payments[line.sku]
            else { return nil }
            let unused = share(
                of: paid.amount, from: paid.at, to: life.end, at: now, step: life.country.step)
            return .init(receipt: paid.receipt, sku: line.sku, amount: unused)
        }
    }

    /// Keeps in a life what paid for its items: what is charged now, or what paid before.
    func pay(_ life: inout Life, _ charges: [Int?]?, at moment: Int) {
        guard life.plan.isMerchants else { return }
        var payments: [String: Payment] = [:]
        for (place, line) in life.plan.lines.enumerated() {
            if let charges, charges[place] == nil {
                payments[line.sku] = life.payments[line.sku]
            } else {
                payments[line.sku] = Payment(
                    receipt: receipts.count, at: moment, amount: life.costs[place])
            }
        }
        life.payments = payments
    }

    // MARK: What happens

    /// Nothing is paid for now: what comes waits for the renewal, and words hold at once.
    private mutating func putOff(
        _ plan: HeldPlan, _ next: HeldPlan, _ change: Modification, _ index: Int
    ) {
        note(change.isWordsAlone ? "other words" : "items wait for the renewal")
        if change.length != nil { note("another period with the renewal") }
        turn(true, index)
        keepIncreases(plan, next, index)
        lives[index].plan = plan
        let redeems = change.changed.contains { $0.line.offer != nil }
        guard !change.isWordsAlone else {
            lives[index].waiting = waiting(next, behind: plan)
            return tell("METADATA_UPDATE", index, at: now)
        }
        setWaiting(waiting(next, behind: plan), index, redeems: redeems)
    }

    /// What comes with the renewal; nil where it is what runs.
    private func waiting(_ next: HeldPlan, behind plan: HeldPlan) -> HeldPlan? {
        next == plan.afterwards ? nil : next
    }

    /// Of the same once more nobody is told.
    mutating func setWaiting(
        _ waiting: HeldPlan?, _ index: Int, redeems: Bool = false, isWithdrawn: Bool = false
    ) {
        let same = lives[index].plan.afterwards
        let (before, after) = (lives[index].waiting ?? same, waiting ?? same)
        guard !after.renews(as: before) else { return note("the same waits already") }
        lives[index].waiting = waiting
        guard waiting != nil, !isWithdrawn else {
            return tell("DID_CHANGE_RENEWAL_PREF", index, at: now)
        }
        guard redeems else { return tell("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", index, at: now) }
        // An offer on what renews anyhow makes nothing less.
        tell("OFFER_REDEEMED" + (after.isSame(as: before) ? "" : "/DOWNGRADE"), index, at: now)
    }

    /// ACS-6, ACS-7: what renews as what it is keeps its increase, at another price than was sent;
    /// with an offer it is told of it anew after that.
    private mutating func keepIncreases(_ now: HeldPlan, _ next: HeldPlan, _ index: Int) {
        let life = lives[index]
        let goesOn = next.length == life.plan.length
        lives[index].waitingIncreases = life.waitingIncreases.filter { sku, _ in
            goesOn && next.line(sku) == life.waiting?.line(sku)
        }
        for (sku, increase) in life.increases {
            // What is to be called something else comes as it was to.
            let renamed = life.waiting?.successor(of: sku).flatMap {
                $0.sku != sku && next.lines.contains($0) ? $0 : nil
            }
            if renamed != nil { note("renamed item beside a change") }
            let line = next.line(sku)
            let stays = line?.origin == sku && line?.price != increase.price
            guard goesOn, life.plan.line(sku) != nil, renamed != nil || stays else {
                note("increase void by a change of items")
                lives[index].increases[sku] = nil
                continue
            }
            let old = life.plan.line(sku)!
            guard old.isGivenOfferNow(in: now) || now.line(sku)!.isGivenOffer(in: next) else {
                continue
            }
            lives[index].increases[sku]!.forget()
            if isSilent(increase, old, life) { planIncrease(of: sku, index, from: self.now) }
        }
    }

    /// It is paid.
    mutating func modified(
        _ index: Int, _ number: Int, _ plan: HeldPlan, _ terms: ModificationTerms
    ) {
        let before = lives[index]
        let kept = zip(plan.lines, terms.charges).filter { $0.1 == nil }.compactMap {
            before.payments[$0.0.sku]?.receipt
        }
        let paid = Set(before.payments.values.map(\.receipt) + [before.receipt])
        for receipt in paid.subtracting(kept) { receipts[receipt].isUpgraded = true }
        if now < before.end {
            giveBack(terms.credits)
        }
        turnSilently(true, index)
        if terms.keepsCycle { keepIncreases(plan, terms.next ?? plan.afterwards, index) }
        for line in plan.lines {
            guard let price = before.plan.line(line.sku)?.price, price < line.price else {
                continue
            }
            lives[index].lastIncreases[line.sku] = now
        }
        func goesOn(_ line: HeldLine) -> Bool {
            let old = before.plan.line(line.sku)
            return old?.offer == line.offer && old?.offersLeft == line.offersLeft
        }
        if terms.keepsCycle {
            var life = lives[index]
            life.plan = plan
            life.waiting = nil
            life.increases = life.increases.filter { plan.line($0.key)?.price != $0.value.price }
            charge(&life, number, at: now, charges: terms.charges, goesOn: goesOn)
            (life.extended, life.ended) = (before.extended, before.ended)
            lives[index] = life
        } else {
            startFresh(plan, index, number, goesOn: goesOn)
        }
        lives[index].waiting = terms.next
        for (sku, increase) in lives[index].increases where increase.isForgotten {
            planIncrease(of: sku, index, from: now)
        }
        if !before.renews { tellRenewal(true, index, at: now) }
        let redeems = plan.lines.contains { $0.offer != nil && !goesOn($0) }
        guard redeems else { return tell("DID_CHANGE_RENEWAL_PREF/UPGRADE", index, at: now) }
        // An offer on what there is anyhow makes nothing more.
        tell("OFFER_REDEEMED" + (plan.isSame(as: before.plan) ? "" : "/UPGRADE"), index, at: now)
    }

    // MARK: Renewing again

    public mutating func reactivate(
        _ product: String, _ skus: [String]?, by name: Account.Name
    ) -> Outcome {
        var wish = Wish(product: product)
        wish.reactivation = Reactivation(skus: skus)
        return reactivate(wish, by: name)
    }

    /// Renewal is on again for all items, or for some; the others end with the period. While it is
    /// on, what was to go comes back. Whoever was told of a higher price, or asked, comes back at
    /// it and has agreed (ACS-5).
    mutating func reactivate(
        _ wish: Wish, by name: Account.Name, isApproved: Bool = false
    ) -> Outcome {
        guard let group = shop.article(wish.product)?.group, let index = index(name, group) else {
            return .notActive
        }
        let (life, skus) = (lives[index], wish.reactivation!.skus)
        guard life.invoice == nil, life.phase == .running, life.plan.isMerchants else {
            return .notEligible
        }
        guard skus?.allSatisfy({ life.plan.line($0) != nil }) ?? true else {
            return .changedItemMissing
        }
        let back = (skus ?? life.plan.lines.map(\.sku)).filter { !life.renews || life.isToGo($0) }
        guard !back.isEmpty else { return .alreadyActive }
        if !isApproved, let outcome = hold(wish, in: group, by: name) { return outcome }
        var next = life.renews ? life.waiting ?? life.plan.afterwards : life.plan.afterwards
        if life.renews {
            note("what was to go comes back")
            for sku in back { next.restore(sku, of: life.plan) }
        } else if let skus {
            next.lines.removeAll { !skus.contains($0.sku) }
        }
        let isAsBefore = next.renews(as: life.plan.afterwards)
        note(isAsBefore ? "all items renew again" : "some items renew again")
        if !life.renews { tellRenewal(true, index, at: now) }
        lives[index].renews = true
        lives[index].increases = life.increases.filter { next.successor(of: $0.key) != nil }
        lives[index].waitingIncreases = life.waitingIncreases.filter {
            life.renews && next.line($0.key) != nil
        }
        agree(to: Set(back), index)
        for (sku, increase) in lives[index].increases where increase.isForgotten {
            planIncrease(of: sku, index, from: now, behind: next)
        }
        setWaiting(
            isAsBefore ? nil : waiting(next, behind: life.plan), index, isWithdrawn: life.renews)
        return .done
    }

    /// Who lets items renew again agrees to what was told of them, or asked.
    private mutating func agree(to skus: Set<String>, _ index: Int) {
        let told = lives[index].increases.filter { skus.contains($0.key) && $0.value.isAnnounced }
        for sku in told.keys {
            note("came back at a price that was told")
            (lives[index].increases[sku]!.isAgreed, lives[index].increases[sku]!.isDeclined) =
                (true, false)
        }
        guard told.values.contains(where: { $0.needsConsent && !$0.isAgreed }) else { return }
        note("came back, and agreed")
        tell("PRICE_INCREASE/ACCEPTED", index, at: now)
    }
}

/// That renewal is to be on again.
public struct Reactivation: Hashable, Sendable {
    /// Nil for all items.
    public var skus: [String]?
}

extension PriceIncrease {
    /// Whether nothing is planned of it, and nothing was told.
    var isForgotten: Bool { told == nil && renewal == nil && !isAnnounced }

    /// Nothing was told, and nothing will be while this holds.
    mutating func forget() {
        (told, renewal) = (nil, nil)
        (isAnnounced, isAgreed, isDeclined) = (false, false, false)
    }
}
