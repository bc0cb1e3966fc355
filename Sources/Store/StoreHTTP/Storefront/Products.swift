import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// What can be bought, as `Product.products(for:)` gives it.
    static let listProducts = Endpoint.device(
        .get, "/storefront/v1/products", "listProducts",
        OperationDescription(
            .device, "List products that can be bought",
            detail: "In catalogue order, with prices of the account's storefront and texts in its "
                + "locale. What is unknown or not for sale is left out, as StoreKit does.",
            parameters: [
                .query(
                    "id",
                    .list(
                        "The wanted products; absent for all.", of: .text("A product id.", 1...255))
                )
            ],
            success: .ok(
                "The products.",
                .object(
                    "Products of a storefront.",
                    .required("storefront", .storefront("Where the account is at home.")),
                    .required("currency", .currency()),
                    .required(
                        "canMakePayments",
                        .boolean(
                            "Whether the account may pay for anything; where it may not, hide the "
                                + "shop or say why.")),
                    .optional(
                        "privacyPolicyUrl",
                        .text("The app's privacy policy, in the customer's language.")),
                    .optional(
                        "licenceAgreement",
                        .text("The app's own licence agreement: a web address or its text.")),
                    .required("products", .list("The products.", of: .named("Product"))))))
    ) { call, device, input in
        let found = try await call.store.products(input.parameterTexts("id"), for: device)
        return .object { json in
            json.field("storefront", found.storefront.code)
            json.field("currency", found.storefront.currency.code)
            json.field("canMakePayments", found.canMakePayments)
            let policies = found.policies
            let policy = policies.privacyPolicies.filter { !$0.url.isEmpty }
                .best(for: found.locale, or: found.home)
            json.field("privacyPolicyUrl", policy?.url)
            json.field(
                "licenceAgreement",
                policies.licenceAgreement.isEmpty ? nil : policies.licenceAgreement)
            json.array("products") { json in
                for product in found.products {
                    json.elementObject { product.write(to: &$0, found) }
                }
            }
        }
    }

    static let productSchema = Schema.object(
        "A product as a device sees it.",
        .required("id", .text("The product id.")),
        .required("type", .choice("What kind of purchase it is.", ProductType.names)),
        .required("displayName", .text("Its name in the customer's language.")),
        .required("description", .text("Its description in the customer's language.")),
        .required("price", .price("The price")),
        .required("currency", .currency()),
        .required("familyShareable", .boolean("Whether Family Sharing is on.")),
        .optional(
            "subscription",
            .object(
                "What an auto-renewable subscription has besides.",
                .required("groupId", .text("The subscription group.")),
                .optional(
                    "groupDisplayName",
                    .text("The group's name in the customer's language, if it has any.")),
                .required("level", .integer("The level of service; 1 is the highest.", 1...1000)),
                .required(
                    "period", .text("How long a period lasts, such as P1M.", 3...6, .duration)),
                .optional("introductoryOffer", offerSchema),
                .optional("monthlyBilling", monthlySchema))))

    private static let monthlySchema = Schema.object(
        "That the year can be paid month by month under a commitment to all twelve, where it is "
            + "sold so: show both prices before it is bought.",
        .required("billingPlanType", .choice("Its name.", [BillingPlan.monthly.rawValue])),
        .required("price", .price("What a month costs")),
        .required("commitmentPrice", .price("What all twelve months cost")),
        .required("period", .text("How long a month lasts.", 3...6, .duration)),
        .required("commitmentPeriod", .text("How long a commitment lasts.", 3...6, .duration)),
        .optional("introductoryOffer", offerSchema))

    private static let offerSchema = Schema.object(
        "The introductory offer, where this customer may still have it.",
        .required("mode", .choice("How it is paid.", Offer.Mode.allCases.map(\.rawValue))),
        .required(
            "period", .text("How long one discounted period lasts.", 3...6, .duration)),
        .required("periodCount", .integer("How many discounted periods there are.", 1...1000)),
        .required("price", .price("What one discounted period costs")))
}

extension ProductType {
    static let names = allCases.map(\.rawValue)
}

extension DeviceProduct {
    fileprivate func write(to json: inout JSONWriter, _ shop: DeviceShop) {
        let texts = product.texts(in: shop.locale, or: shop.home)
        json.field("id", product.id)
        json.field("type", product.type.rawValue)
        json.field("displayName", texts.name)
        json.field("description", texts.description)
        json.field("price", price.milliunits)
        json.field("currency", price.currency.code)
        json.field("familyShareable", product.isFamilyShareable)
        guard let terms = product.subscription else { return }
        json.object("subscription") { json in
            json.field("groupId", terms.groupID)
            let name =
                shop.groups.first { $0.id == terms.groupID }?.localizations
                .best(for: shop.locale, or: shop.home)?.displayName ?? ""
            json.field("groupDisplayName", name.isEmpty ? nil : name)
            json.field("level", terms.level)
            json.field("period", terms.period.iso8601)
            introductoryOffer.map { Self.write($0, to: &json) }
            if let monthly { json.object("monthlyBilling") { monthly.write(to: &$0) } }
        }
    }

    fileprivate static func write(_ introductory: PricedOffer, to json: inout JSONWriter) {
        json.object("introductoryOffer") { json in
            json.field("mode", introductory.offer.mode.rawValue)
            json.field("period", introductory.offer.period.iso8601)
            json.field("periodCount", introductory.offer.periodCount)
            json.field("price", introductory.price.milliunits)
        }
    }
}

extension DeviceProduct.MonthlyPlan {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("billingPlanType", BillingPlan.monthly.rawValue)
        json.field("price", price.milliunits)
        json.field("commitmentPrice", total.milliunits)
        json.field("period", CalendarPeriod.month.iso8601)
        json.field("commitmentPeriod", Commitment.period.iso8601)
        introductoryOffer.map { DeviceProduct.write($0, to: &json) }
    }
}
