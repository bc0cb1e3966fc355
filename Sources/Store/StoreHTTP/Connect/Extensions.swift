import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// How the mass extensions are given out.
    private static let massExtensionPages = Paging(
        "massExtensions", "Newest first.", of: .named("MassExtension"), .before,
        .integer("The id of the last one of the page before."))

    /// The mass extensions, newest first.
    static let listMassExtensions = Endpoint.operatorOnly(
        .get, "/connect/v1/mass-extensions", "listMassExtensions",
        OperationDescription(
            .theOperator, "List the mass extensions of this environment, and how far they are",
            detail: "Of all apps, newest first.",
            parameters: massExtensionPages.parameters,
            success: massExtensionPages.success("A page of mass extensions.", "Mass extensions."))
    ) { call, input in
        try await massExtensionPages.page(input) { before, limit in
            try await call.store.massExtensions(
                before: before, limit: limit, in: call.environment)
        } writing: { found, json in
            let (one, bundleID, reasons) = found
            json.elementObject { one.write(to: &$0, bundleID: bundleID, reasons) }
        }
    }

    /// Extends every subscription of a product.
    static let massExtend = Endpoint.operatorOnly(
        .post, "/connect/v1/apps/{bundleId}/mass-extensions", "massExtend", canRehearse: true,
        OperationDescription(
            .theOperator, "Extend all subscriptions of a product",
            detail: "Carried out in the background, one subscriber after the other; at the end "
                + "the developer gets a summary. Repeating an identifier begins nothing new and "
                + "gives the extension that it began. A rehearsal carries out the first piece of "
                + "it: `wasExtended` or `extensionFailed` for each of some hundred subscriptions, "
                + "and `completedMassExtension` where there are no more.",
            parameters: [bundleIDParameter],
            body: .members(
                .object(
                    "What is extended, and by how much.",
                    .required("productId", .text("The product.", 1...255)),
                    .optional(
                        "storefronts",
                        .list(
                            "Only in these; all unless given.",
                            of: .storefront("A storefront."), atLeast: 1)),
                    days, reason,
                    .optional(
                        "requestIdentifier",
                        .uuid("Names the extension; the store chooses one unless given.")))),
            success: .created("It began.", .named("MassExtension")),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct"),
                .init(.conflict, "notASubscription"),
            ])
    ) { call, input in
        let bundleID = call.text("bundleId")
        let one = try await call.store.massExtend(
            MassExtensionOrder(
                productID: input.requiredText("productId"),
                storefronts: input.storefronts("storefronts"),
                request: try input.extensionRequest(),
                requestIdentifier: input.text("requestIdentifier")?.lowercasedUUID),
            for: Caller(bundleID: bundleID, environment: call.environment))
        let reasons = try await call.store.massExtensionReasons(of: one)
        return .object(status: .created) { one.write(to: &$0, bundleID: bundleID, reasons) }
    }

    private static let failurePages = Paging(
        "failures", "What failed.",
        of: .object(
            "A subscription that was not extended.",
            .required("originalTransactionId", .identifier("The subscription.")),
            .required("account", .text("Whose it is.")), failureReason,
            .optional(
                "extended", .moment("When another try extended it; absent while none has."))),
        .after, .integer("The originalTransactionId of the last one of the page before."),
        most: 1000)

    /// Whom a mass extension left out.
    static let listMassExtensionFailures = Endpoint.operatorOnly(
        .get, "/connect/v1/mass-extensions/{id}/failures", "listMassExtensionFailures",
        OperationDescription(
            .theOperator, "List the subscriptions that a mass extension could not extend",
            detail: "So far, in the order of their identifiers.",
            parameters: [.path("id", .identifier("The mass extension's number."))]
                + failurePages.parameters,
            success: failurePages.success("A page of failures.", "Failures."),
            failures: [.init(.notFound, "unknownMassExtension")])
    ) { call, input in
        let id = try call.pathIdentifier("id", of: .massExtension)
        return try await failurePages.page(input) { after, limit in
            try await call.store.massExtensionFailures(
                of: id, after: after ?? 0, limit: limit, in: call.environment)
        } writing: { one, json in
            json.elementObject { json in
                json.field("originalTransactionId", String(one.originalTransactionID))
                json.field("account", one.account)
                json.field("reason", one.reason)
                json.field("extended", one.extended?.iso8601)
            }
        }
    }

    /// Tries those again whom a mass extension left out.
    static let retryMassExtension = Endpoint.operatorOnly(
        .post, "/connect/v1/mass-extensions/{id}/retry", "retryMassExtension",
        OperationDescription(
            .theOperator, "Extend the subscriptions that a mass extension could not extend",
            detail: "Each that can be extended now, also one that failed on purpose. The counts "
                + "of the mass extension stay; its failures say which were extended since.",
            parameters: [.path("id", .identifier("The mass extension's number."))],
            success: .ok(
                "Tried again.",
                .object(
                    "What came of it.",
                    .required("extended", .integer("How many were extended now.")),
                    .required("failed", .integer("How many still cannot be.")))),
            failures: [.init(.notFound, "unknownMassExtension")])
    ) { call, _ in
        let id = try call.pathIdentifier("id", of: .massExtension)
        let outcome = try await call.store.retryMassExtension(id, in: call.environment)
        return .object { json in
            json.field("extended", outcome.extended)
            json.field("failed", outcome.failed)
        }
    }

    private static let failureReason = Schema.Member.required(
        "reason",
        .choice(
            "Why; `provoked` where the app's `failingExtensions` made it fail, `damaged` where "
                + "what is stored could not be read.",
            ExtensionRefusal.allCases.map(\.rawValue) + ["provoked", "damaged"]))

    /// Extends one subscription.
    static let extendSubscription = Endpoint.operatorOnly(
        .post, "/connect/v1/subscriptions/{originalTransactionId}/extend", "extendSubscription",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Move a subscription's renewal date into the future",
            detail: "At most twice within 365 days, as for developers. Repeating an identifier "
                + "changes nothing and gives the first answer.",
            parameters: [subscriptionParameter],
            body: .members(
                .object(
                    "By how much.", days, reason,
                    .required(
                        "requestIdentifier",
                        .text("Names the extension of this subscription.", 1...128, .plain)))),
            success: .ok(
                "Extended.",
                .object(
                    "A renewal date that was extended.",
                    .required("originalTransactionId", .identifier("The subscription.")),
                    .required("transactionId", .identifier("Its newest transaction.")),
                    .required("environment", environmentSchema),
                    .required(
                        "expires", .moment("When the period ends by it.")),
                    .optional("repeated", .affirmation(repeatedText)))),
            failures: [
                .init(.notFound, "unknownSubscription"), .init(.conflict, "notExtended"),
            ])
    ) { call, input in
        let id = try call.pathIdentifier(
            "originalTransactionId", of: .originalTransaction)
        let extended: Extended
        do {
            extended = try await call.store.extend(
                subscription: id, try input.extensionRequest(),
                requestIdentifier: input.requiredText("requestIdentifier"), in: call.environment)
        } catch StoreError.refused(.notExtended(.limitReached)) {
            throw ErrorBody.extendedTwice(until: try await call.store.extendable(id))
        }
        return .object { json in
            json.field("originalTransactionId", String(extended.originalTransactionID))
            json.field("transactionId", String(extended.transactionID))
            json.field("environment", call.environment.wire)
            json.field("expires", extended.effective.iso8601)
            json.field("repeated", extended.isRepeated ? true : nil)
        }
    }

    private static let days = Schema.Member.required("days", .integer("How many days.", 1...90))

    private static let reasonSchema = Schema.choice("Why.", ExtensionReason.allCases.map(\.name))

    private static let reason = Schema.Member.optional(
        "reason", .choice("Why; undeclared unless given.", ExtensionReason.allCases.map(\.name)))

    static let massExtensionSchema = Schema.object(
        "An extension for all subscribers of a product.",
        .required("id", .integer("Its number.")),
        .required("requestIdentifier", .uuid("The identifier that it was ordered with.")),
        .required("environment", environmentSchema),
        .required("bundleId", .text("The app.")),
        .required("productId", .text("The product.")),
        .optional(
            "storefronts", .list("Only in these; absent for all.", of: .storefront("One."))),
        .required("days", .integer("How many days.", 1...90)),
        .required("reason", reasonSchema),
        .required("created", .moment("When it was ordered.")),
        .required("candidates", .integer("How many subscriptions there were to look at.")),
        .required("succeeded", .integer("How many were extended so far.")),
        .required("failed", .integer("How many could not be extended so far.")),
        .required(
            "failures",
            .list(
                "Why they could not, the most frequent reason first.",
                of: .object(
                    "A reason.", failureReason,
                    .required("count", .integer("How many failed for it."))))),
        .required("complete", .boolean("Whether all were looked at.")),
        .optional("completed", .moment("When the last one was looked at.")),
        .optional("repeated", .affirmation(repeatedText + " Only in answers to an order.")))

    private static let repeatedText =
        "The identifier was used before: this is what came of it then, and nothing new was done."
}

