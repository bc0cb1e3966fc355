import NaiveModel

/// What is done about purchases that somebody else lets happen.
enum RequestDeed: Hashable, Sendable {
    /// How an account buys from now on; nil is as before.
    case buying(Account.Name, asks: Bool?, isInterrupted: Bool?, mayPay: Bool?)
    /// Of requests the number counts, round and round when there are not so many.
    case approve(Int, byCustomer: Bool)
    case decline(Int)

    /// Does it to the naive store.
    func apply(to store: inout NaiveStore) -> Outcome {
        switch self {
        case .buying(let name, let asks, let isInterrupted, let mayPay):
            store.setBuying(asks: asks, isInterrupted: isInterrupted, mayPay: mayPay, of: name)
            return .done
        case .approve(let number, let byCustomer):
            return store.request(number).map { store.approve($0, byCustomer: byCustomer) } ?? .done
        case .decline(let number):
            return store.request(number).map { store.decline($0) } ?? .done
        }
    }

    var actor: Account.Name? {
        if case .buying(let name, _, _, _) = self { name } else { nil }
    }
}

extension RequestDeed: CustomStringConvertible {
    var description: String {
        switch self {
        case .buying(let name, let asks, let isInterrupted, let mayPay):
            let words =
                [
                    asks.map { $0 ? "asks to buy" : "asks no more" },
                    isInterrupted.map { $0 ? "is interrupted" : "is not interrupted any more" },
                    mayPay.map { $0 ? "may pay" : "may not pay" },
                ].compactMap(\.self)
            return "\(name.line) " + words.joined(separator: ", ")
        case .approve(let number, let byCustomer):
            return "request \(number) is \(byCustomer ? "settled on the device" : "approved")"
        case .decline(let number): return "request \(number) is declined"
        }
    }
}

extension NaiveStore {
    /// The place of a request, counted round and round; nil when there is none.
    func request(_ number: Int) -> Int? { requests.isEmpty ? nil : number % requests.count }
}

extension Request {
    /// In words that both stores share.
    var line: String {
        "\(isInterrupted ? "interrupted" : "asked for") "
            + "\(wish.product)\(wish.billing.text) × \(wish.quantity) "
            + "\(NaiveCalendar.text(asked)), \(state.rawValue)"
            + (state == .waiting ? " until \(NaiveCalendar.text(lapses))" : "")
            + (decided.map { " \(NaiveCalendar.text($0))" } ?? "")
            + (obstacle.map { " in vain: \($0.rawValue)" } ?? "")
    }
}
