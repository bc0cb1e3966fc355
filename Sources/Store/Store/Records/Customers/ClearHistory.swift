import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Lets a Sandbox account begin anew, as if it had never bought anything: introductory offers
    /// are there again, and what is bought only once can be bought (SBX-5).
    ///
    /// What it bought stays with an account of another name, so that histories, statuses and
    /// refunds by old transactions go on: nothing that was signed is taken back. Subscriptions end
    /// at once, which the developer is told, and what waits is given up. A family is left before,
    /// and ends where the account was its organiser. Devices stay signed in, as the account that
    /// begins anew; its settings stay.
    ///
    /// - Returns: the name of the account that has the history now.
    /// - Throws: `StoreError.unknown(.account)`, `.setting(.invalid)` where there is nothing to
    ///   clear.
    @discardableResult
    public func clearHistory(account: String) async throws -> String {
        try await write { work in
            guard
                let known = try Customer.find(account: account, .sandbox, in: work.session)
            else { throw StoreError.unknown(.account, account) }
            try work.catchUp(customer: known.id)
            if let family = try Family.find(ofCustomer: known.id, in: work.session) {
                try work.leave(family, known.id)
            }
            try work.endEverything(ofCustomer: known.id)
            try work.eraseOptIns(ofCustomer: known.id)
            guard let old = try Customer.find(known.id, in: work.session) else {
                throw Stored.missing("customer \(known.id)", for: "an account of its name")
            }
            return try work.beginAnew(old)
        }
    }
}

extension UnitOfWork {
    /// Ends what runs and gives up what waits.
    fileprivate func endEverything(ofCustomer id: Int64) throws {
        for record in try SubscriptionRecord.all(ofCustomer: id, in: session)
        where !record.subscription.isOver {
            try load(record.subscription.id).handle(.wasEnded, at: now)
            try writeStaged()
        }
        for bill in try BillRecord.outstanding(ofCustomer: id, in: session) {
            _ = try answer(bill.id, .voided, at: now)
            try writeStaged()
        }
        for var held in try HeldPurchase.waiting(ofCustomer: id, in: session) {
            (held.state, held.lapses, held.decided) = (.declined, nil, now)
            try held.save(in: session)
            record(.declinedPurchase, about: held)
        }
    }

    /// Makes the account anew under its name, and gives what it was another name.
    fileprivate func beginAnew(_ old: Customer) throws -> String {
        var number = 1
        func name() -> String { "\(old.account.prefix(200)) (history \(number))" }
        while try Customer.find(account: name(), .sandbox, in: session) != nil { number += 1 }
        try old.rename(to: name(), in: session)
        let fresh = Customer(succeeding: old, id: nextNumber(), at: now)
        try fresh.insert(in: session)
        try Customer.setSharesNew(old.sharesNewPurchases, of: fresh.id, in: session)
        try moveDevices(from: old.id, to: fresh.id)
        for app in apps.all
        where try AppCopy.find(customer: old.id, app: app.id, in: session) != nil {
            try acquire(app, for: fresh.id)
        }
        record(.clearedHistory) { entry in
            entry.customer = fresh.id
            entry.event.detail.note = name()
        }
        return name()
    }
}
