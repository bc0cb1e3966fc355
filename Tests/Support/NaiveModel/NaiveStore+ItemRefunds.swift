/// What a merchant gives back item by item, and all at once (ACM-7).
extension NaiveStore {
    /// The merchant's server asks for the money of items of one receipt.
    ///
    /// - Parameter asksConsumption: whether the store asks about it before it decides.
    public mutating func claim(
        _ items: [ItemClaim], of receipt: Int, asksConsumption: Bool, isToBeDeclined: Bool = false
    ) -> Outcome {
        let taken = receipts[receipt]
        guard taken.isMerchants else { return .notRefundable }
        let claim = Claim(
            items: items, reason: isToBeDeclined ? "SIMULATE_REFUND_DECLINE" : "OTHER")
        guard
            items.allSatisfy({
                if case .custom(let amount) = $0.kind { amount % taken.step == 0 } else { true }
            })
        else { return .invalidAmount }
        if let refusal = refusal(of: claim, receipt) { return refusal }
        note(asksConsumption ? "items asked back" : "items given back at once")
        if items.contains(where: \.ends) { note("item to end with a refund") }
        file(claim, receipt, asksConsumption: asksConsumption)
        return .done
    }

    private func refusal(of claim: Claim, _ receipt: Int) -> Outcome? {
        let taken = receipts[receipt]
        guard !claim.isToBeDeclined || taken.account.isSandbox else { return .onlyInSandbox }
        guard !taken.isRevoked else { return .alreadyRefunded }
        guard !isAsked(receipt) else { return .refundPending }
        let life = taken.group.flatMap { self.life(taken.account, in: $0) }
        for item in claim.items {
            guard let paid = taken.paid(for: item.sku) else { return .notOwned }
            guard paid > 0 else { return .notRefundable }
            let left = taken.left(of: item.sku)
            guard left > 0 else { return .alreadyRefunded }
            if item.kind == .prorated, life?.receipt != receipt { return .notTheNewest }
            if case .custom(let amount) = item.kind, amount > left { return .notSoMuchLeft }
        }
        let ending = Set(claim.items.filter(\.ends).map(\.sku))
        guard let life, !life.isOver else { return nil }
        let endsAll = life.plan.skus.allSatisfy {
            ending.contains($0) && life.payments[$0]?.receipt == receipt
        }
        return endsAll ? .nothingLeft : nil
    }

    /// The merchant's server ends a subscription as a whole, and asks for what was paid for its
    /// running cycle.
    public mutating func revoke(
        in group: String, of name: Account.Name, _ kind: ItemClaim.Kind, asksConsumption: Bool,
        isToBeDeclined: Bool = false
    ) -> Outcome {
        guard let index = index(name, group), !lives[index].isOver else { return .notActive }
        let claim = Claim(
            items: [], reason: isToBeDeclined ? "SIMULATE_REFUND_DECLINE" : "OTHER",
            endsAll: kind)
        guard !isToBeDeclined || name.isSandbox else { return .onlyInSandbox }
        let receipt = lives[index].receipt
        guard !isAsked(receipt) else { return .refundPending }
        note(asksConsumption ? "revocation asked for" : "revoked at once")
        file(claim, receipt, asksConsumption: asksConsumption)
        return .done
    }

    private mutating func file(_ claim: Claim, _ receipt: Int, asksConsumption: Bool) {
        var request = AskedBack(receipt: receipt)
        request.claim = claim
        guard asksConsumption else {
            asked.append(request)
            if claim.endsAll != nil { stopRenewing(after: receipt) }
            present()
            if shop.terms.refunds != .somebody { decide(request, at: now) }
            return
        }
        ask(back: request)
        if claim.endsAll != nil { stopRenewing(after: receipt) }
        tell("CONSUMPTION_REQUEST", receipt: receipt, at: now)
    }

    // MARK: What is granted

