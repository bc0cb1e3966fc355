import AppStoreSigning
public import AppStoreWire
import Storage
public import SubscriptionRules

/// A transaction as a device receives it.
public struct DeviceTransaction: Sendable {
    public let id: Int64
    public let productID: String
    public let orderID: String
    /// Whether the device has finished it, or never had to.
    public let isFinished: Bool
    /// Whether it waits again because a restore brought it back.
    public let isRestored: Bool
    public let signed: String
}

/// A subscription as a device sees it.
public struct DeviceSubscription: Sendable {
    public let originalTransactionID: Int64
    public let groupID: String
    public let status: Status
    public let isEntitled: Bool
    /// Whether the customer has it from the family: its purchaser manages it (FAM-7).
    public let isShared: Bool
    public let productID: String
    /// The product of the next period.
    public let nextProductID: String
    public let renewsAutomatically: Bool
    public let expires: Instant
    /// When the grace period ends; nil outside of one.
    public let graceEnds: Instant?
    /// The month of the running commitment, from 1, and when that ends; nil outside of one.
    public let commitment: (month: Int, ends: Instant)?
    public let signedTransaction: String
    public let signedRenewalInfo: String
}

/// A product as a device sees it, with its price in the customer's storefront.
public struct DeviceProduct: Sendable {
    public let product: Product
    public let price: Money
    public let offers: Offers
    /// The plan that is billed monthly under a commitment; nil where none is sold (CMT-1).
    public let monthly: MonthlyPlan?

    public typealias PricedOffer = (offer: Offer, price: Money)

    /// The offers of a billing plan that can be taken up now in the storefront, with their prices.
    public struct Offers: Sendable {
        /// Where this customer may still have it; without a customer, where there is one.
        public let introductory: PricedOffer?
        /// In catalogue order, whoever may have them (PRO-1, WIN-2).
        public let promotional: [PricedOffer]
        public let winBack: [PricedOffer]
    }

    /// What a year that is billed monthly costs, a month and in all.
    public struct MonthlyPlan: Sendable {
        public let price: Money
        public let total: Money
        public let offers: Offers
    }
}

/// What an app sells to the customer on a device, and what there is to read besides.
public struct DeviceShop: Sendable {
    /// Where the account is at home, or what was asked for.
    public let storefront: Storefront
    /// Whether the customer may pay for anything (CAN-1); nil without a customer.
    public let canMakePayments: Bool?
    /// The customer's language.
    public let locale: String
    /// The language in which the app is written first.
    public let home: String
    public let groups: [SubscriptionGroup]
    public let policies: AppPolicies
    public let products: [DeviceProduct]
}

extension Store {
    /// The account that is signed in on a device.
    public func account(of device: DeviceSession) async throws -> Customer {
        try await read { try $0.account(device) }
    }

    /// The products of the app that can be bought, in catalogue order.
    ///
    /// - Parameter ids: the wanted ones; empty for all. Unknown ones are left out, as StoreKit
    ///   does.
    public func products(
        _ ids: [String], for device: DeviceSession
    ) async throws -> DeviceShop {
        try await read { reader in
            let app = try reader.apps[device.app]
            let customer = try reader.account(device)
            let records = Dictionary(
                try SubscriptionRecord.all(
                    ofCustomer: customer.id, app: app.id, in: reader.session
                ).map { ($0.subscription.groupID, $0) }, uniquingKeysWith: { one, _ in one })
            let now = reader.now
            return DeviceShop(
                app, ids, canMakePayments: customer.canMakePayments, in: customer.storefront,
                locale: customer.locale
            ) { product in
                let record = product.subscription.flatMap { records[$0.groupID] }
                return DeviceProduct(product, for: customer, record, in: app, at: now)
            }
        }
    }

