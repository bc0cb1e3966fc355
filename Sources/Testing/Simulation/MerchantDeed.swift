import NaiveModel

/// What is done about subscriptions that a merchant describes itself (ACM-1).
enum MerchantDeed: Hashable, Sendable {
    /// A customer subscribes by a signed request.
    case create(Account.Name, [HeldLine], Length, token: String?)
    /// The merchant's server changes prices of items.
    case prices(Account.Name, [NaiveStore.NewPrice])
    /// The merchant's server turns renewal off.
    case cancel(Account.Name)

    /// The product that stands for all that is described, and its group.
    static let product = "mine"
    static let group = "m"

    /// Does it to the naive store.
    func apply(to store: inout NaiveStore) -> Outcome {
        switch self {
        case .create(let name, let items, let length, let token):
            store.create(MerchantDeed.product, items, length, token: token, by: name)
        case .prices(let name, let changes):
            store.changePrices(changes, in: MerchantDeed.group, of: name)
        case .cancel(let name): store.cancelPlan(in: MerchantDeed.group, of: name)
        }
    }

    var actor: Account.Name? {
        switch self {
        case .create(let name, _, _, _), .prices(let name, _), .cancel(let name): name
        }
    }
}

extension MerchantDeed: CustomStringConvertible {
    var description: String {
        switch self {
        case .create(let name, let items, let length, let token):
            "\(name.line) subscribes to \(length) of " + items.map(\.line).joined(separator: ", ")
                + (token.map { " as \($0)" } ?? "")
        case .prices(let name, let changes):
            "the merchant changes prices of \(name.line): "
                + changes.map { change in
                    "\(change.sku) \(change.price)"
                        + (change.dependents.isEmpty
                            ? "" : " with \(change.dependents.joined(separator: " "))")
                }.joined(separator: ", ")
        case .cancel(let name): "the merchant turns renewal of \(name.line) off"
        }
    }
}
