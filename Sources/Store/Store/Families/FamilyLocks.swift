import Storage

extension UnitOfWork {
    /// Locks the families of those whose subscriptions were taken up. What belongs to a family that
    /// somebody else has locked is left to them: nobody waits (0030).
    func lockingFamilies(of items: [SubscriptionWork]) throws -> [SubscriptionWork] {
        guard locked != nil else { return items }
        let organisers = Set(items.compactMap(\.customer.organiser))
        guard !organisers.isEmpty else { return items }
        let free = try Customer.lockFree(organisers, in: session)
        for member in try Customer.ofOrganisers(free, in: session) { lock(member) }
        return items.filter { $0.customer.organiser.map(free.contains) ?? true }
    }
}
