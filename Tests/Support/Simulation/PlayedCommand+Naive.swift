import NaiveModel

extension PlayedCommand {
    /// Does it to the naive store.
    ///
    /// - Parameter isListening: whether a developer's server takes notifications.
    /// - Returns: what came of it.
    func apply(to store: inout NaiveStore, isListening: Bool) -> Outcome {
        // What is due comes first.
        store.advance(to: store.now)
        switch self {
        case .signUp(let name, let country):
            store.signUp(name, in: country)
        case .crowd(let count, let country, let product):
            for number in 1...count {
                let name = Account.Name(inCrowd: number)
                store.signUp(name, in: country)
                _ = store.buy(product, by: name)
            }
        case .buy(let name, let product, let quantity, let token):
            return store.buy(product, quantity: quantity, token: token, by: name)
        case .bundle(let name, let product, let lines, let token):
            return store.buy(product, lines: lines, token: token, by: name)
        case .reprice(let name, let group, let sku, let price):
            return store.reprice(sku, in: group, of: name, to: price)
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
        case .price, .sale, .terms, .consent, .level, .delete:
            return arrange(in: &store)
        case .finish:
            break
        case .name(let name, let group, let token):
            return store.setToken(token, in: group, of: name)
        case .provoke(let name, let group):
            guard store.life(name, in: group) != nil else { return .notActive }
            return isListening ? .done : .nobodyListens
        case .test:
            return isListening ? .done : .nobodyListens
        case .advance(let target):
            store.advance(to: target)
        case .extend, .extendAll, .schedule, .withdraw, .raise, .answer:
            return compensate(in: &store)
        case .askBack, .declineBack, .grantBack, .giveBack, .takeBack, .consume, .cancel:
            return refund(in: &store)
        case .answerBill(let number, let answer):
            return store.answer(number.flatMap(store.invoice), answer)
        case .code(let deed): return deed.apply(to: &store)
        case .request(let deed): return deed.apply(to: &store)
        case .family(let deed): return deed.apply(to: &store)
        case .commitment(let deed): return deed.apply(to: &store)
        case .merchant(let deed): return deed.apply(to: &store)
        }
        return .done
    }
}

extension PlayedCommand {
    /// What the operator or the developer sets.
    private func arrange(in store: inout NaiveStore) -> Outcome {
        switch self {
        case .price(let product, _, _) where store.shop.deleted.contains(product),
            .sale(let product, _, _) where store.shop.deleted.contains(product):
            return .productDeleted
        case .delete(let product):
            return store.delete(product)
        case .price(let product, let country, let price):
            store.arrange { $0.prices["\(product)/\(country.code)"] = price }
        case .sale(let product, let country, let isForSale):
            let isOff = store.shop.isForSale["\(product)/*"] == false
            guard !isForSale || country == nil || !isOff else { return .offSaleEverywhere }
            store.arrange { $0.isForSale["\(product)/\(country?.code ?? "*")"] = isForSale }
        case .terms(let terms):
            store.arrange { $0.terms = terms }
        case .consent(let country, let change):
            store.setConsent(change, in: country)
        case .level(let product, let level):
            store.move(product, toLevel: level)
        default:
            preconditionFailure("\(self) is no setting")
        }
        return .done
    }

    /// Extensions and prices.
    private func compensate(in store: inout NaiveStore) -> Outcome {
        switch self {
        case .extend(let name, let group, let days):
            return store.extend(group, of: name, days: days)
        case .extendAll(let product, let codes, let days, let isSandbox):
            return store.extendAll(product, in: codes, days: days, isSandbox: isSandbox)
        case .schedule(let product, _, _, _, _) where store.shop.deleted.contains(product),
            .raise(let product, _, _, _, _) where store.shop.deleted.contains(product):
            return .productDeleted
        case .schedule(let product, let country, let price, let moment, let isPreserving):
            store.schedule(
                product, in: country, price: price, at: moment, isPreserving: isPreserving)
        case .withdraw(let product, let country):
            return store.withdraw(product, in: country)
        case .raise(let product, let country, let cohort, let price, let moment):
            return store.raise(product, in: country, from: cohort, to: price, at: moment)
        case .answer(let name, let group, let agrees):
            return store.answer(agrees, in: group, by: name)
        default:
            preconditionFailure("\(self) is done elsewhere")
        }
        return .done
    }

