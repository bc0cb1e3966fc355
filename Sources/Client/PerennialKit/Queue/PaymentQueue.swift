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
        var restores = 0
    }

    private let session: StoreSession
    private let state = Mutex(State())

    public init(session: StoreSession) { self.session = session }

    deinit { state.withLock { $0.task?.cancel() } }

    /// What was told to observers and is not finished.
    public var transactions: [PaymentTransaction] { state.withLock { $0.transactions } }

    /// Whoever observes is told of every transaction from then on, beginning with what is not
    /// finished. The queue begins to listen with its first observer, so add it when the app starts.
    public func add(_ observer: any PaymentTransactionObserver) {
        let begins = state.withLock { state in
            state.observers.append(observer)
            return state.task == nil
        }
        guard begins else { return }
        let occurrences = Occurrences(session)
        let task = Task { [weak self] in
            while let occurrence = await occurrences.next() {
                guard let self else { return }
                await self.take(occurrence)
            }
        }
        state.withLock { $0.task = task }
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
        state.withLock { $0.transactions.removeAll { $0.isSame(as: transaction) } }
        for observer in state.withLock({ $0.observers }) {
            observer.paymentQueue(self, removedTransactions: [transaction])
        }
    }

    /// Brings back what the customer has bought. Observers are told of each transaction, as
    /// restored, and then that all were told of, or why they were not.
    public func restoreCompletedTransactions() {
        Task { [self] in
            do {
                try await AppStore.sync(in: session)
            } catch {
                for observer in state.withLock({ $0.observers }) {
                    observer.paymentQueue(self, restoreCompletedTransactionsFailedWithError: error)
                }
            }
        }
    }

    private func take(_ occurrence: Keeper.Occurrence) async {
        switch occurrence {
        case .status: break
        case .restored:
            for observer in state.withLock({ $0.observers }) {
                observer.paymentQueueRestoreCompletedTransactionsFinished(self)
            }
        case .transaction(let received):
            // The older queue has no word for what is not verified: it is left out.
            guard case .verified(let transaction)? = try? await session.verify(received) else {
                return
            }
            if transaction.revocationDate != nil {
                for observer in state.withLock({ $0.observers }) {
                    observer.paymentQueue(
                        self, didRevokeEntitlementsForProductIdentifiers: [transaction.productID])
                }
                try? await transaction.finish()
            } else {
                update([
                    PaymentTransaction(
                        transaction, nil, transaction.isRestored ? .restored : .purchased)
                ])
            }
        }
    }

    private func update(_ transactions: [PaymentTransaction]) {
        let observers = state.withLock { state in
            for transaction in transactions {
                state.transactions.removeAll {
                    $0.isSame(as: transaction) || transaction.ends($0)
                }
                state.transactions.append(transaction)
            }
            return state.observers
        }
        for observer in observers {
            observer.paymentQueue(self, updatedTransactions: transactions)
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
