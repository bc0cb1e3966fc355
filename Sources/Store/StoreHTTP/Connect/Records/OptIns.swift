import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// What an app wants of customers who have subscribed, and what they share with its publisher
/// (S308-95 to S308-98).
extension ConnectSurface {
    private static let optInPath = "/connect/v1/apps/{bundleId}/opt-in"

    /// What an app wants.
    static let getOptIn = Endpoint.operatorOnly(
        .get, optInPath, "getOptIn",
        OperationDescription(
            .theOperator, "Get under which name an app asks customers to share who they are",
            parameters: [bundleIDParameter], success: .ok("What it wants.", .named("OptInTerms")),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, _ in
        let terms = try await call.store.app(bundleID: call.text("bundleId")).optIn
        return .object { terms.write(to: &$0) }
    }

    /// Sets what an app wants.
    static let setOptIn = Endpoint.operatorOnly(
        .put, optInPath, "setOptIn",
        OperationDescription(
            .theOperator, "Set under which name an app asks customers to share who they are",
            detail: "With a name, whoever has subscribed is asked once about each subscription; "
                + "without one nobody is asked any more, and what was shared stays shared. A "
                + "`bonus` lengthens the running period of each subscription once, for the first "
                + "yes; it is not taken back.",
            parameters: [bundleIDParameter],
            body: .members(
                .object(
                    "What it wants.", .required("names", names(.text("The name.", 1...64))),
                    .optional(
                        "bonus", .choice("How long the bonus is; none unless given.", bonuses))
                )),
            success: .ok("What it wants now.", .named("OptInTerms")),
            failures: [.init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp")])
    ) { call, input in
        let terms = OptInTerms(
            names: (input.objects("names") ?? []).map {
                .init(
                    locale: $0.requiredText("locale").replacing("-", with: "_"),
                    name: $0.requiredText("name"))
            }, bonus: input.text("bonus").flatMap(CalendarPeriod.init(iso8601:)))
        try await call.store.setOptIn(terms, bundleID: call.text("bundleId"))
        return .object { terms.write(to: &$0) }
    }

    private static let reportPages = Paging(
        "optIns", "In the order in which they were shared.", of: .named("OptIn"), .after,
        .integer("The id of the last one of the page before."))

    /// What customers share.
    static let getOptInReport = Endpoint.operatorOnly(
        .get, "/connect/v1/apps/{bundleId}/opt-ins", "getOptInReport",
        OperationDescription(
            .theOperator, "Get what customers of this environment share with an app's publisher",
            detail: "Who has revoked it is not there any more, and nothing else of the customer "
                + "is. As CSV with `format=csv` or `Accept: text/csv`: all of it, a header line "
                + "first; what a spreadsheet would take for a formula has an apostrophe before it.",
            parameters: [
                bundleIDParameter,
                .query("from", .moment("Only what was shared then or later.")),
                .query("to", .moment("Only what was shared before.")),
                .query(
                    "format", .choice("json unless given, or unless CSV is accepted.", formats)),
            ] + reportPages.parameters,
            success: reportPages.success("A page of them.", "What customers share."),
            or: [.ok("As CSV, all of it.", .text("A line for each."), as: "text/csv")],
            failures: [.init(.badRequest, "endBeforeStart"), .init(.notFound, "unknownApp")])
    ) { call, input in
        let (from, to) = (input.momentParameter("from"), input.momentParameter("to"))
        if let from, let to, to <= from {
            throw ErrorBody(
                .badRequest, "endBeforeStart", "`to` must be later than `from`.", field: "to")
        }
        let page = { @Sendable (after: Int64?, limit: Int) in
            try await call.store.optInReport(
                bundleID: call.text("bundleId"), in: call.environment, from: from, to: to,
                after: after ?? 0, limit: limit)
        }
        guard call.wantsCSV(input) else {
            return try await reportPages.page(input, page) { one, json in
                json.elementObject { one.write(to: &$0) }
            }
        }
        return .text(
            try await OptInTable.csv(page), contentType: "text/csv; charset=utf-8; header=present")
    }

    // MARK: Shapes

    private static let bonuses = OptInTerms.bonuses.map(\.iso8601)

    private static func names(_ name: Schema) -> Schema {
        .list(
            "What the publisher calls itself, in each language.",
            of: .object(
                "A name.", .required("locale", .text("Its language.", 2...35, .locale)),
                .required("name", name)))
    }

    static let optInTermsSchema = Schema.object(
        "What an app wants of customers who have subscribed.",
        .required("asks", .boolean("Whether it asks anybody: it has a name.")),
        .required("names", names(.text("The name."))),
        .optional("bonus", .choice("How long the bonus for a yes is.", bonuses)))

    static let optInSchema = Schema.object(
        "What a customer shares with a publisher.",
        .required("id", .identifier("Its number.")),
        .required("originalTransactionId", .identifier("The subscription that it is about.")),
        .required("productId", .text("What was subscribed to then.")),
        .required("storefront", .storefront("Where.")),
        .required("shared", .moment("When the customer said yes.")),
        .required("name", .text("The customer's name.")),
        .required("email", .text("The customer's address for mails.")),
        .optional("postalCode", .text("The customer's postal code.")),
        .optional("bonus", .choice("How the yes was rewarded.", bonuses)))
}

/// What customers share, as comma-separated values.
enum OptInTable {
    private static let header = "shared,name,email,postalCode,storefront,product,subscription"
    private static let atOnce = 1000

    /// The header and a line each, all ended by CR LF.
    ///
    /// - Parameter page: what comes after a number, so many at most.
    static func csv(_ page: (Int64?, Int) async throws -> [OptIn]) async throws -> String {
        var text = header + "\r\n"
        var last: Int64?
        while true {
            let found = try await page(last, atOnce)
            for one in found { text += row(one) + "\r\n" }
            guard found.count == atOnce, let end = found.last else { return text }
            last = end.id
        }
    }

    static func row(_ one: OptIn) -> String {
        [
            one.answered.iso8601, CSVText.foreign(one.details?.name ?? ""),
            CSVText.foreign(one.details?.email ?? ""),
            CSVText.foreign(one.details?.postalCode ?? ""), one.storefront.code,
            CSVText.foreign(one.productID), String(one.subscription),
        ].joined(separator: ",")
    }
}

extension OptInTerms {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("asks", !names.isEmpty)
        json.array("names") { json in
            for one in names {
                json.elementObject { json in
                    json.field("locale", one.locale)
                    json.field("name", one.name)
                }
            }
        }
        json.field("bonus", bonus?.iso8601)
    }
}

extension OptIn {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", String(id))
        json.field("originalTransactionId", String(subscription))
        json.field("productId", productID)
        json.field("storefront", storefront.code)
        json.field("shared", answered.iso8601)
        json.field("name", details?.name)
        json.field("email", details?.email)
        json.field("postalCode", details?.postalCode)
        json.field("bonus", bonus?.iso8601)
    }
}

extension ErrorBody {
    /// A yes that nobody has asked for.
    static let notAsked = ErrorBody(
        .conflict, "notAsked",
        "The app asks nobody to share anything: give it a name at /connect/v1/apps/{bundleId}"
            + "/opt-in.")
}
