/// A higher price on its way to a subscriber (TAB-6).
public struct PriceIncrease: Hashable, Sendable {
    /// What a period will cost.
    public var price: Int
    /// When it went live in the country.
    public var live: Int
    /// Nothing is planned while renewal is off or fails; otherwise when the subscriber is told,
    /// and which renewal is the first at the new price.
    public internal(set) var told: Int?
    public internal(set) var renewal: Int?
    /// How many renewals come before that one.
    var renewalsBefore = 0
    /// The moment from which notice counts.
    var from = 0
    public internal(set) var needsConsent = false
    public internal(set) var isAnnounced = false
    public internal(set) var isAgreed = false
    /// Whether the customer would rather leave.
    public internal(set) var isDeclined = false
    /// What of a merchant's items ends with this one without consent (ACS-3).
    public internal(set) var dependents: [String] = []

    /// Whether a renewal is the first at the new price. It stays the same one when another billing
    /// zone moves it; Sandbox, which another speed moves, goes by the moment.
    func isDue(at moment: Int, isSandbox: Bool) -> Bool {
        guard let renewal else { return false }
        return isSandbox ? renewal <= moment : renewalsBefore <= 0
    }
}

/// A price that will go live.
public struct ComingPrice: Hashable, Sendable {
    public internal(set) var product: String
    public internal(set) var billing: Billing
    public internal(set) var country: Country
    var price: Int
    var at: Int
    /// Whether those who subscribe keep what they pay (PRC-5).
    var isPreserving: Bool
    /// What those pay whose preserved price ends (PRC-6); nil for the price of everybody.
    var cohort: Int?
    /// The price of everybody that it took the place of.
    var before: Int?

    /// What somebody pays because of it who was to pay something else; nil where nothing changes.
    ///
    /// Nobody keeps a higher price (PRC-4). A higher one is for those who pay the price of before
    /// or are on their way to it; cohorts with a price of their own keep that (PRC-5).
    ///
    /// - Parameter coming: a higher price that is on its way already.
    func price(for pays: Int, coming: Int?) -> Int? {
        // Who is on the way to this very price goes on.
        if coming == price { return nil }
        // Who is on the way to another price has left the cohort.
        if let cohort { return price > pays && (coming ?? pays) == cohort ? price : nil }
        let isLower = pays > price || (coming ?? 0) > price
        let isHigher = !isPreserving && price > pays && (pays == before || coming == before)
        return isLower || isHigher ? price : nil
    }
}

extension NaiveStore {
    /// The operator schedules a price; it takes the place of the one before (PRC-2).
    public mutating func schedule(
        _ product: String, _ billing: Billing = .upFront, in country: Country, price: Int,
        at moment: Int, isPreserving: Bool, cohort: Int? = nil
    ) {
        drop(product, billing, country)
        coming.append(
            ComingPrice(
                product: product, billing: billing, country: country, price: price,
                at: max(moment, now),
                isPreserving: isPreserving, cohort: cohort))
        advance(to: now)
    }

    /// The operator ends what a cohort has preserved (PRC-6): it is moved up, to the price of
    /// everybody at most.
    public mutating func raise(
        _ product: String, _ billing: Billing = .upFront, in country: Country, from cohort: Int,
        to price: Int, at moment: Int
    ) -> Outcome {
        let list = shop.price(shop.article(product)!, billing, in: country)
        guard price > cohort, price <= list else { return .invalidPrice }
        schedule(
            product, billing, in: country, price: price, at: moment, isPreserving: false,
            cohort: cohort)
        return .done
    }

    /// The operator takes a scheduled price back.
    public mutating func withdraw(
        _ product: String, _ billing: Billing = .upFront, in country: Country
    ) -> Outcome {
        let before = coming.count
        drop(product, billing, country)
        return coming.count < before ? .done : .nothingScheduled
    }

    private mutating func drop(_ product: String, _ billing: Billing, _ country: Country) {
        coming.removeAll {
            $0.product == product && $0.billing == billing && $0.country == country
        }
    }