    /// The products of an app as somebody sees them who has not signed in: as for a new customer
    /// of the storefront, of whom nothing is known that would keep an offer from being had.
    ///
    /// - Parameters:
    ///   - ids: the wanted ones; empty for all. Unknown ones are left out.
    ///   - storefront: nil for the app's own.
    ///   - locale: the language of the texts; nil for the app's own.
    /// - Throws: `StoreError.unknown(.app)`.
    public func products(
        _ ids: [String], ofApp bundleID: String, in storefront: Storefront?, locale: String?,
        _ environment: StoreEnvironment
    ) async throws -> DeviceShop {
        try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            let storefront = storefront ?? app.settings.storefront
            let now = reader.now
            return DeviceShop(
                app, ids, canMakePayments: nil, in: storefront,
                locale: locale ?? app.settings.locale
            ) { product in
                DeviceProduct(product, in: storefront, environment, of: app, at: now)
            }
        }
    }

    /// The customer's transactions, oldest first; the device's own queue when asked (PRD-2). For
    /// the operator who acts in the customer's place it is what nobody has finished.
    ///
    /// - Parameters:
    ///   - unfinishedOnly: whether only those are wanted that wait to be finished.
    ///   - after: the identifier of the last one of the page before.
    ///   - limit: how many at most.
    public func transactions(
        for device: DeviceSession, unfinishedOnly: Bool, after: Int64, limit: Int
    ) async throws -> [DeviceTransaction] {
        let found = try await read { reader in
            guard let record = try reader.record(of: device) else {
                let records = try TransactionRecord.page(
                    of: device.buyer, unfinishedOnly: unfinishedOnly, after: after, limit: limit,
                    in: reader.session)
                return try reader.present(records, device)
            }
            let found = try record.transactions(
                unfinishedOnly: unfinishedOnly, after: after, limit: limit, in: reader.session)
            return try reader.present(
                found.map(\.record), device,
                Dictionary(
                    found.map { ($0.record.id, $0.standing) }, uniquingKeysWith: { one, _ in one }))
        }
        return try found.map(sign)
    }

    /// What the customer has access to now: owned non-consumables, non-renewing subscriptions
    /// (whose end only the developer knows), and the newest transaction of each subscription that
    /// is active or in grace (CHG-5, CHG-6). In 2012 the store gave no non-renewing subscription
    /// out again that was finished.
    public func entitlements(for device: DeviceSession) async throws -> [DeviceTransaction] {
        let found = try await read { reader in
            let isToday = try reader.apps[device.app].settings.era == .today
            let records = try TransactionRecord.entitlements(
                of: device.buyer, in: reader.session
            ).filter { isToday || $0.type != .nonRenewingSubscription || $0.finished == nil }
            return try reader.present(
                records, device,
                reader.record(of: device)?.standings(of: records.map(\.id), in: reader.session))
        }
        return try found.map(sign)
    }

    /// The customer's subscriptions, one a group, and those that the family shares.
    public func subscriptions(for device: DeviceSession) async throws -> [DeviceSubscription] {
        let snapshots = try await read { reader in
            let app = try reader.apps[device.app]
            return try reader.newest(
                customer: device.customer, app: app,
                by: try Presenter(app, customer: device.customer, in: reader.session))
        }
        return try snapshots.map(sign)
    }

    func sign(_ snapshot: SubscriptionSnapshot) throws -> DeviceSubscription {
        let subscription = snapshot.subscription
        var graceEnds: Instant?
        if case .grace(_, let until) = subscription.state { graceEnds = until }
        return DeviceSubscription(
            originalTransactionID: snapshot.originalID, groupID: subscription.groupID,
            status: snapshot.status, isEntitled: snapshot.isEntitled,
            isShared: snapshot.originalID != subscription.id,
            productID: subscription.plan.productID, nextProductID: subscription.nextProductID,
            renewsAutomatically: subscription.renewsAutomatically,
            expires: subscription.newestPeriod.end, graceEnds: graceEnds,
            commitment: snapshot.commitment,
            signedTransaction: try signer.sign(snapshot.transaction),
            signedRenewalInfo: try signer.sign(snapshot.renewal))
    }

    /// The bundle identifier of the app that is on the device.
    public func bundleID(of device: DeviceSession) async throws -> String {
        try await read { try $0.apps[device.app].bundleID }
    }

    /// The signed copy of the app on the device.
    public func appTransaction(for device: DeviceSession) async throws -> String {
        let payload = try await read { reader in
            try reader.appTransaction(
                try reader.apps[device.app], customer: device.customer, device.environment,
                isOnDevice: true)
        }
        return try signer.sign(payload)
    }

    func sign(_ found: PresentedTransaction) throws -> DeviceTransaction {
        DeviceTransaction(
            id: found.record.id, productID: found.record.productID,
            orderID: OrderID.text(found.record.id), isFinished: found.standing == .done,
            isRestored: found.standing == .isRestored, signed: try signer.sign(found.payload))
    }
}

/// A transaction as a device is to receive it, ready to be signed.
struct PresentedTransaction {
    let record: TransactionRecord
    let standing: DeviceStanding
    let payload: JWSTransactionDecodedPayload
}

