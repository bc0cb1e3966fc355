import NaiveModel

/// What is done about years that are billed monthly under a commitment (CMT-1).
enum CommitmentDeed: Hashable, Sendable {
    case buy(Account.Name, String, token: String?)
    case choose(Account.Name, group: String, product: String, Billing)
    /// The operator says what a month costs, and whether that is sold.
    case set(String, price: Int, isSold: Bool)
    case price(String, Country, Int)
    case schedule(String, Country, Int, at: Int, isPreserving: Bool)
    case withdraw(String, Country)
    case raise(String, Country, from: Int, to: Int, at: Int)

    /// Does it to the naive store.
    func apply(to store: inout NaiveStore) -> Outcome {
        switch self {
        case .buy(let name, let product, let token):
            return store.buy(product, .monthly, token: token, by: name)
        case .choose(let name, let group, let product, let billing):
            return store.change(to: product, billing, in: group, by: name)
        case .set(let product, let price, let isSold):
            return store.setMonthly(product, price: price, isSold: isSold)
        case .withdraw(let product, let country):
            return store.withdraw(product, .monthly, in: country)
        case .price(let product, _, _), .schedule(let product, _, _, _, _),
            .raise(let product, _, _, _, _):
            guard !store.shop.deleted.contains(product) else { return .productDeleted }
            guard store.shop.article(product)?.monthly != nil else { return .notBilledMonthly }
            return price(in: &store)
        }
    }

    private func price(in store: inout NaiveStore) -> Outcome {
        switch self {
        case .price(let product, let country, let price):
            store.arrange { $0.prices[Shop.key(product, .monthly, country)] = price }
        case .schedule(let product, let country, let price, let moment, let isPreserving):
            store.schedule(
                product, .monthly, in: country, price: price, at: moment,
                isPreserving: isPreserving)
        case .raise(let product, let country, let cohort, let price, let moment):
            return store.raise(
                product, .monthly, in: country, from: cohort, to: price, at: moment)
        case .buy, .choose, .set, .withdraw: preconditionFailure("\(self) is no price")
        }
        return .done
    }

    var actor: Account.Name? {
        switch self {
        case .buy(let name, _, _), .choose(let name, _, _, _): name
        case .set, .price, .schedule, .withdraw, .raise: nil
        }
    }
}

extension CommitmentDeed: CustomStringConvertible {
    var description: String {
        switch self {
        case .buy(let name, let product, let token):
            "\(name.line) buys \(product) by the month" + (token.map { " as \($0)" } ?? "")
        case .choose(let name, let group, let product, let billing):
            "\(name.line) changes \(group) to \(product) "
                + (billing == .monthly ? "by the month" : "up front")
        case .set(let product, let price, let isSold):
            "a month of \(product) costs \(price) and is \(isSold ? "" : "not ")sold"
        case .price(let product, let country, let price):
            "a month of \(product) costs \(price) in \(country.code)"
        case .schedule(let product, let country, let price, let moment, let isPreserving):
            "a month of \(product) will cost \(price) in \(country.code) from "
                + NaiveCalendar.text(moment)
                + (isPreserving ? " for new customers" : " for everybody")
        case .withdraw(let product, let country):
            "the price of a month of \(product) in \(country.code) is taken back"
        case .raise(let product, let country, let cohort, let price, let moment):
            "who pays \(cohort) for a month of \(product) in \(country.code) will pay \(price) "
                + "from \(NaiveCalendar.text(moment))"
        }
    }
}
