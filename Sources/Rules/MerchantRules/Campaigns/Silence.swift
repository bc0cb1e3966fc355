public import SubscriptionRules

/// What silence about a price leads to: whoever is asked or told may as well say nothing.
public enum Silence: String, Hashable, Sendable, CaseIterable {
    /// The renewal charges the new price.
    case newPrice
    /// The price stays as it is (ACP-10).
    case oldPrice
    /// The subscription ends before the renewal (KOR-5).
    case ends
}

extension CommunicationTimetable.Occasion {
    /// What silence leads to where the merchant tells and asks. Whether consent is needed decides
    /// it: what nobody agreed to is not charged. The old price of an offer that ends cannot stay.
    public var silence: Silence {
        switch self {
        case .notice: .newPrice
        case .consent: .oldPrice
        case .koreanConversion: .ends
        }
    }
}
