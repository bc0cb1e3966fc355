import Letters
import Logging
import Mail
import Outbox
import Storage
import SubscriptionRules

/// The mails of a world, as its outbox delivers them.
struct Mails: OutboxSource {
    let store: Store
    let mailroom: Mailroom

    let table = MailRecord.outbox

    /// When a mail that the relay has not taken is handed over again, by the world's clock: for
    /// four days, as relays themselves do.
    private static let schedule = RetrySchedule([
        .minutes(5), .minutes(15), .hours(1), .hours(4), .hours(12), .hours(24), .hours(24),
        .hours(24),
    ])

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session, _ now: Instant) throws -> T
    ) async throws -> T {
        try await store.read { try body($0.session, $0.now) }
    }

    func change<T: Sendable>(
        _ body: @escaping @Sendable (UnitOfWork) throws -> T
    ) async throws -> T {
        try await store.write(about: .whatIsTakenUp, body)
    }

    func attempt(_ row: Row, in work: UnitOfWork) throws -> MailAttempt {
        let mail = try MailRecord(row)
        guard let customer = try Customer.find(mail.customer, in: work.session) else {
            throw Stored.missing("customer \(mail.customer)", for: "mail \(mail.id)")
        }
        return MailAttempt(
            mail: mail, app: try work.apps[mail.app], customer: customer, moment: work.now)
    }

    /// What is not true any more does not go out, and says why. Where there is no relay nothing
    /// goes out later than it was written: it is kept as what was true then.
    func goingOut(
        _ due: [MailAttempt], by moment: Instant, in work: UnitOfWork
    ) throws -> [MailAttempt] {
        guard mailroom.relay != nil else { return due }
        let truth = LetterTruth(
            session: work.session, apps: work.apps, now: moment, isBankBuiltIn: work.bank == nil)
        return try due.compactMap { attempt in
            var attempt = attempt
            let content = attempt.mail.content
            let reason = try truth.reason(against: &attempt.mail, to: attempt.customer)
            guard let reason else {
                if attempt.mail.content != content {
                    try attempt.mail.saveContent(in: work.session)
                }
                return attempt
            }
            attempt.mail.content = content
            (attempt.mail.state, attempt.mail.reason, attempt.mail.nextAttempt) =
                (.dropped, reason, nil)
            try attempt.mail.saveState(in: work.session)
            return nil
        }
    }

    func seal(_ attempt: MailAttempt) throws -> MailAttempt? {
        guard attempt.mail.written == nil else { return nil }
        var attempt = attempt
        attempt.mail.written = mailroom.write(attempt.mail, attempt.app, attempt.customer)
        return attempt
    }

    func saveSealed(_ attempt: MailAttempt, in session: any Session) throws -> MailAttempt {
        var attempt = attempt
        try attempt.mail.saveWritten(in: session)
        return attempt
    }

    func carry(_ attempt: MailAttempt) async -> MailAttempt {
        var attempt = attempt
        guard attempt.mail.channel == .mail, let relay = mailroom.relay,
            let address = attempt.mail.recipient,
            let recipient = EmailAddress(address)
        else {
            (attempt.mail.state, attempt.mail.nextAttempt) = (.kept, nil)
            return attempt
        }
        guard let message = mailroom.message(attempt.mail, attempt.app) else {
            (attempt.mail.state, attempt.mail.nextAttempt) = (.dropped, nil)
            attempt.mail.reason = "it cannot be written as a message"
            return attempt
        }
        let outcome = await relay.send(message, from: mailroom.sender, to: recipient)
        attempt.outcome = outcome
        attempt.mail.attempts += 1
        switch outcome {
        case .delivered: (attempt.mail.state, attempt.mail.nextAttempt) = (.delivered, nil)
        case .refused: (attempt.mail.state, attempt.mail.nextAttempt) = (.refused, nil)
        case .postponed, .unknown:
            // A mail that comes twice under one Message-ID is better than none.
            attempt.mail.nextAttempt = Self.schedule.next(
                after: attempt.mail.attempts, at: attempt.moment)
            if attempt.mail.nextAttempt == nil { attempt.mail.state = .givenUp }
        }
        return attempt
    }

    func save(_ attempt: MailAttempt, in session: any Session) throws {
        guard let outcome = attempt.outcome else { return try attempt.mail.saveState(in: session) }
        try attempt.mail.save(attemptAt: attempt.moment, MailOutcome(outcome), in: session)
    }

    func kept(_ attempts: [MailAttempt]) {
        for attempt in attempts {
            store.log.debug(
                "mail tried",
                metadata: [
                    "kind": "\(attempt.mail.content.kind.rawValue)",
                    "state": "\(attempt.mail.state.rawValue)",
                    "attempt": "\(attempt.mail.attempts)",
                ])
        }
    }
}

