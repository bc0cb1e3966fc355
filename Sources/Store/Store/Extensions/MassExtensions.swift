public import AppStoreWire
import Storage
import SubscriptionRules

extension Store {
    /// How far a mass extension has come, as the developer's server sees it.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.massExtension)`.
    public func massExtensionStatus(
        productID: String, requestIdentifier: String, for caller: Caller
    ) async throws -> MassExtendRenewalDateStatusResponse {
        try await read { reader in
            let app = try reader.app(caller)
            guard
                let order = try MassExtension.find(
                    requestIdentifier, app: app.id, caller.environment, in: reader.session),
                order.productID == productID
            else { throw StoreError.unknown(.massExtension, requestIdentifier) }
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

    /// The mass extensions of an environment, newest first, with the app of each and why
    /// subscriptions failed.
    public func massExtensions(
        before: Int64?, limit: Int, in environment: StoreEnvironment
    ) async throws -> [(MassExtension, bundleID: String, reasons: [MassExtensionReason])] {
        try await read { reader in
            try MassExtension.all(environment, before: before, limit: limit, in: reader.session)
                .map { one in
                    (
                        one, try reader.apps[one.app].bundleID,
                        one.failed == 0 ? [] : try one.reasons(in: reader.session)
                    )
                }
        }
    }

    /// Why subscriptions were not extended so far.
    public func massExtensionReasons(
        of order: MassExtension
    ) async throws -> [MassExtensionReason] {
        try await read { try order.reasons(in: $0.session) }
    }

    /// The subscriptions that a mass extension could not extend, in their order.
    ///
    /// - Parameter after: the last one of the page before; 0 for the first page.
    /// - Throws: `StoreError.unknown(.massExtension)` when there is none in the environment.
    public func massExtensionFailures(
        of id: Int64, after: Int64, limit: Int, in environment: StoreEnvironment
    ) async throws -> [MassExtensionFailure] {
        try await read { reader in
            guard try MassExtension.exists(id, environment, in: reader.session) else {
                throw StoreError.unknown(.massExtension, String(id))
            }
            return try MassExtension.failures(
                of: id, environment, after: after, limit: limit, in: reader.session)
        }
    }
}
