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
