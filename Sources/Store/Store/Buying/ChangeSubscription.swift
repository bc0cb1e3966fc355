import AppStoreWire
import DueWork
import Storage
public import SubscriptionRules

/// What a customer changes on the manage-subscriptions screen.
public enum SubscriptionChange: Sendable, Hashable {
    /// Off: access lasts to the end of the period; on again before it: nothing is charged (EXP-1).
    case renewal(isOn: Bool)
    /// Another product of the group, or the current one to withdraw a waiting change.
    /// Unless it is said how it is to be billed, the current one stays as it is, and any other is
    /// paid up front.
    case product(String, BillingPlan? = nil)
    /// The answer to an announced price increase.
    case priceIncrease(agrees: Bool)
}

extension Store {
    /// Changes a subscription of the customer on a device; either all changes happen or none. A
    /// plan that somebody else approves waits, and what else is changed happens.
    ///
    /// - Returns: the request that waits for approval; nil where nothing does.
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.unknown(.product)`,
    ///   `.purchase(.notForSale)`, `.purchase(.notBilledMonthly)`,
    ///   `.subscription(.wrongGroup)`, `.refused`,
    ///   `.purchase(.paymentDeclined)`, `.purchase(.paymentsNotAllowed)`,
    ///   `.purchase(.interrupted)`, `.family(.isShared)` (FAM-7).
    @discardableResult
    public func change(
        subscription id: Int64, _ changes: [SubscriptionChange], by device: DeviceSession
    ) async throws -> Int64? {
        let (held, isDone, bill) = try await write(about: .customer(device.customer)) {
            work -> (HeldPurchase?, Bool, Bill?) in
            try work.catchUp(customer: device.customer)
            let held = try work.hold(changes, of: id, by: device)
            let done: Void? = try work.unlessDeclined {
                try work.change(id, held.map { changes.besides($0) } ?? changes, by: device)
            }
            guard done != nil, work.bank != nil else { return (held, done != nil, nil) }
            try work.writeStaged()
            return (held, true, try work.load(id).record.subscription.outstanding?.bill)
        }
        guard isDone else { throw StoreError.purchase(.paymentDeclined) }
        if let held, held.reason == .interrupted {
            throw StoreError.purchase(.interrupted(held.id))
        }
        guard let bill, bill.isChosen else { return held?.id }
        await listen(for: bill.id)
        let state = try await read { try BillRecord.state(of: bill.id, in: $0.session) }
        if state == .declined || state == .void { throw StoreError.purchase(.paymentDeclined) }
        return held?.id
    }

    /// A price of one of a subscriber's lines changes: a lower one from the next charge on (PRC-4),
    /// a higher one once the subscriber was told or has agreed (INC-2).
    ///
    /// - Parameters:
    ///   - sku: one that the subscription delivers, or will from the next renewal on.
    ///   - price: in milliunits of the subscription's currency.
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.unknown(.product)`,
    ///   `.setting(.invalid)`, `.refused(.notActive)`.
    public func changePrice(of sku: String, to price: Int64, subscription id: Int64) async throws {
        try await write(about: .subscription(id)) { work in
            let one = try work.subscription(id)
            let subscription = one.record.subscription
            guard !subscription.isOver else { throw StoreError.refused(.notActive) }
            guard subscription.plan.line(sku) ?? subscription.nextPlan?.line(sku) != nil else {
                throw StoreError.unknown(.product, sku)
            }
            try subscription.plan.currency.checkPrice(price)
            let plan =
                subscription.plan.line(sku) == nil ? subscription.nextPlan : subscription.plan
            try one.handle(
                .priceWasChanged(of: sku, to: price, billed: plan?.billing ?? .upFront),
                at: work.now)
        }
    }

