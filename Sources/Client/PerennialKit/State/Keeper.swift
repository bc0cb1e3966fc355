import Synchronization

/// Holds a session's state, and gives out what arrived.
///
/// Every change is in the file before anybody hears of it. What is given out is remembered by its
/// number in this process only, so whatever is not finished is given out again after a crash, and
/// within one process nothing is given out twice.
final class Keeper: Sendable {
    /// Something to be told to whoever listens.
    enum Occurrence: Sendable {
        case transaction(ReceivedTransaction)
        case status(ReceivedStatus)
        /// Everything that a restore brought was given out before this; or why it never is.
        case restored(StoreKitError?)
    }

    struct Core: Sendable {
        var state: SavedState
        /// Numbers of entries of the queue that were given out.
        var given: Set<Int64> = []
        /// Of how many finishes the store had been told with that of a transaction, by its
        /// identifier; what earlier processes told of has none.
        var counts: [String: Int] = [:]
        /// Of how many finishes the store was told in this process.
        var finishCount = 0
        /// Of what the store is being told just now.
        var telling: Set<String> = []
        /// Whether the queue was compared with the store's since somebody signed in, or could not
        /// be: entries are given out from then on.
        var isOpen = false
        /// Restores of which it is to be told that they are complete: the newest entries then.
        var restores: [Int64] = []
        var isClosed = false
        /// Products whose purchase is under way, and how many such: what arrives of them may be
        /// the purchase's own.
        var held: [String: Int] = [:]
        /// How many purchases are under way of which nobody knows the product.
        var heldAltogether = 0
        /// The keys of purchases that somebody waits for in this process.
        var awaitedHere: Set<String> = []
        var listeners: [Int: AsyncStream<Occurrence>.Continuation] = [:]
        var lastListener = 0
        var statuses: [String: String] = [:]
        /// Unverified transactions that were given out, by what they say and are signed with.
        var unverified: Set<String> = []
    }

    private let file: StateFile
    let core: Mutex<Core>
    /// Rings when the store was told of a finish, or could not be.
    let tellings = Bell()
    /// Rings when somebody signs in or out, and when the session closes.
    private let signIns = Bell()

    init(file: StateFile) throws(StoreKitError) {
        self.file = file
        core = Mutex(Core(state: try file.read()))
    }

    // MARK: Who is signed in

    var isClosed: Bool { core.withLock { $0.isClosed } }
    var account: String? {
        core.withLock { $0.state.current.token == nil ? nil : $0.state.account }
    }

    /// The secret of the sign-in.
    func token() throws(StoreKitError) -> String {
        guard let token = core.withLock({ $0.state.current.token }) else { throw .notSignedIn }
        return token
    }

    /// Begins, or goes on, with an account.
    func signIn(_ account: String, token: String) throws(StoreKitError) {
        let interrupted = try change { core in
            let isOther = core.state.account != account
            core.state.account = account
            core.state.current.token = token
            core.isOpen = false
            guard isOther else { return 0 }
            // Numbers, and what was finished, are an account's own.
            core.given = []
            core.counts = [:]
            core.statuses = [:]
            defer { core.restores = [] }
            return core.restores.count
        }
        core.withLock { core in
            for _ in 0..<interrupted { core.tell(.restored(.notSignedIn)) }
        }
        signIns.ring()
        giveOut()
    }

    /// The token is good for nothing any more; what else is kept stays.
    func void(_ token: String) throws(StoreKitError) {
        guard core.withLock({ $0.state.current.token == token }) else { return }
        try change { core in
            if core.state.current.token == token { core.state.current.token = nil }
        }
        signIns.ring()
    }

    /// How often somebody signed in or out.
    var signInCount: Int { signIns.count }

    /// Waits until somebody signs in or out after so many times.
    func signInChanged(after count: Int) async { await signIns.next(after: count) }

    /// Waits until somebody is signed in, or the session is closed.
    func signedIn() async {
        while !Task.isCancelled {
            let rung = signIns.count
            guard core.withLock({ $0.state.current.token == nil && !$0.isClosed }) else { return }
            await signIns.next(after: rung)
        }
    }

    // MARK: Changing and reading

    /// What is kept of whoever is signed in, or was last.
    var current: AccountState { core.withLock { $0.state.current } }

