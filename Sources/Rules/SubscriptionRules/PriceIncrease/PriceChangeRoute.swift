/// Who changes a price and who tells the subscribers.
public enum PriceChangeRoute: String, Hashable, Sendable, CaseIterable {
    /// A price scheduled in App Store Connect; the store sends everything (TAB-6).
    case appStoreConnect
    /// Advanced Commerce as of 2025, mode M: the merchant tells and asks first, then calls the
    /// store (TAB-7.3).
    case merchantManaged
    /// Advanced Commerce of today, mode S: the merchant calls first, the store tells and asks
    /// (TAB-7.4).
    case storeManaged

    /// The ways in which a merchant changes prices that it describes itself.
    public static let ofMerchants: [PriceChangeRoute] = [.merchantManaged, .storeManaged]

    /// Whether a price can be raised this way in a storefront: Advanced Commerce takes no increase
    /// in India (ACP-5). A price can be lowered everywhere.
    public func takesIncreases(in storefront: String) -> Bool {
        self == .appStoreConnect || storefront != "IND"
    }

    /// What happens at the renewal when required consent was not given.
    var withoutConsent: CommunicationCalendar.Outcome {
        switch self {
        case .appStoreConnect, .storeManaged: .expires
        case .merchantManaged: .oldPrice
        }
    }
}