    /// Money back.
    private func refund(in store: inout NaiveStore) -> Outcome {
        if case .cancel(let name, let group, let fully) = self {
            return store.cancel(group, of: name, fully: fully)
        }
        guard let receipt = receipt.flatMap(store.receipt) else { return .done }
        switch self {
        case .askBack: return store.askBack(receipt)
        case .declineBack: return store.declineBack(receipt)
        case .grantBack(_, let fully): return store.grantBack(receipt, fully: fully)
        case .giveBack(_, let fully): return store.giveBack(receipt, fully: fully)
        case .takeBack: return store.takeBack(receipt)
        case .consume(_, let wish, let used):
            store.consume(receipt, wish, used: used)
            return .done
        default: preconditionFailure("\(self) is done elsewhere")
        }
    }

    /// The number of the receipt that it is about.
    var receipt: Int? {
        switch self {
        case .askBack(let receipt), .declineBack(let receipt), .grantBack(let receipt, _),
            .giveBack(let receipt, _), .takeBack(let receipt), .consume(let receipt, _, _):
            receipt
        default: nil
        }
    }

    /// The same in words.
    var laterDescription: String {
        switch self {
        case .bundle(let name, let product, let lines, let token):
            "\(name.line) buys \(product) with "
                + lines.map(\.line).joined(separator: ", ") + (token.map { " as \($0)" } ?? "")
        case .reprice(let name, let group, let sku, let price):
            "\(sku) in \(group) of \(name.line) will cost \(price)"
        case .extend(let name, let group, let days):
            "\(group) of \(name.line) is extended by \(days) days"
        case .extendAll(let product, let codes, let days, let isSandbox):
            "everybody's \(product)\(isSandbox ? " (Sandbox)" : "") is extended by \(days) days in "
                + (codes?.joined(separator: ", ") ?? "every country")
        case .askBack(let receipt): "money is asked back, receipt \(receipt)"
        case .declineBack(let receipt): "that is declined, receipt \(receipt)"
        case .grantBack(let receipt, let fully):
            "that is granted\(fully ? "" : " for the unused part"), receipt \(receipt)"
        case .consume(let receipt, let wish, let used):
            "the developer would like \(wish.map { "\($0)" } ?? "nothing"), used "
                + "\(used.map { "\($0)" } ?? "unknown"), receipt \(receipt)"
        case .cancel(let name, let group, let fully):
            "support cancels \(group) of \(name.line)\(fully ? "" : " for the unused part")"
        case .raise(let product, let country, let cohort, let price, let moment):
            "who pays \(cohort) for \(product) in \(country.code) will pay \(price) from "
                + NaiveCalendar.text(moment)
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
        case .answerBill(let number, let answer):
            "the bank says \(answer) of bill \(number.map { "\($0)" } ?? "unknown")"
        case .delete(let product): "\(product) is deleted"
        case .code(let deed): "\(deed)"
        case .request(let deed): "\(deed)"
        case .family(let deed): "\(deed)"
        case .commitment(let deed): "\(deed)"
        case .merchant(let deed): "\(deed)"
        default: "\(self)"
        }
    }
}

extension NaiveStore {
    /// The place of a receipt, counted round and round; nil when there is none at all.
    func receipt(_ number: Int) -> Int? {
        receipts.isEmpty ? nil : number % receipts.count
    }

    /// The place of a bill, counted in the same way.
    func invoice(_ number: Int) -> Int? {
        invoices.isEmpty ? nil : number % invoices.count
    }
}
