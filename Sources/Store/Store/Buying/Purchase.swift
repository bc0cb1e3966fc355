import AppStoreSigning
import AppStoreWire
import Journal
import Storage
public import SubscriptionRules

/// What came of a purchase.
public struct Bought: Sendable, Hashable {
    /// The transaction; nil where nothing was charged and a change of plan waits for the renewal,
    /// and while the payment is pending.
    public let signedTransaction: String?
    /// The bill that the bank has not answered.
    public let pendingBill: Int64?
    /// Whether the product was owned already: nothing was charged, and the transaction is that of
    /// then.
    public let isDeliveredAgain: Bool
    /// The request that waits for somebody's approval.
    public var request: Int64?
    /// The next renewal that brings what was chosen, where nothing was charged.
    public var scheduled: Scheduled?

    /// A product that begins with a renewal.
    public struct Scheduled: Sendable, Hashable {
        public let productID: String
        public let moment: Instant
    }
}

extension Store {
    /// Buys a product for the customer on a device.
    ///
    /// A subscription of a group in which the customer has one already is a change of plan; see
    /// TAB-2.2 and TAB-2.3. A non-consumable that is owned is delivered again without payment.
    ///
    /// - Throws: `StoreError.unknown(.product)`, `.purchase(.notForSale)`,
    ///   `.purchase(.invalidQuantity)`, `.refused(.alreadySubscribed)`,
    ///   `.refused(.paymentPending)`, `.purchase(.paymentDeclined)`, `.request(.commandIDReused)`,
    ///   `.purchase(.paymentsNotAllowed)`, `.purchase(.interrupted)`; repeated, also
    ///   `.purchase(.requestClosed)`.
    public func buy(_ request: PurchaseRequest, by device: DeviceSession) async throws -> Bought {
        let (sale, payload) = try await spendingSignature(by: device) {
            try await self.write(about: .customer(device.customer)) {
                work -> (Sale, JWSTransactionDecodedPayload?) in
                try work.catchUp(customer: device.customer)
                let purchase = try PurchaseWork(work: work, device: device, request: request)
                let sale = try work.unlessDeclined { try purchase.run() } ?? .declined
                guard case .bought(let transaction, _) = sale else { return (sale, nil) }
                let presenter = try Presenter(
                    purchase.app, customer: device.customer, in: work.session)
                return (sale, presenter.transaction(transaction, signed: work.now))
            }
        }
        if case .pending(let bill) = sale, bank != nil {
            await listen(for: bill)
            return try await outcome(ofBill: bill)
        }
        let signed = try payload.map { try signer.sign($0) }
        switch sale {
        case .bought(_, let isDeliveredAgain):
            return Bought(
                signedTransaction: signed, pendingBill: nil, isDeliveredAgain: isDeliveredAgain)
        case .waitsForRenewal(let scheduled):
            return Bought(
                signedTransaction: nil, pendingBill: nil, isDeliveredAgain: false,
                scheduled: scheduled)
        case .pending(let bill):
            return Bought(signedTransaction: nil, pendingBill: bill, isDeliveredAgain: false)
        case .held(let held):
            guard held.reason == .askToBuy else {
                throw StoreError.purchase(.interrupted(held.id))
            }
            return Bought(
                signedTransaction: nil, pendingBill: nil, isDeliveredAgain: false,
                request: held.id)
        case .declined:
            throw StoreError.purchase(.paymentDeclined)
        }
    }
}

extension Store {
    /// What has come of a purchase whose bill a bank outside was asked to collect.
    private func outcome(ofBill id: Int64) async throws -> Bought {
        let (payload, state) = try await read {
            reader -> (JWSTransactionDecodedPayload?, BillState?) in
            guard let transaction = try TransactionRecord.find(id, in: reader.session) else {
                return (nil, try BillRecord.state(of: id, in: reader.session))
            }
            let presenter = try Presenter(
                try reader.apps[transaction.app], customer: transaction.customer, in: reader.session
            )
            return (presenter.transaction(transaction, signed: reader.now), nil)
        }
        if let state, !state.isOutstanding { throw StoreError.purchase(.paymentDeclined) }
        let signed = try payload.map { try signer.sign($0) }
        return Bought(
            signedTransaction: signed, pendingBill: signed == nil ? id : nil,
            isDeliveredAgain: false)
    }
}

/// What came of a purchase, inside the store.
enum Sale: Sendable {
    case bought(TransactionRecord, isDeliveredAgain: Bool)
    /// A change of plan that waits for the renewal.
    case waitsForRenewal(Bought.Scheduled?)
    /// The bank has not answered the bill.
    case pending(bill: Int64)
    /// Somebody else lets it happen, or does not.
    case held(HeldPurchase)
    case declined

