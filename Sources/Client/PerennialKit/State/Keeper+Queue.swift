import Synchronization

/// How what arrives becomes entries of the queue, and how entries leave it.
extension Keeper {
    /// Takes in what updates brought, in one write with the place up to which they were read.
    ///
    /// - Parameters:
    ///   - cursor: the one that was asked with; where it is not the present one, another answer
    ///     was faster, and this one is dropped.
    ///   - next: nil leaves the cursor where it is, because not all of the answer could be taken.
    ///   - isLast: whether nothing more waited then.
    ///   - mark: of how many finishes the store had been told when it was asked.
    /// - Returns: whether it was taken in, and not dropped.
    func takeUpdates(
        _ arrived: [ReceivedTransaction], from cursor: String?, to next: String?, isLast: Bool,
        account: String, mark: Int
    ) throws(StoreKitError) -> Bool {
        let isTaken = try change { core in
            guard core.state.account == account, core.state.current.cursor == cursor else {
                return false
            }
            // From the beginning, what was finished before is no news, for nothing is known of
            // what it had said; later, it comes because it says something else.
            let isBeginning = core.state.current.isBeginning
            for transaction in arrived { core.state.current.fold(transaction) }
            for transaction in arrived where !(isBeginning && transaction.isFinished) {
                guard let finish = core.finish(of: transaction.id) else {
                    core.enqueue(transaction)
                    continue
                }
                // It was given out and finished: it comes again only if it says something else, or
                // if a restore wants it again that came after the finish.
                let isRestored = transaction.kind == .restored && finish.count <= mark
                if finish.fingerprint != transaction.fingerprint || isRestored {
                    core.enqueue(transaction)
                }
            }
            guard let next else { return true }
            core.state.current.cursor = next
            guard isLast else { return true }
            core.state.current.isBeginning = false
            core.forgetFinishes(upTo: mark)
            return true
        }
        giveOut()
        return isTaken
    }

    /// Makes the queue what the store says that it is: what is missing comes in, and what was
    /// finished elsewhere leaves it.
    ///
    /// - Parameters:
    ///   - listed: the whole queue of this device, as the store has it.
    ///   - mark: of how many finishes the store had been told when it was asked.
    ///   - number: the newest entry then: what came later stays.
    func reconcile(
        _ listed: [ReceivedTransaction], account: String, mark: Int, number: Int64
    ) throws(StoreKitError) {
        try change { core in
            guard core.state.account == account else { return }
            let ids = Set(listed.map(\.id))
            core.state.current.queue.removeAll {
                // What changed after it was finished is in no queue of the store's.
                $0.number <= number && $0.kind != .changed && !ids.contains($0.id)
            }
            for transaction in listed {
                if let finish = core.finish(of: transaction.id), finish.count > mark { continue }
                core.enqueue(transaction)
            }
        }
        giveOut()
    }

    /// The app has given what was paid for. From here on the transaction is not given out again,
    /// whether or not the store can be told now.
    ///
    /// - Returns: whether it is of the account that is signed in, so that the store can be told.
    func finish(_ finish: FinishedTransaction) throws(StoreKitError) -> Bool {
        try change { core in
            // Somebody else may have signed in since it was given out.
            let owner = core.state.accounts.first { _, state in
                state.queue.contains { $0.id == finish.id && $0.fingerprint == finish.fingerprint }
            }
            guard let account = owner?.key ?? core.state.account else { return false }
            let isCurrent = account == core.state.account
            core.state.accounts[account]?.queue.removeAll {
                $0.id == finish.id && $0.fingerprint == finish.fingerprint
            }
            core.state.accounts[account]?.finishes.removeAll { $0.id == finish.id }
            core.state.accounts[account]?.finishes.append(finish)
            return isCurrent
        }
    }

    /// The store knows that it is finished.
    func told(_ finish: FinishedTransaction, account: String) throws(StoreKitError) {
        try change { core in
            guard core.state.account == account,
                // A newer one of the same transaction is still to be told.
                let place = core.state.current.finishes.firstIndex(of: finish)
            else { return }
            core.finishCount += 1
            core.counts[finish.id] = core.finishCount
            core.state.current.finishes[place].isTold = true
        }
    }

    /// Whether nobody else is telling the store of a finish; then it is this caller's to do.
    func beginTelling(_ finish: FinishedTransaction) -> Bool {
        core.withLock { $0.telling.insert(finish.id).inserted }
    }

    func endTelling(_ finish: FinishedTransaction) {
        core.withLock { _ = $0.telling.remove(finish.id) }
        tellings.ring()
    }

    /// Waits until nobody is telling the store of anything.
    func tellingsEnded() async {
        while !Task.isCancelled {
            let rung = tellings.count
            if core.withLock({ $0.telling.isEmpty }) { return }
            await tellings.next(after: rung)
        }
    }

    // MARK: Purchases

