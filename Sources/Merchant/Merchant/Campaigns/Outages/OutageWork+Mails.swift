import Mail
import MerchantRules
import Storage
import SubscriptionRules
import Synchronization
import TimeAndChance

// Mails to customers who were extended. The App Store mails them by itself.
extension OutageWork {
    /// How often a mail is tried that the relay does not take yet.
    private static let mostAttempts: Int64 = 10

    /// Where a customer is reached, and in which language.
    private struct Contact: Sendable {
        let email: String
        let locale: String?
    }

    /// Sends the mails that are due.
    func sendMails() async throws -> Bool {
        guard let mail = definition.texts.mail else { return false }
        guard let relay = merchant.campaignMeans.withLock({ $0.mail }) else {
            return try await leaveOutMails()
        }
        let now = try await merchant.now()
        let due = try await merchant.database.read { session in
            try OutageExtension.some(
                of: row.id, where: "mail_at <= \(now) ORDER BY mail_at, purchase LIMIT 20", session)
        }
        guard !due.isEmpty else { return false }
        let contacts = try await contacts(of: due.map(\.purchase))
        let interval = Duration.seconds(60) / campaign.pace.messagesPerMinute
        for one in due {
            guard let contact = contacts[one.purchase] else {
                try await mark(one, .noAddress)
                continue
            }
            guard let message = message(mail, to: contact, of: one, at: now) else {
                try await mark(one, .refused)
                continue
            }
            await pace.wait(interval)
            let outcome = await relay.send(
                message.message, from: message.from.address, to: message.to.address)
            try await keep(outcome, of: one)
        }
        return true
    }

    /// A merchant without a relay sends none, and says so.
    private func leaveOutMails() async throws -> Bool {
        let word = OutageExtension.Mailing.noRelay.rawValue
        return try await merchant.database.write(.together) { session in
            try claim.renew(session)
            let count = try session.execute(
                """
                UPDATE campaign_extension SET mail = \(word), mail_at = NULL
                WHERE campaign = \(row.id) AND mail_at > 0
                """)
            return count > 0
        }
    }

    private func contacts(of purchases: [Int64]) async throws -> [Int64: Contact] {
        try await merchant.database.read { session in
            var contacts: [Int64: Contact] = [:]
            let rows = try session.rows(
                """
                SELECT p.id, c.email, c.locale FROM purchase p
                JOIN account_contact c ON c.account = p.account
                WHERE p.id IN (\(list: purchases)) AND c.email IS NOT NULL
                """)
            for row in rows {
                contacts[try row.integer(0)] = Contact(
                    email: try row.text(1), locale: try row.textOrNil(2))
            }
            return contacts
        }
    }

    /// - Returns: nil where it cannot be said in a mail.
    private func message(
        _ mail: CampaignTexts.Mail, to contact: Contact, of one: OutageExtension, at now: Instant
    ) -> Mail? {
        guard let from = EmailAddress(mail.from), let to = EmailAddress(contact.email),
            let end = one.extendedTo
        else { return nil }
        let values: [CampaignPlace: String] = [
            .days: String(one.days), .date: String(end.iso8601.prefix(10)),
            .manageUrl: CampaignPlace.subscriptionsURL,
        ]
        // The same again after a crash: whoever gets it twice can tell.
        let number = DerivedUUID.text(seed: one.requestIdentifier, purpose: "mail", number: 0)
        return try? Mail(
            from: Mail.Party(mail.name, from), to: Mail.Party(nil, to),
            subject: mail.subject.text(for: contact.locale, filling: values),
            text: mail.text.text(for: contact.locale, filling: values), date: now,
            messageID: "\(number)@\(from.domain)",
            fields: [Mail.Field("Auto-Submitted", "auto-generated")])
    }

    private func keep(_ outcome: RelayOutcome, of one: OutageExtension) async throws {
        switch outcome {
        case .delivered: try await mark(one, .sent)
        case .refused: try await mark(one, .refused)
        case .postponed, .unknown:
            let isLast = one.mailAttempts + 1 >= Self.mostAttempts
            try await mark(one, isLast ? .failed : .waiting)
        }
    }

    private func mark(_ one: OutageExtension, _ mailing: OutageExtension.Mailing) async throws {
        let now = try await merchant.now()
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            var one = one
            one.mail = mailing
            one.mailAttempts += 1
            let pause = Span.backOff(
                after: one.mailAttempts - 1, from: .minutes(5), upTo: .hours(6))
            one.mailAt = mailing == .waiting ? now + pause : nil
            try one.save(session)
        }
    }
}
