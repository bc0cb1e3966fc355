import Journal
import Storage
public import SubscriptionRules

/// A customer's device as the operator sees it.
public struct Device: Sendable, Hashable {
    /// Its number.
    public let id: Int64
    /// The app on it.
    public let bundleID: String
    /// What it calls itself.
    public let name: String
    /// When it signed in for the first time.
    public let registered: Instant
    /// How many tokens are good on it: 0 where nobody is signed in.
    public let signIns: Int
    /// How many transactions wait to be finished.
    public let waiting: Int
}

/// A transaction that waits on a device.
public struct WaitingTransaction: Sendable, Hashable {
    public let id: Int64
    public let productID: String
    public let purchased: Instant
    /// Whether a restore put it there again.
    public let isRestored: Bool
}

extension Store {
    /// How many transactions of a device's queue are told besides the number of them.
    public static let mostWaitingShown = 100

    /// The devices of a customer with how much waits there, the first registered one first.
    ///
    /// - Parameter bundleID: only those with this app; nil for all.
    /// - Throws: `StoreError.unknown`: `.account`, `.app`.
    public func devices(
        of account: String, bundleID: String?, in environment: StoreEnvironment
    ) async throws -> [Device] {
        try await read { reader in
            let app = try bundleID.map { try reader.apps.find(bundleID: $0) }
            let customer = try reader.customer(account, in: environment)
            return try DeviceRecord.all(
                ofCustomer: customer.id, app: app?.id, in: reader.session
            ).map { try reader.device($0) }
        }
    }

    /// One device of a customer with what waits there, oldest first, at most `mostWaitingShown`.
    ///
    /// - Throws: `StoreError.unknown`: `.account`, `.device`.
    public func device(
        _ id: Int64, of account: String, in environment: StoreEnvironment
    ) async throws -> (Device, [WaitingTransaction]) {
        try await read { reader in
            let customer = try reader.customer(account, in: environment)
            let record = try DeviceRecord.find(id, ofCustomer: customer.id, in: reader.session)
            let waiting = try record.transactions(
                unfinishedOnly: true, after: 0, limit: Store.mostWaitingShown, in: reader.session)
            return (
                try reader.device(record),
                waiting.map { record, standing in
                    WaitingTransaction(
                        id: record.id, productID: record.productID, purchased: record.purchased,
                        isRestored: standing == .isRestored)
                }
            )
        }
    }

    /// Wipes a device: its tokens are void, and its queue is as of a new device, which begins with
    /// what nobody has finished.
    ///
    /// - Throws: `StoreError.unknown`: `.account`, `.device`.
    public func wipe(
        device id: Int64, of account: String, in environment: StoreEnvironment
    ) async throws {
        try await write(about: .account(account, environment)) { work in
            var device = try work.device(id, of: account, in: environment)
            try device.signOut(in: work.session)
            try device.begin(at: work.nextNumber(), in: work.session)
            try device.update(in: work.session)
            work.record(.wipedDevice, on: device)
        }
    }

    /// Removes a device: its tokens are void, and a sign-in under its name is a new device's.
    ///
    /// - Throws: `StoreError.unknown`: `.account`, `.device`.
    public func remove(
        device id: Int64, of account: String, in environment: StoreEnvironment
    ) async throws {
        try await write(about: .account(account, environment)) { work in
            let device = try work.device(id, of: account, in: environment)
            try device.delete(in: work.session)
            work.record(.removedDevice, on: device)
        }
    }
}

extension StoreReader {
    fileprivate func customer(
        _ account: String, in environment: StoreEnvironment
    ) throws -> Customer {
        guard let customer = try Customer.find(account: account, environment, in: session) else {
            throw StoreError.unknown(.account, account)
        }
        return customer
    }

    fileprivate func device(_ record: DeviceRecord) throws -> Device {
        Device(
            id: record.id, bundleID: try apps[record.app].bundleID, name: record.queue.name,
            registered: record.registered, signIns: try record.signIns(in: session),
            waiting: try record.waiting(in: session))
    }
}

extension DeviceRecord {
    /// - Throws: `StoreError.unknown(.device)`.
    fileprivate static func find(
        _ id: Int64, ofCustomer customer: Int64, in session: any Session
    ) throws -> DeviceRecord {
        guard let device = try find(id, in: session), device.customer == customer else {
            throw StoreError.unknown(.device, String(id))
        }
        return device
    }
}

extension UnitOfWork {
    fileprivate func device(
        _ id: Int64, of account: String, in environment: StoreEnvironment
    ) throws -> DeviceRecord {
        guard let customer = try Customer.find(account: account, environment, in: session) else {
            throw StoreError.unknown(.account, account)
        }
        return try DeviceRecord.find(id, ofCustomer: customer.id, in: session)
    }

    /// The row of a device that is signed in.
    ///
    /// - Throws: `StoreError.request(.signedOut)` where it was removed since, or is none.
    func record(of device: DeviceSession) throws -> DeviceRecord {
        guard let id = device.id, let record = try DeviceRecord.find(id, in: session),
            record.customer == device.customer
        else { throw StoreError.request(.signedOut) }
        return record
    }

    /// A customer's device by its name, registered if it is new.
    func device(
        _ name: String, of buyer: TransactionRecord.Selection
    ) throws -> DeviceRecord {
        if let known = try DeviceRecord.find(name, of: buyer, in: session) { return known }
        let number = nextNumber()
        var device = DeviceRecord(
            customer: buyer.customer, app: buyer.app, registered: now,
            queue: DeviceQueue(device: number, name: name, watermark: 0, began: number))
        try device.begin(at: number, in: session)
        try device.insert(in: session)
        record(.registeredDevice, on: device)
        return device
    }

    /// The devices of an account go on as those of one that begins anew.
    func moveDevices(from old: Int64, to fresh: Int64) throws {
        for known in try DeviceRecord.all(ofCustomer: old, app: nil, in: session) {
            var device = DeviceRecord(
                customer: fresh, app: known.app, registered: known.registered, queue: known.queue)
            try device.begin(at: nextNumber(), in: session)
            try device.update(in: session)
            record(.registeredDevice, on: device)
        }
    }

    /// Puts into the journal what became of a device.
    func record(_ kind: JournalEvent.Kind, on device: DeviceRecord) {
        record(kind) { entry in
            entry.app = device.app
            entry.customer = device.customer
            entry.event.devices = [device.queue]
        }
    }
}