    /// Ends a subscription at once, without a refund: EXPIRED with intent 5.
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.refused(.notActive)`.
    public func end(subscription id: Int64) async throws {
        try await write(about: .subscription(id)) { work in
            let one = try work.subscription(id)
            try one.handle(.wasEnded, at: work.now)
        }
    }
}

extension UnitOfWork {
    fileprivate func change(
        _ id: Int64, _ changes: [SubscriptionChange], by device: DeviceSession
    ) throws {
        let one = try own(id, by: device)
        for change in changes {
            switch change {
            case .renewal(let isOn):
                try one.handle(isOn ? .turnedRenewalOn : .turnedRenewalOff, at: now)
            case .product(let productID, let billing):
                // What is over is bought again, with today's offers and storefront.
                guard !one.record.subscription.isOver else {
                    throw StoreError.refused(.notActive)
                }
                try one.choose(try one.plan(of: productID, billing))
            case .priceIncrease(let agrees):
                try one.handle(.answeredPriceIncrease(agrees: agrees), at: now)
            }
        }
    }
}

extension UnitOfWork {
    /// A subscription that the customer on a device bought.
    private func own(_ id: Int64, by device: DeviceSession) throws -> SubscriptionWork {
        do {
            let one = try load(id)
            if one.record.customer == device.customer, one.record.app == device.app { return one }
        } catch StoreError.unknown(.originalTransaction, _) {
            // Only who asks for what is no subscription is asked whether it is shared.
            if try FamilyShare.find(id, in: session)?.member == device.customer {
                throw StoreError.family(.isShared(String(id)))
            }
        }
        throw StoreError.unknown(.originalTransaction, String(id))
    }
}

extension UnitOfWork {
    /// Lets everything happen that is due by now for a customer, in the order of its moments:
    /// what was owed before is charged before anything new. What jobs have in store for the
    /// customer is done ahead of them, so that nobody waits for what concerns others.
    ///
    /// - Throws: `PriceIsDue`, upon which the change starts again with the price live.
    func catchUp(customer id: Int64) throws {
        try settlePrices()
        for job in try Job.all(ofCustomer: id, by: now, passingOver: setAside, in: session) {
            // What it has done for everybody is counted.
            if job.isAboutMany { try needToBeAlone() }
            try makeDueHappen(ofCustomer: id, by: job.others)
            try job.goAhead(self, for: id)
            try writeStaged()
        }
        try makeDueHappen(ofCustomer: id, by: now)
        // Whatever the customer has from here on, jobs that are under way pass over.
        if try CustomerAhead.isToBeSaid(of: id, by: now, in: session) {
            try CustomerAhead(customer: id, moment: now, number: comingNumber()).save(in: session)
        }
    }

    private func makeDueHappen(ofCustomer id: Int64, by horizon: Instant) throws {
        while true {
            let bill = try BillRecord.next(
                ofCustomer: id, by: horizon, passingOver: setAside, in: session)
            let before = bill.map { Job.bill($0).others } ?? horizon
            let letters = try nextLetters(to: id, by: before)
            if let next = try SubscriptionRecord.nextDue(
                ofCustomer: id, by: letters ?? before, in: session)
            {
                let one = try load(next)
                try one.becomeDue()
            } else if let letters {
                try writeLetters(to: id, at: letters)
            } else if let bill {
                try Job.bill(bill).goAhead(self, for: id)
            } else {
                return
            }
            try writeStaged()
        }
    }

    /// When a customer is written to next, where that is due.
    private func nextLetters(to id: Int64, by horizon: Instant) throws -> Instant? {
        guard mailroom != nil, !setAside.identifiers(of: "letter_due").contains(id) else {
            return nil
        }
        return try letterDue(of: id).moment.flatMap { $0 <= horizon ? $0 : nil }
    }

    private func writeLetters(to id: Int64, at moment: Instant) throws {
        guard let customer = try Customer.find(id, in: session) else {
            throw Stored.missing("customer \(id)", for: "letter_due \(id)")
        }
        try Damage.of("letter_due", id) {
            try writeLetters(
                to: customer, at: moment,
                about: try SubscriptionRecord.readable(
                    ofCustomer: id, passingOver: setAside, in: session))
        }
    }

    /// A subscription with everything done that is due by now for its customer.
    func subscription(_ id: Int64) throws -> SubscriptionWork {
        try catchUp(customer: try load(id).customer.id)
        return try load(id)
    }

    /// A subscription as it stands.
    func load(_ id: Int64) throws -> SubscriptionWork {
        guard let record = try SubscriptionRecord.find(id, in: session) else {
            throw StoreError.unknown(.originalTransaction, String(id))
        }
        guard let customer = try Customer.find(record.customer, in: session) else {
            throw Stored.missing("customer \(record.customer)", for: "subscription \(id)")
        }
        return SubscriptionWork(
            work: self, app: try apps[record.app], customer: customer, record: record)
    }
}

extension SubscriptionWork {
    /// The plan that a product of this subscription's group stands for.
    ///
    /// - Parameter billing: nil for the running one of the product that the customer has, and else
    ///   up front.
    func plan(of productID: String, _ billing: BillingPlan? = nil) throws -> Plan {
        guard let product = app.product(productID) else {
            throw StoreError.unknown(.product, productID)
        }
        guard let terms = product.subscription else {
            throw StoreError.subscription(.notASubscription(productID))
        }
        // What stands for a merchant's own items is sold by its requests alone.
        guard !product.isGeneric else {
            throw StoreError.advancedCommerce(.AdvancedCommerce.nullAdvancedCommerceData)
        }
        let group = record.subscription.groupID
        guard terms.groupID == group else {
            throw StoreError.subscription(.wrongGroup(product: productID, group: group))
        }
        // Whoever has the product may keep it; everything else must be on sale.
        let running = record.subscription.plan
        let isRunning = productID == running.productID
        let billing = billing ?? (isRunning ? running.billing : .upFront)
        return try app.plan(
            of: product, billing, in: record.storefront, record.environment,
            isKept: isRunning && billing == running.billing && record.subscription.isEntitled)
    }
}
