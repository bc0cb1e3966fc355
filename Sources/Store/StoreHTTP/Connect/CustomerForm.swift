import AppStoreWire
package import HTTPSurface
import Store
package import SubscriptionRules

/// An account, declared once: what is told of it, and what can be set.
package enum CustomerForm {
    package typealias Setting<Value: Sendable> = TypedMember<CustomerSheet, Value>
    private typealias Shared<Value: Sendable> = TypedMember<SharedPurchaseSheet, Value>
    private typealias Bought<Value: Sendable> = TypedMember<PurchaseSheet, Value>

    /// Its number, by which lists go on.
    package static let id = Setting<Int64>("id", "Its number.", .number(), \.id)

    // MARK: What can be set

    package static let storefront = Setting<Storefront>(
        "storefront", "Where the account is at home.", .storefront(), \.storefront)
    package static let email = Setting<String?>(
        "email", "Where its mails go.",
        MemberKind<String>.line(1...254).or(
            .string(""), typed: "none",
            for: "the account's own name, where that is an address"), \.email)
    package static let speed = Setting<SandboxSpeed>(
        "sandboxSpeed", "How many minutes a month lasts in Sandbox.", speeds, \.speed)
    package static let allowsPurchases = Setting<Bool>(
        "allowsPurchasesAndRenewals",
        "Sandbox's switch: off lets the payment method decline everything, on lets it approve.",
        .boolean(), \.allowsPurchases)
    package static let asksToBuy = Setting<Bool>(
        "asksToBuy",
        "Whether somebody else approves each purchase and change of plan, as for a child: they "
            + "wait as requests to buy.", .boolean(), \.asksToBuy)
    package static let interruptsPurchases = Setting<Bool>(
        "interruptsPurchases",
        "Whether each purchase and change of plan fails as interrupted, until the request to buy "
            + "is settled.",
        .boolean(), \.interruptsPurchases)
    package static let canMakePayments = Setting<Bool>(
        "canMakePayments", "Whether the account may pay for anything; renewals go on anyway.",
        .boolean(), \.canMakePayments)
    package static let sharesNewPurchases = Setting<Bool>(
        "sharesNewPurchases",
        "Whether the account shares what it buys from now on with its family.", .boolean(),
        \.sharesNewPurchases)

    /// All that can be set.
    package static let settings = ObjectForm<CustomerSheet>(
        "How an account is set.",
        all: [
            storefront.member, email.member, speed.member, allowsPurchases.member,
            asksToBuy.member, interruptsPurchases.member, canMakePayments.member,
            sharesNewPurchases.member,
        ])

    private static let speeds = MemberKind<SandboxSpeed>(
        asked: { .numbers($0, SandboxSpeed.allCases.map { Int64($0.rawValue) }) },
        json: { JSONValue.integer(Int64($0.rawValue)) },
        value: { json in
            json.wholeNumber.flatMap { Int(exactly: $0) }.flatMap { SandboxSpeed(rawValue: $0) }
        })

    // MARK: What is told

    /// An account, but for its subscriptions, which are objects of their own.
    package static let customer: ObjectForm<CustomerSheet> = {
        let told: [ObjectForm<CustomerSheet>.Member] = [
            id.fact,
            Setting<String>(
                "account", "The name that the customer signs in with.", .free, \.account
            ).fact,
            Setting<StoreEnvironment>(
                "environment", "Its environment.", .environment, \.environment
            ).fact,
            storefront.fact,
            Setting<String>("locale", "The customer's language.", .free, \.locale).fact,
            email.fact,
            Setting<Instant>("created", "When it was made.", .moment(), \.created).fact,
            speed.fact, asksToBuy.fact, interruptsPurchases.fact, canMakePayments.fact,
            sharesNewPurchases.fact,
            .part("paymentMethod", \.payment, of: PaymentForm.payment, blank: PaymentSheet()),
            .optionalParts(
                "sharedByFamily",
                "What others of its family share with it, or shared; not in lists.", \.shared,
                of: shared, blank: SharedPurchaseSheet()),
            .optionalParts(
                "purchases",
                "What else it bought in all apps, the \(mostPurchases) that changed last; not in "
                    + "lists.", \.purchases, of: purchase, blank: PurchaseSheet()),
        ]
        return ObjectForm<CustomerSheet>("An account in one environment.", all: told)
    }()

    /// Nobody reads a longer list of purchases; the API's history has all.
    static let mostPurchases = 200

    private static let shared = ObjectForm<SharedPurchaseSheet>(
        "What a family member has of another one's purchase.",
        all: [
            Shared<String>("purchaser", "Who bought it.", .free, \.purchaser).fact,
            Shared<String>("bundleId", "The app that sold it.", .free, \.bundleID).fact,
            Shared<String>(
                "productId", "The product of its newest period.", .free, \.productID
            ).fact,
            Shared<Int64>(
                "originalTransactionId", "The member's own original transaction.", .identifier,
                \.originalTransactionID
            ).fact,
            Shared<Int64>(
                "sourceOriginalTransactionId", "The purchaser's original transaction.",
                .identifier, \.source
            ).fact,
            Shared<Bool>(
                "entitled", "Whether the member has access now.", .boolean(), \.isEntitled
            ).fact,
            Shared<Instant>("since", "Since when, the last time.", .moment(), \.since).fact,
            Shared<Instant?>(
                "expires", "Until when access is paid for, grace included.",
                MemberKind<Instant>.moment().ifAny(), \.expires
            ).fact,
            Shared<Instant?>(
                "ended", "When sharing ended for the member.",
                MemberKind<Instant>.moment().ifAny(), \.ended
            ).fact,
        ])

    private static let purchase = ObjectForm<PurchaseSheet>(
        "A purchase.",
        all: [
            Bought<Int64>("transactionId", "Its transaction.", .identifier, \.transactionID).fact,
            Bought<String>("bundleId", "The app that sold it.", .free, \.bundleID).fact,
            Bought<String>("productId", "What was bought.", .free, \.productID).fact,
            Bought<Int>("quantity", "How many.", .count(0...Int.max), \.quantity).fact,
            Bought<Instant>("purchased", "When.", .moment(), \.purchased).fact,
            Bought<Int64>("price", "What was paid", total, \.price).fact,
            Bought<String>(
                "currency", "The ISO 4217 code of the currency.", .text(3...3, .plain),
                \.currency
            ).fact,
            Bought<Instant?>(
                "revoked", "When the price was given back.",
                MemberKind<Instant>.moment().ifAny(), \.revoked
            ).fact,
        ])

    private static let total = MemberKind<Int64>(
        asked: { .total($0) }, json: { JSONValue.integer($0) }, value: { $0.wholeNumber })
}
