import NaiveModel

extension Deed {
    /// Does it to the naive store.
    ///
    /// - Returns: what came of it.
    func apply(to store: inout NaiveStore) -> Outcome {
        // What is due comes first.
        store.advance(to: store.now)
        switch self {
        case .signUp(let name, let country):
            store.signUp(name, in: country)
        case .buy(let name, let product, let quantity):
            return store.buy(product, quantity: quantity, by: name)
        case .renewal(let name, let group, let isOn):
            return store.setRenewal(isOn, in: group, by: name)
        case .change(let name, let group, let product):
            return store.change(to: product, in: group, by: name)
        case .end(let name, let group):
            return store.end(group, of: name)
        case .bank(let name, let bank):
            store.setBank(bank, of: name)
        case .move(let name, let country):
            store.move(name, to: country)
        case .speed(let name, let minutes):
            store.setSpeed(minutes, of: name)
        case .price(let product, let country, let price):
            store.arrange { $0.prices["\(product)/\(country.code)"] = price }
        case .sale(let product, let country, let isForSale):
            store.arrange { $0.isForSale["\(product)/\(country?.code ?? "*")"] = isForSale }
        case .terms(let terms):
            store.arrange { $0.terms = terms }
        case .finish:
            break
        case .advance(let target):
            store.advance(to: target)
        case .extend, .extendAll, .askBack, .declineBack, .giveBack, .takeBack, .schedule,
            .withdraw, .answer:
            return compensate(in: &store)
        }
        return .done
    }
}

extension Deed {
    /// Extensions, refunds and prices.
    private func compensate(in store: inout NaiveStore) -> Outcome {
        switch self {
        case .extend(let name, let group, let days):
            return store.extend(group, of: name, days: days)
        case .extendAll(let product, let codes, let days, let isSandbox):
            store.extendAll(product, in: codes, days: days, isSandbox: isSandbox)
        case .askBack(let receipt):
            return store.receipt(receipt).map { store.askBack($0) } ?? .done
        case .declineBack(let receipt):
            return store.receipt(receipt).map { store.declineBack($0) } ?? .done
        case .giveBack(let receipt, let fully):
            return store.receipt(receipt).map { store.giveBack($0, fully: fully) } ?? .done
        case .takeBack(let receipt):
            return store.receipt(receipt).map { store.takeBack($0) } ?? .done
        case .schedule(let product, let country, let price, let moment, let isPreserving):
            store.schedule(
                product, in: country, price: price, at: moment, isPreserving: isPreserving)
        case .withdraw(let product, let country):
            return store.withdraw(product, in: country)
        case .answer(let name, let group, let agrees):
            return store.answer(agrees, in: group, by: name)
        default:
            preconditionFailure("\(self) is done elsewhere")
        }
        return .done
    }

    /// The same in words.
    var laterDescription: String {
        switch self {
        case .extend(let name, let group, let days):
            "\(group) of \(name.line) is extended by \(days) days"
        case .extendAll(let product, let codes, let days, let isSandbox):
            "everybody's \(product)\(isSandbox ? " (Sandbox)" : "") is extended by \(days) days in "
                + (codes?.joined(separator: ", ") ?? "every country")
        case .askBack(let receipt): "money is asked back, receipt \(receipt)"
        case .declineBack(let receipt): "that is declined, receipt \(receipt)"
        case .giveBack(let receipt, let fully):
            "money is given back\(fully ? "" : " for the unused part"), receipt \(receipt)"
        case .takeBack(let receipt): "a refund is taken back, receipt \(receipt)"
        case .schedule(let product, let country, let price, let moment, let isPreserving):
            "\(product) will cost \(price) in \(country.code) from \(NaiveCalendar.text(moment))"
                + (isPreserving ? " for new customers" : " for everybody")
        case .withdraw(let product, let country):
            "the price of \(product) that was scheduled in \(country.code) is taken back"
        case .answer(let name, let group, let agrees):
            "\(name.line) \(agrees ? "agrees to" : "declines") the new price in \(group)"
        default: "\(self)"
        }
    }
}

extension NaiveStore {
    /// The place of a receipt, counted round and round; nil when there is none at all.
    func receipt(_ number: Int) -> Int? {
        receipts.isEmpty ? nil : number % receipts.count
    }
}
