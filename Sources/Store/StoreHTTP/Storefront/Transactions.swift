import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension StorefrontSurface {
    /// How the transactions are given out.
    private static let transactionPages = Paging(
        "transactions", "Oldest first.", of: .named("Transaction"), .after,
        .identifier("The transactionId of the last one of the page before."))

    /// All transactions, or those that wait to be finished.
    static let listTransactions = Endpoint.device(
        .get, "/storefront/v1/transactions", "listTransactions",
        OperationDescription(
            .device, "List the customer's transactions",
            detail: "Oldest first. Each device has a queue of its own: what waits there until it "
                + "is finished there. Consumables wait on every device until one of them has "
                + "finished it.",
            parameters: [
                .query("unfinished", .boolean("Only those that wait in this device's queue."))
            ] + transactionPages.parameters,
            success: transactionPages.success("A page of transactions.", "Transactions."))
    ) { call, device, input in
        try await transactionPages.page(input) { after, limit in
            try await call.store.transactions(
                for: device, unfinishedOnly: input.parameter("unfinished")?.bool ?? false,
                after: after ?? 0, limit: limit)
        } writing: { transaction, json in
            json.elementObject { transaction.write(to: &$0) }
        }
    }

    /// Finishes a transaction, as `Transaction.finish()` does.
    static let finish = Endpoint.device(
        .post, "/storefront/v1/transactions/{transactionId}/finish", "finish",
        OperationDescription(
            .device, "Finish a transaction",
            detail: "What was paid for is delivered. On other devices it waits until it is "
                + "finished there, unless it is consumed. Finishing again is no error.",
            parameters: [.path("transactionId", .identifier("The transaction."))],
            success: .nothing("Finished."), failures: [.init(.notFound, "unknownTransaction")])
    ) { call, device, _ in
        try await call.store.finish(
            transaction: try call.pathIdentifier(
                "transactionId", of: .transaction), by: device)
        return .empty(.noContent)
    }

    /// Restores, as `AppStore.sync()` and `restoreCompletedTransactions()` do.
    static let restore = Endpoint.device(
        .post, "/storefront/v1/restore", "restore",
        OperationDescription(
            .device, "Restore what was bought",
            detail: "Every past transaction of the customer's auto-renewable subscriptions and all "
                + "non-consumables wait in this device's queue again, and what comes later does as "
                + "before. Repeated it changes nothing but what was finished meanwhile.",
            success: .ok(
                "They wait.",
                .object(
                    "What came of it.",
                    .required(
                        "restored",
                        .integer("How many they are, those included that waited anyway.")))))
    ) { call, device, _ in
        let count = try await call.store.restore(on: device)
        return .object { $0.field("restored", count) }
    }

    /// What the customer has now, as `Transaction.currentEntitlements` gives it.
    static let listEntitlements = Endpoint.device(
        .get, "/storefront/v1/entitlements", "listEntitlements",
        OperationDescription(
            .device, "List what the customer has access to now",
            detail: "Owned non-consumables, non-renewing subscriptions (only the developer knows "
                + "their end), and the newest transaction of each subscription that is active or "
                + "in its grace period.",
            success: .ok(
                "The entitlements.",
                .object(
                    "Entitlements.",
                    .required(
                        "entitlements", .list("Oldest first.", of: .named("Transaction"))))))
    ) { call, device, _ in
        let found = try await call.store.entitlements(for: device)
        return .object { json in
            json.array("entitlements") { json in
                for transaction in found { json.elementObject { transaction.write(to: &$0) } }
            }
        }
    }

    static let transactionSchema = Schema.object(
        "A transaction as a device receives it.",
        .required("transactionId", .identifier("The transaction.")),
        .required("productId", .text("The product.")),
        .required("orderId", .text("The order, as it is on the customer's receipt.")),
        .required(
            "finished",
            .boolean("Whether it is finished on this device, or never had to be finished there.")),
        .optional(
            "restored",
            .boolean("True where it waits again since a restore brought it back; absent else.")),
        .required("signedTransactionInfo", .signed("The transaction")))
}

extension DeviceTransaction {
    func write(to json: inout JSONWriter) {
        json.field("transactionId", String(id))
        json.field("productId", productID)
        json.field("orderId", orderID)
        json.field("finished", isFinished)
        if isRestored { json.field("restored", true) }
        json.field("signedTransactionInfo", signed)
    }
}

extension Call {
    /// An identifier in the path; what is none names nothing.
    ///
    /// - Parameter kind: what it identifies.
    func pathIdentifier(
        _ name: String, of kind: StoreError.Kind
    ) throws(StoreError) -> Int64 {
        let text = parameter(name) ?? ""
        guard let id = Int64(identifier: text) else {
            throw .unknown(kind, String(text.prefix(64)))
        }
        return id
    }
}