/// One attempt to hand a mail over, from being taken up to being kept.
struct MailAttempt: OutboxAttempt {
    var mail: MailRecord
    let app: App
    let customer: Customer
    let moment: Instant
    /// What the relay came to; nil where none was asked.
    var outcome: RelayOutcome?

    init(mail: MailRecord, app: App, customer: Customer, moment: Instant) {
        self.mail = mail
        self.app = app
        self.customer = customer
        self.moment = moment
    }

    var id: Int64 { mail.id }
    /// A customer's mails go out in their order.
    var subject: Int64 { mail.customer }

    var hasArrived: Bool {
        switch outcome {
        case .delivered, .refused, nil: true
        case .postponed(.stopped): false
        // Whether it was taken is what nobody knows: the attempt counts.
        case .postponed, .unknown: true
        }
    }
}

extension Mailroom {
    /// A letter in its reader's words, with what the app and the customer say today; what is shown
    /// on a device in short.
    func write(_ mail: MailRecord, _ app: App, _ customer: Customer) -> WrittenLetter {
        let letter = letter(mail, app, customer)
        let written = writer.write(letter)
        guard mail.channel != .mail else { return written }
        let short = writer.short(letter)
        return WrittenLetter(
            subject: short?.title ?? written.subject, text: short?.body ?? written.text, html: "",
            language: written.language)
    }

    /// What can be answered to a letter in the app.
    func buttons(_ mail: MailRecord, _ app: App, _ customer: Customer) -> [String] {
        writer.short(letter(mail, app, customer))?.buttons ?? []
    }

    private func letter(_ mail: MailRecord, _ app: App, _ customer: Customer) -> Letter {
        Letter(
            mail.content, app: app.settings.name, supportURL: app.settings.supportURL,
            privacyURL: app.settings.privacyURL, manageURL: manageURL,
            account: customer.account, locale: customer.locale, storefront: customer.storefront)
    }

    /// The bytes that go out, and that an `.eml` file holds; nil for a mail that was not written,
    /// or that cannot be said in a message.
    func message(_ mail: MailRecord, _ app: App) -> [UInt8]? {
        guard let written = mail.written else { return nil }
        // What is only kept has no recipient; a file of it names the sender's own domain.
        let reader =
            mail.recipient.flatMap(EmailAddress.init)
            ?? EmailAddress("customer-\(mail.customer)@\(sender.domain)") ?? sender
        let shop = app.settings.name.unicodeScalars.map {
            $0.properties.generalCategory == .control ? " " : String($0)
        }.joined()
        return try? Mail(
            from: Mail.Party(shop, sender), to: Mail.Party(nil, reader),
            subject: written.subject, text: written.text, html: written.html, date: mail.created,
            messageID: mail.messageID, language: written.language,
            fields: [Mail.Field("Auto-Submitted", "auto-generated")]
        ).message
    }
}

extension Store {
    /// Delivers mails; nil where nobody writes any.
    var mails: Outbox<Mails>? {
        mailroom.map { mailroom in
            Outbox(
                of: Mails(store: self, mailroom: mailroom), in: database, by: membership,
                turns: laneTurns, atOnce: Self.mailsAtOnce, passingOver: setAside)
        }
    }

    /// How many mails of one app are on their way to the relay at once: relays count connections.
    private static let mailsAtOnce = 8

    /// Delivers the mails that are due by now.
    public func deliverMails() async throws {
        guard let mails else { return }
        while let tried = try await mails.deliver(DueMessages()), tried > 0 {}
    }

    /// Writes the mails that are due, where they only have to be kept. A relay is given its time:
    /// nobody who moves the clock waits for it.
    func keepMails(dueBy moment: Instant) async throws {
        guard let mails, mailroom?.relay == nil else { return }
        while let tried = try await mails.deliver(DueMessages(by: moment)), tried > 0 {}
    }
}
