public import FoundationEssentials
import Synchronization

/// The older way to hear of transactions: an observer that is told what was updated, and a queue
/// from which what was given is finished. A thin layer on ``Transaction/updates(in:)`` and
/// ``Product/purchase(options:)``, for apps that were written for it; what it holds is verified.
public final class PaymentQueue: Sendable {
    private struct State {
        var observers: [any PaymentTransactionObserver] = []
        var transactions: [PaymentTransaction] = []
        var task: Task<Void, Never>?
        /// What observers are still to be told, in the order in which it happened.
        var tellings: [Telling] = []
        var isTelling = false
    }

    /// Something that happened, and who observed then.
    private struct Telling {
        let observers: [any PaymentTransactionObserver]
        let words: @Sendable (any PaymentTransactionObserver) -> Void
    }

    private let session: StoreSession
    private let state = Mutex(State())
    /// Rings when an observer comes.
    private let arrivals = Bell()

    public init(session: StoreSession) { self.session = session }

    deinit { state.withLock { $0.task?.cancel() } }

    /// What is not finished: observers were told of it, or are when one comes.
    public var transactions: [PaymentTransaction] { state.withLock { $0.transactions } }

    /// Whoever observes is told of every transaction from then on, beginning with what is not
    /// finished. The queue begins to listen with its first observer, so add it when the app starts.
    /// While there is none, whatever comes waits for the next one.
    public func add(_ observer: any PaymentTransactionObserver) {
        state.withLock { state in
            state.observers.append(observer)
            let transactions = state.transactions
            if !transactions.isEmpty {
                state.tellings.append(
                    Telling(observers: [observer]) { [self] in
                        $0.paymentQueue(self, updatedTransactions: transactions)
                    })
            }
            if state.task == nil { state.task = listen() }
        }
        arrivals.ring()
        tellAll()
    }

    /// Is told of nothing more.
    public func remove(_ observer: any PaymentTransactionObserver) {
        state.withLock { $0.observers.removeAll { $0 === observer } }
    }

    /// Buys. What comes of it is told to the observers: purchasing at once, then purchased,
    /// deferred or failed.
    public func add(_ payment: Payment) {
        let beginning = PaymentTransaction(payment: payment, state: .purchasing)
        update([beginning])
        Task { [self] in
            do {
                switch try await payment.product.purchase(options: payment.options) {
                case .success(.verified(let transaction)):
                    update([PaymentTransaction(transaction, payment, .purchased)])
                case .success(.unverified(_, let error)):
                    update([PaymentTransaction(payment: payment, state: .failed, error: error)])
                case .pending, .scheduled:
                    update([PaymentTransaction(payment: payment, state: .deferred)])
                case .userCancelled:
                    update([
                        PaymentTransaction(
                            payment: payment, state: .failed,
                            error: StoreKitError.userCancelled)
                    ])
                }
            } catch {
                update([PaymentTransaction(payment: payment, state: .failed, error: error)])
            }
        }
    }

    /// Takes a transaction out of the queue: what was paid for has been given, or what failed has
    /// been shown.
    public func finishTransaction(_ transaction: PaymentTransaction) async throws(StoreKitError) {
        try await transaction.transaction?.finish()
        happen {
            $0.transactions.removeAll { $0.isSame(as: transaction) }
        } told: { [self] in
            $0.paymentQueue(self, removedTransactions: [transaction])
        }
    }

    /// Brings back what the customer has bought. Observers are told of each transaction, as
    /// restored, and then that all were told of, or why they were not.
    public func restoreCompletedTransactions() {
        Task { [self] in
            do {
                try await AppStore.sync(in: session)
            } catch {
                happen { [self] in
                    $0.paymentQueue(self, restoreCompletedTransactionsFailedWithError: error)
                }
            }
        }
    }

    // MARK: Listening and telling

    /// Takes what the session gives out, one after the other.
    private func listen() -> Task<Void, Never> {
        let occurrences = Occurrences(session)
        return Task { [weak self, arrivals] in
            while let occurrence = await occurrences.next() {
                var isTaken = false
                while !isTaken {
                    let rung = arrivals.count
                    guard let taken = await self?.take(occurrence) else { return }
                    isTaken = taken
                    if !isTaken { await arrivals.next(after: rung) }
                }
            }
        }
    }

    /// - Returns: false where it is to be told and nobody observes.
    private func take(_ occurrence: Keeper.Occurrence) async -> Bool {
        switch occurrence {
        case .status: return true
        case .restored(nil):
            return happen { [self] in $0.paymentQueueRestoreCompletedTransactionsFinished(self) }
        case .restored(let error?):
            return happen { [self] in
                $0.paymentQueue(self, restoreCompletedTransactionsFailedWithError: error)
            }
        case .transaction(let received):
            // The older queue has no word for what is not verified: it is left out.
            guard case .verified(let transaction)? = try? await session.verify(received) else {
                return true
            }
            guard transaction.revocationDate != nil else {
                let state: PaymentTransaction.State =
                    transaction.isRestored ? .restored : .purchased
                update([PaymentTransaction(transaction, nil, state)])
                return true
            }
            let isTold = happen { [self] in
                $0.paymentQueue(
                    self, didRevokeEntitlementsForProductIdentifiers: [transaction.productID])
            }
            if isTold { try? await transaction.finish() }
            return isTold
        }
    }

