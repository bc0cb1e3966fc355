import NaiveModel
import Store
import SubscriptionRules
import TestSupport

/// Purchases that wait for somebody, asked of the real store.
extension Player {
    func play(_ deed: RequestDeed) async throws -> Outcome {
        switch deed {
        case .buying(let name, let asks, let isInterrupted, let mayPay):
            try await store.setBuying(
                BuyingChange(
                    asksToBuy: asks, interruptsPurchases: isInterrupted, canMakePayments: mayPay),
                account: name.text, in: name.environment)
        case .approve(let number, let byCustomer):
            guard let (name, id) = try await request(number) else { return .done }
            try await store.approve(
                heldPurchase: id, by: byCustomer ? devices[name] : nil, in: name.environment)
        case .decline(let number):
            guard let (name, id) = try await request(number) else { return .done }
            try await store.decline(heldPurchase: id, in: name.environment)
        }
        return .done
    }

    /// The store's number of a request that the naive store has.
    private func request(_ number: Int) async throws -> (Account.Name, Int64)? {
        guard let place = naive.request(number) else { return nil }
        let name = naive.requests[place].account
        let ids = try await requests(of: name).map(\.id)
        return (name, ids[naive.requests[..<place].count { $0.account == name }])
    }

    /// A customer's requests, oldest first.
    func requests(of name: Account.Name) async throws -> [HeldPurchase] {
        try await store.heldPurchases(
            account: name.text, limit: 100_000, in: name.environment
        ).map(\.request).sorted { $0.id < $1.id }
    }
}

extension HeldPurchase {
    /// As `Request.line`.
    var line: String {
        "\(reason == .interrupted ? "interrupted" : "asked for") "
            + "\(productID)\(Billing(billing).text) × \(quantity) "
            + "\(NaiveCalendar.text(asked)), \(state.rawValue)"
            + (lapses.map { " until \(NaiveCalendar.text($0))" } ?? "")
            + (decided.map { " \(NaiveCalendar.text($0))" } ?? "")
            + (obstacle.map { " in vain: \(Outcome($0).rawValue)" } ?? "")
    }
}

extension Outcome {
    /// What stood in the way of a purchase that was approved.
    init(_ obstacle: HeldPurchase.Obstacle) {
        self =
            switch obstacle {
            case .notForSale: .notForSale
            case .alreadySubscribed: .alreadySubscribed
            case .notActive: .notActive
            case .paymentPending: .paymentPending
            case .paymentDeclined: .paymentDeclined
            case .paymentsNotAllowed: .paymentsNotAllowed
            case .wrongGroup: .wrongGroup
            case .ineligibleForOffer: .ineligibleForOffer
            }
    }
}