    /// Grants what somebody was to decide about, unless nothing of it is left to give back.
    mutating func grantDecided(_ request: AskedBack, at moment: Int) -> Outcome {
        let (claim, taken) = (request.claim!, receipts[request.receipt])
        let isLeft = claim.items.contains { amount($0, taken, at: moment) > 0 }
        let life = taken.group.flatMap { self.life(taken.account, in: $0) }
        let pays = life.map { life in
            !life.isOver
                && (life.receipt == request.receipt
                    || life.payments.values.contains { $0.receipt == request.receipt })
        }
        let ends = claim.endsAll != nil
        guard ends && pays == true || !taken.isRevoked && (ends || isLeft) else {
            note("nothing left to grant")
            return .notRefundable
        }
        return grant(request, at: moment)
    }

    /// Grants what a merchant asks; what is to be declined is not granted.
    private mutating func grant(_ request: AskedBack, at moment: Int) -> Outcome {
        let claim = request.claim!
        guard !claim.isToBeDeclined else { return .notRefundable }
        asked.removeAll { $0.receipt == request.receipt }
        if let kind = claim.endsAll {
            endAll(request.receipt, kind, claim.reason, at: moment)
        } else {
            giveBack(claim, request.receipt, at: moment)
        }
        return .done
    }

    /// All that paid for the running cycle goes back, the newest first, which ends it.
    private mutating func endAll(
        _ receipt: Int, _ kind: ItemClaim.Kind, _ reason: String, at moment: Int
    ) {
        let index = index(receipts[receipt].account, receipts[receipt].group!)!
        let life = lives[index]
        let paying = Set(life.payments.values.map(\.receipt) + [life.receipt])
        // Where another cycle runs by now, it goes on.
        let running = paying.contains(receipt) ? paying : [receipt]
        if running.count > 1 { note("several receipts of a cycle revoked") }
        for receipt in running.sorted(by: >) where !receipts[receipt].isRevoked {
            // Each is told of by itself, as things stand after it.
            defer { present() }
            let taken = receipts[receipt]
            guard taken.isMerchants else {
                note("what was paid before a migration is revoked")
                let unused = life.plan.lines.compactMap { life.payments[$0.sku] }.filter {
                    $0.receipt == receipt
                }.reduce(0) {
                    $0
                        + share(
                            of: $1.amount, from: $1.at, to: life.end, at: moment, step: taken.step)
                }
                _ = giveBackOrdinary(
                    receipt, kind == .prorated ? unused : taken.price, at: moment)
                continue
            }
            let parts = taken.lines.map { line in
                guard kind == .prorated else { return taken.left(of: line.sku) }
                // What has ended had its unused share.
                guard let paid = life.payments[line.sku], paid.receipt == receipt else { return 0 }
                return share(
                    of: paid.amount, from: paid.at, to: life.end, at: moment, step: taken.step)
            }
            _ = giveBackWhole(receipt, parts, reason: reason, type: kind.text, at: moment)
        }
    }

    /// Of a receipt as a whole: of each item so much, as far as it is left.
    mutating func giveBackWhole(
        _ receipt: Int, _ parts: [Int], reason: String, type: String, at moment: Int
    ) -> Outcome {
        let taken = receipts[receipt]
        for (line, part) in zip(taken.lines, parts) {
            giveBack(
                min(part, taken.left(of: line.sku)), line.sku, receipt, reason, type, at: moment)
            receipts[receipt].gone[line.sku] = receipts[receipt].gone[line.sku] ?? moment
        }
        revoke(receipt, at: moment)
        return .done
    }

    /// Of items; those that end leave what runs and what renews.
    private mutating func giveBack(_ claim: Claim, _ receipt: Int, at moment: Int) {
        for item in claim.items {
            let amount = amount(item, receipts[receipt], at: moment)
            giveBack(amount, item.sku, receipt, claim.reason, item.kind.text, at: moment)
            if item.ends, receipts[receipt].paid(for: item.sku) != nil {
                receipts[receipt].gone[item.sku] = receipts[receipt].gone[item.sku] ?? moment
            }
        }
        let taken = receipts[receipt]
        let isGone = taken.lines.allSatisfy { taken.gone[$0.sku] != nil }
        if isGone { receipts[receipt].revoked = moment }
        let ending = claim.items.filter(\.ends).map(\.sku)
        if let index = taken.group.flatMap({ index(taken.account, $0) }) {
            let ended = ending.filter { lives[index].payments[$0]?.receipt == receipt }
            end(ended, index, alone: !isGone, fully: true, at: moment)
        }
        tell("REFUND", receipt: receipt, at: moment)
    }