    /// What is paid, or is to be.
    var billID: Int64? {
        switch self {
        case .bought(let transaction, _): transaction.id
        case .pending(let bill): bill
        case .waitsForRenewal, .held, .declined: nil
        }
    }
}

/// One purchase being made.
struct PurchaseWork {
    let work: UnitOfWork
    let app: App
    let customer: Customer
    let product: Product
    let request: PurchaseRequest
    let command: Command?
    /// Whether somebody let it happen, so that it waits no more.
    let isApproved: Bool

    init(
        work: UnitOfWork, device: DeviceSession, request: PurchaseRequest, isApproved: Bool = false
    ) throws {
        self.work = work
        self.isApproved = isApproved
        self.request = request
        app = try work.apps[device.app]
        guard let customer = try Customer.find(device.customer, in: work.session) else {
            throw Stored.missing("customer \(device.customer)", for: "a signed-in device")
        }
        self.customer = customer
        guard let product = app.product(request.productID) else {
            throw StoreError.unknown(.product, request.productID)
        }
        self.product = product
        if let signed = request.advancedCommerce {
            // What is approved now was known by its number when it was asked for.
            command = isApproved ? nil : app.command(of: signed.request, in: device.environment)
            return
        }
        command = request.idempotencyKey.map { key in
            Command(
                id: "purchase/\(device.customer)/\(device.app)/\(key)",
                asked: "\(request.quantity) \(request.productID) "
                    + (request.appAccountToken ?? "-") + request.linesText)
        }
    }

    /// The offers that it may be made with.
    var offers: PurchaseOffers {
        PurchaseOffers(
            app: app, customer: customer, product: product, asked: request.offer, now: work.now,
            seed: work.seed, session: work.session)
    }

    /// - Throws: `BillDeclined` besides what is refused.
    func run() throws -> Sale {
        if let earlier = try work.earlier(command?.id) { return try replay(earlier) }
        if let signed = request.advancedCommerce { return try sell(signed) }
        guard !product.isGeneric else {
            throw StoreError.advancedCommerce(.AdvancedCommerce.nullAdvancedCommerceData)
        }
        guard
            request.lines == nil && request.offer?.isForSubscriptions ?? false == false
                && request.billing == .upFront
                || product.type == .autoRenewableSubscription
        else {
            throw StoreError.subscription(.notASubscription(product.id))
        }
        let largest = product.type.largestQuantity
        guard (1...largest).contains(request.quantity) else {
            throw StoreError.purchase(.invalidQuantity(request.quantity, largest: largest))
        }
        // Redeemed again while it is to be paid, a code is the same purchase.
        if let bill = try offers.openBill() { return .pending(bill: bill) }
        switch product.type {
        case .autoRenewableSubscription:
            return try attempt { try subscribe() }
        case .nonConsumable:
            if let owned = try deliverAgain() { return .bought(owned, isDeliveredAgain: true) }
            let waiting = try BillRecord.outstanding(
                ofCustomer: customer.id, app: app.id, groupID: nil, productID: product.id,
                in: work.session)
            if let waiting {
                // A code is not used up for what was bought without it.
                guard request.offer == nil else { throw StoreError.refused(.paymentPending) }
                return .pending(bill: waiting.id)
            }
            return try buyOnce()
        case .consumable, .nonRenewingSubscription:
            return try buyOnce()
        }
    }

    /// A repeated command: the same request gets the same answer, another one is a mistake. Of a
    /// bill that was pending it says how it ended.
    private func replay(_ earlier: JournalEntry) throws -> Sale {
        let event = earlier.event
        // The number of a signed request is the app's, whoever buys with it.
        let isOwn = request.advancedCommerce == nil || earlier.customer == customer.id
        guard isOwn, event.asked.map(ExactText.init) == (command?.asked).map(ExactText.init) else {
            throw request.advancedCommerce == nil
                ? StoreError.request(.commandIDReused)
                : .advancedCommerce(.AdvancedCommerce.repeatedRequestReferenceId)
        }
        if event.kind == .askedToBuy || event.kind == .wasInterrupted {
            return try replayHeld(earlier)
        }
        guard let id = event.transactionID ?? event.billID else {
            return .waitsForRenewal(try stillScheduled())
        }
        if let transaction = try work.transaction(id) {
            return .bought(transaction, isDeliveredAgain: event.kind == .deliveredAgain)
        }
        let isOutstanding = try work.bill(id)?.state.isOutstanding ?? false
        return isOutstanding ? .pending(bill: id) : .declined
    }

