import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Sets what an app wants of customers who have subscribed; without names it asks nobody any
    /// more. What was shared stays shared (S308-96).
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.setting(.invalid)`.
    public func setOptIn(_ terms: OptInTerms, bundleID: String) async throws {
        try terms.check()
        try await catchUp()
        try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard app.optIn != terms else { return }
            try terms.save(app: app.id, in: work.session)
            work.record(.configuredApp) { $0.app = app.id }
            work.settingsChanged()
        }
    }

    /// Keeps what a customer has answered the publisher about a subscription: the details of a
    /// yes, or nil for a no, which is a revocation where something was shared (S308-95).
    ///
    /// The first yes of a subscription that is running lengthens its period by the app's bonus,
    /// once (S308-98).
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`; for a yes also
    ///   `.subscription(.notAsked)` where the app does not ask, `.refused(.notActive)`,
    ///   `.setting(.invalid)`.
    public func answerOptIn(
        subscription id: Int64, sharing details: SharedDetails?, by device: DeviceSession
    ) async throws -> OptIn {
        try details?.check()
        return try await write(about: .customer(device.customer)) { work in
            try work.catchUp(customer: device.customer)
            guard let record = try SubscriptionRecord.find(id, in: work.session),
                record.customer == device.customer, record.app == device.app
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            let earlier = try OptIn.find(subscription: id, in: work.session)
            guard let details else { return try work.withdraw(earlier, record) }
            return try work.share(details, earlier, record)
        }
    }

    /// Revokes what a customer shares about a subscription: it is erased. Where nothing is shared,
    /// nothing changes, and nobody asks.
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func revokeOptIn(subscription id: Int64, by device: DeviceSession) async throws {
        _ = try await answerOptIn(subscription: id, sharing: nil, by: device)
    }
}

extension UnitOfWork {
    fileprivate func share(
        _ details: SharedDetails, _ earlier: OptIn?, _ record: SubscriptionRecord
    ) throws -> OptIn {
        let app = try apps[record.app]
        guard !app.optIn.names.isEmpty else { throw StoreError.subscription(.notAsked) }
        guard !record.subscription.isOver else { throw StoreError.refused(.notActive) }
        var answer: OptIn
        if let earlier, earlier.state == .shared, earlier.details == details {
            answer = earlier
        } else {
            answer = try self.answer(earlier, .shared, record)
            answer.details = details
        }
        if answer.bonus == nil, let bonus = app.optIn.bonus, try reward(record, with: bonus) {
            answer.bonus = bonus
        }
        // Said again it is the same yes.
        guard answer != earlier else { return answer }
        try answer.save(in: session)
        note(.sharedDetails, answer)
        return answer
    }

    fileprivate func withdraw(
        _ earlier: OptIn?, _ record: SubscriptionRecord
    ) throws -> OptIn {
        if let earlier, earlier.state != .shared { return earlier }
        let answer = try self.answer(earlier, earlier == nil ? .declined : .revoked, record)
        try answer.save(in: session)
        note(earlier == nil ? .declinedDetails : .revokedDetails, answer)
        return answer
    }

    /// An answer of this moment, with nothing shared.
    private func answer(
        _ earlier: OptIn?, _ state: OptIn.State, _ record: SubscriptionRecord
    ) throws -> OptIn {
        OptIn(
            subscription: record.subscription.id, id: nextNumber(), app: record.app,
            environment: record.environment, customer: record.customer, state: state,
            productID: record.subscription.plan.productID, storefront: record.storefront,
            answered: now, details: nil, bonus: earlier?.bonus)
    }

    /// Lengthens the running period.
    ///
    /// - Returns: false where none is running, as in a grace period.
    private func reward(_ record: SubscriptionRecord, with bonus: CalendarPeriod) throws -> Bool {
        let one = try load(record.subscription.id)
        do {
            try one.handle(
                .wasExtended(ExtensionRequest(bonus: bonus)), at: now,
                about: record.subscription.newestPeriod.transactionID)
            return true
        } catch StoreError.refused(.notExtended) {
            return false
        }
    }

    private func note(_ kind: JournalEvent.Kind, _ answer: OptIn) {
        record(kind) { entry in
            entry.app = answer.app
            entry.customer = answer.customer
            entry.subscription = answer.subscription
        }
    }

    /// Erases what a customer shares with anybody, when the account begins anew.
    func eraseOptIns(ofCustomer customer: Int64) throws {
        for one in try OptIn.all(ofCustomer: customer, in: session) where one.state == .shared {
            var revoked = one
            (revoked.state, revoked.details) = (.revoked, nil)
            try revoked.save(in: session)
            note(.revokedDetails, revoked)
        }
    }
}