extension DeviceShop {
    /// - Parameter find: a product as it is seen, or nil where it is not on sale.
    fileprivate init(
        _ app: App, _ ids: [String], canMakePayments: Bool?, in storefront: Storefront,
        locale: String, _ find: (Product) -> DeviceProduct?
    ) {
        let wanted = Set(ids)
        self.init(
            storefront: storefront, canMakePayments: canMakePayments, locale: locale,
            home: app.settings.locale, groups: app.catalogue.groups,
            policies: app.catalogue.policies,
            products: app.catalogue.products.filter {
                wanted.isEmpty || wanted.contains($0.id)
            }.compactMap(find))
    }
}

extension DeviceProduct {
    /// A product as a customer may buy it now, or nil where it is not on sale. In a group with a
    /// running subscription, prices are those of the storefront where that was bought. Whoever
    /// comes back to a preserved price sees that.
    init?(
        _ product: Product, for customer: Customer, _ record: SubscriptionRecord?, in app: App,
        at now: Instant
    ) {
        let isRunning = record.map { !$0.subscription.isOver } ?? false
        let storefront = record.flatMap { isRunning ? $0.storefront : nil } ?? customer.storefront
        self.init(
            product, in: storefront, customer.environment, of: app, at: now,
            isNew: !isRunning && record?.subscription.hasUsedIntroductoryOffer != true
        ) { plan in
            record.map {
                $0.returning(
                    to: plan, in: storefront, at: now,
                    under: app.conditions(for: customer, in: storefront)
                ).price
            } ?? plan.price
        }
    }

    /// - Parameters:
    ///   - isNew: whether nothing is known that rules the introductory offer out.
    ///   - pays: what a plan costs; as everybody pays unless given.
    init?(
        _ product: Product, in storefront: Storefront, _ environment: StoreEnvironment,
        of app: App, at now: Instant, isNew: Bool = true, pays: (Plan) -> Money = { $0.price }
    ) {
        guard app.isForSale(product.id, in: storefront, environment) else { return nil }
        func offers(_ billing: BillingPlan) -> Offers {
            func priced(_ offer: Offer) -> PricedOffer { (offer, offer.price(in: storefront)) }
            func all(_ kind: Offer.Kind) -> [PricedOffer] {
                (product.subscription?.offers ?? []).filter {
                    $0.kind == kind && $0.billing == billing
                        && $0.availability.covers(now, in: storefront.code)
                }.map(priced)
            }
            let introductory = product.subscription?.introductoryOffer(
                billing, at: now, in: storefront)
            return Offers(
                introductory: isNew ? introductory.map(priced) : nil,
                promotional: all(.promotional), winBack: all(.winBack))
        }
        func price(_ billing: BillingPlan) -> Money? {
            product.plan(billing, in: storefront).map(pays)
                ?? product.price(billing, in: storefront)
        }
        var monthly: MonthlyPlan?
        if app.isForSale(product.id, .monthly, in: storefront, environment),
            let month = price(.monthly)
        {
            monthly = MonthlyPlan(
                price: month,
                total: Money(
                    milliunits: Commitment.price(ofMonth: month.milliunits), month.currency),
                offers: offers(.monthly))
        }
        self.init(
            product: product, price: price(.upFront) ?? product.price(in: storefront),
            offers: offers(.upFront), monthly: monthly)
    }
}

extension StoreReader {
    func account(_ device: DeviceSession) throws -> Customer {
        guard let customer = try Customer.find(device.customer, in: session) else {
            throw Stored.missing("customer \(device.customer)", for: "a signed-in device")
        }
        return customer
    }

    /// The row of a device; nil for the operator who acts in the customer's place.
    ///
    /// - Throws: `StoreError.request(.signedOut)` where it was removed since.
    func record(of device: DeviceSession) throws -> DeviceRecord? {
        guard let id = device.id else { return nil }
        guard let record = try DeviceRecord.find(id, in: session),
            record.customer == device.customer
        else { throw StoreError.request(.signedOut) }
        return record
    }

    /// - Parameter standings: what each is to the device; nil where there is none, and what counts
    ///   is whether anybody finished it.
    func present(
        _ records: [TransactionRecord], _ device: DeviceSession,
        _ standings: [Int64: DeviceStanding]? = nil
    ) throws -> [PresentedTransaction] {
        guard !records.isEmpty else { return [] }
        let presenter = try Presenter(
            try apps[device.app], customer: device.customer, in: session)
        return records.map { record in
            let standing: DeviceStanding? = standings.map { $0[record.id] ?? .done }
            return PresentedTransaction(
                record: record, standing: standing ?? (record.finished == nil ? .waits : .done),
                payload: presenter.transaction(record, signed: now))
        }
    }
}

extension DeviceSession {
    var buyer: TransactionRecord.Selection { .init(customer: customer, app: app) }
}
