/// What the store is still to be told or asked.
enum Errand: Sendable {
    /// The app finished it.
    case finish(FinishedTransaction)
    /// What became of it: a purchase of an earlier process, or one that nobody waits for any more.
    case purchase(AwaitedPurchase)

    var name: String {
        switch self {
        case .finish(let finish): "finish \(finish.id)"
        case .purchase(let purchase): "purchase \(purchase.key)"
        }
    }
}

/// Which errands failed, and when each is run again: by its own count of failures.
struct Postponements: Sendable {
    private var entries: [String: (failures: Int, due: Int64)] = [:]

    func isDue(_ name: String, at now: Int64) -> Bool {
        entries[name, default: (0, now)].due <= now
    }

    /// Whatever is not named is over.
    mutating func keep(_ names: Set<String>) { entries = entries.filter { names.contains($0.key) } }

    /// - Parameter delay: how long to wait after so many failures.
    mutating func postpone(_ name: String, at now: Int64, _ delay: (Int) -> Duration) {
        let failures = entries[name, default: (0, now)].failures + 1
        let (seconds, attoseconds) = delay(failures).components
        entries[name] = (failures, now + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// For how long updates may be waited for: until the next errand is due, a second at least.
    func seconds(from now: Int64, atMost most: Int64) -> Int64 {
        guard let due = entries.values.map(\.due).min() else { return most }
        return min(most, max(1, (due - now + 999) / 1000))
    }
}

extension Listener {
    /// Runs the errands that are due. One that fails is left for later: it holds up neither the
    /// others nor updates.
    ///
    /// - Throws: what concerns all of them, such as a sign-in that is void.
    func runErrands(_ postponed: inout Postponements) async throws(StoreKitError) {
        let (account, token) = try keeper.signedInAccount()
        // One look and one moment for what is given up and for what is asked, or something might
        // be both.
        let now = configuration.clock.now
        let lifetime = configuration.purchaseLifetime.components.seconds * 1000
        let purchases = keeper.takeUpPurchases()
        for purchase in purchases where now - purchase.begun > lifetime {
            try keeper.settle(purchase, isCalled: false, account: account)
        }
        let errands =
            keeper.current.finishes.filter { !$0.isTold }.map { Errand.finish($0) }
            + purchases.filter { now - $0.begun <= lifetime }.map { Errand.purchase($0) }
        postponed.keep(Set(errands.map(\.name)))
        for errand in errands where postponed.isDue(errand.name, at: now) {
            do throws(StoreKitError) {
                switch errand {
                case .finish(let finish): try await tell(finish, account: account, token: token)
                case .purchase(let purchase):
                    try await ask(about: purchase, account: account, token: token)
                }
            } catch {
                guard error.isPassing else { throw error }
                configuration.reportProblem(error)
                postponed.postpone(errand.name, at: configuration.clock.now) { failures in
                    configuration.retry.delay(
                        afterFailures: failures, retryAfter: error.retryAfter,
                        chance: configuration.chance)
                }
                // Where nothing answers, each would take its whole time. They have their turns.
                if case .networkError = error { return }
            }
        }
    }

    /// Tells the store what was finished, all of it. Afterwards nobody is telling it of any.
    func tellFinishes() async throws(StoreKitError) {
        while true {
            await keeper.tellingsEnded()
            do { try Task.checkCancellation() } catch { throw error.cancellation }
            let (account, token) = try keeper.signedInAccount()
            let finishes = keeper.current.finishes.filter { !$0.isTold }
            if finishes.isEmpty { return }
            for finish in finishes { try await tell(finish, account: account, token: token) }
        }
    }

    /// Tells the store of one, unless somebody does so just now.
    func tell(
        _ finish: FinishedTransaction, account: String, token: String
    ) async throws(StoreKitError) {
        guard keeper.beginTelling(finish) else { return }
        defer { keeper.endTelling(finish) }
        do throws(StoreKitError) {
            _ = try await exchange.send(
                "POST", StorePath("/storefront/v1/transactions/\(finish.id)/finish"), as: token,
                repetition: .never)
        } catch {
            // The store does not know it, or not as this customer's: there is nothing to finish.
            guard case .refused = error else { throw error }
            configuration.reportProblem(error)
        }
        try keeper.told(finish, account: account)
    }

    private func ask(
        about purchase: AwaitedPurchase, account: String, token: String
    ) async throws(StoreKitError) {
        do throws(StoreKitError) {
            let answer = try await exchange.send(
                "POST", StorePath(purchase.path), as: token, key: purchase.key,
                repetition: .never, body: Array(purchase.body.utf8))
            let outcome = try await PurchaseOutcome(answer, reader)
            guard outcome.isTrusted else {
                throw .invalidResponse("the transaction of a purchase is not verified")
            }
            try keeper.settle(
                purchase, bought: outcome.toBeQueued(at: configuration.clock.now),
                isCalled: false, account: account)
        } catch {
            guard case .refused = error else { throw error }
            configuration.reportProblem(error)
            try keeper.settle(purchase, isCalled: false, account: account)
        }
    }
}
