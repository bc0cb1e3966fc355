import Journal
import Storage

extension Store {
    /// Brings every transaction of the customer's auto-renewable subscriptions and all
    /// non-consumables back into the device's queue (RST-1), which is there for what comes later as
    /// before (RST-2). Repeated it changes nothing but what was finished meanwhile.
    ///
    /// - Returns: how many they are, those among them that waited anyway.
    /// - Throws: `StoreError.request(.signedOut)` for a device that was removed, and for the
    ///   operator who acts in the customer's place and has no queue.
    public func restore(on device: DeviceSession) async throws -> Int {
        try await write(about: .customer(device.customer)) { work in
            var record = try work.record(of: device)
            let (count, hasChanged) = try record.restore(in: work.session)
            if hasChanged {
                try record.update(in: work.session)
                work.record(.restored, on: record)
            }
            return count
        }
    }
}