    private func update(_ transactions: [PaymentTransaction]) {
        happen { state in
            for transaction in transactions {
                state.transactions.removeAll {
                    $0.isSame(as: transaction) || transaction.ends($0)
                }
                state.transactions.append(transaction)
            }
        } told: { [self] in
            $0.paymentQueue(self, updatedTransactions: transactions)
        }
    }

    /// Changes what is known, and tells whoever observes.
    ///
    /// - Returns: whether somebody does.
    @discardableResult
    private func happen(
        _ change: (inout State) -> Void = { _ in },
        told words: @escaping @Sendable (any PaymentTransactionObserver) -> Void
    ) -> Bool {
        let isObserved = state.withLock { state in
            change(&state)
            guard !state.observers.isEmpty else { return false }
            state.tellings.append(Telling(observers: state.observers, words: words))
            return true
        }
        tellAll()
        return isObserved
    }

    /// Tells one thing after the other, so that nobody hears of them in another order than they
    /// happened in. What happens meanwhile, also in an observer, is told afterwards.
    private func tellAll() {
        while let (observers, words) = nextTelling() {
            for observer in observers { words(observer) }
            state.withLock { $0.isTelling = false }
        }
    }

    /// - Returns: nil where nothing is to be told, or somebody is telling.
    private func nextTelling() -> (
        [any PaymentTransactionObserver], @Sendable (any PaymentTransactionObserver) -> Void
    )? {
        state.withLock { state in
            guard !state.isTelling, let telling = state.tellings.first else { return nil }
            state.tellings.removeFirst()
            state.isTelling = true
            let present = telling.observers.filter { one in
                state.observers.contains { $0 === one }
            }
            return (present, telling.words)
        }
    }
}

/// What is to be bought.
public final class Payment: Sendable {
    public let product: Product
    let options: Set<Product.PurchaseOption>

    /// - Parameters:
    ///   - quantity: 1 to 10.
    ///   - applicationUsername: the developer's own name for the customer; a UUID, for only that
    ///     becomes the transaction's app account token.
    public init(product: Product, quantity: Int = 1, applicationUsername: UUID? = nil) {
        self.product = product
        var options: Set<Product.PurchaseOption> = []
        if quantity != 1 { options.insert(.quantity(quantity)) }
        if let applicationUsername { options.insert(.appAccountToken(applicationUsername)) }
        self.options = options
    }
}

/// How far a payment has come.
public struct PaymentTransaction: Sendable {
    /// How far it has come.
    public enum State: Sendable, Hashable {
        case purchasing, purchased, failed, restored, deferred
    }

    public let transactionState: State
    /// What was to be bought here; nil for what came by itself.
    public let payment: Payment?
    /// What was bought, verified; nil until then.
    public let transaction: Transaction?
    /// Why it failed.
    public let error: (any Error)?

    /// Nil until it was bought.
    public var transactionIdentifier: String? { transaction.map { String($0.id) } }
    /// When it was charged, by the store's clock; nil until it was bought.
    public var transactionDate: Date? { transaction?.purchaseDate }
    /// Of what was restored or renewed: the identifier of the first purchase.
    public var originalTransactionIdentifier: String? {
        transaction.map { String($0.originalID) }
    }
    /// The product.
    public var productIdentifier: String? { transaction?.productID ?? payment?.product.id }

    init(payment: Payment, state: State, error: (any Error)? = nil) {
        transactionState = state
        self.payment = payment
        transaction = nil
        self.error = error
    }

    init(_ transaction: Transaction, _ payment: Payment?, _ state: State) {
        transactionState = state
        self.payment = payment
        self.transaction = transaction
        error = nil
    }

    /// Whether it is what a payment that was deferred has come to.
    func ends(_ other: PaymentTransaction) -> Bool {
        other.transactionState == .deferred && transaction != nil
            && other.productIdentifier == productIdentifier
    }

    /// Whether one takes the other's place in the queue.
    func isSame(as other: PaymentTransaction) -> Bool {
        if let payment, payment === other.payment { return true }
        guard let id = transactionIdentifier else { return false }
        return id == other.transactionIdentifier
    }
}

/// Whoever is told of transactions.
public protocol PaymentTransactionObserver: AnyObject, Sendable {
    /// Verify with the developer's server, give what was paid for, then finish.
    func paymentQueue(_ queue: PaymentQueue, updatedTransactions: [PaymentTransaction])
    /// They were finished.
    func paymentQueue(_ queue: PaymentQueue, removedTransactions: [PaymentTransaction])
    /// What was bought before has been told of in whole.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue)
    /// What was bought before could not be brought back.
    func paymentQueue(
        _ queue: PaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
    /// These were refunded, or the family shares them no more.
    func paymentQueue(
        _ queue: PaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String])
}

extension PaymentTransactionObserver {
    public func paymentQueue(_ queue: PaymentQueue, removedTransactions: [PaymentTransaction]) {}
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue) {}
    public func paymentQueue(
        _ queue: PaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {}
    public func paymentQueue(
        _ queue: PaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String]
    ) {}
}
