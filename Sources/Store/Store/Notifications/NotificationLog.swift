import AppStoreSigning
public import AppStoreWire
import Storage
public import SubscriptionRules

/// A notification as the operator sees it.
public struct NotificationLogEntry: Sendable {
    public let id: Int64
    public let uuid: String
    public let bundleID: String
    public let environment: StoreEnvironment
    /// Whose purchase it is about; nil where it is about none.
    public let account: String?
    /// The product of that purchase.
    public let productID: String?
    /// The subscription that it is about; nil where it is about none.
    public let subscription: Int64?
    public let type: NotificationTypeV2
    public let subtype: Subtype?
    public let created: Instant
    /// Whether the operator sent it at will, and nothing happened.
    public let isProvoked: Bool
    public let isDelivered: Bool
    public let nextAttempt: Instant?
    public let attempts: [SendAttemptItem]
    /// The rules that were applied to it, in order.
    public let faults: [AppliedFault]
    public let signedPayload: String?
    /// What it says, with what the signed texts in it say in their places; in lists nil.
    public internal(set) var payload: JSONValue?
}

extension Store {
    /// The notifications, newest first.
    ///
    /// - Parameters:
    ///   - filter: only these.
    ///   - subject: only what is about this.
    ///   - before: the identifier of the last one of the page before; nil for the newest.
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.account)`, and `.setting(.invalid)` when
    ///   the type does not have the subtype.
    public func notificationLog(
        _ filter: NotificationLogFilter = .init(), about subject: NotificationSubject = .init(),
        in environment: StoreEnvironment, before: Int64?, limit: Int
    ) async throws -> [NotificationLogEntry] {
        if let type = filter.type, let subtype = filter.subtype, !type.allows(subtype) {
            throw type.refusal(of: subtype)
        }
        return try await read { reader in
            let subject = try reader.subject(subject, in: environment)
            return try NotificationRecord.log(
                filter, about: subject, in: environment, before: before, limit: limit,
                reader.session
            ).map(reader.logEntry)
        }
    }
}

extension Store {
    /// One notification with what it says; before its first attempt, what it is going to say.
    ///
    /// - Parameter name: its number in the log, or its notificationUUID.
    /// - Throws: `StoreError.unknown(.notification)`.
    public func notification(
        _ name: String, in environment: StoreEnvironment
    ) async throws -> NotificationLogEntry {
        try await read { [courier] reader in
            let record = try reader.notification(name, in: environment)
            var entry = try reader.logEntry(record)
            let signed =
                try record.signedPayload
                ?? courier.sign(record, app: try reader.apps[record.app])
            entry.payload = JSONValue(ofSigned: signed)?.withSignedTextsOpened
            return entry
        }
    }
}

/// Which notifications of the log are looked for: those that match all that is given.
public struct NotificationLogFilter: Sendable, Hashable {
    public var type: NotificationTypeV2?
    public var subtype: Subtype?
    /// Only those that were tried and have not been delivered.
    public var onlyFailures: Bool

    /// Matches all notifications unless something is given.
    public init(
        type: NotificationTypeV2? = nil, subtype: Subtype? = nil, onlyFailures: Bool = false
    ) {
        self.type = type
        self.subtype = subtype
        self.onlyFailures = onlyFailures
    }
}

/// What notifications are looked for about: all that is named.
public struct NotificationSubject: Sendable, Hashable {
    /// The app.
    public var bundleID: String?
    /// The account whose purchases they are about.
    public var account: String?
    /// The subscription; by a family member's own original transaction what that member was part
    /// of.
    public var subscription: Int64?

    /// Names nothing but what is given.
    public init(bundleID: String? = nil, account: String? = nil, subscription: Int64? = nil) {
        self.bundleID = bundleID
        self.account = account
        self.subscription = subscription
    }
}

extension StoreReader {
    fileprivate func subject(
        _ named: NotificationSubject, in environment: StoreEnvironment
    ) throws -> NotificationRecord.Subject {
        var subject = NotificationRecord.Subject(
            app: try named.bundleID.map { try apps.find(bundleID: $0).id },
            customer: try named.account.map { account in
                let customer = try Customer.find(account: account, environment, in: session)
                guard let customer else { throw StoreError.unknown(.account, account) }
                return customer.id
            },
            subscription: named.subscription)
        // Notifications are about the purchaser's subscription, the member's among them.
        if let id = named.subscription, let share = try FamilyShare.find(id, in: session),
            let subscription = share.subscription,
            subject.customer == nil || subject.customer == share.member
        {
            (subject.subscription, subject.customer) = (subscription, share.member)
        }
        return subject
    }

    /// A notification by its number in the log, or by its notificationUUID.
    func notification(
        _ name: String, in environment: StoreEnvironment
    ) throws -> NotificationRecord {
        let found =
            try Int64(identifier: name).map { try NotificationRecord.find($0, in: session) }
            ?? NotificationRecord.find(uuid: name.lowercased(), in: session)
        guard let found, found.environment == environment else {
            throw StoreError.unknown(.notification, name)
        }
        return found
    }

    func logEntry(_ record: NotificationRecord) throws -> NotificationLogEntry {
        let account = try record.customer.flatMap { id in
            try Customer.accounts(of: [id], in: session)[id]
        }
        return NotificationLogEntry(
            id: record.id, uuid: record.uuid, bundleID: try apps[record.app].bundleID,
            environment: record.environment, account: account,
            productID: record.productID, subscription: record.subscription,
            type: record.type, subtype: record.subtype, created: record.created,
            isProvoked: record.isProvoked, isDelivered: record.isDelivered,
            nextAttempt: record.nextAttempt, attempts: try sendAttempts(of: record.id),
            faults: try FaultDecision.applied(to: record.id, in: session),
            signedPayload: record.signedPayload)
    }
}

extension NotificationRecord {
    /// The product of the purchase that it is about; nil where it is about none. Once it was
    /// signed, only the signed text says so.
    fileprivate var productID: String? {
        let draft = transactionDraft.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
        if let draft { return draft["productId"]?.string }
        let payload = signedPayload.flatMap { JSONValue(ofSigned: $0) }?.withSignedTextsOpened
        return payload?["data"]?["transactionInfo"]?["productId"]?.string
    }
}
