/// One of a merchant's items that ended because it was given back, as it was.
struct EndedItem: Hashable, Sendable {
    var line: HeldLine
    var cost: Int
    var payment: Payment
    var lastIncrease: Int?
    var at: Int
    /// Whether others of its receipt stayed paid.
    var isAlone: Bool
}

/// Whatever made it so, nothing runs that was given back.
extension NaiveStore {
    /// The merchant's items that run though their receipt was given back, or they were by
    /// themselves: none. Ordinary receipts from before a migration are not looked at (REF-10).
    public var unpaid: [String] {
        lives.filter { $0.plan.isMerchants && !$0.isOver }.flatMap { life in
            life.payments.sorted { $0.key < $1.key }.compactMap { sku, payment -> String? in
                let receipt = receipts[payment.receipt]
                guard receipt.isMerchants, receipt.isRevoked || receipt.gone[sku] != nil else {
                    return nil
                }
                return "\(sku) of \(life.account.text) runs and was given back"
            }
        }
    }
}

/// How a merchant's items end because they are given back, and come back when that is reversed.
extension NaiveStore {
    /// An older receipt of the running cycle was given back: what it paid for ends.
    mutating func endWhatWasPaid(by receipt: Int, _ index: Int, fully: Bool, at moment: Int) {
        let skus = lives[index].plan.lines.map(\.sku).filter {
            lives[index].payments[$0]?.receipt == receipt
        }
        if !skus.isEmpty, !lives[index].isOver { note("items ended with an older receipt") }
        end(skus, index, alone: false, fully: fully, at: moment)
    }

    /// Items end; where none is left the subscription does. Of one that was given back as a whole
    /// they do not come back with it.
    mutating func end(
        _ skus: [String], _ index: Int, alone: Bool, fully: Bool, at moment: Int
    ) {
        let isRevoked = lives[index].phase == .revoked
        guard !skus.isEmpty, isRevoked || !lives[index].isOver else { return }
        keep(skus, index, alone: alone, at: moment)
        guard !isRevoked else { return note("items given back after the whole") }
        note("items ended by a refund")
        guard lives[index].plan.lines.contains(where: { !skus.contains($0.sku) }) else {
            return endLast(index, fully: fully, at: moment)
        }
        drop(skus, index)
        lives[index].waiting?.lines.removeAll { skus.contains($0.origin) }
        let life = lives[index]
        let isNothingLeft = life.waiting?.lines.isEmpty == true
        if isNothingLeft || life.waiting == life.plan.afterwards { lives[index].waiting = nil }
        lives[index].forgetWhatDoesNotCome()
        if isNothingLeft {
            // What is left was to go with the renewal, and does.
            note("nothing left to renew")
            turn(false, index)
        }
        if let number = lives[index].invoice { giveUp(number, at: moment) }
        if isNothingLeft, !lives[index].isOver { stopTrying(index) }
    }

    mutating func endLast(_ index: Int, fully: Bool, at moment: Int) {
        // What has ended already cannot be cut short: the retries for the next period end.
        let isRunning = lives[index].phase == .running
        if lives[index].renews { tellRenewal(false, index, at: moment) }
        let (waiting, raised) = (lives[index].waiting, lives[index].waitingIncreases)
        finish(index, reason: 1, at: moment)
        lives[index].isGivenBack = true
        guard isRunning else { return tellEnd(index, reason: 1, at: moment) }
        lives[index].phase = .revoked
        // What was chosen for later waits for a reversal.
        if !lives[index].plan.isMerchants {
            (lives[index].waiting, lives[index].waitingIncreases) = (waiting, raised)
        }
        lives[index].revokedAt = moment
        lives[index].isRevokedFully = fully
    }

    /// A receipt is paid after all, and what ended with it comes back.
    ///
    /// - Parameter given: when it was given back.
    /// - Returns: the life that goes on where it was revoked.
    mutating func comeBack(with receipt: Int, given: Int) -> Int? {
        let index = lives.firstIndex { life in
            life.receipt == receipt || life.ended.contains { $0.payment.receipt == receipt }
        }
        guard let index else { return nil }
        let back = lives[index].ended.filter {
            $0.payment.receipt == receipt && $0.at == given && !$0.isAlone
        }
        if lives[index].phase == .running, lives[index].end > now {
            goOn(with: back, index)
            return nil
        }
        // The receipts know: all of it is over while the newest is given back.
        let isOver = receipts[lives[index].receipt].isRevoked
        lives[index].ended.removeAll(where: back.contains)
        if lives[index].phase == .revoked {
            if isOver, !back.isEmpty { note("items that wait for the whole to come back") }
            for item in back { showAgain(item, index) }
        }
        let life = lives[index]
        let gone = life.plan.lines.map(\.sku).filter { isGone($0, life) }
        guard !isOver, gone.count < life.plan.lines.count else { return nil }
        lives[index].isGivenBack = false
        guard life.phase == .revoked else { return nil }
        drop(gone, index)
        return index
    }

    /// An item that is paid again is shown as what was given back, unless it was bought anew and
    /// that is not given back by itself.
    private mutating func showAgain(_ item: EndedItem, _ index: Int) {
        let sku = item.line.sku
        if lives[index].plan.line(sku) != nil {
            guard isGone(sku, lives[index]) else { return }
            drop([sku], index)
        }
        add(item, index)
    }

    private func isGone(_ sku: String, _ life: Life) -> Bool {
        life.ended.contains { $0.line.sku == sku && $0.payment == life.payments[sku] }
    }

    private mutating func keep(_ skus: [String], _ index: Int, alone: Bool, at moment: Int) {
        let life = lives[index]
        for (line, cost) in zip(life.plan.lines, life.costs)
        where skus.contains(line.sku) && !isGone(line.sku, life) {
            lives[index].ended.append(
                EndedItem(
                    line: line, cost: cost, payment: life.payments[line.sku]!,
                    lastIncrease: life.lastIncreases[line.sku], at: moment, isAlone: alone))
        }
    }

    private mutating func drop(_ skus: [String], _ index: Int) {
        var life = lives[index]
        life.costs = zip(life.plan.lines, life.costs).filter { !skus.contains($0.0.sku) }
            .map(\.1)
        life.plan.lines.removeAll { skus.contains($0.sku) }
        for sku in skus {
            life.payments[sku] = nil
            life.increases[sku] = nil
            life.lastIncreases[sku] = nil
        }
        lives[index] = life
    }

    /// Items come back into a cycle that runs, and do not renew: those that were not bought anew.
    private mutating func goOn(with items: [EndedItem], _ index: Int) {
        let life = lives[index]
        let known = life.plan.skus.union(life.waiting?.skus ?? [])
        let new = items.filter { !known.contains($0.line.sku) }
        guard !new.isEmpty else { return }
        note("items that come back")
        lives[index].waiting = life.waiting ?? life.plan.afterwards
        lives[index].ended.removeAll(where: new.contains)
        for item in new { add(item, index) }
        if let number = life.invoice, invoices[number].purpose == .modification {
            giveUp(number, at: now)
        }
    }

    private mutating func add(_ item: EndedItem, _ index: Int) {
        lives[index].plan.lines.append(item.line)
        lives[index].costs.append(item.cost)
        lives[index].payments[item.line.sku] = item.payment
        lives[index].lastIncreases[item.line.sku] = item.lastIncrease
    }
}
