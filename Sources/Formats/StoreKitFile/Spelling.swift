import AppStoreWire
import SubscriptionRules

/// The words of the format, and the other spellings under which generated files write them
/// (SKF-4 to SKF-6, SKF-11).
enum Spelling {
    /// The product type that a word means.
    static func productType(_ word: String) -> ProductType? {
        switch word.foldedName {
        case "consumable": .consumable
        case "nonconsumable": .nonConsumable
        case "nonrenewingsubscription", "nonrenewablesubscription": .nonRenewingSubscription
        case "recurringsubscription", "autorenewablesubscription", "subscription":
            .autoRenewableSubscription
        default: nil
        }
    }

    /// The word that Xcode writes for a product type.
    static func word(_ type: ProductType) -> String {
        switch type {
        case .consumable: "Consumable"
        case .nonConsumable: "NonConsumable"
        case .nonRenewingSubscription: "NonRenewingSubscription"
        case .autoRenewableSubscription: "RecurringSubscription"
        }
    }

    /// What the `paymentMode` of an offer means.
    enum PaymentMode: Equatable {
        case mode(Offer.Mode)
        /// Xcode 15 leaves this where an offer was taken away again (inferred).
        case noOffer
    }

    /// The payment mode that a word means.
    static func paymentMode(_ word: String) -> PaymentMode? {
        switch word.foldedName {
        case "free", "freetrial": .mode(.freeTrial)
        case "payasyougo": .mode(.payAsYouGo)
        case "payupfront": .mode(.payUpFront)
        case "none": .noOffer
        default: nil
        }
    }

    /// The word that Xcode writes for a payment mode.
    static func word(_ mode: Offer.Mode) -> String {
        switch mode {
        case .freeTrial: "free"
        case .payAsYouGo: "payAsYouGo"
        case .payUpFront: "payUpFront"
        }
    }

    /// A length from App Store Connect's `duration` and `durationUnit`: `1` and `WEEK`.
    static func period(count: Int, unit: String) -> CalendarPeriod? {
        let units: [String: CalendarPeriod.Unit] = [
            "day": .day, "days": .day, "week": .week, "weeks": .week, "month": .month,
            "months": .month, "year": .year, "years": .year,
        ]
        guard let unit = units[unit.foldedName], (1...9999).contains(count) else { return nil }
        return CalendarPeriod(count, unit)
    }

    /// The member of a list that lasts exactly as long: `P1W` for `P7D`, `P1Y` for `P12M`.
    static func same(as period: CalendarPeriod, in list: [CalendarPeriod]) -> CalendarPeriod? {
        if list.contains(period) { return period }
        return list.first { known in
            (known.months != nil && known.months == period.months)
                || (known.days != nil && known.days == period.days)
        }
    }

    /// The lengths that a free or up-front offer may have (OFF-4).
    static let offerLengths: [CalendarPeriod] = [
        CalendarPeriod(3, .day), .week, CalendarPeriod(2, .week), .month,
        CalendarPeriod(2, .month), CalendarPeriod(3, .month), CalendarPeriod(6, .month), .year,
    ]
}
