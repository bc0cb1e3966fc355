import AppStoreSigning
import AppStoreWire
import Storage
import SubscriptionRules

/// What a customer wants to buy.
public struct PurchaseRequest: Sendable {
    public var productID: String
    public var quantity: Int
    /// The developer's own name for the customer: a UUID in lower case.
    public var appAccountToken: String?
    /// Makes a repeated request find what the first one bought.
    public var idempotencyKey: String?

    public init(
        productID: String, quantity: Int = 1, appAccountToken: String? = nil,
        idempotencyKey: String? = nil
    ) {
        self.productID = productID
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.idempotencyKey = idempotencyKey
    }
}

/// What came of a purchase.
public struct Bought: Sendable, Hashable {
    /// The transaction; nil where nothing was charged and a change of plan waits for the renewal.
    public let signedTransaction: String?
    /// Whether the product was owned already: nothing was charged, and the transaction is that of
    /// then.
    public let isDeliveredAgain: Bool
}

extension Store {
    /// Buys a product for the customer on a device.
    ///
    /// A subscription of a group in which the customer has one already is a change of plan; see
    /// TAB-2.2 and TAB-2.3. A non-consumable that is owned is delivered again without payment.
    ///
    /// - Throws: `StoreError.unknownProduct`, `.notForSale`, `.invalidQuantity`,
    ///   `.refused(.alreadySubscribed)`, `.refused(.paymentDeclined)`, `.commandIDReused`.
    public func buy(_ request: PurchaseRequest, by visitor: Visitor) async throws -> Bought {
        let (payload, isDeliveredAgain) = try await countingDeclines(of: visitor.customer) {
            try await self.write { work -> (JWSTransactionDecodedPayload?, Bool) in
                try work.catchUp(customer: visitor.customer)
                let purchase = try PurchaseWork(work: work, visitor: visitor, request: request)
                let (transaction, isDeliveredAgain) = try purchase.run()
                guard let transaction else { return (nil, isDeliveredAgain) }
                let presenter = try Presenter(
                    purchase.app, customer: visitor.customer, in: work.session)
                return (presenter.transaction(transaction, signed: work.now), isDeliveredAgain)
            }
        }
        return Bought(
            signedTransaction: try payload.map { try signer.sign($0) },
            isDeliveredAgain: isDeliveredAgain)
    }
}

/// One purchase being made.
private struct PurchaseWork {
    let work: Work
    let app: App
    let customer: Customer
    let product: Product
    let request: PurchaseRequest
    let command: Command?

    init(work: Work, visitor: Visitor, request: PurchaseRequest) throws {
        self.work = work
        self.request = request
        app = try work.apps[visitor.app]
        guard let customer = try Customer.find(visitor.customer, in: work.session) else {
            throw Stored.missing("customer \(visitor.customer)", for: "a signed-in device")
        }
        self.customer = customer
        guard let product = app.product(request.productID) else {
            throw StoreError.unknownProduct(request.productID)
        }
        self.product = product
        command = request.idempotencyKey.map { key in
            Command(
                id: "purchase/\(visitor.customer)/\(visitor.app)/\(key)",
                asked: "\(request.quantity) \(request.productID) "
                    + (request.appAccountToken ?? "-"))
        }
    }

    /// - Returns: the transaction, if there is one yet, and whether it is one of before.
    func run() throws -> (TransactionRecord?, isDeliveredAgain: Bool) {
        if let earlier = try work.earlier(command?.id) { return try replay(earlier) }
        let largest = product.type.largestQuantity
        guard (1...largest).contains(request.quantity) else {
            throw StoreError.invalidQuantity(request.quantity, largest: largest)
        }
        switch product.type {
        case .autoRenewableSubscription:
            return (try subscribe(), false)
        case .nonConsumable:
            if let owned = try deliverAgain() { return (owned, true) }
            return (try buyOnce(), false)
        case .consumable, .nonRenewingSubscription:
            return (try buyOnce(), false)
        }
    }

    /// A repeated command: the same request gets the same answer, another one is a mistake.
    private func replay(
        _ earlier: JournalEntry
    ) throws -> (TransactionRecord?, isDeliveredAgain: Bool) {
        let asked = try earlier.asked
        guard asked.map(ExactText.init) == (command?.asked).map(ExactText.init) else {
            throw StoreError.commandIDReused
        }
        let transaction = try earlier.transactionID.flatMap(work.transaction)
        return (transaction, earlier.kind == PurchaseWork.deliveredAgain)
    }

