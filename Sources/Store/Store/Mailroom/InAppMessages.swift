public import Letters
import Storage
public import SubscriptionRules

/// A message of the mailroom that an app shows the customer when it is opened.
public struct InAppMessage: Sendable {
    public let id: Int64
    public let kind: MailKind
    /// The subscription that it is about.
    public let subscription: Int64?
    public let created: Instant
    /// In the customer's language.
    public let title: String
    public let body: String
    /// What can be answered, what is asked for first; empty for what is only told.
    public let buttons: [String]
    public let language: String
}

extension Store {
    /// What the customer on a device is to be shown: what was not seen yet and is true now, of
    /// what was said again and again the newest. Oldest first.
    ///
    /// - Parameter after: the number of the last one of the page before.
    public func inAppMessages(
        for device: DeviceSession, after: Int64 = 0, limit: Int = 100
    ) async throws -> [InAppMessage] {
        guard let mailroom else { return [] }
        return try await read { [isBankBuiltIn = bank == nil] reader in
            let customer = try reader.account(device)
            let app = try reader.apps[device.app]
            let truth = LetterTruth(
                session: reader.session, apps: reader.apps, now: reader.now,
                isBankBuiltIn: isBankBuiltIn)
            var (found, last, isAll) = ([InAppMessage](), after, false)
            while found.count < limit, !isAll {
                let page = try MailRecord.unseen(
                    customer: customer.id, app: app.id, after: last, limit: limit,
                    in: reader.session)
                isAll = page.count < limit
                last = page.last?.id ?? last
                for var mail in page {
                    let content = mail.content
                    guard try truth.reason(against: &mail, to: customer) == nil else { continue }
                    // Some of what was written may not hold any more.
                    let written =
                        mail.content == content
                        ? mail.written ?? mailroom.write(mail, app, customer)
                        : mailroom.write(mail, app, customer)
                    found.append(
                        InAppMessage(
                            id: mail.id, kind: mail.content.kind, subscription: mail.subscription,
                            created: mail.created, title: written.subject, body: written.text,
                            buttons: mailroom.buttons(mail, app, customer),
                            language: written.language))
                }
            }
            return Array(found.prefix(limit))
        }
    }

    /// The customer on a device has seen a message, and with it what said the same before. Once
    /// seen it is not shown again, and a price increase that need not be agreed to is not pushed
    /// any more (ACC-3). Seeing it again changes nothing.
    ///
    /// - Throws: `StoreError.unknown(.mail)`.
    public func seeInAppMessage(_ id: Int64, by device: DeviceSession) async throws {
        try await write(about: .customer(device.customer)) { work in
            guard let mail = try MailRecord.find(id, in: work.session), mail.channel == .inApp,
                mail.customer == device.customer, mail.app == device.app
            else { throw StoreError.unknown(.mail, String(id)) }
            try mail.saveSeen(at: work.now, in: work.session)
        }
    }
}
