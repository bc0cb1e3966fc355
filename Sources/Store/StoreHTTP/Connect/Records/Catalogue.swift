import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import StoreKitFile
import SubscriptionRules

extension ConnectSurface {
    /// Everything that an app sells, with all prices that were set.
    static let getCatalogue = Endpoint.operatorOnly(
        .get, "/connect/v1/apps/{bundleId}/catalogue", "getCatalogue",
        OperationDescription(
            .theOperator, "Get everything that an app sells", parameters: [bundleIDParameter],
            success: .ok(
                "The catalogue.",
                .object(
                    "A catalogue.",
                    .required(
                        "storefront",
                        .storefront("The app's own storefront, for which its prices are meant.")),
                    .required("currency", .currency()),
                    .required(
                        "locale", .text("The language in which the app is written first.")),
                    .required(
                        "groups",
                        .list("The subscription groups.", of: groupSchema)),
                    .required("policies", policiesSchema),
                    .required(
                        "products", .list("In catalogue order.", of: .named("CatalogueProduct"))))),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, _ in
        let app = try await call.store.app(bundleID: call.text("bundleId"))
        return .object { app.writeCatalogue(to: &$0) }
    }

    /// Imports the file that Xcode writes.
    static let putCatalogue = Endpoint.operatorOnly(
        .put, "/connect/v1/apps/{bundleId}/catalogue", "putCatalogue",
        OperationDescription(
            .theOperator, "Import a StoreKit configuration",
            detail: "Adds the file's products and replaces those that the app has already; others "
                + "stay, since customers may own them. A product keeps its type and group, and one "
                + "that was deleted never comes back. The "
                + "file's storefront (`_storefront`, else USA) becomes the app's, and so does its "
                + "language (`_locale`) where it names one: after several files they are those of "
                + "the last. Policies of which a file says nothing stay. Accounts that "
                + "are there stay where they are.",
            parameters: [bundleIDParameter],
            body: .file(
                "The `.storekit` file that Xcode writes, of at most "
                    + "\(StoreKitFile.largestSize) bytes (16 MiB): a longer one is refused with "
                    + "413 (`bodyTooLarge`)."),
            success: .ok(
                "Imported.",
                .object(
                    "What was imported.",
                    .required("storefront", .storefront("What the prices are meant for.")),
                    .required("products", .integer("How many products the file has.")),
                    .required("groups", .integer("How many subscription groups the file has.")),
                    .required("warnings", .list("What was assumed.", of: findingSchema)))),
            failures: [
                .init(.badRequest, "invalidCatalogue"), .init(.badRequest, "invalidSetting"),
                .init(.notFound, "unknownApp"),
            ])
    ) { call, input in
        let file: StoreKitFile
        do throws(StoreKitFileError) {
            file = try StoreKitFile.read(bytes: input.file, name: "the body")
        } catch {
            throw ErrorBody.invalidCatalogue(error.problems)
        }
        let known = try await call.store.app(bundleID: call.text("bundleId"))
        let conflicts = file.conflicts(with: known.catalogue)
        guard conflicts.isEmpty else { throw ErrorBody.invalidCatalogue(conflicts) }
        try await call.store.importCatalogue(
            file.catalogue, for: Storefront(code: file.storefront), in: file.locale,
            bundleID: call.text("bundleId"))
        return .object { json in
            json.field("storefront", file.storefront)
            json.field("products", file.counts.products)
            json.field("groups", file.counts.groups)
            json.findings("warnings", file.warnings)
        }
    }

    /// A finding, as errors and warnings list it.
    static let findingSchema = Schema.object(
        "Something found in a catalogue.",
        .required("path", .text("Where.")), .required("message", .text("What.")),
        .required("remedy", .text("What to do.")))

    private static let groupSchema = Schema.object(
        "A subscription group.", .required("id", .text("Its identifier.")),
        .required("referenceName", .text("The developer's name for it.")),
        .required("localizations", .list("What customers read of it.", of: textsSchema)))

    private static let textsSchema = Schema.object(
        "Texts in one language.", .required("locale", .text("The language.")),
        .required("displayName", .text("The name.")),
        .required("description", .text("The description.")))

    private static let policiesSchema = Schema.object(
        "What the app promises its customers and asks of them.",
        .optional(
            "licenceAgreement",
            .text("A web address or the text; absent where the App Store's usual one holds.")),
        .required(
            "privacyPolicies",
            .list(
                "The privacy policy by language.",
                of: .object(
                    "A policy.", .required("locale", .text("The language.")),
                    .optional("url", .text("Its web page.")),
                    .optional("text", .text("The policy itself."))))))

    static let catalogueProductSchema = Schema.object(
        "A product as it is defined.",
        .required("id", .text("The product id.")),
        .required("type", .choice("What kind of purchase it is.", ProductType.names)),
        .required("referenceName", .text("The developer's name for it.")),
        .required("familyShareable", .boolean("Whether Family Sharing is on.")),
        .required(
            "isGeneric", .boolean("Whether it stands for what the merchant describes itself.")),
        .required(
            "price", .price("The price, the same number wherever none is set of its own")),
        .required(
            "prices",
            .list(
                "The prices that were set for storefronts.",
                of: .object(
                    "A price.", .required("storefront", .storefront("The storefront.")),
                    .required("price", .price("The price there")),
                    .required("currency", .currency())))),
        .required("forSale", .boolean("Whether it is for sale in general.")),
        .optional("deleted", .moment("When it was deleted.")),
        .required(
            "offSale",
            .list(
                "The storefronts in which it was taken off sale.",
                of: .storefront("A storefront."))),
        .required(
            "localizations",
            .list("Names and descriptions.", of: textsSchema)),
        .optional(
            "offers", .list("The offers of what is bought once.", of: .named("Offer"))),
        .optional(
            "subscription",
            .object(
                "What an auto-renewable subscription has besides.",
                .required("groupId", .text("The subscription group.")),
                .required("level", .integer("The level of service; 1 is the highest.")),
                .required(
                    "period", .text("How long a period lasts, such as P1M.", 3...6, .duration)),
                .required("offers", .list("Its offers.", of: .named("Offer"))),
                .optional(
                    "monthlyBilling",
                    .object(
                        "That the year can be paid month by month under a commitment.",
                        .required("price", .price("What a month costs, a number anywhere")),
                        .required("enabled", .boolean("Whether that is sold.")),
                        .required("prices", monthlyPricesSchema))))))

    private static let monthlyPricesSchema = Schema.list(
        "What a month costs where that was set.",
        of: .object(
            "A price.", .required("storefront", .storefront("The storefront.")),
            .required("price", .price("The price there"))))
}

extension ErrorBody {
    fileprivate static func invalidCatalogue(_ findings: [Finding]) -> ErrorBody {
        ErrorBody(
            .badRequest, "invalidCatalogue",
            "The configuration cannot be imported: see `findings` for what to mend.",
            others: { $0.findings("findings", findings) })
    }
}

extension App {
    fileprivate func writeCatalogue(to json: inout JSONWriter) {
        json.field("storefront", settings.storefront.code)
        json.field("currency", settings.storefront.currency.code)
        json.field("locale", settings.locale)
        json.array("groups") { json in
            for group in catalogue.groups {
                json.elementObject { json in
                    json.field("id", group.id)
                    json.field("referenceName", group.referenceName)
                    group.localizations.write(to: &json)
                }
            }
        }
        json.object("policies") { catalogue.policies.write(to: &$0) }
        json.array("products") { json in
            for product in catalogue.products {
                json.elementObject { product.write(to: &$0, offSale: offSale(of: product.id)) }
            }
        }
    }
}

extension Product {
    /// - Parameter offSale: where it was taken off sale; an empty code means everywhere.
    fileprivate func write(to json: inout JSONWriter, offSale: Set<String>) {
        json.field("id", id)
        json.field("type", type.rawValue)
        json.field("referenceName", referenceName)
        json.field("familyShareable", isFamilyShareable)
        json.field("isGeneric", isGeneric)
        json.field("price", basePrice)
        json.array("prices") { json in
            for (code, price) in prices.sorted(by: { $0.key < $1.key }) {
                json.elementObject { json in
                    json.field("storefront", code)
                    json.field("price", price)
                    json.field("currency", Storefront(code: code)?.currency.code)
                }
            }
        }
        json.field("forSale", !offSale.contains(""))
        json.field("deleted", deleted?.iso8601)
        json.field("offSale", offSale.filter { !$0.isEmpty }.sorted())
        localizations.write(to: &json)
        guard let subscription else {
            if !oneTimeOffers.isEmpty { writeOffers(to: &json) }
            return
        }
        json.object("subscription") { json in
            json.field("groupId", subscription.groupID)
            json.field("level", subscription.level)
            json.field("period", subscription.period.iso8601)
            writeOffers(to: &json)
            guard let monthly = subscription.monthlyBilling else { return }
            json.object("monthlyBilling") { json in
                json.field("price", monthly.basePrice)
                json.field("enabled", monthly.isEnabled)
                json.array("prices") { json in
                    for (code, price) in monthly.prices.sorted(by: { $0.key < $1.key }) {
                        json.elementObject { json in
                            json.field("storefront", code)
                            json.field("price", price)
                        }
                    }
                }
            }
        }
    }
}

extension [Localization] {
    fileprivate func write(to json: inout JSONWriter) {
        json.array("localizations") { json in
            for text in self {
                json.elementObject { json in
                    json.field("locale", text.locale)
                    json.field("displayName", text.displayName)
                    json.field("description", text.description)
                }
            }
        }
    }
}

extension AppPolicies {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("licenceAgreement", licenceAgreement.isEmpty ? nil : licenceAgreement)
        json.array("privacyPolicies") { json in
            for policy in privacyPolicies {
                json.elementObject { json in
                    json.field("locale", policy.locale)
                    json.field("url", policy.url.isEmpty ? nil : policy.url)
                    json.field("text", policy.text.isEmpty ? nil : policy.text)
                }
            }
        }
    }
}
