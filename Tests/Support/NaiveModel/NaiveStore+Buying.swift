extension NaiveStore {
    /// A customer buys something.
    ///
    /// - Parameter lines: what a subscription delivers, where that is not its product.
    public mutating func buy(
        _ product: String, _ billing: Billing = .upFront, lines: [HeldLine]? = nil,
        quantity: Int = 1, token: String? = nil, by name: Account.Name
    ) -> Outcome {
        var wish = Wish(product: product, token: token)
        (wish.billing, wish.lines, wish.quantity) = (billing, lines, quantity)
        return buy(wish, by: name)
    }

    /// - Parameter isApproved: whether nobody need be asked any more.
    mutating func buy(
        _ wish: Wish, by name: Account.Name, isApproved: Bool = false
    ) -> Outcome {
        let product = wish.product
        guard let article = shop.article(product) else { return .unknownProduct }
        guard !article.isGeneric else { return .needsRequest }
        guard wish.billing == .upFront || article.group != nil else { return .notASubscription }
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
            if let refusal = refusal(of: article, wish.billing, in: country, to: name) {
                return refusal
            }
            guard var plan = plan(of: article, wish.billing, wish.lines, in: country) else {
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
        if let refusal = refusal(of: article, wish.billing, in: country, to: name) {
            return refusal
        }
        guard var plan = plan(of: article, wish.billing, wish.lines, in: country) else {
            return .invalidLines
        }
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

    /// Why nobody may begin a plan today.
    private func refusal(
        of article: Article, _ billing: Billing, in country: Country, to name: Account.Name
    ) -> Outcome? {
        guard shop.sells(article.id, in: country, to: name) else { return .notForSale }
        let isSold = shop.sells(article.id, billing, in: country, to: name)
        return isSold ? nil : .notBilledMonthly
    }

    /// What is asked for: the product at its price with its introductory offer, or the merchant's
    /// lines; nil where there is none, one twice, or one at a price that cannot be.
    func plan(
        of article: Article, _ billing: Billing, _ lines: [HeldLine]?, in country: Country
    ) -> HeldPlan? {
        guard case .plan(_, _, var length, var introduction) = article.kind else { return nil }
        guard let lines else {
            if billing == .monthly {
                (length, introduction) = (.months(1), article.monthly?.introduction)
            }
            if let asked = introduction?.price { introduction?.price = country.rounded(asked) }
            let price = shop.price(article, billing, in: country)
            return HeldPlan(
                product: article.id, length: length,
                lines: [HeldLine(sku: article.id, price: price, offer: introduction)],
                billing: billing)
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
                price(
                    shown, article.id, plan.billing, in: country, after: old.map { lives[$0] }),
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
            country: invoice.country, plan: plan, month: plan.firstMonth, start: now, end: end,
            costs: [], serviceStart: now, counting: counting)
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
        _ shown: Int, _ product: String, _ billing: Billing, in country: Country,
        after old: Life?
    ) -> Int {
        guard let old, case .over = old.phase, old.increases.isEmpty, old.country == country,
            old.plan.billing == billing,
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
}