    /// Writes down that a purchase is about to be sent. One that was sent before with the same
    /// content, and was never answered, is gone on with.
    ///
    /// - Parameter hasOwnKey: whether the app chose the key, so that no other may take its place.
    /// - Returns: the purchase, and whether it was sent before.
    func beginPurchase(
        _ purchase: AwaitedPurchase, hasOwnKey: Bool
    ) throws(StoreKitError) -> (purchase: AwaitedPurchase, wasSent: Bool) {
        try change { core in
            let waiting = core.state.current.purchases
            let earlier =
                waiting.first { $0.key == purchase.key }
                ?? waiting.first {
                    hasOwnKey == false && $0.path == purchase.path && $0.body == purchase.body
                        && !core.awaitedHere.contains($0.key)
                }
            let purchase = earlier ?? purchase
            if earlier == nil { core.state.current.purchases.append(purchase) }
            if core.awaitedHere.insert(purchase.key).inserted {
                core.hold(purchase.productID, by: 1)
            }
            return (purchase, earlier != nil)
        }
    }

    /// Purchases of earlier that nobody waits for in this process.
    func takeUpPurchases() -> [AwaitedPurchase] {
        core.withLock { core in
            core.state.current.purchases.filter { !core.awaitedHere.contains($0.key) }
        }
    }

    /// A purchase was answered, or is given up.
    ///
    /// - Parameters:
    ///   - bought: what came of it, verified.
    ///   - isCalled: whether somebody waits for it, and so is given the transaction.
    func settle(
        _ purchase: AwaitedPurchase, bought: ReceivedTransaction? = nil, isCalled: Bool,
        account: String
    ) throws(StoreKitError) {
        try change { core in
            if core.state.account == account {
                core.state.current.purchases.removeAll { $0.key == purchase.key }
                if let bought { core.state.current.fold(bought) }
                if let bought, core.finish(of: bought.id) == nil {
                    let number = core.enqueue(bought)
                    if isCalled { core.given.insert(number) }
                }
            } else {
                core.state.accounts[account]?.purchases.removeAll { $0.key == purchase.key }
            }
            if isCalled { core.release(purchase) }
        }
        giveOut()
    }

    /// Nobody waits any more; the purchase stays, to be asked about again.
    func leavePurchase(_ purchase: AwaitedPurchase) {
        core.withLock { $0.release(purchase) }
        giveOut()
    }
}

extension Keeper.Core {
    /// What a transaction said when it was finished on this device, and of how many finishes the
    /// store had been told with it: none that is known of an earlier process, and more than there
    /// are while it is to be told.
    func finish(of id: String) -> (fingerprint: String, count: Int)? {
        state.current.finishes.first { $0.id == id }.map {
            ($0.fingerprint, $0.isTold ? counts[id] ?? 0 : .max)
        }
    }

    /// Updates were read beyond all of which the store had been told by then: they do not come
    /// again, and need not be remembered.
    fileprivate mutating func forgetFinishes(upTo mark: Int) {
        let counts = counts
        state.current.finishes.removeAll { $0.isTold && counts[$0.id] ?? 0 <= mark }
        let left = Set(state.current.finishes.map(\.id))
        self.counts = counts.filter { left.contains($0.key) }
    }

    /// Puts a transaction into the queue, unless it is there already and says the same.
    ///
    /// - Returns: the number of its entry.
    @discardableResult
    mutating func enqueue(_ transaction: ReceivedTransaction) -> Int64 {
        let place = state.current.queue.firstIndex { $0.id == transaction.id }
        if let place, state.current.queue[place].fingerprint == transaction.fingerprint {
            let known = state.current.queue[place]
            if transaction.kind == .restored { state.current.queue[place].kind = .restored }
            return known.number
        }
        var kind = transaction.kind
        if place != nil || finish(of: transaction.id) != nil, kind == .new { kind = .changed }
        if let place { state.current.queue.remove(at: place) }
        state.current.lastNumber += 1
        state.current.queue.append(
            QueuedTransaction(
                number: state.current.lastNumber, id: transaction.id,
                productID: transaction.productID, jws: transaction.jws,
                fingerprint: transaction.fingerprint, kind: kind))
        return state.current.lastNumber
    }

    fileprivate mutating func hold(_ productID: String?, by count: Int) {
        guard let productID else {
            heldAltogether += count
            return
        }
        let left = (held[productID] ?? 0) + count
        held[productID] = left == 0 ? nil : left
    }

    /// Nobody waits for it in this process any more.
    fileprivate mutating func release(_ purchase: AwaitedPurchase) {
        guard awaitedHere.remove(purchase.key) != nil else { return }
        hold(purchase.productID, by: -1)
    }
}

extension Keeper {
    /// How far updates were read is forgotten: the next answer begins with the queue.
    func forgetCursor(_ cursor: String?) throws(StoreKitError) {
        try change { core in
            guard core.state.current.cursor == cursor else { return }
            core.state.current.cursor = nil
            core.state.current.isBeginning = true
        }
    }
}
