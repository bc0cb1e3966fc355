import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// What can be bought, as `Product.products(for:)` gives it.
    static let listProducts = Endpoint.deviceOrNobody(
        .get, "/storefront/v1/products", "listProducts", unless: "bundleId",
        OperationDescription(
            .device, "List products that can be bought",
            detail: "In catalogue order, with prices of the account's storefront and texts in its "
                + "locale. What is unknown or not for sale is left out, as StoreKit does. With "
                + "`bundleId` no token is needed, and the answer is about no customer: it is what "
                + "a paywall shows before the sign-in, with offers that a customer may turn out "
                + "not to have. Which of the promotional and win-back offers a customer can have "
                + "is never said here: the developer signs the former, and renewal information "
                + "names the latter.",
            parameters: [
                .query(
                    "id",
                    .list(
                        "The wanted products; absent for all.", of: .text("A product id.", 1...255))
                ),
                .query("bundleId", .bundleID("The app, where nobody is signed in.")),
                .query(
                    "storefront",
                    .storefront(
                        "With `bundleId`: whose prices are wanted; the app's own unless given.")),
                .query(
                    "locale",
                    .text(
                        "With `bundleId`: the language of the texts; the app's own unless given.",
                        2...35, .locale)),
            ],
            success: .ok(
                "The products.",
                .object(
                    "Products of a storefront.",
                    .required("storefront", .storefront("Where the account is at home.")),
                    .required("currency", .currency()),
                    .optional(
                        "canMakePayments",
                        .boolean(
                            "Whether the account may pay for anything; where it may not, hide the "
                                + "shop or say why. Absent without a customer.")),
                    .optional(
                        "privacyPolicyUrl",
                        .text("The app's privacy policy, in the customer's language.")),
                    .optional(
                        "licenceAgreement",
                        .text("The app's own licence agreement: a web address or its text.")),
                    .required("products", .list("The products.", of: .named("Product"))))),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, device, input in
        let ids = input.parameterTexts("id")
        let found =
            if let device {
                try await call.store.products(ids, for: device)
            } else {
                try await call.store.products(
                    ids, ofApp: input.parameter("bundleId")?.string ?? "",
                    in: input.parameter("storefront")?.string.flatMap(Storefront.init(code:)),
                    locale: input.parameter("locale")?.string, call.environment)
            }
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
            "isGeneric",
            .boolean(
                "That it stands for what the developer's server describes: it is sold with a "
                    + "signed request alone, and its own price and period say nothing. Absent of "
                    + "all others.")),
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
                .optional("introductoryOffer", introductorySchema),
                .optional("promotionalOffers", promotionalSchema),
                .optional("winBackOffers", winBackSchema),
                .optional("monthlyBilling", monthlySchema))))

    private static let monthlySchema = Schema.object(
        "That the year can be paid month by month under a commitment to all twelve, where it is "
            + "sold so: show both prices before it is bought.",
        .required("billingPlanType", .choice("Its name.", [BillingPlan.monthly.rawValue])),
        .required("price", .price("What a month costs")),
        .required("commitmentPrice", .price("What all twelve months cost")),
        .required("period", .text("How long a month lasts.", 3...6, .duration)),
        .required("commitmentPeriod", .text("How long a commitment lasts.", 3...6, .duration)),
        .optional("introductoryOffer", introductorySchema),
        .optional("promotionalOffers", promotionalSchema),
        .optional("winBackOffers", winBackSchema))

    private static let introductorySchema = offerSchema(
        "The introductory offer, where this customer may still have it.", [])
    private static let promotionalSchema = Schema.list(
        "The promotional offers of the storefront now, in catalogue order; absent where there are "
            + "none. A purchase needs the developer's signature.",
        of: offerSchema("A promotional offer.", named))
    private static let winBackSchema = Schema.list(
        "The win-back offers of the storefront now, in catalogue order; absent where there are "
            + "none. Renewal information names those that the customer can have.",
        of: offerSchema("A win-back offer.", named))

    private static let named: [Schema.Member] = [
        .required("id", .text("The offer's identifier.")),
        .optional("name", .text("Its reference name, if it has any.")),
    ]

    private static func offerSchema(_ about: String, _ members: [Schema.Member]) -> Schema {
        .object(
            about,
            members + [
                .required(
                    "mode", .choice("How it is paid.", Offer.Mode.allCases.map(\.rawValue))),
                .required(
                    "period", .text("How long one discounted period lasts.", 3...6, .duration)),
                .required(
                    "periodCount", .integer("How many discounted periods there are.", 1...1000)),
                .required("price", .price("What one discounted period costs")),
            ])
    }
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
        json.field("isGeneric", product.isGeneric ? true : nil)
        guard let terms = product.subscription else { return }
        json.object("subscription") { json in
            json.field("groupId", terms.groupID)
            let name =
                shop.groups.first { $0.id == terms.groupID }?.localizations
                .best(for: shop.locale, or: shop.home)?.displayName ?? ""
            json.field("groupDisplayName", name.isEmpty ? nil : name)
            json.field("level", terms.level)
            json.field("period", terms.period.iso8601)
            offers.write(to: &json)
            if let monthly { json.object("monthlyBilling") { monthly.write(to: &$0) } }
        }
    }
}

extension DeviceProduct.Offers {
    fileprivate func write(to json: inout JSONWriter) {
        if let introductory {
            json.object("introductoryOffer") { Self.write(introductory, to: &$0) }
        }
        let lists: [(StaticString, [DeviceProduct.PricedOffer])] = [
            ("promotionalOffers", promotional), ("winBackOffers", winBack),
        ]
        for (list, offers) in lists where !offers.isEmpty {
            json.array(list) { json in
                for offer in offers {
                    json.elementObject { json in
                        json.field("id", offer.offer.id)
                        let name = offer.offer.referenceName
                        json.field("name", name.isEmpty ? nil : name)
                        Self.write(offer, to: &json)
                    }
                }
            }
        }
    }

    private static func write(_ priced: DeviceProduct.PricedOffer, to json: inout JSONWriter) {
        json.field("mode", priced.offer.mode.rawValue)
        json.field("period", priced.offer.period.iso8601)
        json.field("periodCount", priced.offer.periodCount)
        json.field("price", priced.price.milliunits)
    }
}

extension DeviceProduct.MonthlyPlan {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("billingPlanType", BillingPlan.monthly.rawValue)
        json.field("price", price.milliunits)
        json.field("commitmentPrice", total.milliunits)
        json.field("period", CalendarPeriod.month.iso8601)
        json.field("commitmentPeriod", Commitment.period.iso8601)
        offers.write(to: &json)
    }
}