    /// A price goes live: new customers pay it from now on (PRC-9), subscribers as decided.
    mutating func goLive(_ change: ComingPrice) {
        note("price live")
        let article = shop.article(change.product)!
        let before = shop.price(article, change.billing, in: change.country)
        var change = change
        change.before = before
        // Nobody is moved above what everybody pays.
        if change.cohort != nil, change.price > before { return }
        if change.cohort == nil {
            shop.prices[Shop.key(change.product, change.billing, change.country)] = change.price
        }
        for number in open { reach(invoice: number, with: change) }
        for index in lives.indices where lives[index].country == change.country {
            let coming = lives[index].increases[change.product]?.price
            if lives[index].plan.billing == change.billing,
                let line = lives[index].plan.line(change.product),
                let price = change.price(for: line.price, coming: coming)
            {
                set(change.product, index, to: price, live: change.at)
            }
            if lives[index].waiting?.billing == change.billing,
                let line = lives[index].waiting?.line(change.product),
                let price = change.price(for: line.price, coming: line.raised)
            {
                promise(index, change.product, price)
            }
        }
        history.append(change)
    }

    /// What waits for a renewal has another price: nobody keeps a higher one, not even one that was
    /// only promised (PRC-4); a lower one is kept for the first period.
    private mutating func promise(_ index: Int, _ sku: String, _ price: Int) {
        let line = lives[index].waiting!.line(sku)!
        note(price < line.price ? "waiting price lowered" : "waiting price raised")
        lives[index].waiting!.setPrice(min(price, line.price), of: sku)
        lives[index].waiting!.setRaised(price > line.price ? price : nil, of: sku)
    }

    /// What became, since then, of a price that somebody chose.
    func course(
        of price: Int, _ product: String, _ billing: Billing, in country: Country, since: Int
    ) -> Int {
        history.filter {
            $0.product == product && $0.billing == billing && $0.country == country
                && $0.at > since
        }
        .reduce(price) { $1.price(for: $0, coming: nil) ?? $0 }
    }

    /// The merchant changes the price of one thing that a subscriber has, or will have.
    public mutating func reprice(
        _ sku: String, in group: String, of name: Account.Name, to price: Int
    ) -> Outcome {
        guard let index = index(name, group) else { return .notActive }
        guard !lives[index].plan.isMerchants else { return .needsRequest }
        guard !lives[index].isOver else { return .notActive }
        let line = lives[index].plan.line(sku)
        guard line != nil || lives[index].waiting?.line(sku) != nil else {
            return .unknownProduct
        }
        guard price >= 0, price % lives[index].country.step == 0 else { return .invalidPrice }
        // Paid by the month and at once a product has two prices.
        let billing = line == nil ? lives[index].waiting!.billing : lives[index].plan.billing
        if let waiting = lives[index].waiting, waiting.billing == billing,
            waiting.line(sku) != nil
        {
            promise(index, sku, price)
        }
        if let number = lives[index].invoice { lower(number, sku, billing, to: price) }
        // Who is on the way to this very price goes on.
        guard line != nil, lives[index].increases[sku]?.price != price else { return .done }
        set(sku, index, to: price, live: now)
        return .done
    }

    /// A subscriber gets another price of something. A lower one holds at once, and nobody is told
    /// (PRC-4).
    private mutating func set(_ sku: String, _ index: Int, to price: Int, live: Int) {
        let pays = lives[index].plan.line(sku)!.price
        let isOneOfSeveral = lives[index].plan.lines.count > 1
        lives[index].increases[sku] = nil
        if price < pays {
            note(isOneOfSeveral ? "price of one line lowered" : "price lowered")
            if lives[index].owesMonth { note("month cheaper") }
            lives[index].plan.setPrice(price, of: sku)
        } else if price > pays {
            note(isOneOfSeveral ? "price increase of one line" : "price increase")
            lives[index].increases[sku] = PriceIncrease(price: price, live: live)
            planIncrease(of: sku, index, from: live)
        }
    }