extension MassExtension {
    fileprivate func write(
        to json: inout JSONWriter, bundleID: String, _ reasons: [MassExtensionReason]
    ) {
        json.field("id", id)
        json.field("environment", environment.wire)
        json.field("requestIdentifier", requestIdentifier)
        json.field("bundleId", bundleID)
        json.field("productId", productID)
        json.field("storefronts", storefronts?.map(\.code))
        json.field("days", request.days)
        json.field("reason", request.reason.name)
        json.field("created", created.iso8601)
        json.field("candidates", candidates)
        json.field("succeeded", succeeded)
        json.field("failed", failed)
        json.array("failures") { json in
            // Who could not even be read has no row of its own.
            let damaged = failed - reasons.reduce(0) { $0 + $1.count }
            let all =
                reasons.map { ($0.reason, $0.count) } + (damaged > 0 ? [("damaged", damaged)] : [])
            for (reason, count) in all {
                json.elementObject { json in
                    json.field("reason", reason)
                    json.field("count", count)
                }
            }
        }
        json.field("complete", completed != nil)
        json.field("completed", completed?.iso8601)
        json.field("repeated", isRepeated ? true : nil)
    }
}

extension ExtensionReason {
    fileprivate var name: String {
        switch self {
        case .undeclared: "undeclared"
        case .customerSatisfaction: "customerSatisfaction"
        case .other: "other"
        case .serviceIssueOrOutage: "serviceIssueOrOutage"
        }
    }
}

extension Input {
    /// The members `days` and `reason`.
    fileprivate func extensionRequest() throws -> ExtensionRequest {
        let name = text("reason") ?? ExtensionReason.undeclared.name
        let reason = ExtensionReason.allCases.first { $0.name == name }
        do throws(ExtensionRefusal) {
            return try ExtensionRequest(
                days: Int(required(integer("days"), "days")),
                reasonCode: required(reason, "reason").rawValue)
        } catch {
            throw StoreError.refused(.notExtended(error))
        }
    }

    /// A list of storefronts without repetitions, in the order in which they were given.
    fileprivate func storefronts(_ name: String) -> [Storefront]? {
        texts(name)?.reduce(into: []) { found, code in
            if let one = Storefront(code: code), !found.contains(one) { found.append(one) }
        }
    }
}
