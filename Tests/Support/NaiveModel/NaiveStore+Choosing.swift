/// What becomes of a subscription whose customer chooses a plan (TAB-2.2, TAB-2.3).
extension NaiveStore {
    /// A customer with a running subscription wants a plan of its group (TAB-2.2, TAB-2.3).
    mutating func choose(_ asked: HeldPlan, _ index: Int) -> Outcome {
        let life = lives[index]
        if let number = life.invoice { return asksAgain(for: asked, number) }
        let plan = asked.withoutIntroduction
        let isSame = plan.isSame(as: life.plan)
        if !isSame, plan.product == life.plan.product { note("other lines chosen") }
        switch life.phase {
        case .revoked, .over:
            return .notActive
        case .awaiting, .grace, .running:
            if isSame { return stay(with: plan, index) }
            if life.phase != .running { return askForChange(to: plan, 0, index) }
        case .retry:
            // An interactive purchase: the same plan as well as another one (TAB-2.3, PRC-9).
            return isSame ? recoverByHand(plan, index) : askForChange(to: plan, 0, index)
        }
        let (old, level) = (currentLevel(life.plan.product), currentLevel(plan.product))
        // GRP-7: of the same duration is only what is paid alike.
        let isAlike = plan.length == life.plan.length && plan.billing == life.plan.billing
        if level < old || level == old && isAlike {
            if life.month != nil { note("left a commitment at once") }
            return upgrade(plan, index)
        }
        if life.owesMonth { note("another plan waits for the end of a commitment") }
        if plan.product == life.plan.product, plan.billing != life.plan.billing {
            note("the same paid in another way")
        }
        turn(true, index)
        if plan.hasOffer {
            note("offer of a plan that waits")
            tell("OFFER_REDEEMED/DOWNGRADE", index, at: now)
        } else if life.waiting?.isSame(as: plan) != true {
            tell("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", index, at: now)
        }
        lives[index].waiting = plan
        return .done
    }

    /// Levels are those of today (0002, GRP-4).
    func currentLevel(_ product: String) -> Int {
        guard case .plan(_, let level, _, _)? = shop.article(product)?.kind else { return .max }
        return level
    }

    /// The current plan again: withdraws a waiting change, turns renewal on, brings an offer for
    /// the next billing event, or is refused.
    private mutating func stay(with plan: HeldPlan, _ index: Int) -> Outcome {
        guard lives[index].waiting != nil || !lives[index].renews || plan.hasOffer else {
            return .alreadySubscribed
        }
        turn(true, index)
        let hadOther = lives[index].waiting != nil
        lives[index].waiting = nil
        // Nobody was told of a price that another plan was to replace; notice begins now.
        for (sku, increase) in lives[index].increases where increase.told.map({ $0 < now }) == true
        {
            planIncrease(of: sku, index, from: now)
        }
        if hadOther { tell("DID_CHANGE_RENEWAL_PREF", index, at: now) }
        guard plan.hasOffer else { return .done }
        redeem(plan, index)
        tell("OFFER_REDEEMED", index, at: now)
        return .done
    }

    /// PRO-2: the offers begin at the next billing event, in the place of what is left of those
    /// that run. What was to get dearer meanwhile does so after them, and is told from now on.
    private mutating func redeem(_ plan: HeldPlan, _ index: Int) {
        note("offer of the running plan")
        if lives[index].owesMonth { note("offer redeemed in a commitment") }
        for place in lives[index].plan.lines.indices {
            let line = lives[index].plan.lines[place]
            guard let offer = plan.line(line.sku)?.offer else { continue }
            if line.offer != nil || line.upcoming != nil { note("offer in the place of another") }
            lives[index].plan.lines[place].offersLeft = 0
            lives[index].plan.lines[place].upcoming = offer
        }
        guard lives[index].phase == .running else { return }
        if !lives[index].increases.isEmpty { note("dearer after an offer") }
        planIncreases(index, from: now)
    }

    /// Another plan at once. What goes back of the running period is fixed now.
    private mutating func askForChange(
        to plan: HeldPlan, _ unused: Int, _ index: Int
    ) -> Outcome {
        let life = lives[index]
        return ask(
            Invoice(
                .planChange, plan.product, plan.cost, of: life.account, in: life.country,
                group: life.group, at: now, .change(plan, unused: unused)), index)
    }