    /// A renewal that is pending costs what it cost: a price that falls holds from the next one on.
    private mutating func reach(invoice number: Int, with change: ComingPrice) {
        guard change.cohort == nil, invoices[number].country == change.country else { return }
        lower(number, change.product, change.billing, to: change.price)
    }

    private mutating func lower(
        _ number: Int, _ sku: String, _ billing: Billing, to price: Int
    ) {
        let invoice = invoices[number]
        guard !invoice.isChosen, invoice.plan?.billing == billing,
            let line = invoice.plan?.line(sku),
            price < invoice.lowered[sku] ?? line.price
        else { return }
        note("price of a pending bill lowered")
        invoices[number].lowered[sku] = price
    }

    /// Plans the announcements of all increases, and the first renewals at the new prices.
    mutating func planIncreases(_ index: Int, from: Int) {
        for sku in lives[index].increases.keys { planIncrease(of: sku, index, from: from) }
    }

    /// Plans the announcement and the first renewal at a new price.
    ///
    /// - Parameters:
    ///   - from: the moment from which notice counts: when it went live, or when a renewal that
    ///     was off or had failed was mended.
    ///   - next: what waits for the renewal.
    mutating func planIncrease(
        of sku: String, _ index: Int, from: Int, behind next: HeldPlan? = nil
    ) {
        guard var increase = lives[index].increases[sku] else { return }
        (increase.told, increase.renewal, increase.from) = (nil, nil, from)
        (increase.isAnnounced, increase.isAgreed, increase.isDeclined) = (false, false, false)
        let life = lives[index]
        let line = life.plan.line(sku)!
        if life.phase == .running, isSilent(increase, line, life) {
            planSilently(&increase, life)
        } else if life.phase == .running, life.renews, life.plan.isMerchants {
            // What comes with an offer gets dearer after that.
            if !line.isGivenOffer(in: next ?? life.waiting) {
                planMerchants(&increase, line, life, from: from)
            }
        } else if life.phase == .running, life.renews {
            let (isWeekly, isMonthly) = (life.plan.length.isWeekly, isMonthly(life.plan))
            let least = isMonthly ? 27 : isWeekly ? 7 : 30
            let asking = isMonthly ? 27 : isWeekly ? 7 : 60
            let notice = isMonthly || isWeekly ? 27 : 30
            let consentAt = renewal(of: life, line, from: from, distance: least)
            increase.needsConsent = needsConsent(life, line, increase.price, at: consentAt.end)
            let first =
                increase.needsConsent
                ? consentAt : renewal(of: life, line, from: from, distance: notice)
            (increase.renewal, increase.renewalsBefore) = (first.end, first.before)
            // A request never starts before the period that the renewal ends (ACC-9).
            increase.told =
                increase.needsConsent
                ? max(from, first.end - days(asking, life), first.start)
                : max(from, first.end - days(27, life))
        }
        lives[index].increases[sku] = increase
    }

    /// Plans again after an extension moved the renewals. What was announced stays announced, for
    /// the same renewal on its new day (ACC-11).
    mutating func replan(_ index: Int, before: Life) {
        for (sku, increase) in lives[index].increases {
            guard let renewal = increase.renewal else { continue }
            var (old, new) = (Ahead(before), Ahead(lives[index]))
            old.toEndOfTerm(self)
            new.toEndOfTerm(self)
            // It is the renewal that it was, also when another billing zone moved it by hours.
            while before.account.isSandbox
                ? old.end < renewal : old.renewals < increase.renewalsBefore
            {
                old.goOn(self)
                old.toEndOfTerm(self)
                new.goOn(self)
                new.toEndOfTerm(self)
            }
            lives[index].increases[sku]!.renewal = new.end
            if let told = increase.told {
                lives[index].increases[sku]!.told = told + new.end - renewal
            }
        }
    }

