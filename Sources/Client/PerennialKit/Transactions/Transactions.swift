import AppStoreWire

extension Transaction {
    /// Transactions from the store, read a page at a time while they are iterated.
    public struct Transactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>

        /// A page, and where the next one begins; nil at the end.
        typealias Page =
            @Sendable (_ after: String?) async throws(StoreKitError) -> (
                [Element], next: String?
            )

        let page: Page

        public func makeAsyncIterator() -> Iterator { Iterator(page: page) }

        /// Goes through them, oldest first.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let page: Page
            private var entries: ArraySlice<Element> = []
            private var after: String?
            private var isAtEnd = false

            fileprivate init(page: @escaping Page) { self.page = page }

            /// - Throws: where the store cannot be asked or its answer cannot be read.
            public mutating func next() async throws(StoreKitError) -> Element? {
                while entries.isEmpty, !isAtEnd {
                    let (entries, next) = try await page(after)
                    self.entries = entries[...]
                    after = next
                    isAtEnd = next == nil
                }
                return entries.popFirst()
            }
        }
    }

    /// Everything that the customer bought in this app, oldest first, finished or not. Consumables
    /// are among it.
    public static func all(in session: StoreSession) -> Transactions {
        Transactions { after throws(StoreKitError) in
            try await session.page(after: after)
        }
    }

    /// What the customer has access to now: owned non-consumables, non-renewing subscriptions, of
    /// which only the developer knows the end, and the newest transaction of each subscription
    /// that is active or in its grace period.
    ///
    /// Where the store is away, the last verified answer is given, with its ``Transaction/age``:
    /// a subscription until the end of its period or of its grace period, all else until the store
    /// says otherwise. Where there is none yet, the sequence throws.
    public static func currentEntitlements(in session: StoreSession) -> Transactions {
        Transactions { _ throws(StoreKitError) in (try await session.entitlements(), nil) }
    }

    /// What was delivered to this device and is not finished, oldest first. The store is asked
    /// what was finished elsewhere; where it is away, what this device knows has to do.
    public static func unfinished(in session: StoreSession) -> Transactions {
        Transactions { _ throws(StoreKitError) in
            do throws(StoreKitError) {
                try await session.listener.catchUp()
            } catch {
                guard error.isPassing else { throw error }
            }
            var found: [VerificationResult<Transaction>] = []
            for entry in session.keeper.current.queue {
                found.append(try await session.verify(ReceivedTransaction(entry)))
            }
            return (found, nil)
        }
    }

    /// The newest transaction of a product, finished or not; nil where there is none. Where the
    /// store is away, the last verified answer is given, with its ``Transaction/age``.
    public static func latest(
        for productID: String, in session: StoreSession
    ) async throws(StoreKitError) -> VerificationResult<Transaction>? {
        do throws(StoreKitError) {
            let account = try session.keeper.signedInAccount().name
            var latest: [String: VerificationResult<Transaction>] = [:]
            var iterator = all(in: session).makeAsyncIterator()
            while let next = try await iterator.next() {
                latest[next.unsafePayloadValue.productID] = next
            }
            let newest = latest.sorted { $0.key < $1.key }.map(\.value)
            session.keep(newest, as: .latest, account: account)
            return latest[productID]
        } catch {
            for entry in try session.kept(.latest, after: error) where entry.productID == productID
            {
                return try await session.transaction(kept: entry)
            }
            return nil
        }
    }

    /// The transaction by which the customer has access to a product now; nil where it has none.
    public static func currentEntitlement(
        for productID: String, in session: StoreSession
    ) async throws(StoreKitError) -> VerificationResult<Transaction>? {
        var iterator = currentEntitlements(in: session).makeAsyncIterator()
        while let next = try await iterator.next() {
            if next.unsafePayloadValue.productID == productID { return next }
        }
        return nil
    }

    /// Transactions that come without being asked for: renewals, purchases that were pending or
    /// made elsewhere, what was restored, refunds, and whatever was delivered before and not
    /// finished, which comes first and once.
    ///
    /// An upgrade brings two: the new transaction, as the result of the purchase, and here the
    /// transaction that was upgraded away from, once more, with ``Transaction/isUpgraded``. Give
    /// nothing for it, and finish it.
    ///
    /// It never ends by itself: not while the store is away, nor when nobody is signed in; it ends
    /// with the session, or with the task. What comes here is to be finished, a refund too;
    /// whatever is not finished comes again after the next start.
    public static func updates(in session: StoreSession) -> Updates { Updates(session: session) }

    /// See ``Transaction/updates(in:)``.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>
        public typealias Failure = Never

        fileprivate let session: StoreSession

        public func makeAsyncIterator() -> Iterator {
            Iterator(session: session, occurrences: Occurrences(session))
        }

        /// Waits for transactions. Each iterator hears of each one that comes while it is there;
        /// what came before the first one waited for it.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let session: StoreSession
            fileprivate let occurrences: Occurrences

            public mutating func next() async -> Element? {
                while let occurrence = await occurrences.next() {
                    guard case .transaction(let received) = occurrence else { continue }
                    // What cannot be decoded was never taken in.
                    if let result = try? await session.verify(received) { return result }
                }
                return nil
            }
        }
    }
}

