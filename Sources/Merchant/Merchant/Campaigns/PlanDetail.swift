import FoundationEssentials
import MerchantRules
import Storage
public import SubscriptionRules
import Wording

/// Why a plan says what it says of a subscriber, and what comes when: kept as one text, since it is
/// only read as a whole.
public struct PlanDetail: Codable, Hashable, Sendable {
    /// One test of whether an item's price needs consent.
    public struct Reason: Codable, Hashable, Sendable {
        public var sku: String
        /// The numbers of the rules that the test comes from.
        public var rule: String
        public var demandsConsent: Bool
        public var sentence: String
    }

    /// One message.
    public struct Message: Codable, Hashable, Sendable {
        public var occasion: String
        public var channel: String
        public var condition: String
        public var skus: [String]
        /// In milliseconds since 1970.
        var at: Int64

        public var moment: Instant { Instant(milliseconds: at) }
    }

    /// One call of the store.
    public struct Call: Codable, Hashable, Sendable {
        public var skus: [String]
        public var needsConsent: Bool
        var from: Int64
        var until: Int64?

        /// The first moment for it.
        public var opens: Instant { Instant(milliseconds: from) }
        /// The last one for the renewal that is meant; nil where a later call means a later one.
        public var closes: Instant? { until.map(Instant.init(milliseconds:)) }
    }

    /// What would break a rule or reach nobody.
    public struct Warning: Codable, Hashable, Sendable {
        /// One of `PlanWarning.codes`.
        public var code: String
        var at: Int64?

        /// The moment that it is about, where there is one.
        public var moment: Instant? { at.map(Instant.init(milliseconds:)) }
    }

    public var reasons: [Reason] = []
    public var messages: [Message] = []
    public var calls: [Call] = []
    public var warnings: [Warning] = []

    /// Nothing to say.
    public init() {}

    /// What a plan of a price says.
    init(_ plan: SubscriberPlan) {
        warnings = plan.warnings.map { Warning($0) }
        if case .included(let explanation) = plan.decision {
            reasons = explanation.items.flatMap { item in
                item.explanation.decision.reasons.map { Reason($0, of: item.sku) }
            }
        }
        messages = (plan.schedule?.messages ?? []).map { message in
            Message(
                occasion: message.occasion.rawValue, channel: message.channel.rawValue,
                condition: message.condition.rawValue, skus: message.skus,
                at: message.moment.milliseconds)
        }
        calls = (plan.schedule?.calls ?? []).map { call in
            Call(
                skus: call.skus, needsConsent: call.needsConsent, from: call.opens.milliseconds,
                until: call.closes?.milliseconds)
        }
    }

    /// What a plan of an outage says.
    init(_ plan: OutagePlan) { warnings = plan.warnings.map { Warning($0) } }

    /// As it is kept.
    ///
    /// - Throws: what the encoder throws.
    func text() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    /// Reads what was kept.
    init(kept text: String) throws(StorageError) {
        guard let detail = try? JSONDecoder().decode(PlanDetail.self, from: Data(text.utf8)) else {
            throw StorageError(.corrupt, "a plan's detail cannot be read")
        }
        self = detail
    }
}

extension PlanDetail.Reason {
    fileprivate init(_ reason: ConsentReason, of sku: String) {
        self.init(
            sku: sku, rule: reason.rule, demandsConsent: reason.demandsConsent,
            sentence: Wording.english.sentence(reason))
    }
}

extension PlanDetail.Warning {
    fileprivate init(_ warning: PlanWarning) {
        let moment: Instant? =
            switch warning {
            case .secondIncreaseWithin12Months(let previous): previous
            case .noticeTooShort(let renewal): renewal
            case .changeOnRenewalDay(let renewal): renewal
            case .extensionLimit, .twoChangesInOneCycle, .unreachableBy: nil
            }
        self.init(code: warning.code, at: moment?.milliseconds)
    }
}
