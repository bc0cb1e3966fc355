import NaiveModel

/// What families do.
enum FamilyDeed: Hashable, Sendable {
    case found(Account.Name, with: [Account.Name])
    /// Of families the number counts, round and round when there are not so many.
    case join(Int, Account.Name)
    /// By own will, or removed by who organises it.
    case leave(Account.Name, byOwnWill: Bool)
    case end(Int)
    case share(Account.Name, group: String, isOn: Bool, hides: Bool)
    /// Of receipts the number counts.
    case shareOnce(receipt: Int, isOn: Bool, hides: Bool)
    case shareNew(Account.Name, isOn: Bool)
    case makeShareable(String)

    /// Does it to the naive store.
    func apply(to store: inout NaiveStore) -> Outcome {
        switch self {
        case .found(let organiser, let others): return store.found(by: organiser, with: others)
        case .join(let number, let name):
            return store.household(number).map { store.join($0, name) } ?? .done
        case .leave(let name, let byOwnWill): return store.leave(name, byOwnWill: byOwnWill)
        case .end(let number):
            return store.household(number).map { store.endHousehold($0) } ?? .done
        case .share(let name, let group, let isOn, let hides):
            let place = store.lives.firstIndex { $0.account == name && $0.group == group }
            guard let index = place else { return .done }
            return store.share(.life(index), isOn: isOn, hides: hides)
        case .shareOnce(let number, let isOn, let hides):
            guard let receipt = store.receipt(number), store.receipts[receipt].until == nil else {
                return .done
            }
            return store.share(.once(receipt), isOn: isOn, hides: hides)
        case .shareNew(let name, let isOn):
            store.setSharing(ofNew: isOn, name)
        case .makeShareable(let product):
            store.makeShareable(product)
        }
        return .done
    }

    var actor: Account.Name? {
        switch self {
        case .found(let name, _), .join(_, let name), .leave(let name, _),
            .share(let name, _, _, _), .shareNew(let name, _):
            name
        case .end, .shareOnce, .makeShareable: nil
        }
    }
}

extension FamilyDeed: CustomStringConvertible {
    var description: String {
        func sharing(_ isOn: Bool, _ hides: Bool) -> String {
            hides ? "hidden from the family" : isOn ? "shared" : "kept"
        }
        return switch self {
        case .found(let organiser, let others):
            "\(organiser.line) founds a family with "
                + (others.isEmpty ? "nobody" : others.map(\.line).joined(separator: ", "))
        case .join(let number, let name): "\(name.line) joins family \(number)"
        case .leave(let name, let byOwnWill):
            "\(name.line) \(byOwnWill ? "leaves" : "is removed from") the family"
        case .end(let number): "family \(number) ends"
        case .share(let name, let group, let isOn, let hides):
            "\(group) of \(name.line) is \(sharing(isOn, hides))"
        case .shareOnce(let receipt, let isOn, let hides):
            "receipt \(receipt) is \(sharing(isOn, hides))"
        case .shareNew(let name, let isOn):
            "\(name.line) \(isOn ? "shares" : "keeps") what comes from now on"
        case .makeShareable(let product): "\(product) can be shared from now on"
        }
    }
}

extension NaiveStore {
    /// The place of a family, counted round and round; nil when there is none.
    func household(_ number: Int) -> Int? {
        households.isEmpty ? nil : number % households.count
    }
}
