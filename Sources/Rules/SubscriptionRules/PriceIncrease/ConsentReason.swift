/// One test of whether a price increase needs the subscriber's consent: its figures, and whether
/// they demand it. Tests that demand nothing are kept too, because people ask why not.
public enum ConsentReason: Hashable, Sendable {
    /// The price does not rise, so there is nothing to tell (PRC-4, ACP-12).
    case noIncrease(PriceChange)
    /// The store takes no increase this way in the storefront, so nothing else was tested (ACP-5).
    case unavailable(storefront: String)
    /// Whether the region demands consent always (THR-1 a).
    case region(storefront: String, Region)
    /// Whether the increase is large (THR-1 b).
    case size(SizeTest)
    /// Whether there was an increase within the past 12 months (THR-1 c).
    case frequency(FrequencyTest)
    /// Whether the renewal turns an offer into the standard price in Korea (THR-1 d, KOR-1).
    case koreanConversion(OfferConversion?)
    /// Whether an Indian subscriber pays by UPI AutoPay (INC-9).
    case upiAutoPay(Bool)

    /// What is known of a storefront.
    public enum Region: Hashable, Sendable {
        /// Every increase needs consent.
        case alwaysConsent
        /// The other tests decide.
        case ordinary
        /// It is none of the App Store's storefronts: consent, to be safe.
        case unknown
    }

    /// Whether this test alone demands consent.
    public var demandsConsent: Bool {
        switch self {
        case .noIncrease, .unavailable: false
        case .region(_, let region): region != .ordinary
        case .size(let test): test.demandsConsent
        case .frequency(let test): test.demandsConsent
        case .koreanConversion(let conversion): conversion != nil
        case .upiAutoPay(let isUsed): isUsed
        }
    }

    /// The numbers of the rules that the test comes from.
    public var rule: String {
        switch self {
        case .noIncrease: "PRC-4, ACP-12"
        case .unavailable: "ACP-5"
        case .region: "THR-1 a"
        case .size: "THR-1 b"
        case .frequency: "THR-1 c"
        case .koreanConversion: "THR-1 d, KOR-1"
        case .upiAutoPay: "INC-9"
        }
    }
}

/// What a renewal turns into what, where an offer ends (KOR-1).
public enum OfferConversion: String, Hashable, Sendable, CaseIterable {
    /// A free trial into a paid period.
    case freeTrialToPaid
    /// A discounted offer, however it was paid, into the standard price.
    case discountToStandard
}

/// Whether an increase is more than half of the price **and** more than the storefront's amount;
/// it takes both (THR-2), and neither counts when it is exactly reached (THR-4).
public struct SizeTest: Hashable, Sendable {
    /// The change from what this subscriber pays (THR-6).
    public let change: PriceChange
    /// Whether the amount is the one for a whole year (THR-3).
    public let isAnnual: Bool
    /// The amount of the storefront in milliunits; nil when not known: then half decides alone.
    public let amount: Int64?
    /// Where the amount comes from; nil when there is no row for the storefront and currency.
    public let origin: ConsentThresholds.Origin?

    /// Tests a change in a storefront, whose amounts must be in the currency of the change.
    public init(
        _ change: PriceChange, period: CalendarPeriod, row: ConsentThresholds.Row?
    ) {
        self.change = change
        isAnnual = period.isAnnual
        let usable = row?.currency == change.currency ? row : nil
        amount = usable?.amount(for: period)
        origin = usable?.origin
    }

    /// Whether the increase is more than half of the old price.
    public var isMoreThanHalf: Bool { change.isMoreThanHalf }

    /// Whether the increase is more than the amount; nil when the amount is not known.
    public var isMoreThanAmount: Bool? { amount.map { change.difference > $0 } }

    /// Whether the size alone demands consent.
    public var demandsConsent: Bool { isMoreThanHalf && isMoreThanAmount ?? true }
}

/// Whether this subscriber had an increase of the same subscription within the past 12 months.
///
/// The day on which the 12 months are full still counts as within (TAB-7.2, safe side).
public struct FrequencyTest: Hashable, Sendable {
    /// When the last increased price was first charged; nil when there was none.
    public let previous: Instant?
    /// When the new price would first be charged.
    public let effective: Instant
    /// The first moment at which the previous increase no longer counts; nil without one.
    public let clearFrom: Instant?

    /// Tests the moment at which an increase would take effect. In Sandbox a year is the
    /// shortened one.
    public init(previous: Instant?, effective: Instant, tempo: Tempo, zone: BillingZone) {
        self.previous = previous
        self.effective = effective
        clearFrom = previous.map { previous in
            switch tempo {
            case .sandbox(let speed):
                return previous + speed.length(of: .year) + Span(milliseconds: 1)
            case .real:
                let lastDay = zone.wallClock(at: previous).date.adding(months: 12)
                let day = CivilDate(daysSinceEpoch: lastDay.daysSinceEpoch + 1)
                return zone.instant(of: day, milliseconds: 0)
            }
        }
    }

    /// Whether the frequency alone demands consent.
    public var demandsConsent: Bool { clearFrom.map { effective < $0 } ?? false }
}
