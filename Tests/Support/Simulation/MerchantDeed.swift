import NaiveModel

/// What is done about subscriptions that a merchant describes itself (ACM-1).
enum MerchantDeed: Hashable, Sendable {
    /// A customer subscribes by a signed request.
    case create(Account.Name, [HeldLine], Length, token: String?)
    /// A customer agrees to other items.
    case modify(Account.Name, Modification)
    /// A customer lets all items renew again, or some.
    case reactivate(Account.Name, [String]?)
    /// The merchant's server changes prices of items.
    case prices(Account.Name, [NaiveStore.NewPrice])
    /// The merchant's server turns renewal off.
    case cancel(Account.Name)
    /// The merchant's server calls things something else.
    case describe(Account.Name, Naming)
    /// The merchant's server asks for the money of items. Of receipts the number counts, round and
    /// round when there are not so many.
    case claim(receipt: Int, [ItemClaim], asksConsumption: Bool, isToBeDeclined: Bool)
    /// The merchant's server ends everything, and asks for the money.
    case revoke(Account.Name, ItemClaim.Kind, asksConsumption: Bool, isToBeDeclined: Bool)
    /// The merchant's server lets items go on for an ordinary subscription.
    case migrate(Account.Name, group: String, [String], renewing: [String]?)

    /// The product that stands for all that is described, and its group.
    static let product = "mine"
    static let group = "m"

    /// Does it to the naive store.
    func apply(to store: inout NaiveStore) -> Outcome {
        switch self {
        case .create(let name, let items, let length, let token):
            return store.create(MerchantDeed.product, items, length, token: token, by: name)
        case .modify(let name, let change):
            return store.modify(MerchantDeed.product, change, by: name)
        case .reactivate(let name, let skus):
            return store.reactivate(MerchantDeed.product, skus, by: name)
        case .prices(let name, let changes):
            return store.changePrices(changes, in: MerchantDeed.group, of: name)
        case .cancel(let name): return store.cancelPlan(in: MerchantDeed.group, of: name)
        case .describe(let name, let naming):
            return store.describe(naming, in: MerchantDeed.group, of: name)
        case .claim(let number, let items, let asksConsumption, let isToBeDeclined):
            guard let receipt = store.receipt(number) else { return .done }
            return store.claim(
                items, of: receipt, asksConsumption: asksConsumption,
                isToBeDeclined: isToBeDeclined)
        case .revoke(let name, let kind, let asksConsumption, let isToBeDeclined):
            return store.revoke(
                in: MerchantDeed.group, of: name, kind, asksConsumption: asksConsumption,
                isToBeDeclined: isToBeDeclined)
        case .migrate(let name, let group, let items, let renewing):
            return store.migrate(
                group, of: name, to: MerchantDeed.product, items, renewing: renewing)
        }
    }

    var actor: Account.Name? {
        switch self {
        case .create(let name, _, _, _), .modify(let name, _), .reactivate(let name, _),
            .prices(let name, _), .cancel(let name), .describe(let name, _),
            .revoke(let name, _, _, _), .migrate(let name, _, _, _):
            name
        case .claim: nil
        }
    }
}

extension MerchantDeed: CustomStringConvertible {
    var description: String {
        switch self {
        case .create(let name, let items, let length, let token):
            "\(name.line) subscribes to \(length) of " + items.map(\.line).joined(separator: ", ")
                + (token.map { " as \($0)" } ?? "")
        case .modify(let name, let change): "\(name.line) agrees to \(change.line)"
        case .reactivate(let name, let skus):
            "\(name.line) lets \(skus?.joined(separator: " and ") ?? "everything") renew again"
        case .prices(let name, let changes):
            "the merchant changes prices of \(name.line): "
                + changes.map { change in
                    "\(change.sku) \(change.price)"
                        + (change.dependents.isEmpty
                            ? "" : " with \(change.dependents.joined(separator: " "))")
                }.joined(separator: ", ")
        case .cancel(let name): "the merchant turns renewal of \(name.line) off"
        case .describe(let name, let naming):
            "the merchant calls things of \(name.line) \(naming.line)"
        case .claim(let receipt, let items, let asksConsumption, let isToBeDeclined):
            "the merchant asks back of receipt \(receipt): "
                + items.map { "\($0.sku) \($0.kind)\($0.ends ? ", which ends" : "")" }
                .joined(separator: "; ") + (asksConsumption ? ", and is asked" : "")
                + (isToBeDeclined ? ", in vain" : "")
        case .revoke(let name, let kind, let asksConsumption, let isToBeDeclined):
            "the merchant revokes everything of \(name.line), \(kind)"
                + (asksConsumption ? ", and is asked" : "") + (isToBeDeclined ? ", in vain" : "")
        case .migrate(let name, let group, let items, let renewing):
            "the merchant lets \(items.joined(separator: " and ")) go on for \(group) of "
                + name.line + (renewing.map { ", then " + $0.joined(separator: " and ") } ?? "")
        }
    }
}

extension Modification {
    /// In words for people.
    fileprivate var line: String {
        let parts =
            added.map { "\($0.line.line) more" + ($0.prorated.map { ", now \($0)" } ?? "") }
            + changed.map { one in
                "\(one.line.line) for \(one.current)"
                    + (one.prorated.map { ", now \($0)" } ?? "") + (one.isNow ? "" : " later")
            } + removed.map { "no \($0)" } + [length].compactMap { $0.map { "\($0)" } }
            + [title].compactMap { $0.map { "called \($0)\(isTitleNow ? "" : " later")" } }
        return parts.joined(separator: "; ") + (keepsCycle ? "" : "; a new cycle")
    }
}

extension Naming {
    /// In words for people.
    fileprivate var line: String {
        let parts = items.map { item in
            "\(item.current): " + [item.sku, item.name].compactMap(\.self).joined(separator: ", ")
                + (item.isNow ? "" : " later")
        }
        return (title.map { "\($0)\(isTitleNow ? "" : " later"); " } ?? "")
            + parts.joined(separator: "; ")
    }
}
