package import Store
package import SubscriptionRules

/// What is ordered for all subscribers of a product.
package struct ExtensionOrder: Sendable, Equatable {
    package var productID = ""
    /// Only in these; nil for all.
    package var storefronts: [Storefront]?
    package var days = 0
    package var reason = ExtensionReason.undeclared
    /// Empty for one that the store chooses.
    package var requestIdentifier = ""

    package init() {}
}

/// A mass extension as an answer tells of it.
package struct MassExtensionSheet: Sendable {
    /// How many subscriptions could not be extended for one reason.
    package struct Failures: Sendable {
        package var reason = ""
        package var count: Int64 = 0
    }

    package var id: Int64 = 0
    package var order = ExtensionOrder()
    package var environment = StoreEnvironment.production
    package var bundleID = ""
    package var created = Instant(milliseconds: 0)
    package var candidates: Int64 = 0
    package var succeeded: Int64 = 0
    package var failed: Int64 = 0
    package var failures: [Failures] = []
    package var isComplete = false
    package var completed: Instant?
    package var isRepeated = false

    /// One that an answer is read into.
    package init() {}

    init(_ one: MassExtension, bundleID: String, _ reasons: [MassExtensionReason]) {
        id = one.id
        order.productID = one.productID
        order.storefronts = one.storefronts
        order.days = one.request.days
        order.reason = one.request.reason
        order.requestIdentifier = one.requestIdentifier
        environment = one.environment
        self.bundleID = bundleID
        created = one.created
        (candidates, succeeded, failed) = (one.candidates, one.succeeded, one.failed)
        failures = reasons.map { Failures(reason: $0.reason, count: $0.count) }
        // Who could not even be read has no row of its own.
        let damaged = failed - reasons.reduce(0) { $0 + $1.count }
        if damaged > 0 { failures.append(Failures(reason: "damaged", count: damaged)) }
        isComplete = one.completed != nil
        completed = one.completed
        isRepeated = one.isRepeated
    }

    /// How many were looked at so far.
    package var reached: Int64 { succeeded + failed }
}

/// A subscription that a mass extension could not extend.
package struct FailedExtension: Sendable {
    package var originalTransactionID: Int64 = 0
    package var account = ""
    package var reason = ""
    /// When another try extended it; nil while none has.
    package var extended: Instant?

    /// One that an answer is read into.
    package init() {}

    init(_ failure: MassExtensionFailure) {
        originalTransactionID = failure.originalTransactionID
        account = failure.account
        reason = failure.reason
        extended = failure.extended
    }
}

/// What came of trying again those whom a mass extension left out.
package struct RetriedExtensions: Sendable {
    package var extended: Int64 = 0
    package var failed: Int64 = 0

    package init(extended: Int64 = 0, failed: Int64 = 0) {
        self.extended = extended
        self.failed = failed
    }
}
