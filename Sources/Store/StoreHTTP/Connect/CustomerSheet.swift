import HTTPSurface
package import Store
package import SubscriptionRules

/// An account as an answer tells of it, but for its subscriptions.
package struct CustomerSheet: Sendable {
    package var id: Int64 = 0
    package var account = ""
    package var environment = StoreEnvironment.production
    package var storefront = Storefront.usa
    package var locale = ""
    package var email: String?
    package var created = Instant(milliseconds: 0)
    package var speed = SandboxSpeed.fiveMinutes
    package var asksToBuy = false
    package var interruptsPurchases = false
    package var canMakePayments = true
    package var sharesNewPurchases = true
    package var payment = PaymentSheet()
    /// Nil in lists of accounts, as are the purchases.
    package var shared: [SharedPurchaseSheet]?
    package var purchases: [PurchaseSheet]?

    /// Sandbox's switch, which is the payment method.
    package var allowsPurchases: Bool {
        get { payment.behaviour != .decline }
        set { payment.behaviour = newValue ? .approve : .decline }
    }

    /// One that an answer is read into.
    package init() {}

    init(_ customer: Customer) {
        id = customer.id
        account = customer.account
        environment = customer.environment
        storefront = customer.storefront
        locale = customer.locale
        email = customer.email
        created = customer.created
        speed = customer.sandboxSpeed
        asksToBuy = customer.asksToBuy
        interruptsPurchases = customer.interruptsPurchases
        canMakePayments = customer.canMakePayments
        sharesNewPurchases = customer.sharesNewPurchases
        payment = PaymentSheet(customer.paymentMethod)
    }
}

/// How the built-in bank answers a customer's bills.
package struct PaymentSheet: Sendable {
    package enum Behaviour: String, Sendable, CaseIterable {
        case approve, decline, later
    }

    package var behaviour = Behaviour.approve
    package var until: Instant?
    package var count: Int?
    /// A length of time, as ISO 8601 text.
    package var after: String?
    package var isPaid: Bool?

    /// One that an answer is read into.
    package init() {}

    init(_ method: PaymentMethod) {
        switch method {
        case .approves: behaviour = .approve
        case .declines(let until, let left):
            behaviour = .decline
            (self.until, count) = (until, left)
        case .answersLater(let after, let isPaid):
            behaviour = .later
            (self.after, self.isPaid) = (after?.iso8601, isPaid)
        }
    }
}

/// What a family member has of another one's purchase.
package struct SharedPurchaseSheet: Sendable {
    package var purchaser = ""
    package var bundleID = ""
    package var productID = ""
    package var originalTransactionID: Int64 = 0
    package var source: Int64 = 0
    package var isEntitled = false
    package var since = Instant(milliseconds: 0)
    package var expires: Instant?
    package var ended: Instant?
}

extension SharedPurchaseSheet {
    init(_ shared: SharedWithMember) {
        self.init()
        purchaser = shared.purchaser
        bundleID = shared.bundleID
        productID = shared.productID
        originalTransactionID = shared.originalTransactionID
        source = shared.source
        isEntitled = shared.isEntitled
        since = shared.since
        expires = shared.expires
        ended = shared.ended
    }
}

/// What was bought besides subscriptions.
package struct PurchaseSheet: Sendable {
    package var transactionID: Int64 = 0
    package var bundleID = ""
    package var productID = ""
    package var quantity = 0
    package var purchased = Instant(milliseconds: 0)
    /// In milliunits of the currency.
    package var price: Int64 = 0
    package var currency = ""
    package var revoked: Instant?
}

extension PurchaseSheet {
    init(_ purchase: Purchase) {
        self.init()
        transactionID = purchase.transactionID
        bundleID = purchase.bundleID
        productID = purchase.productID
        quantity = purchase.quantity
        purchased = purchase.purchased
        price = purchase.price.milliunits
        currency = purchase.price.currency.code
        revoked = purchase.revoked
    }
}
