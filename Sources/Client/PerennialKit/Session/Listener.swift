import AppStoreWire

/// Hears what is new from the store, for ever: runs errands, which are finishes to be told and
/// purchases without an answer, and reads updates in a long poll, with waits that grow while the
/// store is away. An errand that fails waits by itself and holds up nothing else.
struct Listener: Sendable {
    let configuration: StoreConfiguration
    let keeper: Keeper
    let exchange: Exchange
    let reader: SignedReader

    /// How many transactions a page of the queue has.
    private static let pageSize = "200"

    /// Goes on until its task is cancelled or the session is closed.
    func run() async {
        var failures = 0
        // The sign-in whose queue was compared with ours.
        var tidied: String?
        var postponed = Postponements()
        while !Task.isCancelled, !keeper.isClosed {
            await keeper.signedIn()
            let count = keeper.signInCount
            guard let token = try? keeper.token() else { continue }
            var problem: StoreKitError?
            do throws(StoreKitError) {
                try await runErrands(&postponed)
                if tidied != token {
                    try await catchUp()
                    tidied = token
                }
                keeper.open(for: token)
                let wait = postponed.seconds(
                    from: configuration.clock.now,
                    atMost: configuration.updateWait.components.seconds)
                let heard = try await whileSignedIn(count) { () throws(StoreKitError) in
                    try await poll(waiting: wait)
                }
                guard heard?.isIdle == true else {
                    failures = 0
                    continue
                }
            } catch {
                // What this device knows is given out, whether or not the store can be asked.
                keeper.open(for: token)
                // Another customer's news are nobody's problem.
                if error == .closed || keeper.signInCount != count { continue }
                configuration.reportProblem(error)
                problem = error
            }
            failures += 1
            let delay = configuration.retry.delay(
                afterFailures: failures, retryAfter: problem?.retryAfter,
                chance: configuration.chance)
            _ = try? await whileSignedIn(count) { () throws(StoreKitError) in
                do { try await configuration.clock.wait(delay) } catch { throw error.cancellation }
            }
        }
    }

    /// Does something that takes long, until somebody signs in or out.
    ///
    /// - Returns: nil where that came first.
    private func whileSignedIn<T: Sendable>(
        _ count: Int, _ body: @escaping @Sendable () async throws(StoreKitError) -> T
    ) async throws(StoreKitError) -> T? {
        let keeper = keeper
        let result = await withTaskGroup(of: Result<T, StoreKitError>?.self) { group in
            group.addTask {
                do throws(StoreKitError) { return .success(try await body()) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await keeper.signInChanged(after: count)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        return try result?.get()
    }

    // MARK: What the store has to tell

    /// Makes our queue the same as the store's. The first time that is what updates begin with, so
    /// that the place from which they are read and the queue are of the same moment: what is
    /// refunded a moment later is news.
    func catchUp() async throws(StoreKitError) {
        guard keeper.current.isBeginning else { return try await reconcile() }
        while true {
            let answer = try await poll(waiting: 0)
            // Another answer was faster, and may have been asked for before what is to be caught
            // up with, such as a restore.
            guard answer.isTaken else { return try await reconcile() }
            if !answer.hasMore { return }
        }
    }

    /// Reads this device's whole queue from the store and makes ours the same.
    private func reconcile() async throws(StoreKitError) {
        let (account, token) = try keeper.signedInAccount()
        let mark = keeper.mark
        let number = keeper.current.lastNumber
        var listed: [ReceivedTransaction] = []
        var unverified: [ReceivedTransaction] = []
        var after: String?
        repeat {
            let page = try await exchange.send(
                "GET",
                StorePath("/storefront/v1/transactions").with("unfinished", "true")
                    .with("after", after).with("limit", Self.pageSize), as: token,
                repetition: .never)
            let read = try await received(page.requiredList("transactions", "a page"))
            listed += read.verified
            unverified += read.unverified
            let last = (read.verified + read.unverified).isEmpty ? nil : read.last
            after = page["hasMore"]?.bool == true ? last : nil
        } while after != nil
        keeper.tellUnverified(unverified)
        guard unverified.isEmpty else {
            throw .invalidResponse("a transaction in the queue is not verified")
        }
        try keeper.reconcile(listed, account: account, mark: mark, number: number)
    }

    /// Waits for what is new, once.
    ///
    /// - Returns: whether nothing came, and that sooner than it should; whether more waits; and
    ///   whether the answer counts, which it does not where another one was faster.
    private func poll(
        waiting wait: Int64
    ) async throws(StoreKitError) -> (isIdle: Bool, hasMore: Bool, isTaken: Bool) {
        let (account, token) = try keeper.signedInAccount()
        let cursor = keeper.current.cursor
        let mark = keeper.mark
        let began = configuration.clock.now
        let answer: JSONValue
        do throws(StoreKitError) {
            answer = try await exchange.send(
                "GET",
                StorePath("/storefront/v1/updates").with("after", cursor)
                    .with("wait", String(wait)), as: token, repetition: .never,
                patience: .seconds(wait))
        } catch {
            // A cursor that this store does not know: it is another world, or an older copy of it.
            if case .refused(let refusal) = error, cursor != nil,
                refusal.code == "invalidCursor" || refusal.field == "after"
            {
                try keeper.forgetCursor(cursor)
                try await catchUp()
                return (false, false, true)
            }
            throw error
        }
        let next = try answer.requiredText("cursor", "the updates")
        let read = try await received(answer.requiredList("transactions", "the updates"))
        let hasMore = answer["hasMore"]?.bool ?? false
        let statuses = try await reader.statuses(
            answer.requiredList("subscriptions", "the updates"))
        // What is not verified is not kept: the cursor stays, so that what is true comes again.
        let isTaken = try keeper.takeUpdates(
            read.verified, from: cursor, to: read.unverified.isEmpty ? next : nil,
            isLast: !hasMore, account: account, mark: mark)
        for status in statuses { keeper.tell(status) }
        keeper.tellUnverified(read.unverified)
        guard read.unverified.isEmpty else {
            throw .invalidResponse("a transaction in the updates is not verified")
        }
        let isEmpty = read.last == nil && statuses.isEmpty
        return (
            isEmpty && (wait == 0 || (configuration.clock.now - began) * 2 < wait * 1000),
            hasMore, isTaken
        )
    }

    private func received(
        _ entries: [JSONValue]
    ) async throws(StoreKitError) -> (
        verified: [ReceivedTransaction], unverified: [ReceivedTransaction], last: String?
    ) {
        var verified: [ReceivedTransaction] = []
        var unverified: [ReceivedTransaction] = []
        var last: String?
        for entry in entries {
            let jws = try entry.requiredText("signedTransactionInfo", "a transaction")
            let (payload, error) = try await reader.transaction(jws)
            let kind: QueuedTransaction.Kind = entry["restored"]?.bool == true ? .restored : .new
            let received = ReceivedTransaction(
                payload, jws: jws, kind: kind, isFinished: entry["finished"]?.bool ?? false,
                at: configuration.clock.now)
            if error == nil { verified.append(received) } else { unverified.append(received) }
            last = try entry.requiredText("transactionId", "a transaction")
        }
        return (verified, unverified, last)
    }
}