    /// Of how many finishes the store was told by now.
    var mark: Int { core.withLock { $0.finishCount } }

    /// Who is signed in, with the secret.
    func signedInAccount() throws(StoreKitError) -> (name: String, token: String) {
        let found = core.withLock { ($0.state.account, $0.state.current.token) }
        guard let account = found.0, let token = found.1 else { throw .notSignedIn }
        return (account, token)
    }

    /// Changes the state and writes it; where it cannot be written, nothing was changed.
    func change<T: Sendable>(_ body: (inout Core) -> T) throws(StoreKitError) -> T {
        let result: Result<T, StoreKitError> = core.withLock { core in
            guard !core.isClosed else { return .failure(.closed) }
            var draft = core
            let value = body(&draft)
            if draft.state != core.state {
                do throws(StoreKitError) { try file.write(draft.state) } catch {
                    return .failure(error)
                }
            }
            core = draft
            return .success(value)
        }
        return try result.get()
    }

    // MARK: Giving out

    /// Somebody listens from now on; whatever was not given out yet comes first.
    func listen() -> (number: Int, stream: AsyncStream<Occurrence>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Occurrence.self)
        let number: Int? = core.withLock { core in
            guard !core.isClosed else { return nil }
            core.lastListener += 1
            core.listeners[core.lastListener] = continuation
            return core.lastListener
        }
        guard let number else {
            continuation.finish()
            return (0, stream)
        }
        giveOut()
        return (number, stream)
    }

    func stopListening(_ number: Int) {
        let continuation = core.withLock { $0.listeners.removeValue(forKey: number) }
        continuation?.finish()
    }

    /// From now on entries of the queue are given out, unless somebody else signed in meanwhile.
    func open(for token: String) {
        core.withLock { core in
            if core.state.current.token == token { core.isOpen = true }
        }
        giveOut()
    }

    /// The queue is the store's, with all that a restore brought: whoever listens is told of it,
    /// and behind it that this was all.
    ///
    /// - Parameter token: the sign-in that it was for.
    /// - Throws: `notSignedIn` where there was another one meanwhile.
    func tellRestored(_ token: String) throws(StoreKitError) {
        let isTheirs = core.withLock { core in
            guard core.state.current.token == token else { return false }
            guard !core.listeners.isEmpty else { return true }
            core.isOpen = true
            core.restores.append(core.state.current.lastNumber)
            return true
        }
        guard isTheirs else { throw .notSignedIn }
        giveOut()
    }

    /// Gives out what was not given out, unless a purchase under way may claim it.
    func giveOut() {
        core.withLock { core in
            guard core.isOpen, core.state.current.token != nil, !core.listeners.isEmpty,
                core.heldAltogether == 0
            else { return }
            for entry in core.state.current.queue
            where !core.given.contains(entry.number) && core.held[entry.productID] == nil {
                core.given.insert(entry.number)
                core.tell(.transaction(ReceivedTransaction(entry)))
            }
            let held = core.state.current.queue.first { !core.given.contains($0.number) }
            while let newest = core.restores.first, newest < held?.number ?? .max {
                core.restores.removeFirst()
                core.tell(.restored(nil))
            }
        }
    }

    /// Tells of a subscription, unless the same was told before.
    func tell(_ status: ReceivedStatus) {
        core.withLock { core in
            guard
                core.statuses.updateValue(status.fingerprint, forKey: status.id)
                    != status.fingerprint
            else { return }
            core.tell(.status(status))
        }
    }

    /// Tells once of transactions that are not verified; they are not kept.
    func tellUnverified(_ transactions: [ReceivedTransaction]) {
        core.withLock { core in
            guard !core.listeners.isEmpty else { return }
            for transaction in transactions
            where core.unverified.insert(transaction.fingerprint).inserted {
                core.tell(.transaction(transaction))
            }
        }
    }

    func close() {
        let listeners: [AsyncStream<Occurrence>.Continuation] = core.withLock { core in
            core.isClosed = true
            defer { core.listeners = [:] }
            return Array(core.listeners.values)
        }
        for listener in listeners { listener.finish() }
        signIns.ring()
        file.release()
    }
}

extension Keeper.Core {
    fileprivate func tell(_ occurrence: Keeper.Occurrence) {
        for listener in listeners.values { listener.yield(occurrence) }
    }
}
