import DueWork
public import ServiceLifecycle
import Storage
public import TimeAndChance

/// Background work: processes what was accepted, at once and again every second, as long as the
/// process runs. Several processes may serve one database.
public struct MerchantKeeper: Service {
    private let merchant: Merchant
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameter wait: how time passes between two looks, replaced in tests.
    public init(
        _ merchant: Merchant, wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait
    ) {
        self.merchant = merchant
        self.wait = wait
    }

    /// Works until it is cancelled.
    ///
    /// - Throws: `StorageError` with `newerSchema` once a later version has migrated the database.
    public func run() async throws {
        // However often it rings while something is done, one look afterwards finds it all.
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        merchant.ring(with: bell)
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // What another process accepted and did not live to process.
                    while !Task.isCancelled {
                        bell.yield()
                        await wait(.seconds(1))
                    }
                }
                group.addTask { try await process(rings) }
                // Where one of them throws, the other is cancelled.
                for try await _ in group {}
            }
        }
    }

    private func process(_ rings: AsyncStream<Void>) async throws {
        let setbacks = Setbacks("notifications", log: merchant.log)
        for await _ in rings {
            do {
                try await merchant.settle()
                setbacks.isOver()
            } catch let error as StorageError where error.code == .newerSchema {
                throw error
            } catch {
                await setbacks.meet(error, waiting: wait)
            }
        }
    }
}

/// The service group logs its services by reflection, and a merchant holds keys.
extension MerchantKeeper: CustomStringConvertible, CustomReflectable {
    public var description: String { "MerchantKeeper" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