    /// It is paid: a fresh period from now. In grace or retry nothing is given back.
    mutating func change(to plan: HeldPlan, _ unused: Int, _ index: Int, _ number: Int) {
        let life = lives[index]
        guard life.phase == .running else {
            note("bought by hand in \(life.phase == .retry ? "retry" : "grace")")
            startFresh(plan, index, number)
            return tell(upgradeNotice(plan.hasOffer), index, at: now)
        }
        note("upgraded")
        // A period that is over when the answer comes was used.
        guard now < life.end else {
            startFresh(plan, index, number)
            return tellUpgrade(index, from: life, withOffer: plan.hasOffer)
        }
        if unused > 0 { book(.refunded, unused, of: receipts[life.receipt], at: now) }
        receipts[life.receipt].isUpgraded = true
        receipts[life.receipt].returned = unused
        startFresh(plan, index, number)
        tellUpgrade(index, from: life, withOffer: plan.hasOffer)
    }

    /// The same plan bought by hand in retry: a discounted run that is not over goes on.
    private mutating func recoverByHand(_ plan: HeldPlan, _ index: Int) -> Outcome {
        let life = lives[index]
        var plan = plan
        for place in plan.lines.indices where plan.lines[place].offer == nil {
            let owed = life.plan.line(plan.lines[place].sku)!.afterwards
            plan.lines[place].offer = owed.offer
            plan.lines[place].offersLeft = owed.offersLeft
            plan.lines[place].upcoming = owed.upcoming
        }
        return ask(
            Invoice(
                .purchase, plan.product, plan.cost, of: life.account, in: life.country,
                group: life.group, at: now, .byHand(plan)), index)
    }

    /// An upgrade, or a crossgrade of the same duration.
    private mutating func upgrade(_ plan: HeldPlan, _ index: Int) -> Outcome {
        let life = lives[index]
        guard life.plan.isTrial, shop.terms.upgradeKeepsTrial else {
            return askForChange(to: plan, unusedShare(of: life), index)
        }
        note("upgraded, trial kept")
        // Nothing is to be paid, so it is paid.
        let (number, _) = submit(
            Invoice(
                .planChange, plan.product, 0, of: life.account, in: life.country,
                group: life.group, at: now, .once), at: now)
        receipts[life.receipt].isUpgraded = true
        var upgraded = life
        upgraded.served = served(before: now, of: life)
        upgraded.plan = plan
        for place in plan.lines.indices {
            (upgraded.plan.lines[place].offer, upgraded.plan.lines[place].offersLeft) =
                (life.plan.lines[0].offer, life.plan.lines[0].offersLeft)
            upgraded.plan.lines[place].upcoming = plan.lines[place].offer
        }
        upgraded.month = upgraded.plan.firstMonth
        upgraded.increases = [:]
        upgraded.waiting = nil
        upgraded.renews = true
        upgraded.start = now
        charge(&upgraded, number, at: now) { _ in true }
        lives[index] = upgraded
        tellUpgrade(index, from: life, withOffer: plan.hasOffer)
        return .done
    }

    private mutating func tellUpgrade(_ index: Int, from life: Life, withOffer: Bool) {
        if !life.renews { tellRenewal(true, index, at: now) }
        tell(upgradeNotice(withOffer), index, at: now)
    }

    /// PRO-3: an offer that is redeemed is told of in the place of the change.
    private func upgradeNotice(_ withOffer: Bool) -> String {
        if withOffer { "OFFER_REDEEMED/UPGRADE" } else { "DID_CHANGE_RENEWAL_PREF/UPGRADE" }
    }

    /// CHG-2 to CHG-4: what was paid × time left ÷ time of the period, half up to the currency.
    private func unusedShare(of life: Life) -> Int {
        share(
            of: life.paid, from: receipts[life.receipt].purchased, to: life.end, at: now,
            step: life.country.step)
    }

    func share(of paid: Int, from start: Int, to end: Int, at moment: Int, step: Int) -> Int {
        let (whole, left) = (end - start, end - moment)
        guard whole > 0, left > 0 else { return 0 }
        guard left < whole else { return paid }
        // Counted in half steps of the currency: round(x) = floor(2x + 1) / 2.
        let (high, low) = (2 * paid).multipliedFullWidth(by: left)
        let (doubled, _) = (whole * step).dividingFullWidth((high, low))
        return min((doubled + 1) / 2 * step, paid)
    }

    mutating func startFresh(
        _ plan: HeldPlan, _ index: Int, _ number: Int,
        goesOn: (HeldLine) -> Bool = { !$0.beginsOffer }
    ) {
        var life = lives[index]
        life.served = served(before: now, of: life)
        life.plan = plan
        life.month = plan.firstMonth
        life.waiting = nil
        (life.increases, life.waitingIncreases) = ([:], [:])
        life.counting = Counting(anchor: now)
        life.serviceStart = serviceStart(after: life, from: now)
        life.end = count(plan.lasts, from: now, &life.counting, for: life.account)
        life.start = now
        life.phase = .running
        life.renews = true
        life.renewals = 0
        charge(&life, number, at: now, goesOn: goesOn)
        lives[index] = life
    }
}
