/// How a new price reaches one subscriber: silently, with a notice, or only with consent; and
/// every test that led there (INC-1, THR-1, TAB-7.2).
public struct ConsentDecision: Hashable, Sendable {
    /// What a subscriber is asked.
    public enum Path: String, Hashable, Sendable, CaseIterable {
        /// Nothing is said: the price falls or stays.
        case none
        /// The subscriber is told; silence is agreement.
        case notice
        /// The subscriber must agree.
        case consent
        /// Nothing is asked and nothing happens: the store refuses such an increase (ACP-5).
        case unavailable
    }

    /// The change that was judged.
    public let change: PriceChange
    /// The path that it takes.
    public let path: Path
    /// Every test that was made, in a fixed order, with its figures and outcome.
    public let reasons: [ConsentReason]

    /// Judges a change for one subscriber when it reaches them, not when it is scheduled (THR-7).
    ///
    /// Integers only. Exactly 50 % and exactly the amount are not exceeded (THR-4). A conversion
    /// in Korea needs consent whatever the list prices do.
    ///
    /// - Parameters:
    ///   - change: from what this subscriber pays (THR-6).
    ///   - period: the length of the plan; 12 months and more count as annual.
    ///   - storefront: the alpha-3 code of the subscriber's storefront.
    ///   - previousIncrease: when this subscriber was first charged the last increased price of
    ///     this subscription.
    ///   - effective: when the new price would first be charged.
    ///   - conversion: the offer that ends with that renewal; matters in Korea only.
    ///   - paysByUPIAutoPay: matters in India only (INC-9).
    ///   - route: Advanced Commerce is not available everywhere (ACP-5).
    ///   - tempo: in Sandbox the 12 months are shortened ones.
    ///   - zone: in which the 12 months are counted in days.
    public init(
        _ change: PriceChange, period: CalendarPeriod, storefront: String,
        previousIncrease: Instant?, effective: Instant, conversion: OfferConversion? = nil,
        paysByUPIAutoPay: Bool = false, route: PriceChangeRoute = .appStoreConnect,
        thresholds: ConsentThresholds = .standard, tempo: Tempo = .real, zone: BillingZone = .utc
    ) {
        self.change = change
        guard !change.isIncrease || route.takesIncreases(in: storefront) else {
            (path, reasons) = (.unavailable, [.unavailable(storefront: storefront)])
            return
        }
        var reasons: [ConsentReason] = []
        if storefront == Self.korea { reasons.append(.koreanConversion(conversion)) }
        guard change.isIncrease else {
            path = reasons.contains(where: \.demandsConsent) ? .consent : .none
            self.reasons = [.noIncrease(change)] + reasons
            return
        }
        let row = thresholds[storefront]
        let region: ConsentReason.Region =
            row.map { $0.alwaysConsent ? .alwaysConsent : .ordinary } ?? .unknown
        let frequency = FrequencyTest(
            previous: previousIncrease, effective: effective, tempo: tempo, zone: zone)
        reasons =
            [
                .region(storefront: storefront, region),
                .size(SizeTest(change, period: period, row: row)),
                .frequency(frequency),
            ] + reasons
        if storefront == Self.india { reasons.append(.upiAutoPay(paysByUPIAutoPay)) }
        self.reasons = reasons
        path = reasons.contains(where: \.demandsConsent) ? .consent : .notice
    }

    /// The tests that demand consent; empty unless that is the path.
    public var decidingReasons: [ConsentReason] { reasons.filter(\.demandsConsent) }

    private static let korea = "KOR"
    private static let india = "IND"
}
