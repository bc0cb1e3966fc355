import AppStoreWire
import DueWork
import Journal
import Storage
public import SubscriptionRules

/// What a developer wants extended: every subscription of a product.
public struct MassExtensionOrder: Sendable, Hashable {
    public var productID: String
    /// Only these storefronts; nil for all.
    public var storefronts: [Storefront]?
    public var request: ExtensionRequest
    /// A UUID; repeating it starts nothing new. Nil lets the store choose one.
    public var requestIdentifier: String?

    public init(
        productID: String, storefronts: [Storefront]? = nil, request: ExtensionRequest,
        requestIdentifier: String?
    ) {
        self.productID = productID
        self.storefronts = storefronts
        self.request = request
        self.requestIdentifier = requestIdentifier
    }
}

extension Store {
    /// Takes an order to extend all active subscriptions of a product, which is carried out in the
    /// background: by the timekeeper, or by the next advance or settling.
    ///
    /// - Returns: the extension that began, or the one that began with this identifier earlier.
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`,
    ///   `.subscription(.notASubscription)`.
    @discardableResult
    public func massExtend(
        _ order: MassExtensionOrder, for caller: Caller
    ) async throws -> MassExtension {
        // Before the order is written: counting takes long, and others write meanwhile.
        let candidates = try await read { reader in
            try order.count(in: reader.apps.find(bundleID: caller.bundleID), caller, reader.session)
        }
        return try await write { work in
            let app = try work.apps.find(bundleID: caller.bundleID)
            guard let product = app.product(order.productID) else {
                throw StoreError.unknown(.product, order.productID)
            }
            guard product.subscription != nil else {
                throw StoreError.subscription(.notASubscription(order.productID))
            }
            if let identifier = order.requestIdentifier,
                var known = try MassExtension.find(
                    identifier, app: app.id, caller.environment, in: work.session)
            {
                known.isRepeated = true
                return known
            }
            var ordered = MassExtension(
                id: work.nextNumber(), app: app.id, environment: caller.environment,
                requestIdentifier: order.requestIdentifier
                    ?? work.derivedUUID("mass extension"), productID: order.productID,
                storefronts: order.storefronts, request: order.request, created: work.now,
                failing: app.settings.failingExtensions)
            ordered.candidates = candidates
            try ordered.insert(in: work.session)
            work.record(.orderedMassExtension) { entry in
                entry.app = app.id
                entry.event.detail = ordered.detail
            }
            // Who rehearses it wants to know what comes of it.
            if work.keepsRecords { _ = try work.processNextPiece(of: &ordered) }
            return ordered
        }
    }
}

extension MassExtensionOrder {
    fileprivate func count(
        in app: App, _ caller: Caller, _ session: any Session
    ) throws -> Int64 {
        try MassExtension.candidates(
            of: productID, storefronts, app: app.id, caller.environment, in: session)
    }
}

extension UnitOfWork {
    /// Looks at the next subscriptions of a mass extension, extends those that may be, and writes
    /// down how far it came; at the end the developer gets the summary.
    ///
    /// - Returns: how many were looked at.
    func processNextPiece(of order: inout MassExtension) throws -> Int {
        let piece = try order.next(batchSize, passingOver: setAside, in: session)
        try bring(&order, to: piece)
        order.reached = piece.last ?? order.reached
        if piece.isLast { try complete(&order, at: max(order.created, now)) }
        try order.saveProgress(in: session)
        if piece.isLast { try CustomerAhead.forgetAfterLastJob(in: session) }
        return piece.subscriptions.count
    }

    /// Brings a mass extension to a customer.
    func processAhead(of order: inout MassExtension, for customer: Int64) throws {
        let piece = try order.next(ofCustomer: customer, passingOver: setAside, in: session)
        guard piece.last != nil else { return }
        try bring(&order, to: piece)
        try order.saveProgress(in: session)
    }

    private func bring(_ order: inout MassExtension, to piece: JobPiece) throws {
        for (record, customer) in piece.subscriptions {
            let isExtended = try Damage.of("subscription", record.subscription.id) { [order] in
                let one = SubscriptionWork(
                    work: self, app: try apps[record.app], customer: customer, record: record)
                return try one.extend(for: order)
            }
            if isExtended { order.succeeded += 1 } else { order.failed += 1 }
        }
        order.failed += Int64(piece.damaged)
    }

    private func complete(_ order: inout MassExtension, at moment: Instant) throws {
        order.completed = moment
        record(.completedMassExtension, at: moment) { entry in
            entry.app = order.app
            entry.event.detail = order.detail
        }
        guard try keepsNotifications(order.app, order.environment) else { return }
        notify(
            .renewalExtension, .summary, app: order.app, environment: order.environment,
            customer: nil, at: moment,
            detail: try order.summary(of: apps[order.app]).jsonText())
    }
}

extension SubscriptionWork {
    /// Extends one subscription of a mass extension, or says that it failed.
    ///
    /// - Returns: whether it was extended.
    fileprivate func extend(for order: MassExtension) throws -> Bool {
        let newest = record.subscription.newestPeriod.transactionID
        guard !order.fails(record.subscription.id) else {
            try failExtension("provoked", order)
            return false
        }
        do {
            try handle(
                .wasExtended(order.request), at: order.created, about: newest,
                note: order.requestIdentifier)
            return true
        } catch StoreError.refused(.notExtended(let refusal)) {
            try failExtension(refusal.rawValue, order)
            return false
        }
    }

    private func failExtension(_ reason: String, _ order: MassExtension) throws {
        try order.keepFailure(of: record.subscription.id, reason, in: work.session)
        try tell(
            .extensionFailed, .renewalExtensionFailed, at: order.created,
            note: "\(reason) \(order.requestIdentifier)")
    }
}
