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
            let sheet = MassExtensionSheet(one, bundleID: bundleID, reasons)
            json.elementObject { ExtensionForm.massExtension.write(sheet, to: &$0) }
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
            body: .members(ExtensionForm.order.order("What is extended, and by how much.")),
            success: .created("It began.", .named("MassExtension")),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct"),
                .init(.conflict, "notASubscription"),
            ])
    ) { call, input in
        let bundleID = call.text("bundleId")
        let change = try ExtensionForm.order.change(by: input)
        var order = ExtensionOrder()
        change(&order)
        let one = try await call.store.massExtend(
            MassExtensionOrder(
                productID: order.productID, storefronts: order.storefronts,
                request: try extensionRequest(order.days, order.reason),
                requestIdentifier: order.requestIdentifier.isEmpty
                    ? nil : order.requestIdentifier),
            for: Caller(bundleID: bundleID, environment: call.environment))
        let reasons = try await call.store.massExtensionReasons(of: one)
        let sheet = MassExtensionSheet(one, bundleID: bundleID, reasons)
        return .object(status: .created) { ExtensionForm.massExtension.write(sheet, to: &$0) }
    }

    private static let failurePages = Paging(
        "failures", "What failed.",
        of: ExtensionForm.failed.schema,
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
            let failed = FailedExtension(one)
            json.elementObject { ExtensionForm.failed.write(failed, to: &$0) }
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
            success: .ok("Tried again.", ExtensionForm.retried.schema),
            failures: [.init(.notFound, "unknownMassExtension")])
    ) { call, _ in
        let id = try call.pathIdentifier("id", of: .massExtension)
        let outcome = try await call.store.retryMassExtension(id, in: call.environment)
        let retried = RetriedExtensions(
            extended: Int64(outcome.extended), failed: Int64(outcome.failed))
        return .object { ExtensionForm.retried.write(retried, to: &$0) }
    }

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
                    "By how much.", ExtensionForm.days.asked, ExtensionForm.reason.asked,
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
                    .optional("repeated", .affirmation(ExtensionForm.repeatedText)))),
            failures: [
                .init(.notFound, "unknownSubscription"), .init(.conflict, "notExtended"),
            ])
    ) { call, input in
        let id = try call.pathIdentifier(
            "originalTransactionId", of: .originalTransaction)
        let extended: Extended
        do {
            extended = try await call.store.extend(
                subscription: id,
                try extensionRequest(
                    ExtensionForm.days.value(in: input), ExtensionForm.reason.value(in: input)),
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

    private static func extensionRequest(
        _ days: Int, _ reason: ExtensionReason
    ) throws -> ExtensionRequest {
        do throws(ExtensionRefusal) {
            return try ExtensionRequest(days: days, reasonCode: reason.rawValue)
        } catch {
            throw StoreError.refused(.notExtended(error))
        }
    }
}
