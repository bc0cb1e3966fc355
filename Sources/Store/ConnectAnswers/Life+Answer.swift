import AppStoreWire
package import Journal
package import SubscriptionRules
package import Timeline

extension Life {
    /// Reads the store's answer.
    ///
    /// - Parameter figures: how what is told of it is written.
    package init(
        _ subscription: Answer, entries: [Answer], now: Instant?, figures: Figures = .plain
    ) throws {
        try self.init(
            id: subscription.text("originalTransactionId"), account: subscription.text("account"),
            productID: subscription.text("productId"), state: subscription.text("state"),
            renewsAutomatically: subscription.bool("autoRenew"),
            expires: subscription.optionalMoment("expires"), price: subscription.integer("price"),
            currency: subscription.text("currency"), entries: entries.map { try $0.timelineEntry },
            now: now ?? Instant(milliseconds: 0))
        self.figures = figures
        nextProductID = subscription.optionalText("nextProductId")
        isNextForSale = subscription.isNextForSale
        reachedLimit = subscription.reachedLimit
        let increase = subscription.value["priceIncrease"]
        awaitsConsent =
            increase?["phase"]?.string == "asked" && increase?["path"]?.string == "consent"
            && increase?["endsSubscription"]?.bool != false
        if subscription.value["commitment"] != nil {
            let running = try subscription.object("commitment")
            commitment = (
                Int(try running.integer("month")), Int(try running.integer("months")),
                try running.moment("ends")
            )
        }
        expired = subscription.optionalMoment("expired")
        refunded = subscription.optionalMoment("revoked")
        offerMode = subscription.optionalText("offerMode").flatMap(Offer.Mode.init(rawValue:))
        let told = subscription.harmless
        offer = told["offer"].flatMap { NamedOffer($0) }
        nextOffer = told["nextOffer"].flatMap { NamedOffer($0) }
    }
}

extension Answer {
    /// Whether what a subscription renews as is for sale; else it ends then.
    package var isNextForSale: Bool { value["nextForSale"]?.bool != false }

    /// After how many renewals Sandbox ends a subscription, where that was the last one.
    package var reachedLimit: Int? {
        optionalInteger("renewalLimitReached").flatMap(Int.init(exactly:))
    }

    /// An entry of a timeline.
    package var timelineEntry: TimelineEntry {
        get throws {
            do throws(TimelineEntry.Missing) {
                return try TimelineEntry(harmless)
            } catch {
                throw lacks(error.member.rawValue)
            }
        }
    }
}
