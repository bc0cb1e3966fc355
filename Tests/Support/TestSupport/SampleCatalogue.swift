public import SubscriptionRules

/// A catalogue in which every kind of plan change exists.
public enum SampleCatalogue {
    public static let all = Catalogue(
        groups: [
            SubscriptionGroup(id: "club", referenceName: "Club"),
            SubscriptionGroup(id: "news", referenceName: "News"),
        ],
        products: [
            plan("gold.monthly", level: 1, .month, 19_990),
            plan("silver.monthly", level: 2, .month, 9_990),
            plan("silver.yearly", level: 2, .year, 99_990),
            plan("silver.other", level: 2, .month, 8_990),
            plan("bronze.monthly", level: 3, .month, 4_990),
            plan("bronze.weekly", level: 3, .week, 990),
            plan(
                "silver.trial", level: 2, .month, 9_990,
                offer: Offer(kind: .introductory, mode: .freeTrial, period: .week)),
            plan(
                "silver.intro", level: 2, .month, 9_990,
                offer: Offer(
                    kind: .introductory, mode: .payAsYouGo, period: .month, periodCount: 3,
                    basePrice: 1_990)),
            plan(
                "silver.upfront", level: 2, .month, 9_990,
                offer: Offer(
                    kind: .introductory, mode: .payUpFront, period: CalendarPeriod(6, .month),
                    basePrice: 29_990)),
            plan("news.monthly", group: "news", level: 1, .month, 2_990),
            Product(id: "coins", type: .consumable, basePrice: 990),
            Product(
                id: "lifetime", type: .nonConsumable, isFamilyShareable: true, basePrice: 49_990),
            Product(id: "season", type: .nonRenewingSubscription, basePrice: 14_990),
        ])

    private static func plan(
        _ id: String, group: String = "club", level: Int, _ period: CalendarPeriod,
        _ price: Int64, offer: Offer? = nil
    ) -> Product {
        Product(
            id: id, type: .autoRenewableSubscription, basePrice: price,
            subscription: SubscriptionTerms(
                groupID: group, level: level, period: period, offers: offer.map { [$0] } ?? []))
    }
}
