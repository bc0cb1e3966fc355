public import Letters
import Storage
public import SubscriptionRules

/// A mail as the operator sees it.
public struct MailboxEntry: Sendable {
    /// An attempt at the relay.
    public struct Attempt: Sendable, Hashable {
        public let at: Instant
        /// DELIVERED, REFUSED, POSTPONED or UNKNOWN.
        public let outcome: String
        /// What the relay said, or why it could not.
        public let reply: String?
    }

    public let id: Int64
    public let bundleID: String
    public let account: String
    public let environment: StoreEnvironment
    public let subscription: Int64?
    public let kind: MailKind
    public let channel: LetterChannel
    public let created: Instant
    /// Where it goes; nil for nowhere but here.
    public let recipient: String?
    /// When the customer saw it in the app.
    public let seen: Instant?
    public let messageID: String
    /// `waiting`, `kept`, `delivered`, `refused`, `givenUp` or `dropped`.
    public let state: String
    /// Why it was dropped.
    public let reason: String?
    public let nextAttempt: Instant?
    public let attempts: [Attempt]
    /// As it was written; of one that waits still, as it would be.
    public let written: WrittenLetter
}

/// Why a list of mails is empty.
public enum EmptyMailbox: String, Sendable, Hashable, CaseIterable {
    /// There are mails, which the conditions leave out.
    case filtered
    /// No app sends mails.
    case mailsOff
    /// No app that sends mails does so in Sandbox.
    case sandboxMailsOff
    /// The customer has no mail address, or no customer has one.
    case noAddress
    /// Nothing was due.
    case nothingDue
}

extension Store {
    /// Why a list of mails is empty.
    ///
    /// - Parameter account: whose mails were asked for; nil for those of all.
    /// - Throws: `StoreError.unknown(.account)`.
    public func whyMailboxIsEmpty(
        of account: String? = nil, in environment: StoreEnvironment
    ) async throws -> EmptyMailbox {
        try await read { [mailroom] reader in
            let customer = try account.map { try reader.customer($0, environment) }
            let some = try MailRecord.page(
                of: environment, customer: customer?.id, subscription: nil, kind: nil,
                channel: nil, state: nil, since: nil, before: nil, limit: 1, in: reader.session)
            guard some.isEmpty else { return .filtered }
            var apps = reader.apps.all.filter { $0.settings.mails != .nobody }
            guard mailroom != nil, !apps.isEmpty else { return .mailsOff }
            if environment == .sandbox { apps.removeAll { !$0.settings.sandboxMails } }
            guard !apps.isEmpty else { return .sandboxMailsOff }
            guard apps.allSatisfy({ $0.settings.mails == .addressed }) else { return .nothingDue }
            let lacksAddress =
                try customer.map { $0.mailAddress == nil }
                ?? Customer.nobodyIsAddressed(in: environment, reader.session)
            return lacksAddress ? .noAddress : .nothingDue
        }
    }

    /// The mails of an environment, newest first.
    ///
    /// - Parameters:
    ///   - subscription: only those about it.
    ///   - state: only those that stand so.
    ///   - since: only those that came to be said then or later.
    ///   - before: the identifier of the last one of the page before; nil for the newest.
    /// - Throws: `StoreError.unknown(.account)`.
    public func mailbox(
        of account: String? = nil, about subscription: Int64? = nil, kind: MailKind? = nil,
        channel: LetterChannel? = nil, state: String? = nil, since: Instant? = nil,
        in environment: StoreEnvironment, before: Int64? = nil, limit: Int = 100
    ) async throws -> [MailboxEntry] {
        try await read { [mailroom] reader in
            let customer = try account.map { try reader.customer($0, environment).id }
            return try MailRecord.page(
                of: environment, customer: customer, subscription: subscription, kind: kind,
                channel: channel, state: state, since: since, before: before, limit: limit,
                in: reader.session
            ).map { try reader.entry($0, mailroom) }
        }
    }

    /// One mail.
    ///
    /// - Throws: `StoreError.unknown(.mail)`.
    public func mail(_ id: Int64, in environment: StoreEnvironment) async throws -> MailboxEntry {
        try await read { [mailroom] reader in
            try reader.entry(try reader.mail(id, in: environment), mailroom)
        }
    }

    /// One mail as a message (RFC 5322), as a relay is given it.
    ///
    /// - Throws: `StoreError.unknown(.mail)`, also for what is shown on a device, and in a store in
    ///   which nobody writes mails.
    public func mailMessage(
        _ id: Int64, in environment: StoreEnvironment
    ) async throws -> [UInt8] {
        try await read { [mailroom] reader in
            var mail = try reader.mail(id, in: environment)
            let app = try reader.apps[mail.app]
            if let mailroom, mail.written == nil {
                mail.written = mailroom.write(mail, app, try reader.customer(of: mail))
            }
            guard mail.channel == .mail, let message = mailroom?.message(mail, app) else {
                throw StoreError.unknown(.mail, String(id))
            }
            return message
        }
    }
}

extension StoreReader {
    fileprivate func customer(
        _ account: String, _ environment: StoreEnvironment
    ) throws -> Customer {
        let found = try Customer.find(account: account, environment, in: session)
        guard let found else { throw StoreError.unknown(.account, account) }
        return found
    }

    fileprivate func mail(_ id: Int64, in environment: StoreEnvironment) throws -> MailRecord {
        guard let mail = try MailRecord.find(id, in: session), mail.environment == environment
        else { throw StoreError.unknown(.mail, String(id)) }
        return mail
    }

    fileprivate func customer(of mail: MailRecord) throws -> Customer {
        guard let customer = try Customer.find(mail.customer, in: session) else {
            throw Stored.missing("customer \(mail.customer)", for: "mail \(mail.id)")
        }
        return customer
    }

    fileprivate func entry(_ mail: MailRecord, _ mailroom: Mailroom?) throws -> MailboxEntry {
        let customer = try customer(of: mail)
        let app = try apps[mail.app]
        let unwritten = WrittenLetter(subject: "", text: "", html: "", language: "en")
        return MailboxEntry(
            id: mail.id, bundleID: app.bundleID, account: customer.account,
            environment: mail.environment, subscription: mail.subscription,
            kind: mail.content.kind, channel: mail.channel, created: mail.created,
            recipient: mail.recipient, seen: mail.seen, messageID: mail.messageID,
            state: mail.state.rawValue, reason: mail.reason, nextAttempt: mail.nextAttempt,
            attempts: try MailRecord.attempts(of: mail.id, in: session).map {
                .init(at: $0.at, outcome: $0.outcome.name, reply: $0.outcome.reply)
            },
            written: mail.written ?? mailroom?.write(mail, app, customer) ?? unwritten)
    }
}
