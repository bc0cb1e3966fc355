import NaiveModel

/// Families: who comes and goes, and what is shared.
extension Author {
    mutating func familyDeed(_ name: Account.Name) -> PlayedCommand {
        let alive = store.households.indices.filter {
            !store.households[$0].isEnded && store.households[$0].isSandbox == name.isSandbox
        }
        let free = withoutFamily(likeThat: name)
        guard let family = alive.last, !chance.happens(3) else {
            let others = free.filter { _ in chance.happens(60) }
            return .family(.found(name, with: others.filter { $0 != name }))
        }
        switch chance.number(1...31) {
        case 31:
            agenda = fullFamily(family, name)
            return nextScene() ?? signUp()
        case 1...7:
            guard let newcomer = free.first, !chance.happens(10) else {
                return names.count < 8 ? signUp() : .family(.join(family, name))
            }
            return .family(.join(family, newcomer))
        case 8...10:
            let members = store.households[family].members
            return .family(.leave(chance.pick(members), byOwnWill: chance.happens(50)))
        case 11: return .family(.end(chance.happens(50) ? family : chance.number(0...9)))
        case 12...14: return shareSubscription()
        case 15:
            return .family(
                .shareOnce(receipt: chance.number(0...99), isOn: false, hides: true))
        case 16...17: return shareOnce()
        case 18: return .family(.shareNew(name, isOn: chance.happens(50)))
        case 19: return .family(.makeShareable(chance.pick(store.shop.articles).id))
        case 20...22: return .buy(name, "forever", quantity: 1, token: nil)
        // Of one's own what another one shares.
        case 23...25:
            let shared = store.lives.filter { !$0.isOver }.map(\.plan.product)
            guard !shared.isEmpty else { return .buy(name, "forever", quantity: 1, token: nil) }
            return .buy(name, chance.pick(shared), quantity: 1, token: nil)
        case 26...27:
            let members = store.households[family].members
            return .bank(chance.pick(members), .declines(until: nil, left: nil))
        default: return refundOfOnce()
        }
    }

    private func withoutFamily(likeThat name: Account.Name) -> [Account.Name] {
        names.filter { one in
            one.isSandbox == name.isSandbox
                && !store.households.contains { $0.members.contains(one) }
        }
    }

    /// FAM-1: one after the other joins until there is no place, and again when one has left.
    private func fullFamily(_ family: Int, _ name: Account.Name) -> [Scene] {
        let joins: Scene = { author in
            if let one = author.withoutFamily(likeThat: name).first {
                return .family(.join(family, one))
            }
            return author.names.count < 8 ? author.signUp() : nil
        }
        return Array(repeating: joins, count: 12) + [
            maybe(60) { author in
                let members = author.store.households[family].members
                return members.last.map { .family(.leave($0, byOwnWill: true)) }
            }, joins, joins,
        ]
    }

    private mutating func shareSubscription() -> PlayedCommand {
        let (isOn, hides) = (chance.happens(50), chance.happens(5))
        return onLife { life, _ in
            .family(.share(life.account, group: life.group, isOn: isOn, hides: hides))
        }
    }

    private func once() -> [Int] {
        store.receipts.indices.filter { store.receipts[$0].until == nil }
    }

    private mutating func shareOnce() -> PlayedCommand {
        let kept = once().filter { store.receipts[$0].product == "forever" }
        return .family(
            .shareOnce(
                receipt: kept.isEmpty ? 0 : chance.pick(kept), isOn: chance.happens(60),
                hides: false))
    }

    private mutating func refundOfOnce() -> PlayedCommand {
        let kept = once().filter { store.receipts[$0].product == "forever" }
        guard !kept.isEmpty else {
            return .buy(chance.pick(names), "forever", quantity: 1, token: nil)
        }
        let receipt = chance.pick(kept)
        return store.receipts[receipt].isRevoked
            ? .takeBack(receipt: receipt) : .giveBack(receipt: receipt, fully: true)
    }
}
