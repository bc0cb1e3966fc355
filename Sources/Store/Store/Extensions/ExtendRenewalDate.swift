import AppStoreWire
import Journal
import Storage
public import SubscriptionRules

/// A renewal date that was extended.
public struct Extended: Sendable, Hashable {
    /// The subscription.
    public let originalTransactionID: Int64
    /// Its newest transaction, whose period ends later now.
    public let transactionID: Int64
    /// When that period ends.
    public let effective: Instant
    /// Whether the request was known, so that nothing changed.
    public let isRepeated: Bool

    /// The billing event of that transaction.
    public var webOrderLineItemID: Int64 { Presenter.webOrderLineItem(transactionID) }
}

extension Store {
    /// Moves one subscription's renewal date into the future (EXT-1 to EXT-11).
    ///
    /// - Parameter requestIdentifier: repeating it for the same subscription changes nothing and
    ///   gives the first answer.
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.subscription(.notASubscription)`,
    ///   `.refused(.notExtended)`.
    public func extend(
        originalTransaction id: Int64, _ request: ExtensionRequest, requestIdentifier: String,
        for caller: Caller
    ) async throws -> Extended {
        try await write(about: .transaction(id)) { work in
            let app = try work.apps.find(bundleID: caller.bundleID)
            guard let transaction = try TransactionRecord.find(id, in: work.session),
                transaction.app == app.id, transaction.environment == caller.environment,
                transaction.originalID == id
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            guard transaction.source == nil else {
                throw StoreError.refused(.notExtended(.familyMember))
            }
            guard transaction.subscription != nil else {
                throw StoreError.subscription(.notASubscription(transaction.productID))
            }
            return try work.extend(id, request, requestIdentifier)
        }
    }

    /// The same for the operator, who is not asked for an app.
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.refused(.notExtended)`.
    public func extend(
        subscription id: Int64, _ request: ExtensionRequest, requestIdentifier: String,
        in environment: StoreEnvironment
    ) async throws -> Extended {
        try await write(about: .subscription(id)) { work in
            guard try SubscriptionRecord.find(id, in: work.session)?.environment == environment
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            return try work.extend(id, request, requestIdentifier)
        }
    }
}

extension Store {
    /// From when on a subscription can be extended again, be it past; nil where it was extended
    /// less than twice (EXT-11).
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func extendable(_ id: Int64) async throws -> Instant? {
        let found = try await subscription(id)
        return ExtensionEligibility.nextAllowed(
            after: found.1.extensions, tempo: found.0.tempo)
    }
}

extension UnitOfWork {
    fileprivate func extend(
        _ id: Int64, _ request: ExtensionRequest, _ requestIdentifier: String
    ) throws -> Extended {
        // `MassExtension.failures` finds the command by this text.
        let command = Command(
            id: "extend/\(id)/\(requestIdentifier)",
            asked: "\(request.days) \(request.reason.rawValue)")
        if let earlier = try earlier(command.id) {
            guard let newest = earlier.event.transactionID, let until = earlier.event.until
            else { throw Stored.missing("the end", for: "journal \(earlier.sequence)") }
            return Extended(
                originalTransactionID: id, transactionID: newest, effective: until,
                isRepeated: true)
        }
        let one = try subscription(id)
        let newest = one.record.subscription.newestPeriod.transactionID
        try one.handle(.wasExtended(request), at: now, about: newest, command: command)
        return Extended(
            originalTransactionID: id, transactionID: newest,
            effective: one.record.subscription.newestPeriod.end, isRepeated: false)
    }
}
