extension NaiveStore {
    /// Opens an account.
    public mutating func signUp(_ name: Account.Name, in country: Country) {
        accounts[name] = Account(country: country)
    }

    /// The customer turns renewal on or off. In grace or retry, off ends it at once (REN-3).
    public mutating func setRenewal(
        _ isOn: Bool, in group: String, by name: Account.Name
    ) -> Outcome {
        guard let index = index(name, group), !lives[index].isOver else { return .notActive }
        turn(isOn, index)
        // What waits goes on waiting: renewal may be turned on again.
        if !isOn { stopTrying(index) }
        return .done
    }

    /// Who does not want what failed, or has no answer, has it no longer; what is owed of a
    /// commitment is tried again all the same.
    mutating func stopTrying(_ index: Int) {
        guard lives[index].phase != .running, !lives[index].owesMonth else { return }
        end(index, reason: 1, at: now)
    }

    /// INC-8: nobody is told who will not renew; whoever comes back is told from then on.
    mutating func turn(_ isOn: Bool, _ index: Int) {
        guard lives[index].renews != isOn else { return }
        tellRenewal(isOn, index, at: now)
        turnSilently(isOn, index)
    }

    mutating func turnSilently(_ isOn: Bool, _ index: Int) {
        guard lives[index].renews != isOn else { return }
        lives[index].renews = isOn
        guard lives[index].phase == .running else { return }
        // What was told of a merchant's item it comes back with (ACS-5).
        let life = lives[index]
        for (sku, increase) in life.increases
        where !(life.plan.isMerchants && increase.isAnnounced) {
            planIncrease(of: sku, index, from: now)
        }
    }

    /// The customer picks a plan on the screen of a running subscription.
    ///
    /// - Parameter billing: nil for the product that runs as it is paid, others up front.
    public mutating func change(
        to product: String, _ billing: Billing? = nil, in group: String, by name: Account.Name,
        isApproved: Bool = false
    ) -> Outcome {
        guard let index = index(name, group), !lives[index].isOver else { return .notActive }
        guard let article = shop.article(product) else { return .unknownProduct }
        guard case .plan(let other, _, _, _) = article.kind else { return .notASubscription }
        guard !article.isGeneric else { return .needsRequest }
        guard other == group else { return .wrongGroup }
        let life = lives[index]
        let isRunning = product == life.plan.product
        let billing = billing ?? (isRunning ? life.plan.billing : .upFront)
        let isKept = isRunning && billing == life.plan.billing && life.hasAccess
        guard isKept || shop.sells(product, in: life.country, to: name) else {
            return .notForSale
        }
        guard isKept || shop.sells(product, billing, in: life.country, to: name) else {
            return .notBilledMonthly
        }
        if !isApproved {
            var wish = Wish(product: product)
            (wish.billing, wish.isChange) = (billing, true)
            if let outcome = hold(wish, in: group, by: name) { return outcome }
        }
        return choose(plan(of: article, billing, nil, in: life.country)!, index)
    }

    /// The operator ends a subscription at once, without money back: intent 5.
    public mutating func end(_ group: String, of name: Account.Name) -> Outcome {
        guard let index = index(name, group), !lives[index].isOver else { return .notActive }
        // Of an extension only what was used of it was one (EXT-7).
        let agreed = lives[index].end - lives[index].extended
        if now < lives[index].end { lives[index].extended = max(now - agreed, 0) }
        end(index, reason: 5, at: now)
        lives[index].end = min(lives[index].end, now)
        receipts[lives[index].receipt].until = lives[index].end
        return .done
    }

    /// Another payment method; one that approves is tried at once (REN-2).
    public mutating func setBank(_ bank: Account.Bank, of name: Account.Name) {
        accounts[name]!.bank = bank
        if case .declines = bank { return }
        for index in lives.indices.sorted(by: { lives[$0].number < lives[$1].number })
        where lives[index].account == name {
            switch lives[index].phase {
            case .awaiting, .grace, .retry:
                // What the customer asked for meanwhile is waited for.
                if let number = lives[index].invoice, invoices[number].isChosen { continue }
                // What is not sold any more is left to the next attempt, which ends it.
                if sellsNext(of: lives[index]) {
                    letGo(index, at: now)
                    tryAgain(index, at: now)
                }
            case .running, .revoked, .over: break
            }
        }
    }

    /// Whether what a life is to renew to is sold to it today; what is owed need not be.
    func sellsNext(of life: Life) -> Bool {
        life.owesMonth || sells(life.next, to: life)
    }

    func sells(_ plan: HeldPlan, to life: Life) -> Bool {
        shop.sells(plan.product, plan.billing, in: life.country, to: life.account)
    }

    /// Deletes what is off sale everywhere (TAB-11): no price that was planned goes live.
    public mutating func delete(_ product: String) -> Outcome {
        guard shop.article(product) != nil else { return .unknownProduct }
        guard !shop.deleted.contains(product) else { return .productDeleted }
        guard shop.isForSale["\(product)/*"] == false else { return .stillForSale }
        note("deleted")
        shop.deleted.insert(product)
        coming.removeAll { $0.product == product }
        return .done
    }

    /// Moves a customer; what runs stays where it was bought.
    public mutating func move(_ name: Account.Name, to country: Country) {
        accounts[name]!.country = country
    }

    /// Another Sandbox speed, from the next period on (SBX-2).
    public mutating func setSpeed(_ minutes: Int, of name: Account.Name) {
        accounts[name]!.speed = minutes
    }

    /// The developer's name for a customer, on the newest receipt and those to come.
    public mutating func setToken(
        _ token: String, in group: String, of name: Account.Name
    ) -> Outcome {
        guard let index = index(name, group) else { return .notActive }
        lives[index].token = token
        receipts[lives[index].receipt].token = token
        return .done
    }

    /// A plan moves to another level of its group (GRP-4).
    public mutating func move(_ product: String, toLevel level: Int) {
        guard !shop.deleted.contains(product) else { return }
        shop.move(product, toLevel: level)
    }

    /// The operator says from when on an increase needs consent: those that are planned from now
    /// on, in one country (AMT-3).
    public mutating func setConsent(_ change: ConsentTerms.Change, in country: Country) {
        var terms = change.isReset ? ConsentTerms(builtIn: country) : shop.consent(in: country)
        terms.always = change.always ?? terms.always
        terms.amount = change.amount ?? terms.amount
        terms.yearly = change.yearly ?? terms.yearly
        shop.consent[country.code] = terms
    }

    /// Changes settings, prices or what is for sale.
    public mutating func arrange(_ change: (inout Shop) -> Void) { change(&shop) }
}
