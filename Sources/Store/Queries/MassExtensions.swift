public import AppStoreWire
import Storage
import SubscriptionRules

extension Store {
    /// How far a mass extension has come, as the developer's server sees it.
    ///
    /// - Throws: `StoreError.unknownApp`, `.unknownMassExtension`.
    public func massExtensionStatus(
        productID: String, requestIdentifier: String, for caller: Caller
    ) async throws -> MassExtendRenewalDateStatusResponse {
        try await read { look in
            let app = try look.app(caller)
            guard
                let order = try MassExtension.find(
                    requestIdentifier, app: app.id, caller.environment, in: look.session),
                order.productID == productID
            else { throw StoreError.unknownMassExtension(requestIdentifier) }
            guard let completed = order.completed else {
                return MassExtendRenewalDateStatusResponse(
                    requestIdentifier: requestIdentifier, complete: false)
            }
            return MassExtendRenewalDateStatusResponse(
                requestIdentifier: requestIdentifier, complete: true,
                completeDate: completed.milliseconds, succeededCount: order.succeeded,
                failedCount: order.failed)
        }
    }

    /// The mass extensions of an environment, newest first, with the app of each.
    public func massExtensions(
        before: Int64?, limit: Int, in environment: StoreEnvironment
    ) async throws -> [(MassExtension, bundleID: String)] {
        try await read { look in
            try MassExtension.all(environment, before: before, limit: limit, in: look.session)
                .map { ($0, try look.apps[$0.app].bundleID) }
        }
    }
}
