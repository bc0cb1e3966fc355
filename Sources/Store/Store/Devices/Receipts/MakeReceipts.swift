import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import Journal
import Storage
import SubscriptionRules
import TimeAndChance

/// A receipt as it is handed out.
public struct MadeReceipt: Sendable {
    /// In DER, or as the property list that receipts of one transaction are.
    public let bytes: [UInt8]
    /// The device that it is sealed for, as a UUID.
    public let deviceIdentifier: String

    /// As apps send it to their servers.
    public var base64: String { Data(bytes).base64EncodedString() }
}

extension Store {
    /// The app receipt of a device's app: everything that the customer bought in it, but for what
    /// is consumed (RCP-4).
    ///
    /// - Throws: `StoreError.request(.signedOut)` where the device was removed.
    public func receipt(for device: DeviceSession) async throws -> MadeReceipt {
        let (receipt, identity) = try await read { reader in
            let record = try reader.record(of: device)
            let identity = try reader.identity(
                of: record?.queue, customer: device.customer, in: reader.session)
            return (
                try reader.receipt(of: device.buyer, in: device.environment), identity
            )
        }
        return try sign(receipt, for: identity)
    }

    /// The app receipt of a customer's app, as it is on one of the devices.
    ///
    /// - Parameter name: the device; nil for the first one that signed in, and for one of nobody's
    ///   where none did.
    /// - Throws: `StoreError.unknown`: `.account`, `.app`, `.device`.
    public func receipt(
        of account: String, bundleID: String, device name: String?,
        in environment: StoreEnvironment
    ) async throws -> MadeReceipt {
        let (receipt, identity) = try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            guard
                let customer = try Customer.find(
                    account: account, environment, in: reader.session)
            else { throw StoreError.unknown(.account, account) }
            let devices = try DeviceRecord.all(
                ofCustomer: customer.id, app: app.id, in: reader.session)
            let device = devices.first { name == nil || $0.queue.name == name }
            if let name, device == nil { throw StoreError.unknown(.device, name) }
            let identity = try reader.identity(
                of: device?.queue, customer: customer.id, in: reader.session)
            return (
                try reader.receipt(
                    of: .init(customer: customer.id, app: app.id), in: environment), identity
            )
        }
        return try sign(receipt, for: identity)
    }

    /// The receipt of one transaction, as devices had it until iOS 6 (RCP-3.5).
    ///
    /// - Throws: `StoreError.unknown(.transaction)`, `.request(.signedOut)`.
    public func receipt(
        ofTransaction id: Int64, for device: DeviceSession
    ) async throws -> MadeReceipt {
        let (receipt, identity) = try await read { reader in
            let record = try reader.record(of: device)
            let identity = try reader.identity(
                of: record?.queue, customer: device.customer, in: reader.session)
            guard let transaction = try TransactionRecord.find(id, in: reader.session),
                transaction.customer == device.customer, transaction.app == device.app
            else { throw StoreError.unknown(.transaction, String(id)) }
            return (try reader.transactionReceipt(transaction, on: identity), identity)
        }
        return MadeReceipt(
            bytes: try receipts.load().signer.sign(receipt), deviceIdentifier: identity)
    }

    /// Signs a receipt, sealed for a device.
    func sign(_ receipt: AppReceipt, for identity: String) throws -> MadeReceipt {
        MadeReceipt(
            bytes: try receipts.load().signer.sign(
                receipt, sealedForDevice: DeviceIdentity.bytes(identity)),
            deviceIdentifier: identity)
    }
}

/// What receipts are sealed for: the vendor identifier of a device, a UUID.
enum DeviceIdentity {
    /// A device that calls itself by a UUID has that one; others have one that follows from the
    /// world and their number.
    static func text(of queue: DeviceQueue?, customer: Int64, seed: String) -> String {
        guard let queue else {
            return DerivedUUID.text(seed: seed, purpose: "account's device", number: customer)
        }
        return queue.name.lowercasedUUID
            ?? DerivedUUID.text(seed: seed, purpose: "device", number: queue.device)
    }

    /// The sixteen bytes of a UUID.
    static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.filter { $0 != "-" })
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }
}

extension StoreReader {
    func identity(
        of queue: DeviceQueue?, customer: Int64, in session: any Session
    ) throws -> String {
        DeviceIdentity.text(
            of: queue, customer: customer, seed: try World.seed(in: session))
    }

    /// Everything that a customer has in an app, as receipts tell it.
    func receiptContents(of buyer: TransactionRecord.Selection) throws -> ReceiptContents {
        let records = try TransactionRecord.page(
            of: buyer, unfinishedOnly: false, after: 0, limit: Int(Int32.max), in: session)
        let isAnySuperseded = records.contains { $0.isUpgraded }
        return ReceiptContents(
            records,
            superseded: isAnySuperseded
                ? try JournalEntry.supersessions(of: buyer, in: session) : [:],
            by: try Presenter(try apps[buyer.app], customer: buyer.customer, in: session), at: now)
    }

    /// The app receipt of a customer, not sealed yet. In Sandbox numbers are 0, and everybody has
    /// the app since 2013 (RCP-3.1, RCP-4).
    func receipt(
        of buyer: TransactionRecord.Selection, in environment: StoreEnvironment
    ) throws -> AppReceipt {
        let app = try apps[buyer.app]
        let isProduction = environment == .production
        guard let copy = try AppCopy.find(customer: buyer.customer, app: app.id, in: session) else {
            throw StoreError.unknown(.appTransaction, app.bundleID)
        }
        let created = now.milliseconds - now.milliseconds % 1000
        let acquired = copy.acquired.milliseconds
        return AppReceipt(
            environment: isProduction ? .production : .sandbox, bundleID: app.bundleID,
            appVersion: Presenter.appVersion, creationDate: created,
            inApp: try receiptContents(of: buyer).entries.map { $0.inApp(in: environment) },
            appAppleID: isProduction ? app.appleID : 0,
            requestDate: isProduction ? created : nil, toolVersion: 1, ageRating: "4+",
            developerID: isProduction ? ReceiptNumber.of("developer") : 0,
            downloadID: isProduction ? copy.transactionID : 0,
            versionExternalIdentifier: isProduction
                ? ReceiptNumber.of("\(app.bundleID) \(Presenter.appVersion)") : 0,
            originalPurchaseDate: isProduction
                ? acquired - acquired % 1000 : AppReceipt.sandboxOriginalPurchaseDate,
            originalAppVersion: AppReceipt.sandboxOriginalAppVersion)
    }

    /// The receipt of one transaction.
    ///
    /// - Parameter identity: the device that it is on.
    func transactionReceipt(
        _ record: TransactionRecord, on identity: String
    ) throws -> TransactionReceipt {
        let app = try apps[record.app]
        let presenter = try Presenter(app, customer: record.customer, in: session)
        let superseded =
            record.isUpgraded
            ? try JournalEntry.supersessions(
                of: .init(customer: record.customer, app: record.app), in: session) : [:]
        let entry = ReceiptContents.Entry(
            record, superseded: superseded[record.id], by: presenter, at: now)
        return TransactionReceipt(
            transaction: entry.transaction, bundleID: app.bundleID,
            bundleVersion: Presenter.appVersion,
            itemID: String(ReceiptNumber.of("\(app.bundleID)/\(record.productID)")),
            uniqueIdentifier: DeviceIdentity.bytes(identity).hexadecimal,
            uniqueVendorIdentifier: identity.uppercased(), environment: record.environment.wire)
    }
}
