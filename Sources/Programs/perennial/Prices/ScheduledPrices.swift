import AppStoreWire
import ConnectAnswers
import SubscriptionRules

/// Prices that are scheduled and not live yet, in words.
enum ScheduledPrices {
    /// The price and its day.
    static func plan(_ change: Answer) throws -> String {
        let price = Money.plainText(try change.integer("price"), try change.text("currency"))
        return "\(price), scheduled for \(try change.moment("start").plainText)"
    }

    /// What a scheduled price means for a subscription; nil where it does not reach it.
    static func words(_ change: Answer, for subscription: Answer) throws -> String? {
        let paid = try subscription.integer("price")
        if try change.bool("forCohort"), change.optionalInteger("cohortPrice") != paid {
            return nil
        }
        let price = Money.plainText(try change.integer("price"), try change.text("currency"))
        let start = try change.moment("start").plainText
        let what = "\(price) is scheduled, live on \(start); "
        if try change.text("existing") == "preserve", try !change.bool("forCohort"),
            try change.integer("price") > paid
        {
            return what + "subscribers keep their price"
        }
        return what + "who is asked is decided then"
    }
}

extension StoreClient {
    /// The prices of a product in a storefront that are scheduled and not live yet.
    func scheduledPrices(
        of product: String, in storefront: String, _ app: String
    ) async throws -> [Answer] {
        try await pages(
            StorePath("connect", "v1", "apps", app, "price-changes").with("product", product),
            list: "priceChanges", limit: .max
        ) { path, last in
            path.with("before", try last?.text("id"))
        }.list("priceChanges").filter {
            try $0.text("storefront") == storefront && $0.text("state") == "scheduled"
        }
    }

    /// What is refused where no higher price is live for a subscription.
    private static let noIncrease: Set = ["noPriceIncrease", "noIncreasePlanned"]

    /// The prices that are scheduled and concern a subscription.
    func scheduledPrices(for subscription: Answer) async throws -> [Answer] {
        let product =
            try subscription.optionalText("nextProductId")
            ?? subscription.text("productId")
        return try await scheduledPrices(
            of: product, in: subscription.text("storefront"), subscription.text("bundleId")
        ).filter { try ScheduledPrices.words($0, for: subscription) != nil }
    }

    /// What is scheduled in a subscription's storefront, in words; nil for nothing.
    func scheduled(for subscription: Answer) async throws -> String? {
        try await scheduledPrices(for: subscription).first.flatMap {
            try ScheduledPrices.words($0, for: subscription)
        }
    }

    /// Does something about a subscription's price increase; where there is none yet, the refusal
    /// says what is scheduled, or that the subscription is over.
    func tellingSchedule(
        of id: String, _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch let failure as Failure where Self.noIncrease.contains(failure.refusal ?? "") {
            let one = try await subscription(id)
            guard !one.isOver else { throw try failure.told(ofEnd: one, Plans.remedy(one)) }
            guard one.value["priceIncrease"] == nil,
                let scheduled = try await scheduled(for: one)
            else { throw failure }
            var better = failure
            better.message = "No price increase is on its way yet: \(scheduled)."
            better.remedy = nil
            throw better
        }
    }
}
