import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// What is no auto-renewable subscription, as it is bought and delivered.
extension PurchaseWork {
    /// Asks the bank for the price, or for that of a code's offer.
    func buyOnce() throws -> Sale {
        guard app.isForSale(product.id, in: customer.storefront, customer.environment) else {
            throw StoreError.purchase(.notForSale(product.id))
        }
        let choice = try offers.oneTimeChoice()
        if let held = try hold() { return .held(held) }
        let (total, overflow) = choice.price.milliunits.multipliedReportingOverflow(
            by: Int64(request.quantity))
        precondition(!overflow, "the price of \(product.id) is beyond all limits")
        let asked = BillRecord(
            id: work.nextTransactionID(in: customer.environment), app: app.id,
            environment: customer.environment, customer: customer.id, subscription: nil,
            purpose: .oneTimePurchase, productID: product.id, groupID: nil,
            quantity: request.quantity, amount: Money(milliunits: total, choice.price.currency),
            storefront: customer.storefront, appAccountToken: request.appAccountToken,
            offerID: choice.offerID, bill: nil, state: .sent, made: work.now, changed: work.now)
        let sale = try pay(asked)
        try keep(choice.redemption, for: sale)
        return sale
    }

    func pay(_ asked: BillRecord) throws -> Sale {
        var customer = customer
        let bill = try work.collect(asked, from: &customer, at: work.now)
        guard bill.state == .paid else {
            work.record(.asked) { entry in
                entry.app = app.id
                entry.customer = customer.id
                entry.commandID = command?.id
                entry.event.detail = bill.detail(.pending, command)
            }
            return .pending(bill: bill.id)
        }
        if customer.paymentMethod != self.customer.paymentMethod {
            try customer.update(in: work.session)
        }
        return .bought(
            try work.deliver(bill, type: product.type, command: command, at: work.now),
            isDeliveredAgain: false)
    }
}

extension UnitOfWork {
    /// Delivers what a one-time purchase's bill was paid for.
    func deliver(_ bill: BillRecord, at moment: Instant) throws {
        guard let product = try apps[bill.app].product(bill.productID) else {
            throw Stored.missing("product \(bill.productID)", for: "bill \(bill.id)")
        }
        try deliver(bill, type: product.type, command: nil, at: moment)
    }

    @discardableResult
    func deliver(
        _ bill: BillRecord, type: ProductType, command: Command?, at moment: Instant
    ) throws -> TransactionRecord {
        let app = try apps[bill.app]
        var transaction = TransactionRecord(
            id: bill.id, originalID: bill.id, subscription: nil, app: app.id,
            environment: bill.environment, customer: bill.customer, productID: bill.productID,
            groupID: nil, type: type, purchased: moment, firstPurchased: moment, expires: nil,
            quantity: bill.quantity, isRenewal: false, price: bill.amount,
            storefront: bill.storefront,
            offer: bill.offerID.map { .init(kind: .offerCode, id: $0, terms: .oneTime) },
            lines: (bill.advancedCommerce?.items ?? []).map {
                TransactionRecord.Line(sku: $0.sku, price: bill.amount.milliunits, offer: nil)
            },
            appAccountToken: bill.appAccountToken,
            isUpgraded: false, refunded: nil, revocation: nil,
            commission: try isInSmallBusinessProgram(app, at: moment) ? .reduced : .standard,
            finished: nil,
            modification: modification(ofNew: bill.id))
        transaction.advancedCommerce = bill.advancedCommerce
        stage(transaction)
        book(chargeOf: transaction, at: moment)
        record(.bought, at: moment) { entry in
            entry.app = app.id
            entry.customer = bill.customer
            entry.event.transactionID = bill.id
            entry.event.amount = bill.amount.milliunits
            entry.commandID = command?.id
            entry.event.asked = command?.asked
        }
        try writeReceipt(of: transaction, at: moment)
        if try keepsNotifications(app.id, bill.environment) {
            let presenter = try Presenter(app, customer: bill.customer, in: session)
            notify(
                .oneTimeCharge, nil, app: app.id, environment: bill.environment,
                customer: bill.customer, at: moment,
                transaction: presenter.transaction(transaction, signed: moment))
        }
        try share(transaction, at: moment)
        return transaction
    }
}
