public import SubscriptionRules

/// A bank, or a payment processor, outside of the database.
///
/// One bill is one payment with one method under one key, the bill's number. The store writes a
/// bill down as sent before it asks, and asks nobody inside a transaction. Every question may be
/// asked again and by several processes at once. Whoever adapts a processor gives nil for
/// whatever leaves open what became of a question: no answer in time, a broken connection, a
/// fault of the processor's own, too many requests, or that the same question is still being
/// worked on. A call ends within `BankTraits.callLimit`.
///
/// No card data ever comes here: a customer's method is the processor's own token for it.
public protocol Bank: Sendable {
    /// What the store has to know of it; read once, when the store is opened.
    var traits: BankTraits { get }

    /// Whether it takes payments of an amount: its currency, and no less than the least.
    func canCollect(_ amount: Money) -> Bool

    /// Collects a payment. The same order again, within the key's life, collects nothing more.
    func create(_ order: PaymentOrder) async -> PaymentReport?

    /// How a payment stands: the one truth about it. What the store itself gave back is left out
    /// of account.
    func lookUp(bill: Int64) async -> PaymentReport?

    /// Gives a payment up, so that it can never be paid later; also one that was declined. Where
    /// it is too late for that, says how the payment stands.
    func void(bill: Int64) async -> PaymentReport?

    /// Gives money back. The same order again, within the key's life, gives nothing more.
    func refund(_ order: RefundOrder) async -> RefundReport?

    /// How a refund stands.
    func lookUpRefund(_ id: Int64) async -> RefundReport?

    /// Reads a message that came from outside, and checks by its signature that the bank sent it.
    /// What it says of a payment counts for nothing: the store looks up.
    ///
    /// - Parameters:
    ///   - body: the bytes as they came.
    ///   - headers: the names and values as they came.
    /// - Returns: what has changed; nothing for a message about something else.
    /// - Throws: `BankMessageRefused` for one that the bank did not send.
    func receive(
        _ body: [UInt8], headers: [(name: String, value: String)]
    ) async throws(BankMessageRefused) -> [BankReference]

    /// What has changed since a place in the bank's own list, for messages that never came.
    ///
    /// - Parameter cursor: the place that the last call gave; nil the first time.
    /// - Returns: nil when the bank has no such list or did not answer.
    func changes(since cursor: String?) async -> BankChanges?
}

extension Bank {
    /// It takes every amount.
    public func canCollect(_ amount: Money) -> Bool { true }

    /// It has no such list.
    public func changes(since cursor: String?) async -> BankChanges? { nil }
}

/// What the store has to know of a bank.
public struct BankTraits: Sendable, Hashable {
    /// How long one call takes at most.
    public var callLimit: Span
    /// For how long the same order is answered and not carried out again.
    public var keyLife: Span
    /// By how much a look-up may lag behind.
    public var lookUpDelay: Span
    /// How long a payment may be pending before it should be looked into.
    public var longestAnswer: Span
    /// Whether a payment that was declined can never be paid later, without being voided.
    public var declinesAreFinal: Bool

    /// The common ones: calls of 30 seconds, keys that live a day, look-ups that lag a minute
    /// behind, debits that take 14 days, and payments that stay open after a decline.
    public init(
        callLimit: Span = .seconds(30), keyLife: Span = .hours(24),
        lookUpDelay: Span = .minutes(1), longestAnswer: Span = .days(14),
        declinesAreFinal: Bool = false
    ) {
        self.callLimit = callLimit
        self.keyLife = keyLife
        self.lookUpDelay = lookUpDelay
        self.longestAnswer = longestAnswer
        self.declinesAreFinal = declinesAreFinal
    }
}

/// A payment to be collected.
public struct PaymentOrder: Sendable, Hashable {
    /// The bill: the key, and what the payment is to be found by.
    public let bill: Int64
    public let amount: Money
    /// The bank's own name for the customer's payment method.
    public let method: String
    /// Whether the customer is there and asked for it just now.
    public let isPresent: Bool

    /// Makes an order.
    public init(bill: Int64, amount: Money, method: String, isPresent: Bool) {
        self.bill = bill
        self.amount = amount
        self.method = method
        self.isPresent = isPresent
    }
}

/// Money to be given back.
public struct RefundOrder: Sendable, Hashable {
    /// Its own number: the key, and what it is to be found by.
    public let id: Int64
    /// The payment that it goes back from.
    public let bill: Int64
    public let amount: Money

    /// Makes an order.
    public init(id: Int64, bill: Int64, amount: Money) {
        self.id = id
        self.bill = bill
        self.amount = amount
    }
}

/// What a bank says of a payment. That it says nothing is nil.
public enum PaymentReport: Sendable, Hashable {
    /// The amount was collected.
    case paid(Money)
    /// - Parameter code: the bank's own word for the reason.
    case declined(DeclineClass, code: String)
    /// The bank has it and has not decided.
    case pending
    case voided
    /// So much of what was collected was taken back, by a dispute or since a debit failed late.
    case reversed(Money)
    /// What was taken back is there again.
    case restored(Money)
    /// The bank knows of no such payment.
    case notKnown
    /// The bank says what nobody here understands, or refuses the question as a mistake.
    case unclear(String)
}

/// What a bank says of a refund. That it says nothing is nil.
public enum RefundReport: Sendable, Hashable {
    /// The bank has it; the money is on its way.
    case accepted
    case done
    /// The money is still here, or came back: also after it was done.
    case failed(String)
    case notKnown
    case unclear(String)
}

/// What a decline means for the next attempt.
public enum DeclineClass: String, Sendable, Hashable, CaseIterable {
    /// It may go well another day.
    case soft
    /// Never again with this method: lost, stolen, revoked.
    case hard
    /// Not until the customer has changed something about the method: expired, closed.
    case method
    /// Only while the customer is there to confirm it.
    case authenticate
    /// The request was wrong; no customer can help it.
    case configuration

    /// Whether a method that was declined so can be asked again.
    func allowsAnother(isPresent: Bool) -> Bool {
        switch self {
        case .soft, .configuration: true
        case .authenticate: isPresent
        case .hard, .method: false
        }
    }
}

/// What a message or a list of changes is about.
public enum BankReference: Sendable, Hashable {
    case bill(Int64)
    case refund(Int64)

    var id: Int64 {
        switch self {
        case .bill(let id), .refund(let id): id
        }
    }
}

/// A piece of a bank's list of changes.
public struct BankChanges: Sendable {
    public var references: [BankReference]
    /// The place from which to go on.
    public var cursor: String

    public init(_ references: [BankReference], cursor: String) {
        self.references = references
        self.cursor = cursor
    }
}

/// A message is not the bank's: its signature is missing, wrong or too old.
public struct BankMessageRefused: Error, Sendable {
    public init() {}
}