    private func subscribe() throws -> Sale {
        guard let terms = product.subscription else {
            preconditionFailure("\(product.id) is a subscription without terms")
        }
        let running = try offers.running(in: terms.groupID)
        let storefront = offers.storefront(for: running)
        let listed = try app.plan(
            of: product, request.billing, in: storefront, customer.environment)
        let choice = try choice(listed, terms, running, in: storefront)
        let plan = choice.plan
        guard let running else {
            let sale = try subscribeFirst(to: choice, terms.groupID)
            try keep(choice.redemption, for: sale)
            return sale
        }
        // What waits for the bank was asked for without the code.
        guard choice.redemption == nil || running.subscription.outstanding == nil else {
            throw StoreError.refused(.paymentPending)
        }
        let one = SubscriptionWork(work: work, app: app, customer: customer, record: running)
        let returning = running.returning(
            to: plan, in: storefront, at: work.now,
            under: app.conditions(for: customer, in: storefront))
        // Nobody is asked for what runs already: its renewal is turned on, or it is paid for; nor
        // for what the bank was asked for.
        if running.subscription.outstanding == nil,
            running.subscription.isOver || !plan.delivers(sameAs: running.subscription.plan)
        {
            try one.checkChoice(of: returning, in: storefront)
            if let held = try hold() { return .held(held) }
        }
        // What a pending bill was made for stays as it was asked for.
        if running.subscription.outstanding == nil {
            one.record.storefront = storefront
            if let token = request.appAccountToken { one.record.appAccountToken = token }
        }
        try one.choose(
            returning, grantsIntroductory: choice.grantsIntroductory, command: command)
        let sale = one.sale
        try keep(choice.redemption, for: sale)
        return sale
    }

    /// What is asked for: the product with its offers, or the merchant's lines.
    ///
    /// - Throws: `StoreError.setting(.invalid)` for lines that cannot be.
    private func choice(
        _ listed: Plan, _ terms: SubscriptionTerms, _ running: SubscriptionRecord?,
        in storefront: Storefront
    ) throws -> PurchaseOffers.Choice {
        let currency = storefront.currency
        guard let lines = request.lines else {
            return try offers.choice(of: listed, terms, for: running, in: storefront)
        }
        try currency.check(lines)
        guard listed.billing == .upFront else {
            throw StoreError.setting(
                .invalid("lines", reason: "a plan that is billed monthly is its product alone"))
        }
        // The price of one product would reach a line of another's plan.
        if let taken = lines.first(where: { $0.sku != product.id && app.product($0.sku) != nil }) {
            throw StoreError.setting(
                .invalid("lines", reason: "\(taken.sku) is another product's identifier"))
        }
        return PurchaseOffers.Choice(
            plan: Plan(
                productID: product.id, level: terms.level, period: terms.period, lines: lines,
                currency: currency))
    }

    /// The first purchase in a group: a subscription begins when it is paid.
    func subscribeFirst(to choice: PurchaseOffers.Choice, _ groupID: String) throws -> Sale {
        let plan = choice.plan
        let waiting = try BillRecord.outstanding(
            ofCustomer: customer.id, app: app.id, groupID: groupID, productID: product.id,
            in: work.session)
        if let waiting {
            guard choice.redemption == nil, ExactText(waiting.productID) == ExactText(product.id),
                waiting.bill?.plan.delivers(sameAs: plan) == true
            else {
                throw StoreError.refused(.paymentPending)
            }
            return .pending(bill: waiting.id)
        }
        if let held = try hold() { return .held(held) }
        return try begin(choice, groupID)
    }

    /// A subscription that is new.
    func begin(_ choice: PurchaseOffers.Choice, _ groupID: String) throws -> Sale {
        let plan = choice.plan
        let record = SubscriptionRecord(
            app: app.id, environment: customer.environment, customer: customer.id,
            storefront: customer.storefront, appAccountToken: appAccountToken,
            firstPurchased: work.now,
            subscription: Subscription(
                new: work.nextTransactionID(in: customer.environment), groupID: groupID,
                plan: plan, at: work.now))
        let one = SubscriptionWork(work: work, app: app, customer: customer, record: record)
        try one.choose(plan, command: command)
        return one.sale
    }

    /// The developer's own name for the customer; what a signed request says of it counts first.
    private var appAccountToken: String? {
        let info = request.advancedCommerce?.request.requestInfo
        let token = info?.appAccountToken ?? request.appAccountToken
        return token?.isEmpty == true ? nil : token
    }

    /// Gives the customer the transaction of a product that is bought only once and owned.
    private func deliverAgain() throws -> TransactionRecord? {
        guard let owned = try owned() else { return nil }
        work.record(.deliveredAgain) { entry in
            entry.app = app.id
            entry.customer = customer.id
            entry.event.transactionID = owned.id
            entry.commandID = command?.id
            entry.event.asked = command?.asked
        }
        return owned
    }

    private func owned() throws -> TransactionRecord? {
        try TransactionRecord.owned(
            product.id, by: .init(customer: customer.id, app: app.id), in: work.session)
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