/// What a session tells one listener, for as long as that is there.
final class Occurrences: Sendable {
    private let session: StoreSession
    private let number: Int
    private let stream: AsyncStream<Keeper.Occurrence>

    init(_ session: StoreSession) {
        self.session = session
        (number, stream) = session.listen()
    }

    deinit { session.keeper.stopListening(number) }

    func next() async -> Keeper.Occurrence? {
        // All iterators of such a stream take from the same.
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

extension StoreSession {
    /// Verifies on this device, each time that it is given out.
    func verify(
        _ received: ReceivedTransaction
    ) async throws(StoreKitError) -> VerificationResult<Transaction> {
        let (payload, error) = try await reader.transaction(received.jws)
        return Transaction.result(
            payload, error, jws: received.jws, isRestored: received.kind == .restored,
            session: self)
    }

    func finish(_ payload: JWSTransactionDecodedPayload) async throws(StoreKitError) {
        let finish = FinishedTransaction(
            id: payload.transactionId, fingerprint: payload.fingerprint)
        guard try keeper.finish(finish) else { return }
        do throws(StoreKitError) {
            let (account, token) = try keeper.signedInAccount()
            try await listener.tell(finish, account: account, token: token)
        } catch {
            // It is told later, by the listener, or after the next sign-in or start.
            guard error.isPassing || error == .notSignedIn else { throw error }
        }
    }

    fileprivate func entitlements() async throws(StoreKitError)
        -> [VerificationResult<Transaction>]
    {
        let account = try keeper.signedInAccount().name
        do throws(StoreKitError) {
            let answer = try await exchange.get("/storefront/v1/entitlements")
            let found = try await transactions(
                answer.requiredList("entitlements", "the entitlements"))
            keep(found, as: .entitlements, account: account)
            return found
        } catch {
            return try await entitlements(kept: kept(.entitlements, after: error))
        }
    }

    /// Keeps those that are verified.
    fileprivate func keep(
        _ results: [VerificationResult<Transaction>], as list: KeptEntry.List, account: String
    ) {
        let now = configuration.clock.now
        let entries = results.compactMap { result -> KeptEntry? in
            guard case .verified(let transaction) = result else { return nil }
            return KeptEntry(
                transaction.payload, at: now, jws: transaction.jwsRepresentation)
        }
        keeper.keep(entries, as: list, account: account, at: now)
    }

    fileprivate func page(
        after: String?
    ) async throws(StoreKitError) -> ([VerificationResult<Transaction>], next: String?) {
        let answer = try await exchange.get(
            StorePath("/storefront/v1/transactions").with("after", after).with("limit", "200"))
        let entries = try answer.requiredList("transactions", "a page")
        let last = try entries.last?.requiredText("transactionId", "a transaction")
        return (
            try await transactions(entries), next: answer["hasMore"]?.bool == true ? last : nil
        )
    }

    fileprivate func transactions(
        _ entries: [JSONValue]
    ) async throws(StoreKitError) -> [VerificationResult<Transaction>] {
        var found: [VerificationResult<Transaction>] = []
        for entry in entries {
            let jws = try entry.requiredText("signedTransactionInfo", "a transaction")
            let (payload, error) = try await reader.transaction(jws)
            found.append(
                Transaction.result(
                    payload, error, jws: jws, isRestored: entry["restored"]?.bool ?? false,
                    session: self))
        }
        return found
    }
}
