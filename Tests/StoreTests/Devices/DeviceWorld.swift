import AppStoreWire
import Store
import SubscriptionRules
import TestSupport

extension World {
    /// What waits on a device, oldest first, such as `coins` or `silver.monthly to 2026-02-01
    /// restored`.
    func queue(_ device: DeviceSession) async throws -> [String] {
        try await store.transactions(
            for: device, unfinishedOnly: true, after: 0, limit: 1000
        ).map { found in
            let transaction: JWSTransactionDecodedPayload = try JWSText.decode(found.signed)
            let end = transaction.expiresDate.map { " to \(World.text($0))" } ?? ""
            return found.productID + end + (found.isRestored ? " restored" : "")
        }
    }

    /// The identifiers of what waits on a device.
    func waiting(_ device: DeviceSession) async throws -> [Int64] {
        try await store.transactions(
            for: device, unfinishedOnly: true, after: 0, limit: 1000
        ).map(\.id)
    }

    /// Finishes everything that waits on a device.
    func finishAll(_ device: DeviceSession) async throws {
        for id in try await waiting(device) {
            try await store.finish(transaction: id, by: device)
        }
    }

    /// The numbers of a customer's devices, by their names.
    func numbers(
        _ account: String = "ada", in environment: StoreEnvironment = .production
    ) async throws -> [String: Int64] {
        Dictionary(
            try await store.devices(of: account, bundleID: nil, in: environment)
                .map { ($0.name, $0.id) }, uniquingKeysWith: { one, _ in one })
    }
}
