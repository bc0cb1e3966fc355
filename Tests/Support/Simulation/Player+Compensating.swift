import NaiveModel
import Store
import SubscriptionRules
import TestSupport

/// Prices, extensions and refunds, asked of the real store.
extension Player {
    func compensate(_ command: PlayedCommand, _ index: Int) async throws -> Outcome {
        switch command {
        case .reprice(let name, let group, let sku, let price):
            guard let found = try await subscription(name, group) else { return .notActive }
            // A merchant's own prices change by its requests.
            guard found.plan.merchant == nil else { return .needsRequest }
            let id = found.id
            try await store.changePrice(of: sku, to: Int64(price), subscription: id)
        case .extend(let name, let group, let days):
            guard let id = try await subscription(name, group)?.id else { return .notActive }
            _ = try await store.extend(
                originalTransaction: id, ExtensionRequest(days: days, reasonCode: 1),
                requestIdentifier: "request\(index)", for: caller(name.isSandbox))
        case .extendAll(let product, let codes, let days, let isSandbox):
            try await store.massExtend(
                MassExtensionOrder(
                    productID: product, storefronts: codes?.map { Storefront(code: $0)! },
                    request: try ExtensionRequest(days: days, reasonCode: 0),
                    requestIdentifier: "request\(index)"),
                for: caller(isSandbox))
            try await store.settle()
        case .schedule(let product, let country, let price, let moment, let isPreserving):
            try await schedule(
                PriceOrder(
                    productID: product, storefront: country.storefront, price: Int64(price),
                    start: OpenWorld.instant(moment),
                    existing: isPreserving ? .preserve : .apply))
        case .raise(let product, let country, let cohort, let price, let moment):
            try await schedule(
                PriceOrder(
                    productID: product, storefront: country.storefront, price: Int64(price),
                    start: OpenWorld.instant(moment), existing: .apply,
                    cohortPrice: Int64(cohort)))
        case .withdraw(let product, let country):
            try await store.withdrawScheduledPrice(
                product: product, storefront: country.storefront, bundleID: OpenWorld.bundleID)
        case .answer(let name, let group, let agrees):
            guard let id = try await subscription(name, group)?.id else {
                return .noPriceIncrease
            }
            try await store.change(
                subscription: id, [.priceIncrease(agrees: agrees)], by: devices[name]!)
        default:
            preconditionFailure("\(command) is done elsewhere")
        }
        return .done
    }

    func schedule(_ order: PriceOrder) async throws {
        if !isHalfDone {
            // What is due now goes by the price of before, however late it is done.
            try await store.settle()
            try await store.schedule(order, bundleID: OpenWorld.bundleID)
            isHalfDone = true
        }
        try await store.settle()
    }

    func refund(_ command: PlayedCommand) async throws -> Outcome {
        if case .cancel(let name, let group, let fully) = command {
            guard let id = try await subscription(name, group)?.id else { return .notActive }
            _ = try await store.cancel(
                subscription: id, fully ? .full : .prorated, reason: .other,
                in: name.environment)
            return .done
        }
        // Receipts are found by their number, so all have to be there.
        try await store.settle()
        guard let number = command.receipt, let (name, id) = try await transaction(number) else {
            return .done
        }
        switch command {
        case .askBack:
            try await store.requestRefund(transaction: id, .other, by: devices[name]!)
        case .declineBack:
            return try await decide(name, id, granting: nil)
        case .grantBack(_, let fully):
            return try await decide(name, id, granting: fully ? .full : .prorated)
        case .giveBack(_, let fully):
            try await store.refund(
                transaction: id, fully ? .full : .prorated, reason: .other,
                in: name.environment)
        case .takeBack:
            try await store.reverseRefund(transaction: id, in: name.environment)
        case .consume(_, let wish, let used):
            try await store.consumption(
                of: id,
                Consumption(
                    preference: wish.map(Consumption.Preference.init), percentage: used,
                    body: "{}"),
                for: caller(name.isSandbox))
        default:
            preconditionFailure("\(command) is done elsewhere")
        }
        return .done
    }

    /// Decides the request for a transaction, if there is one.
    private func decide(
        _ name: Account.Name, _ id: Int64, granting extent: RefundablePeriod.Extent?
    ) async throws -> Outcome {
        let open = try await store.refundRequests(
            .open, before: nil, limit: 1000, in: name.environment
        ).map(\.request)
        guard let request = open.first(where: { $0.transactionID == id }) else {
            return .notRefunded
        }
        try await store.decide(
            refundRequest: request.id, granting: extent, in: name.environment)
        return .done
    }

    private func caller(_ isSandbox: Bool) -> Caller {
        Caller(bundleID: OpenWorld.bundleID, environment: isSandbox ? .sandbox : .production)
    }

    /// The transaction that a naive receipt stands for: that of the bill with the same place among
    /// its customer's.
    func transaction(_ number: Int) async throws -> (Account.Name, Int64)? {
        guard let index = naive.receipt(number) else { return nil }
        let (name, invoice) = (naive.receipts[index].account, naive.receipts[index].invoice)
        let place = naive.invoices[..<invoice].count { $0.account == name }
        let ids = try await billIDs(of: name)
        return ids.count > place ? (name, ids[place]) : nil
    }
}
