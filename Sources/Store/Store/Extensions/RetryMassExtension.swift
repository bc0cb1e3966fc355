import Storage
import SubscriptionRules

/// What came of trying the failures of a mass extension again.
public struct MassExtensionRetry: Sendable, Hashable {
    /// How many subscriptions were extended now.
    public internal(set) var extended: Int64 = 0
    /// How many still cannot be.
    public internal(set) var failed: Int64 = 0
}

extension Store {
    /// Extends each subscription that a mass extension could not extend and that can be extended
    /// now, one transaction each. One that failed on purpose succeeds.
    ///
    /// - Throws: `StoreError.unknown(.massExtension)` when there is none in the environment.
    public func retryMassExtension(
        _ id: Int64, in environment: StoreEnvironment
    ) async throws -> MassExtensionRetry {
        let found = try await read { try MassExtension.find(id, environment, in: $0.session) }
        guard let order = found else { throw StoreError.unknown(.massExtension, String(id)) }
        var outcome = MassExtensionRetry()
        var reached: Int64 = 0
        while true {
            let page = try await massExtensionFailures(
                of: id, after: reached, limit: 1000, in: environment)
            guard let last = page.last else { return outcome }
            reached = last.originalTransactionID
            for failure in page where failure.extended == nil {
                do {
                    // The order's identifier says in the journal what this extension is for.
                    _ = try await extend(
                        subscription: failure.originalTransactionID, order.request,
                        requestIdentifier: order.requestIdentifier, in: environment)
                    outcome.extended += 1
                } catch StoreError.refused(.notExtended) {
                    outcome.failed += 1
                }
            }
        }
    }
}