    /// The subscriber is told or asked.
    mutating func announce(_ index: Int) {
        let moment = lives[index].told!
        let due = lives[index].increases.filter { $0.value.told == moment }
        guard sells(lives[index].plan, to: lives[index]) else {
            // It will not renew as it is (INC-8).
            note("nobody told of what is off sale")
            for sku in lives[index].increases.keys where lives[index].increases[sku]!.told != nil {
                (lives[index].increases[sku]!.told, lives[index].increases[sku]!.renewal) = (
                    nil, nil
                )
            }
            return
        }
        for needsConsent in [true, false] {
            let some = due.filter { $0.value.needsConsent == needsConsent }.keys
            guard !some.isEmpty else { continue }
            note(needsConsent ? "consent asked" : "notice given")
            if some.count > 1 { note("several increases told at once") }
            tell("PRICE_INCREASE/" + (needsConsent ? "PENDING" : "ACCEPTED"), index, at: moment)
        }
        if Set(due.values.map(\.needsConsent)).count > 1 { note("asked and told at once") }
        if due.count < lives[index].increases.count { note("one increase told before another") }
        for sku in due.keys {
            lives[index].increases[sku]!.isAnnounced = true
            lives[index].increases[sku]!.told = nil
        }
    }

    /// The customer answers what was announced (INC-12).
    public mutating func answer(
        _ agrees: Bool, in group: String, by name: Account.Name
    ) -> Outcome {
        guard let index = index(name, group), lives[index].phase == .running,
            lives[index].increasesHold,
            lives[index].plan.lines.contains(where: { line in
                lives[index].increases[line.sku].map { $0.isAnnounced && $0.price > line.price }
                    ?? false
            })
        else {
            return .noPriceIncrease
        }
        // One answer is for everything that was asked. Of a merchant's items what was agreed to
        // can be refused until the renewal.
        let known = lives[index].increases.filter { $0.value.isAnnounced && $0.value.needsConsent }
        let open = known.filter { !$0.value.isAgreed }
        let withdraws = open.isEmpty && !agrees && lives[index].plan.isMerchants
        if withdraws, !known.isEmpty { note("agreement taken back") }
        let asked = (withdraws ? known : open).keys
        if asked.count > 1 { note("one answer for several lines") }
        if agrees, !asked.isEmpty {
            // Renewal is on again where refusing has turned it off; whoever turned it off otherwise
            // agrees to the price alone.
            let isChangeOfMind = asked.contains { lives[index].increases[$0]!.isDeclined }
            for sku in asked {
                (lives[index].increases[sku]!.isAgreed, lives[index].increases[sku]!.isDeclined) =
                    (true, false)
            }
            if isChangeOfMind {
                if !lives[index].renews { tellRenewal(true, index, at: now) }
                setRenewal(true, index, except: asked)
            }
            tell("PRICE_INCREASE/ACCEPTED", index, at: now)
        } else if !agrees, !asked.isEmpty {
            for sku in asked {
                (lives[index].increases[sku]!.isDeclined, lives[index].increases[sku]!.isAgreed) =
                    (true, false)
            }
            // Of a merchant's items the others go on (ACS-2).
            if rest(of: lives[index], without: Set(asked)) != nil {
                note("item declined")
                return .done
            }
            if lives[index].renews { tellRenewal(false, index, at: now) }
            setRenewal(false, index, except: asked)
        } else if !agrees {
            turn(false, index)
        }
        return .done
    }

    /// With an answer to some increases renewal is on again or off, and the others are told from
    /// the start or not at all (INC-8). What was told of a merchant's item it comes back with
    /// (ACS-5).
    private mutating func setRenewal(
        _ isOn: Bool, _ index: Int, except asked: Dictionary<String, PriceIncrease>.Keys
    ) {
        guard lives[index].renews != isOn else { return }
        lives[index].renews = isOn
        let comesBack = isOn && lives[index].plan.isMerchants
        for (sku, increase) in lives[index].increases
        where !asked.contains(sku) && !(comesBack && increase.isAnnounced) {
            note("increase of another line than was answered")
            planIncrease(of: sku, index, from: now)
        }
    }
}
