import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// From which amounts price increases need consent.
    static let listConsentThresholds = Endpoint.operatorOnly(
        .get, "/connect/v1/consent-thresholds", "listConsentThresholds",
        OperationDescription(
            .theOperator, "List from which amounts a price increase needs consent",
            detail: "Storefront by storefront: an increase needs it that is more than half of the "
                + "price and more than the amount; where no amount is known, more than half is "
                + "enough. They hold for all apps, in both environments.",
            parameters: [
                .query("storefront", .storefront("Only this one; all unless given."))
            ],
            success: .ok(
                "The thresholds.",
                .object(
                    "Thresholds.",
                    .required(
                        "thresholds", .list("By storefront.", of: .named("ConsentThreshold"))))))
    ) { call, input in
        let thresholds = try await call.store.consentThresholds()
        let only = input.parameter("storefront")?.string
        return .object { json in
            json.array("thresholds") { json in
                for row in thresholds.all where only == nil || row.storefront == only {
                    json.elementObject { row.write(to: &$0) }
                }
            }
        }
    }

    /// Sets what holds for consent in a storefront.
    static let setConsentThreshold = Endpoint.operatorOnly(
        .patch, "/connect/v1/consent-thresholds/{storefront}", "setConsentThreshold",
        OperationDescription(
            .theOperator, "Set from which amounts a price increase needs consent in a storefront",
            detail: "What is not given stays. It holds for every increase that is planned for a "
                + "subscriber from now on; what was planned keeps what was decided.",
            parameters: [.path("storefront", .storefront("The storefront."))],
            body: .members(consentChangeSchema),
            success: .ok("What holds there now.", .named("ConsentThreshold")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownStorefront"),
            ])
    ) { call, input in
        var change = ConsentThresholdChange(in: try call.storefront())
        change.isReset = input.boolean("reset") ?? false
        change.alwaysConsent = input.boolean("alwaysConsent")
        change.nonAnnualAmount = input.integer("nonAnnualAmount")
        change.annualAmount = input.integer("annualAmount")
        change.currency = input.text("currency")
        let row = try await call.store.setConsentThreshold(change)
        return .object { row.write(to: &$0) }
    }

    private static let consentChangeSchema = Schema.object(
        "What is to hold.",
        .optional("alwaysConsent", alwaysConsent),
        .optional("nonAnnualAmount", .price("For each period of a plan shorter than a year")),
        .optional("annualAmount", .price("A year, for a yearly plan")),
        .optional(
            "currency",
            .text(
                "The code of the currency that the amounts are meant in, to be sure; it must be "
                    + "the storefront's.", 3...3)),
        .optional(
            "reset",
            .boolean("Whether what was set before goes first, so that what is built in holds.")))

    private static let alwaysConsent = Schema.boolean(
        "Whether every increase needs consent, even the smallest.")

    static let consentThresholdSchema = Schema.object(
        "From which amounts a price increase needs consent in a storefront.",
        .required("storefront", .storefront("The storefront.")),
        .required("currency", .text("The code of its currency.")),
        .required("alwaysConsent", alwaysConsent),
        .optional(
            "nonAnnualAmount",
            .price("For each period of a plan shorter than a year; absent where it is not known")),
        .optional(
            "annualAmount", .price("A year, for a yearly plan; absent where it is not known")),
        .required("asOf", .text("The day from which the amounts are known.")),
        .required(
            "origin",
            .choice(
                "Where the amounts come from.",
                ConsentThresholds.Origin.allCases.map(\.rawValue))),
        .required("isOwn", .boolean("Whether something was set there.")))
}

extension ConsentThresholds.Row {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("storefront", storefront)
        json.field("currency", currency.code)
        json.field("alwaysConsent", alwaysConsent)
        json.field("nonAnnualAmount", nonAnnualAmount)
        json.field("annualAmount", annualAmount)
        let day = BillingZone.utc.instant(of: asOf, milliseconds: 0).iso8601.prefix(10)
        json.field("asOf", String(day))
        json.field("origin", origin.rawValue)
        json.field("isOwn", self != ConsentThresholds.standard[storefront])
    }
}
