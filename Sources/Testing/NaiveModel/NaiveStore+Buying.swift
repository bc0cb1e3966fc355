extension NaiveStore {
    /// A customer buys something.
    ///
    /// - Parameter lines: what a subscription delivers, where that is not its product.
    public mutating func buy(
        _ product: String, lines: [HeldLine]? = nil, quantity: Int = 1, token: String? = nil,
        by name: Account.Name
    ) -> Outcome {
        var wish = Wish(product: product, token: token)
        (wish.lines, wish.quantity) = (lines, quantity)
        return buy(wish, by: name)
    }

    /// - Parameter isApproved: whether nobody need be asked any more.
    mutating func buy(
        _ wish: Wish, by name: Account.Name, isApproved: Bool = false
    ) -> Outcome {
        let product = wish.product
        guard let article = shop.article(product) else { return .unknownProduct }
        let most = article.kind == .consumable ? 10 : 1
        guard (1...most).contains(wish.quantity) else { return .invalidQuantity }
        if !isApproved, let outcome = hold(wish, in: article.group, by: name) { return outcome }
        switch article.kind {
        case .plan(let group, _, _, _):
            return subscribe(article, wish, group, name)
        case .nonConsumable where owned(name).contains(product):
            // Owned already: delivered again, not paid again (TAB-1).
            return .done
        case .consumable, .nonConsumable, .nonRenewing:
            if article.kind == .nonConsumable, awaited(by: name, nil, product) != nil {
                return .done
            }
            let country = accounts[name]!.country
            guard shop.sells(product, in: country, to: name) else { return .notForSale }
            let price = shop.price(article, in: country) * wish.quantity
            var invoice = Invoice(
                .oneTimePurchase, product, price, of: name, in: country, group: nil, at: now,
                .once)
            invoice.token = wish.token
            return ask(invoice, nil)
        }
    }

    /// What is bought once is paid.
    mutating func deliver(_ number: Int, at moment: Int) {
        let invoice = invoices[number]
        let receipt = Receipt(
            account: invoice.account, product: invoice.product, purchased: moment, until: nil,
            price: invoice.amount, currency: invoice.country.currency,
            step: invoice.country.step, token: invoice.token, invoice: number,
            commission: isSmallBusiness(at: moment) ? 15 : 30)
        book(.charged, invoice.amount, of: receipt, at: moment)
        receipts.append(receipt)
        tell("ONE_TIME_CHARGE", receipt: receipts.count - 1, at: moment)
    }

    private mutating func subscribe(
        _ article: Article, _ wish: Wish, _ group: String, _ name: Account.Name
    ) -> Outcome {
        if let index = index(name, group), !lives[index].isOver {
            let country = lives[index].country
            guard shop.sells(article.id, in: country, to: name) else { return .notForSale }
            guard var plan = plan(of: article, wish.lines, in: country) else {
                return .invalidLines
            }
            if let code = wish.code {
                if let refusal = refusal(of: code, by: name, group) { return refusal }
                // What waits for the bank was asked for without it.
                guard lives[index].invoice == nil else { return .paymentPending }
                plan = self.plan(plan, with: code, group, by: name)
            }
            // The name holds from now on, unless nothing comes of the purchase, or not yet.
            let (before, awaited) = (lives[index].token, lives[index].invoice)
            if let token = wish.token { lives[index].token = token }
            let outcome = choose(plan, index)
            if let code = wish.code, outcome == .done { keep(code, index, by: name) }
            if let number = lives[index].invoice {
                lives[index].token = before
                // A name that it had already is nothing new.
                if awaited == nil, wish.token != before { invoices[number].token = wish.token }
            }
            if outcome != .done { lives[index].token = before }
            return outcome
        }
        let country = accounts[name]!.country
        guard shop.sells(article.id, in: country, to: name) else { return .notForSale }
        guard var plan = plan(of: article, wish.lines, in: country) else { return .invalidLines }
        if let code = wish.code {
            if let refusal = refusal(of: code, by: name, group) { return refusal }
            plan = self.plan(plan, with: code, group, by: name)
        }
        if let number = awaited(by: name, group, article.id) {
            return wish.code == nil ? asksAgain(for: plan, number) : .paymentPending
        }
        let made = invoices.count
        let outcome = askFirst(plan, article, group, name, country, wish.token)
        if let code = wish.code, outcome == .done { keep(code, by: name, invoice: made) }
        return outcome
    }

    /// What is asked for: the product at its price with its introductory offer, or the merchant's
    /// lines; nil where there is none, one twice, or one at a price that cannot be.
    func plan(
        of article: Article, _ lines: [HeldLine]?, in country: Country
    ) -> HeldPlan? {
        guard case .plan(_, _, let length, var introduction) = article.kind else { return nil }
        guard let lines else {
            if let asked = introduction?.price { introduction?.price = country.rounded(asked) }
            let price = shop.price(article, in: country)
            return HeldPlan(
                product: article.id, length: length,
                lines: [HeldLine(sku: article.id, price: price, offer: introduction)])
        }
        let areGood = lines.allSatisfy { line in
            line.price >= line.cost
                && [line.price, line.cost].allSatisfy { $0 >= 0 && $0 % country.step == 0 }
        }
        let plan = HeldPlan(product: article.id, length: length, lines: lines)
        return areGood && !lines.isEmpty && plan.skus.count == lines.count ? plan : nil
    }

    /// The first subscription of a group, or one after the last has expired (EXP-6).
    private mutating func askFirst(
        _ asked: HeldPlan, _ article: Article, _ group: String, _ name: Account.Name,
        _ country: Country, _ token: String?
    ) -> Outcome {
        let old = index(name, group)
        var plan = asked
        if let shown = plan.line(article.id)?.price {
            plan.setPrice(
                price(shown, article.id, in: country, after: old.map { lives[$0] }),
                of: article.id)
        }
        if let old, lives[old].usedIntroduction { plan = plan.withoutIntroduction }
        var invoice = Invoice(
            .purchase, article.id, plan.cost, of: name, in: country, group: group, at: now,
            .begin(plan))
        invoice.token = token
        return ask(invoice, old)
    }

    /// It is paid: it begins now.
    mutating func begin(_ plan: HeldPlan, _ number: Int) {
        let invoice = invoices[number]
        let (name, group) = (invoice.account, invoice.group!)
        let old = index(name, group)
        var counting = Counting(anchor: now)
        let end = count(plan.lasts, from: now, &counting, for: name)
        var life = Life(
            number: old.map { lives[$0].number } ?? number, account: name, group: group,
            country: invoice.country, plan: plan, start: now, end: end, costs: [],
            serviceStart: now, counting: counting)
        life.token = invoice.token ?? old.flatMap { lives[$0].token }
        if let old {
            life.served = served(before: now, of: lives[old])
            life.extensions = lives[old].extensions
            life.lastIncreases = lives[old].lastIncreases
            life.offersTaken = lives[old].offersTaken
        }
        charge(&life, number, at: now)
        note(old == nil ? "first subscription" : "subscribed again")
        if let old {
            life.serviceStart = serviceStart(after: lives[old], from: now)
            lives[old] = life
            tell("SUBSCRIBED/RESUBSCRIBE", old, at: now)
        } else {
            lives.append(life)
            tell("SUBSCRIBED/INITIAL_BUY", lives.count - 1, at: now)
        }
    }

    /// EXP-8, PRC-5: who comes back within 60 days keeps a lower price that was preserved.
    private func price(
        _ shown: Int, _ product: String, in country: Country, after old: Life?
    ) -> Int {
        guard let old, case .over = old.phase, old.increases.isEmpty, old.country == country,
            let kept = old.plan.line(product)?.price, kept < shown
        else { return shown }
        let lapse = now - min(old.endedAt, old.end)
        return lapse <= longestLapse(old) ? kept : shown
    }

    /// EXP-7: a lapse of up to 60 days, ten minutes in Sandbox, is ignored; grace and retry count
    /// as one, and so does what a refund took away.
    func serviceStart(after old: Life, from start: Int) -> Int {
        let ended = min(old.end, old.revokedAt ?? old.end)
        return start - ended <= longestLapse(old) ? old.serviceStart : start
    }

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
        if level < old || (level == old && plan.length == life.plan.length) {
            return upgrade(plan, index)
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
        upgraded.increases = [:]
        upgraded.waiting = nil
        upgraded.renews = true
        upgraded.start = now
        charge(&upgraded, number, at: now, isKept: true)
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

    mutating func startFresh(_ plan: HeldPlan, _ index: Int, _ number: Int) {
        var life = lives[index]
        life.served = served(before: now, of: life)
        life.plan = plan
        life.waiting = nil
        life.increases = [:]
        life.counting = Counting(anchor: now)
        life.serviceStart = serviceStart(after: life, from: now)
        life.end = count(plan.lasts, from: now, &life.counting, for: life.account)
        life.start = now
        life.phase = .running
        life.renews = true
        life.renewals = 0
        charge(&life, number, at: now)
        lives[index] = life
    }
}
