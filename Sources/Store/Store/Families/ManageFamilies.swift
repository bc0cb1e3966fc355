import Journal
import Storage
import SubscriptionRules

/// Families are changed alone (0030): nothing that a member has is changed meanwhile.
extension Store {
    /// Makes a family of an organiser and others, who share from now on.
    ///
    /// - Returns: its number.
    /// - Throws: `StoreError.unknown(.account)`, `.family(.inFamily)`, `.family(.isFull)`.
    @discardableResult
    public func createFamily(
        organiser account: String, with others: [String] = [],
        in environment: StoreEnvironment
    ) async throws -> Int64 {
        try await write { work in
            let organiser = try work.newcomer(account, environment)
            let family = Family(
                id: work.nextNumber(), environment: environment, created: work.now)
            try family.insert(in: work.session)
            work.record(.createdFamily) { entry in
                entry.customer = organiser.id
                entry.event.note = String(family.id)
            }
            try work.take(organiser, into: family.id, environment)
            for other in others {
                try work.take(try work.newcomer(other, environment), into: family.id, environment)
            }
            return family.id
        }
    }

    /// Takes an account into a family: it gains what the others share, and they what it shares.
    ///
    /// - Throws: `StoreError.unknown`: `.family`, `.account`; `.family(.inFamily)`,
    ///   `.family(.isFull)`.
    public func join(
        family id: Int64, account: String, in environment: StoreEnvironment
    ) async throws {
        try await write { work in
            guard try Family.find(id, environment, in: work.session) != nil else {
                throw StoreError.unknown(.family, String(id))
            }
            try work.take(try work.newcomer(account, environment), into: id, environment)
        }
    }

    /// Lets an account leave its family, by itself or removed by the organiser: what was shared
    /// with it and what it shared is lost at once (FAM-6).
    ///
    /// - Parameter id: the family that it must be in; nil for whichever it is in.
    /// - Throws: `StoreError.unknown`: `.family`, `.account`; `.family(.notInFamily)`,
    ///   `.family(.isOrganiser)`, who ends the family instead.
    public func leave(
        family id: Int64? = nil, account: String, in environment: StoreEnvironment
    ) async throws {
        try await write { work in
            if let id, try Family.find(id, environment, in: work.session) == nil {
                throw StoreError.unknown(.family, String(id))
            }
            guard
                let customer = try Customer.find(account: account, environment, in: work.session)
            else { throw StoreError.unknown(.account, account) }
            let family = try Family.find(ofCustomer: customer.id, in: work.session)
            guard let family, id ?? family.id == family.id else {
                throw StoreError.family(.notInFamily(account))
            }
            guard customer.organiser != customer.id else {
                throw StoreError.family(.isOrganiser(account))
            }
            try work.catchUp(family)
            try work.letGo(customer.id, of: family)
        }
    }

    /// Ends a family: everybody keeps what is their own, and nothing else.
    ///
    /// - Throws: `StoreError.unknown(.family)`.
    public func endFamily(_ id: Int64, in environment: StoreEnvironment) async throws {
        try await write { work in
            guard let family = try Family.find(id, environment, in: work.session) else {
                throw StoreError.unknown(.family, String(id))
            }
            try work.end(family)
        }
    }

    /// Lets the customer on a device leave; the organiser's leaving ends the family.
    ///
    /// - Throws: `StoreError.family(.notInFamily)`.
    public func leaveFamily(by device: DeviceSession) async throws {
        try await write { work in
            guard let family = try Family.find(ofCustomer: device.customer, in: work.session)
            else { throw StoreError.family(.notInFamily("")) }
            try work.leave(family, device.customer)
        }
    }
}

extension UnitOfWork {
    /// An account that is in no family yet, with everything done that is due for it.
    fileprivate func newcomer(
        _ account: String, _ environment: StoreEnvironment
    ) throws -> Customer {
        guard let customer = try Customer.find(account: account, environment, in: session) else {
            throw StoreError.unknown(.account, account)
        }
        guard customer.organiser == nil else { throw StoreError.family(.inFamily(account)) }
        try catchUp(customer: customer.id)
        return customer
    }

    /// What was due before a family changes is shared as it was then.
    func catchUp(_ family: Family) throws {
        for member in family.members { try catchUp(customer: member.customer) }
    }

    fileprivate func take(
        _ customer: Customer, into id: Int64, _ environment: StoreEnvironment
    ) throws {
        guard var family = try Family.find(id, environment, in: session) else {
            throw StoreError.unknown(.family, String(id))
        }
        try catchUp(family)
        let taken = Set(family.members.map(\.place))
        guard let place = (0..<FamilySharing.mostMembers).first(where: { !taken.contains($0) })
        else { throw StoreError.family(.isFull(most: FamilySharing.mostMembers)) }
        let organiser = family.members.first { $0.isOrganiser }?.customer ?? customer.id
        let member = Family.Member(
            customer: customer.id, account: customer.account, place: place, joined: now,
            sharesNewPurchases: customer.sharesNewPurchases)
        try family.insert(member, organiser: organiser, in: session)
        family.members.append(member)
        record(.joinedFamily) { entry in
            entry.customer = customer.id
            entry.event.note = String(id)
        }
        for member in family.members {
            try settlePurchases(of: member.customer)
        }
    }

    /// Gives the family what somebody in it shares.
    func settlePurchases(of customer: Int64) throws {
        guard let purchaser = try Customer.find(customer, in: session) else {
            throw Stored.missing("customer \(customer)", for: "a family")
        }
        for purchase in try sharedPurchases(of: purchaser) {
            try SharingWork(self, purchase, at: now).settle()
        }
        try writeStaged()
    }

    /// Lets one of a family leave; the organiser's leaving ends it.
    func leave(_ family: Family, _ customer: Int64) throws {
        let member = family.members.first { $0.customer == customer }
        guard member?.isOrganiser == false else { return try end(family) }
        try catchUp(family)
        try letGo(customer, of: family)
    }

    fileprivate func letGo(_ customer: Int64, of family: Family) throws {
        try Family.removeMember(customer, in: session)
        record(.leftFamily) { entry in
            entry.customer = customer
            entry.event.note = String(family.id)
        }
        for source in try FamilyShare.openSources(ofCustomer: customer, in: session) {
            let purchase = try sharedPurchase(source: source)
            try SharingWork(self, purchase, at: now).settle(
                why: purchase.purchaser == customer ? .purchaserLeft : .left)
        }
        try writeStaged()
    }

    fileprivate func end(_ family: Family) throws {
        try catchUp(family)
        // The organiser last, who stands for all of them until then.
        for member in family.members.reversed() { try letGo(member.customer, of: family) }
        try family.delete(in: session)
        record(.endedFamily) { entry in
            entry.customer = family.members.first?.customer
            entry.event.note = String(family.id)
        }
    }
}