    private func subscribe() throws -> TransactionRecord? {
        guard let terms = product.subscription else {
            preconditionFailure("\(product.id) is a subscription without terms")
        }
        let row = try work.session.row(
            """
            SELECT \(raw: SubscriptionRecord.columns) FROM subscription s
            WHERE s.customer = \(customer.id) AND s.app = \(app.id)
                AND s.group_id = \(terms.groupID)
            """)
        let running = try row.map { try SubscriptionRecord($0) }
        // A running subscription stays in the storefront where it was bought.
        let storefront =
            running.flatMap { $0.subscription.isOver ? nil : $0.storefront }
            ?? customer.storefront
        guard app.isForSale(product.id, in: storefront) else {
            throw StoreError.notForSale(product.id)
        }
        let plan = Plan(product, terms, in: storefront)
        let introductory = terms.introductoryOffer.map {
            AppliedOffer($0, in: storefront.currency)
        }
        guard let running else {
            return try SubscriptionWork.begin(
                Subscription.firstBill(plan, introductory: introductory), work: work, app: app,
                customer: customer, groupID: terms.groupID,
                appAccountToken: request.appAccountToken, command: command
            ).opened
        }
        var one = SubscriptionWork(work: work, app: app, customer: customer, record: running)
        let returning = running.returning(
            to: plan, in: storefront, at: work.now,
            under: app.conditions(for: customer, in: storefront))
        one.record.storefront = storefront
        if let token = request.appAccountToken { one.record.appAccountToken = token }
        try one.choose(returning, introductory: introductory, command: command)
        return one.opened
    }

    /// Gives the customer the transaction of a product that is bought only once and owned.
    private func deliverAgain() throws -> TransactionRecord? {
        guard let owned = try owned() else { return nil }
        work.record(PurchaseWork.deliveredAgain) { entry in
            entry.app = app.id
            entry.customer = customer.id
            entry.transactionID = owned.id
            entry.commandID = command?.id
            entry.detail = command?.detail
        }
        return owned
    }

    private static let deliveredAgain = "deliveredAgain"

    private func owned() throws -> TransactionRecord? {
        try work.session.row(
            """
            SELECT \(raw: TransactionRecord.columns) FROM store_transaction t
            WHERE t.customer = \(customer.id) AND t.app = \(app.id)
                AND t.product_id = \(product.id) AND t.revoked_at IS NULL
            ORDER BY t.id LIMIT 1
            """
        ).map { try TransactionRecord($0) }
    }

    private func buyOnce() throws -> TransactionRecord {
        guard app.isForSale(product.id, in: customer.storefront) else {
            throw StoreError.notForSale(product.id)
        }
        var customer = customer
        let before = customer.paymentMethod
        let single = product.price(in: customer.storefront)
        let (total, overflow) = single.milliunits.multipliedReportingOverflow(
            by: Int64(request.quantity))
        precondition(!overflow, "the price of \(product.id) is beyond all limits")
        let price = Money(milliunits: total, single.currency)
        guard customer.paymentMethod.pay(price, at: work.now) else {
            throw StoreError.refused(.paymentDeclined)
        }
        if customer.paymentMethod != before { try customer.update(in: work.session) }
        let id = work.nextTransactionID(in: customer.environment)
        let transaction = TransactionRecord(
            id: id, originalID: id, subscription: nil, app: app.id,
            environment: customer.environment, customer: customer.id, productID: product.id,
            groupID: nil, type: product.type, purchased: work.now, firstPurchased: work.now,
            expires: nil, quantity: request.quantity, isRenewal: false, price: price,
            storefront: customer.storefront, offer: nil, appAccountToken: request.appAccountToken,
            isUpgraded: false, refunded: nil, revocation: nil,
            commission: app.settings.smallBusiness ? .reduced : .standard, finished: nil,
            modification: work.modification(ofNew: id))
        work.stage(transaction)
        work.book(charge: price, at: transaction.commission, of: id, at: work.now)
        work.record("bought") { entry in
            entry.app = app.id
            entry.customer = customer.id
            entry.transactionID = id
            entry.amount = price.milliunits
            entry.commandID = command?.id
            entry.detail = command?.detail
        }
        if try work.listens(app.id, customer.environment) {
            let presenter = try Presenter(app, customer: customer.id, in: work.session)
            work.notify(
                .oneTimeCharge, nil, app: app.id, environment: customer.environment,
                customer: customer.id, at: work.now,
                transaction: presenter.transaction(transaction, signed: work.now))
        }
        return transaction
    }
}

extension Command {
    /// What the journal says of it where nothing else is to be said.
    fileprivate var detail: String {
        var json = JSONWriter()
        json.object { $0.field("asked", asked) }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension SubscriptionRecord {
    /// A plan at the price that its customer pays for it in a storefront: only in its own does a
    /// price that was preserved come back (PRC-5).
    func returning(
        to plan: Plan, in storefront: Storefront, at now: Instant, under conditions: Conditions
    ) -> Plan {
        guard storefront == self.storefront else { return plan }
        return subscription.returning(to: plan, at: now, under: conditions)
    }
}

extension Plan {
    /// The plan of one product at the price of a storefront.
    init(_ product: Product, _ terms: SubscriptionTerms, in storefront: Storefront) {
        self.init(
            productID: product.id, level: terms.level, period: terms.period,
            price: product.price(in: storefront))
    }
}
