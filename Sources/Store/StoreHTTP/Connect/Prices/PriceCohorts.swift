import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// What the subscribers of a product pay.
    static let listPriceCohorts = Endpoint.operatorOnly(
        .get, "/connect/v1/apps/{bundleId}/products/{productId}/price-cohorts",
        "listPriceCohorts",
        OperationDescription(
            .theOperator, "List what the subscribers of a product pay",
            detail: "Of both environments together, in which a price holds; by storefront.",
            parameters: [bundleIDParameter, productIDParameter],
            success: .ok(
                "The cohorts.",
                .object(
                    "Cohorts.",
                    .required(
                        "cohorts", .list("The cheapest of a storefront first.", of: cohortSchema)),
                    .optional(
                        "advice",
                        .text("In which order to move cohorts, where there are several.")))),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct")])
    ) { call, _ in
        let cohorts = try await call.store.priceCohorts(
            product: call.text("productId"), bundleID: call.text("bundleId"))
        // As it is now that what was due has gone live.
        let product = try await product(call)
        return .object { json in
            json.array("cohorts") { json in
                for cohort in cohorts {
                    let list = cohort.listPrice(of: product)
                    json.elementObject { cohort.write(to: &$0, list: list, among: cohorts) }
                }
            }
            let isUnclear = cohorts.contains { cohort in
                let list = cohort.listPrice(of: product)
                return (cohort.moveOrder(list: list, among: cohorts) ?? 0) > 1
            }
            if isUnclear { json.field("advice", advice) }
        }
    }

    private static let advice =
        "Several cohorts keep a price of their own: raise the one nearest to the new price "
        + "first, so that nobody gets two increases."

    private static let cohortSchema = Schema.object(
        "Subscribers in a storefront who pay the same.",
        .required("storefront", .storefront("The storefront.")),
        .required(
            "billingPlanType",
            .choice("How they are billed.", BillingPlan.allCases.map(\.rawValue))),
        .required("currency", .currency()),
        .required("price", .price("What they pay for a period once no offer runs")),
        .required("subscribers", .integer("How many subscriptions there are.")),
        .required("moving", .integer("How many of them have a higher price on its way.")),
        .required("sandboxSubscribers", .integer("How many of `subscribers` are in Sandbox.")),
        .required("sandboxMoving", .integer("How many of `moving` are in Sandbox.")),
        .required("listPrice", .price("What a new purchase costs")),
        .required("isListPrice", .boolean("Whether that is what they pay.")),
        .optional(
            "moveOrder",
            .integer(
                "For a price that is preserved for some: when to move it among those of the "
                    + "storefront, the one nearest to the list price first.", 1...Int64.max)))
}

extension PriceCohort {
    /// What a new purchase costs that is billed as theirs; what they pay where there is none.
    fileprivate func listPrice(of product: Product) -> Int64 {
        product.price(billing, in: storefront)?.milliunits ?? price
    }

    /// The place among the preserved cohorts of the storefront, the nearest to the list price
    /// first (PRC-6); nil where nothing is preserved.
    fileprivate func moveOrder(list: Int64, among cohorts: [PriceCohort]) -> Int? {
        guard isPreserved(list: list) else { return nil }
        return 1
            + cohorts.count {
                $0.storefront == storefront && $0.billing == billing && $0.price > price
                    && $0.isPreserved(list: list)
            }
    }

    /// Whether somebody keeps a price below that of the list.
    private func isPreserved(list: Int64) -> Bool { price < list && isKept }

    fileprivate func write(
        to json: inout JSONWriter, list: Int64, among cohorts: [PriceCohort]
    ) {
        json.field("storefront", storefront.code)
        json.field("billingPlanType", billing.rawValue)
        json.field("currency", storefront.currency.code)
        json.field("price", price)
        json.field("subscribers", subscribers)
        json.field("moving", moving)
        json.field("sandboxSubscribers", sandboxSubscribers)
        json.field("sandboxMoving", sandboxMoving)
        json.field("listPrice", list)
        json.field("isListPrice", price == list)
        json.field("moveOrder", moveOrder(list: list, among: cohorts))
    }
}
