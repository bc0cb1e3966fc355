import AppStoreWire
import ConnectAnswers
import HTMLPages
import SubscriptionRules

/// A plan that can be chosen: a product of the group, and how it is billed.
struct PlanOption: Sendable {
    let productID: String
    /// As a request names it; nil where there is only one way.
    let billing: BillingPlan?
    /// What a period costs, in milliunits.
    let price: Int64
    let currency: String
    let period: CalendarPeriod
    /// What all months of a commitment cost together.
    let total: Int64?
    /// The win-back offers of the storefront now, by their identifiers.
    let winBackOffers: [Answer]

    /// Whether it is paid month by month under a commitment.
    var isMonthly: Bool { billing == .monthly }

    /// All plans of a group, in catalogue order.
    ///
    /// - Parameter products: what the storefront lists.
    static func all(of groupID: String, in products: Answer) throws -> [PlanOption] {
        try products.list("products").flatMap { product -> [PlanOption] in
            guard product.value["subscription"] != nil else { return [] }
            let terms = try product.object("subscription")
            guard try terms.text("groupId") == groupID,
                let period = CalendarPeriod(iso8601: try terms.text("period"))
            else { return [] }
            let (id, currency) = (try product.text("id"), try product.text("currency"))
            let isBoth = terms.value["monthlyBilling"] != nil
            let upFront = PlanOption(
                productID: id, billing: isBoth ? .upFront : nil,
                price: try product.integer("price"), currency: currency, period: period,
                total: nil, winBackOffers: try offers(of: terms))
            guard isBoth else { return [upFront] }
            let monthly = try terms.object("monthlyBilling")
            return [
                upFront,
                PlanOption(
                    productID: id, billing: .monthly, price: try monthly.integer("price"),
                    currency: currency, period: .month,
                    total: try monthly.integer("commitmentPrice"),
                    winBackOffers: try offers(of: monthly)),
            ]
        }
    }

    private static func offers(of terms: Answer) throws -> [Answer] {
        terms.value["winBackOffers"] == nil ? [] : try terms.list("winBackOffers")
    }

    /// Writes the members by which a request names it.
    func write(to json: inout JSONWriter) {
        json.field("productId", productID)
        json.field("billingPlanType", billing?.rawValue)
    }
}

extension Visit {
    /// The plans of a subscription's group that are for sale to the customer.
    func planOptions(_ one: OwnSubscription) async throws -> [PlanOption] {
        try PlanOption.all(
            of: one.groupID,
            in: try await desk.get(StorePath("storefront", "v1", "products")))
    }

    /// What a plan costs, with its length, and what a commitment comes to.
    func priceCell(_ option: PlanOption) -> Cell {
        Cell(
            words.price(locale.amount(option.price, option.currency), every: option.period),
            detail: option.total.map { words.commits(to: locale.amount($0, option.currency)) })
    }
}

/// What a change would do, as the store foretells it.
struct Foretelling: Sendable {
    /// What comes of it at once.
    enum Outcome: Sendable {
        /// Nothing: it is owned already, or begins later.
        case nothing
        /// Somebody of the family is asked first.
        case asking
        /// What the members below say.
        case done
    }

    let outcome: Outcome
    /// What is charged at once, in milliunits.
    let charged: Int64
    /// What goes back of the running period.
    let returned: Int64
    /// Whether it waits for a renewal.
    let waits: Bool
    /// Until when the first entry that says so grants access.
    let until: Instant?

    /// - Parameters:
    ///   - rehearsal: what the store answered.
    ///   - productID: what is chosen.
    init(_ rehearsal: Answer, choosing productID: String) throws {
        let entries = try rehearsal.list("entries")
        func sum(_ members: String...) -> Int64 {
            entries.reduce(0) { sum, entry in
                members.reduce(sum) { $0 + (entry.optionalInteger($1) ?? 0) }
            }
        }
        charged = sum("amount", "pending")
        returned = sum("refunded")
        waits = entries.contains { $0.optionalText("nextProductId") == productID }
        until = entries.lazy.compactMap { $0.optionalMoment("until") }.first
        let asks = entries.contains { $0.optionalText("event") == "askedToBuy" }
        outcome = entries.isEmpty ? .nothing : asks ? .asking : .done
    }
}
