import AppStoreWire
package import HTTPSurface
import Store
package import SubscriptionRules

/// Mass extensions, declared once: what is ordered, what is told, and whom they left out.
package enum ExtensionForm {
    private typealias Fact<Value: Sendable> = TypedMember<MassExtensionSheet, Value>
    private typealias Failed<Value: Sendable> = TypedMember<FailedExtension, Value>
    private typealias Retried<Value: Sendable> = TypedMember<RetriedExtensions, Value>

    // MARK: The order

    package static let productID = TypedMember<ExtensionOrder, String>(
        "productId", "The product.", .line(1...255), \.productID)
    package static let storefronts = TypedMember<ExtensionOrder, [Storefront]?>(
        "storefronts", "Only in these.", storefrontList.ifAny(absentFor: "all"), \.storefronts)
    package static let days = TypedMember<ExtensionOrder, Int>(
        "days", "How many days.", .count(ExtensionEligibility.daysAllowed), \.days)
    package static let reason = TypedMember<ExtensionOrder, ExtensionReason>(
        "reason", "Why; undeclared unless it is said.", reasons.unlessGiven(.undeclared),
        \.reason)
    package static let requestIdentifier = TypedMember<ExtensionOrder, String>(
        "requestIdentifier", "Names the extension; the store chooses one unless it is said.",
        identifier.unlessGiven(""), \.requestIdentifier)

    /// What is ordered.
    package static let order = ObjectForm<ExtensionOrder>(
        "What is extended, and by how much.",
        all: [
            productID.member, storefronts.member, days.member, reason.member,
            requestIdentifier.member,
        ])

    /// Without repetitions, in the order in which they were given.
    private static let storefrontList = MemberKind<[Storefront]>(
        asked: { .list($0, of: .storefront("A storefront."), atLeast: 1) },
        answered: { .list($0, of: .storefront("A storefront.")) },
        json: { JSONValue.array($0.map { JSONValue.string($0.code) }) },
        value: { json in
            json.array?.reduce(into: []) { found, code in
                if let one = code.string.flatMap({ Storefront(code: $0) }), !found.contains(one) {
                    found.append(one)
                }
            }
        })

    private static let reasons = MemberKind<ExtensionReason>.choice(
        of: ExtensionReason.allCases,
        named: { reason in
            switch reason {
            case .undeclared: "undeclared"
            case .customerSatisfaction: "customerSatisfaction"
            case .other: "other"
            case .serviceIssueOrOutage: "serviceIssueOrOutage"
            }
        })

    private static let identifier = MemberKind<String>(
        asked: { .uuid($0) },
        json: { (text: String) -> JSONValue? in text.isEmpty ? nil : JSONValue.string(text) },
        value: { json in json.string.map { $0.lowercasedUUID ?? $0 } }, typed: "uuid")

    // MARK: What is told

    /// Its number, by which lists go on.
    package static let id = TypedMember<MassExtensionSheet, Int64>(
        "id", "Its number.", .number(), \.id)

    /// A mass extension, and how far it is.
    package static let massExtension: ObjectForm<MassExtensionSheet> = {
        let ordered: [ObjectForm<MassExtensionSheet>.Member] = order.lifted(
            to: \MassExtensionSheet.order)
        let told: [ObjectForm<MassExtensionSheet>.Member] = [
            Fact<StoreEnvironment>(
                "environment", "Its environment.", .environment, \.environment
            ).fact,
            Fact<String>("bundleId", "The app.", .free, \.bundleID).fact,
            Fact<Instant>("created", "When it was ordered.", .moment(), \.created).fact,
            Fact<Int64>(
                "candidates", "How many subscriptions there were to look at.", .number(),
                \.candidates
            ).fact,
            Fact<Int64>(
                "succeeded", "How many were extended so far.", .number(), \.succeeded
            ).fact,
            Fact<Int64>(
                "failed", "How many could not be extended so far.", .number(), \.failed
            ).fact,
            .parts(
                "failures", "Why they could not, the most frequent reason first.", \.failures,
                of: failures, blank: MassExtensionSheet.Failures()),
            Fact<Bool>(
                "complete", "Whether all were looked at.", .boolean(), \.isComplete
            ).fact,
            Fact<Instant?>(
                "completed", "When the last one was looked at.",
                MemberKind<Instant>.moment().ifAny(), \.completed
            ).fact,
            isRepeated.fact,
        ]
        return ObjectForm<MassExtensionSheet>(
            "An extension for all subscribers of a product.", all: [id.fact] + ordered + told)
    }()

    /// Whether an order repeated the identifier of another.
    package static let isRepeated = TypedMember<MassExtensionSheet, Bool>(
        "repeated", "\(repeatedText) Only in answers to an order.", .affirmation, \.isRepeated)

    static let repeatedText =
        "The identifier was used before: this is what came of it then, and nothing new was done."

    private static let failures = ObjectForm<MassExtensionSheet.Failures>(
        "A reason.",
        all: [
            TypedMember<MassExtensionSheet.Failures, String>(
                "reason", failureReasonText, failureReasons, \.reason
            ).fact,
            TypedMember<MassExtensionSheet.Failures, Int64>(
                "count", "How many failed for it.", .number(), \.count
            ).fact,
        ])

    // MARK: Whom it left out

    /// The subscription, by which the list goes on.
    package static let originalTransactionID = TypedMember<FailedExtension, Int64>(
        "originalTransactionId", "The subscription.", .identifier, \.originalTransactionID)

    /// A subscription that was not extended.
    package static let failed = ObjectForm<FailedExtension>(
        "A subscription that was not extended.",
        all: [
            originalTransactionID.fact,
            Failed<String>("account", "Whose it is.", .free, \.account).fact,
            Failed<String>("reason", failureReasonText, failureReasons, \.reason).fact,
            Failed<Instant?>(
                "extended", "When another try extended it; absent while none has.",
                MemberKind<Instant>.moment().ifAny(), \.extended
            ).fact,
        ])

    /// What came of another try.
    package static let retried = ObjectForm<RetriedExtensions>(
        "What came of it.",
        all: [
            Retried<Int64>("extended", "How many were extended now.", .number(), \.extended).fact,
            Retried<Int64>("failed", "How many still cannot be.", .number(), \.failed).fact,
        ])

    private static let failureReasonText =
        "Why; `provoked` where the app's `failingExtensions` made it fail, `damaged` where what is "
        + "stored could not be read."

    private static let failureReasons = MemberKind<String>.choice(
        of: ExtensionRefusal.allCases.map(\.rawValue) + ["provoked", "damaged"], named: { $0 })
}
