import Journal
import Storage
import SubscriptionRules

extension Customer {
    /// Why what this customer wants to buy waits; nil where it does not.
    var hold: HeldPurchase.Reason? {
        if asksToBuy { return .askToBuy }
        return interruptsPurchases ? .interrupted : nil
    }
}

extension PurchaseWork {
    /// What has come of a purchase that waited.
    func replayHeld(_ earlier: JournalEntry) throws -> Sale {
        guard
            let held = try HeldPurchase.last(
                of: product.id, customer: customer.id, app: app.id, before: earlier.sequence,
                in: work.session)
        else { throw Stored.missing("its request", for: "journal \(earlier.sequence)") }
        if held.state == .waiting { return .held(held) }
        guard held.state == .approved, held.obstacle == nil else {
            throw StoreError.purchase(.requestClosed(held.id, held.state))
        }
        guard let bill = held.bill else { return .waitsForRenewal(try stillScheduled()) }
        if let transaction = try work.transaction(bill) {
            return .bought(transaction, isDeliveredAgain: false)
        }
        let isOutstanding = try work.bill(bill)?.state.isOutstanding ?? false
        return isOutstanding ? .pending(bill: bill) : .declined
    }

    /// The renewal that brings what was chosen before; nil once it has come, or brings another
    /// plan.
    func stillScheduled() throws -> Bought.Scheduled? {
        guard let group = product.subscription?.groupID,
            let one = try offers.running(in: group)?.subscription,
            let next = one.nextPlan, ExactText(next.productID) == ExactText(product.id)
        else { return nil }
        return one.scheduled(after: work.now, in: app.settings.billingZone)
    }

    /// What waits for somebody else; nil where it need not. Who may not pay is refused.
    func hold() throws -> HeldPurchase? {
        guard isApproved else {
            return try work.hold(request, of: customer, in: app, command: command)
        }
        guard customer.canMakePayments else {
            throw StoreError.purchase(.paymentsNotAllowed)
        }
        return nil
    }
}

extension Subscription {
    /// What the next renewal brings that may bring another plan; nil where none is to come.
    fileprivate func scheduled(after now: Instant, in zone: BillingZone) -> Bought.Scheduled? {
        let moment = commitmentEnd(in: zone) ?? newestPeriod.end
        guard !isOver, moment > now else { return nil }
        return Bought.Scheduled(productID: planOfNextTerm(in: zone).productID, moment: moment)
    }
}

extension SubscriptionWork {
    /// What a choice of a plan has come to.
    var sale: Sale {
        if let opened { return .bought(opened, isDeliveredAgain: false) }
        if let bill = record.subscription.outstanding?.bill { return .pending(bill: bill.id) }
        return .waitsForRenewal(
            record.subscription.scheduled(after: work.now, in: app.settings.billingZone))
    }

    /// Refuses a plan that cannot be chosen, without choosing it.
    func checkChoice(of plan: Plan, in storefront: Storefront) throws(StoreError) {
        try check(.chosePlan(plan), in: storefront)
    }

    /// Refuses what is not possible, without doing it.
    func check(_ event: Event, in storefront: Storefront) throws(StoreError) {
        var trial = record.subscription
        let current = app.product(trial.plan.productID)
        if let level = current?.subscription?.level { trial.rank(asLevel: level) }
        let conditions = app.conditions(for: customer, in: storefront)
        do throws(Refusal) {
            // Of what it would come to nothing is kept, so that no number need be its own.
            _ = try trial.handle(event, at: work.now, under: conditions) { .max }
        } catch {
            throw .refused(error)
        }
    }
}

extension UnitOfWork {
    /// Puts a purchase aside that somebody else lets happen, where the customer's are such: asked
    /// for again it is the same request, whose time begins anew (ATB-2).
    ///
    /// Whatever an ordinary purchase would be refused for was refused before.
    ///
    /// - Parameter subscription: the one whose plan is to change; nil for a purchase.
    /// - Returns: what waits now; nil where it need not.
    /// - Throws: `StoreError.purchase(.paymentsNotAllowed)`; rehearsed, `.purchase(.interrupted)`.
    func hold(
        _ request: PurchaseRequest, of customer: Customer, in app: App,
        subscription: Int64? = nil, command: Command? = nil
    ) throws -> HeldPurchase? {
        guard customer.canMakePayments else {
            throw StoreError.purchase(.paymentsNotAllowed)
        }
        guard let reason = customer.hold else { return nil }
        let waiting = try HeldPurchase.waiting(
            for: request.productID, customer: customer.id, app: app.id, in: session)
        var held =
            waiting
            ?? HeldPurchase(
                id: nextNumber(), app: app.id, environment: customer.environment,
                customer: customer.id, subscription: subscription, productID: request.productID,
                reason: reason, asked: now)
        (held.quantity, held.lines) = (request.quantity, request.lines)
        held.subscription = subscription
        (held.offer, held.billing) = (request.offer, request.billing)
        held.advancedCommerce = request.advancedCommerce?.request
        held.appAccountToken = request.appAccountToken ?? held.appAccountToken
        (held.reason, held.lapses) = (reason, now + HeldPurchase.patience)
        // Whoever only asks is refused as by the command; nothing is kept anyway.
        if keepsRecords, reason == .interrupted {
            throw StoreError.purchase(.interrupted(held.id))
        }
        try held.save(in: session)
        record(reason == .askToBuy ? .askedToBuy : .wasInterrupted, about: held) { entry in
            entry.commandID = command?.id
            entry.event.asked = command?.asked
        }
        return held
    }

    /// Lets a request lapse that nobody decided in time.
    func lapse(_ held: HeldPurchase, at moment: Instant) throws {
        var held = held
        (held.state, held.lapses, held.decided) = (.lapsed, nil, moment)
        try held.save(in: session)
        record(.purchaseLapsed, about: held, at: moment)
    }

    /// Puts into the journal what becomes of a request.
    func record(
        _ kind: JournalEvent.Kind, about held: HeldPurchase, at moment: Instant? = nil,
        _ fill: (inout JournalEntry) -> Void = { _ in }
    ) {
        record(kind, at: moment) { entry in
            entry.app = held.app
            entry.customer = held.customer
            entry.subscription = held.subscription
            entry.event.detail.productID = held.productID
            entry.event.detail.note = "request \(held.id)"
            fill(&entry)
        }
    }
}