    // MARK: Money

    private func amount(_ item: ItemClaim, _ taken: Receipt, at moment: Int) -> Int {
        let left = taken.left(of: item.sku)
        switch item.kind {
        case .full: return left
        case .custom(let amount): return min(amount, left)
        case .prorated:
            let unused = share(
                of: taken.paid(for: item.sku) ?? 0, from: taken.purchased, to: taken.until!,
                at: moment, step: taken.step)
            return min(unused, left)
        }
    }

    /// What a change of items leaves unused goes back: of the ordinary receipt from before a
    /// migration, which has no items, in one sum.
    mutating func giveBack(_ credits: [ModificationTerms.Credit]) {
        var sums: [Int: Int] = [:]
        for credit in credits {
            if receipts[credit.receipt].isMerchants {
                giveBack(credit)
            } else {
                sums[credit.receipt, default: 0] += credit.amount
            }
        }
        for (receipt, sum) in sums {
            let paid = receipts[receipt]
            let amount = min(sum, paid.price - paid.returned)
            guard amount > 0, !paid.isRevoked else { continue }
            note("unused share of what was migrated")
            book(.refunded, amount, of: paid, before: paid.returned, at: now)
            receipts[receipt].returned += amount
            receipts[receipt].credited += amount
        }
    }

    private mutating func giveBack(_ credit: ModificationTerms.Credit) {
        guard !receipts[credit.receipt].isRevoked else { return }
        let amount = min(credit.amount, receipts[credit.receipt].left(of: credit.sku))
        if amount > 0 { note("unused share of an item") }
        giveBack(
            amount, credit.sku, credit.receipt, "MODIFY_ITEMS_REFUND", "PRORATED", at: now)
    }

    private mutating func giveBack(
        _ amount: Int, _ sku: String, _ receipt: Int, _ reason: String, _ type: String,
        at moment: Int
    ) {
        guard amount > 0 else { return }
        book(.refunded, amount, sku, receipt, at: moment)
        receipts[receipt].returns.append(
            ItemReturn(sku: sku, amount: amount, at: moment, reason: reason, type: type))
        receipts[receipt].returned += amount
    }

    /// What went back with the revocation is charged again; what went back before stays.
    mutating func takeItemsBack(_ receipt: Int) {
        let taken = receipts[receipt]
        // At one moment items may have gone alone, and then the rest.
        let alone = Set(
            lives.flatMap(\.ended).filter {
                $0.isAlone && $0.payment.receipt == receipt && $0.at == taken.revoked
            }.map(\.line.sku))
        for line in taken.lines where !alone.contains(line.sku) {
            let some = taken.returns.filter {
                $0.sku == line.sku && $0.at == taken.revoked && !$0.isByChange
            }
            let amount = some.reduce(0) { $0 + $1.amount }
            guard amount > 0 else { continue }
            receipts[receipt].returns.removeAll { some.contains($0) }
            receipts[receipt].returned -= amount
            book(.charged, amount, line.sku, receipt, at: now)
        }
        receipts[receipt].gone = taken.gone.filter {
            $0.value != taken.revoked || alone.contains($0.key)
        }
    }

    /// Books what moved for one item: what stays is divided as if only that had been charged.
    private mutating func book(
        _ kind: BookEntry.Kind, _ amount: Int, _ sku: String, _ receipt: Int, at moment: Int
    ) {
        note(kind.rawValue)
        let taken = receipts[receipt]
        let left = taken.left(of: sku)
        enter(
            BookEntry(
                at: moment, account: taken.account, kind: kind, product: taken.product,
                amount: amount, currency: taken.currency,
                share: taken.share(of: left) - taken.share(of: left - amount), sku: sku))
    }
}

extension Receipt {
    /// What was charged for an item; nil for what it is not about.
    func paid(for sku: String) -> Int? {
        lines.firstIndex { $0.sku == sku }.map { costs[$0] }
    }

    /// What of that was not given back.
    func left(of sku: String) -> Int {
        returns.filter { $0.sku == sku }.reduce(paid(for: sku) ?? 0) { $0 - $1.amount }
    }
}
