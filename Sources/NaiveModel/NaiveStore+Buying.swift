extension NaiveStore {
    /// A customer buys something.
    public mutating func buy(
        _ product: String, quantity: Int = 1, token: String? = nil, by name: Account.Name
    ) -> Outcome {
        guard let article = shop.article(product) else { return .unknownProduct }
        let most = article.kind == .consumable ? 10 : 1
        guard (1...most).contains(quantity) else { return .invalidQuantity }
        switch article.kind {
        case .plan(let group, _, _, _):
            return subscribe(article, group, name, token)
        case .nonConsumable where owned(name).contains(product):
            // Owned already: delivered again, not paid again (TAB-1).
            return .done
        case .consumable, .nonConsumable, .nonRenewing:
            let country = accounts[name]!.country
            guard shop.sells(product, in: country) else { return .notForSale }
            let price = shop.price(article, in: country) * quantity
            guard accounts[name]!.pay(price, at: now) else { return .paymentDeclined }
            let receipt = Receipt(
                account: name, product: product, purchased: now, until: nil, price: price,
                currency: country.currency, step: country.step, token: token,
                commission: shop.terms.isSmallBusiness ? 15 : 30)
            books.append(
                BookEntry(
                    at: now, account: name, kind: .charged, product: product, amount: price,
                    currency: country.currency, share: receipt.share(of: price)))
            receipts.append(receipt)
            tell("ONE_TIME_CHARGE", receipt: receipts.count - 1, at: now)
            return .done
        }
    }

    private mutating func subscribe(
        _ article: Article, _ group: String, _ name: Account.Name, _ token: String?
    ) -> Outcome {
        if let index = index(name, group), !lives[index].isOver {
            guard shop.sells(article.id, in: lives[index].country) else { return .notForSale }
            // The name holds from now on, unless nothing comes of the purchase.
            let before = lives[index].token
            if let token { lives[index].token = token }
            let outcome = choose(article, index)
            if outcome != .done { lives[index].token = before }
            return outcome
        }
        let country = accounts[name]!.country
        guard shop.sells(article.id, in: country) else { return .notForSale }
        return begin(article, group, name, country, token)
    }

    /// The first subscription of a group, or one after the last has expired (EXP-6).
    private mutating func begin(
        _ article: Article, _ group: String, _ name: Account.Name, _ country: Country,
        _ token: String?
    ) -> Outcome {
        guard case .plan(_, _, let length, let introduction) = article.kind else {
            return .notASubscription
        }
        let old = index(name, group)
        let plan = HeldPlan(
            product: article.id, length: length,
            price: price(article, in: country, after: old.map { lives[$0] }))
        var offer = introduction
        if let old, lives[old].usedIntroduction { offer = nil }
        if let asked = offer?.price { offer?.price = country.rounded(asked) }
        let price = offer?.price ?? plan.price
        guard accounts[name]!.pay(price, at: now) else { return .paymentDeclined }
        var counting = Counting(anchor: now)
        let end = count(offer?.length ?? length, from: now, &counting, for: name)
        var life = Life(
            number: old.map { lives[$0].number } ?? lives.count, account: name, group: group,
            country: country, plan: plan, start: now, end: end, paid: price, offer: offer,
            offersLeft: offer?.mode == .payAsYouGo ? offer!.count - 1 : 0, serviceStart: now,
            usedIntroduction: offer != nil, counting: counting)
        life.token = token ?? old.flatMap { lives[$0].token }
        if let old {
            life.served = served(before: now, of: lives[old])
            life.extensions = lives[old].extensions
            life.lastRise = lives[old].lastRise
            life.riseProduct = lives[old].riseProduct
        }
        charge(&life, at: now)
        note(old == nil ? "first subscription" : "subscribed again")
        if offer != nil { note("introductory offer") }
        if let old {
            life.usedIntroduction = life.usedIntroduction || lives[old].usedIntroduction
            life.serviceStart = serviceStart(after: lives[old], from: now)
            lives[old] = life
            tell("SUBSCRIBED/RESUBSCRIBE", old, at: now)
        } else {
            lives.append(life)
            tell("SUBSCRIBED/INITIAL_BUY", lives.count - 1, at: now)
        }
        return .done
    }

    /// EXP-8, PRC-5: who comes back within 60 days keeps a lower price that was preserved.
    private func price(_ article: Article, in country: Country, after old: Life?) -> Int {
        let price = shop.price(article, in: country)
        guard let old, case .over = old.phase, old.rise == nil, old.country == country,
            old.plan.product == article.id, old.plan.price < price
        else { return price }
        let lapse = now - min(old.endedAt, old.end)
        return lapse <= longestLapse(old) ? old.plan.price : price
    }

    /// EXP-7: a lapse of up to 60 days, ten minutes in Sandbox, is ignored; grace and retry count
    /// as one, and so does what a refund took away.
    func serviceStart(after old: Life, from start: Int) -> Int {
        let ended = min(old.end, old.revokedAt ?? old.end)
        return start - ended <= longestLapse(old) ? old.serviceStart : start
    }

    /// A customer with a running subscription wants a plan of its group (TAB-2.2, TAB-2.3).
    mutating func choose(_ article: Article, _ index: Int) -> Outcome {
        guard case .plan(_, let level, let length, _) = article.kind else {
            return .notASubscription
        }
        let life = lives[index]
        let isSame = article.id == life.plan.product
        let plan = HeldPlan(
            product: article.id, length: length, price: shop.price(article, in: life.country))
        switch life.phase {
        case .revoked, .over:
            return .notActive
        case .grace, .running:
            if isSame { return stay(index) }
            if case .grace = life.phase { return buyNow(plan, index) }
        case .retry:
            // An interactive purchase: the same plan as well as another one (TAB-2.3, PRC-9).
            return isSame ? recoverByHand(plan, index) : buyNow(plan, index)
        }
        let old = currentLevel(life.plan.product)
        if level < old || (level == old && length == life.plan.length) {
            return upgrade(plan, index)
        }
        turn(true, index)
        if life.waiting?.product != plan.product {
            tell("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", index, at: now)
        }
        lives[index].waiting = plan
        return .done
    }

    /// Levels are those of today (0002, GRP-4).
    private func currentLevel(_ product: String) -> Int {
        guard case .plan(_, let level, _, _)? = shop.article(product)?.kind else { return .max }
        return level
    }

    /// The current plan again: withdraws a waiting change, turns renewal on, or is refused.
    private mutating func stay(_ index: Int) -> Outcome {
        guard lives[index].waiting != nil || !lives[index].renews else {
            return .alreadySubscribed
        }
        turn(true, index)
        if lives[index].waiting != nil { tell("DID_CHANGE_RENEWAL_PREF", index, at: now) }
        lives[index].waiting = nil
        return .done
    }

    /// Grace or retry: charged now, a fresh period from now, nothing given back.
    private mutating func buyNow(_ plan: HeldPlan, _ index: Int) -> Outcome {
        let life = lives[index]
        guard accounts[life.account]!.pay(plan.price, at: now) else { return .paymentDeclined }
        note("bought by hand in \(life.phase == .retry ? "retry" : "grace")")
        startFresh(plan, index)
        let isSame = life.plan.product == plan.product
        tell(
            isSame ? "DID_RENEW/BILLING_RECOVERY" : "DID_CHANGE_RENEWAL_PREF/UPGRADE", index,
            at: now)
        return .done
    }

    /// The same plan bought by hand in retry: a discounted run that is not over goes on.
    private mutating func recoverByHand(_ plan: HeldPlan, _ index: Int) -> Outcome {
        let life = lives[index]
        guard let offer = life.offer, life.offersLeft > 0 else { return buyNow(plan, index) }
        guard accounts[life.account]!.pay(offer.price, at: now) else { return .paymentDeclined }
        note("discounted run bought by hand")
        startFresh(plan, index, offer: offer, offersLeft: life.offersLeft - 1)
        tell("DID_RENEW/BILLING_RECOVERY", index, at: now)
        return .done
    }

    /// An upgrade, or a crossgrade of the same duration.
    private mutating func upgrade(_ plan: HeldPlan, _ index: Int) -> Outcome {
        let life = lives[index]
        if life.offer?.mode == .trial, shop.terms.upgradeKeepsTrial {
            note("upgraded, trial kept")
            receipts[life.receipt].isUpgraded = true
            var upgraded = life
            upgraded.served = served(before: now, of: life)
            upgraded.plan = plan
            upgraded.rise = nil
            upgraded.waiting = nil
            upgraded.renews = true
            upgraded.start = now
            charge(&upgraded, at: now)
            lives[index] = upgraded
            tellUpgrade(index, from: life)
            return .done
        }
        guard accounts[life.account]!.pay(plan.price, at: now) else { return .paymentDeclined }
        note("upgraded")
        let unused = unusedShare(of: life)
        let receipt = receipts[life.receipt]
        if unused > 0 {
            book(
                .refunded, unused, life.plan.product, life, at: now,
                share: receipt.share(of: life.paid) - receipt.share(of: life.paid - unused))
        }
        receipts[life.receipt].isUpgraded = true
        receipts[life.receipt].returned = unused
        startFresh(plan, index)
        tellUpgrade(index, from: life)
        return .done
    }

    private mutating func tellUpgrade(_ index: Int, from life: Life) {
        if !life.renews { tellRenewal(true, index, at: now) }
        tell("DID_CHANGE_RENEWAL_PREF/UPGRADE", index, at: now)
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

    private mutating func startFresh(
        _ plan: HeldPlan, _ index: Int, offer: Introduction? = nil, offersLeft: Int = 0
    ) {
        var life = lives[index]
        life.served = served(before: now, of: life)
        life.plan = plan
        life.waiting = nil
        life.rise = nil
        (life.offer, life.offersLeft) = (offer, offersLeft)
        life.paid = offer?.price ?? plan.price
        life.counting = Counting(anchor: now)
        life.serviceStart = serviceStart(after: life, from: now)
        life.end = count(offer?.length ?? plan.length, from: now, &life.counting, for: life.account)
        life.start = now
        life.phase = .running
        life.renews = true
        life.renewals = 0
        charge(&life, at: now)
        lives[index] = life
    }
}
