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
