import Letters
import Mail
import Store
import SubscriptionRules
import Synchronization
import TestSupport

/// Writes letters as one line that names what they say.
struct LineWriter: LetterWriter {
    func write(_ letter: Letter) -> WrittenLetter {
        WrittenLetter(
            subject: letter.content.line, text: "\(letter.app) to \(letter.account)\n",
            html: "<p>\(letter.locale)</p>", language: "en")
    }

    func short(_ letter: Letter) -> ShortLetter? {
        ShortLetter(title: letter.content.line, body: "In short.", buttons: ["OK"])
    }
}

/// A relay that answers as it is told, and otherwise takes what comes.
final class ScriptedRelay: MailRelay {
    private let outcomes: Mutex<[RelayOutcome]>
    private let seen = Mutex<[(to: String, message: String)]>([])

    init(_ outcomes: [RelayOutcome] = []) { self.outcomes = Mutex(outcomes) }

    func send(
        _ message: [UInt8], from sender: EmailAddress, to recipient: EmailAddress
    ) async -> RelayOutcome {
        seen.withLock { $0.append((recipient.text, String(decoding: message, as: UTF8.self))) }
        return outcomes.withLock { outcomes in
            outcomes.isEmpty
                ? .delivered(RelayReply(code: 250, text: "Taken")) : outcomes.removeFirst()
        }
    }

    var taken: [(to: String, message: String)] { seen.withLock { $0 } }
}

extension Mailroom {
    /// One that writes lines.
    static func lines(_ relay: ScriptedRelay? = nil) -> Mailroom {
        guard let sender = EmailAddress("store@shop.example") else {
            preconditionFailure("address")
        }
        return Mailroom(writer: LineWriter(), sender: sender, relay: relay)
    }
}

extension World {
    /// The mails so far that tell of an event, first to last: when, what, and what became of it.
    func mails(in environment: StoreEnvironment = .production) async throws -> [String] {
        try await store.mailbox(channel: .mail, in: environment, limit: 1000).reversed()
            .filter { ![.willRenew, .willExpire, .cannotPay].contains($0.kind) }.map {
                "\(World.text($0.created.milliseconds)) \($0.written.subject) \($0.state)"
            }
    }

    /// Mails, pushes and messages in the app, first to last: when, to whom, how, what.
    ///
    /// - Parameter kinds: only those; empty for all.
    func letters(
        _ kinds: MailKind..., in environment: StoreEnvironment = .production
    ) async throws -> [String] {
        try await store.mailbox(in: environment, limit: 1000).reversed()
            .filter { kinds.isEmpty || kinds.contains($0.kind) }
            .map { one in
                "\(World.text(one.created.milliseconds)) \(one.account.prefix { $0 != "@" }) "
                    + "\(one.channel.rawValue) \(one.written.subject)"
                    + (one.state == "kept" ? "" : " \(one.state)")
            }
    }
}

extension CustomerMail {
    fileprivate var line: String {
        switch self {
        case .welcome(let mail):
            "welcome \(mail.name) \(mail.price.milliunits) "
                + (mail.offer.map { "for \($0.paid.milliunits) until \($0.until.day) " } ?? "")
                + "renews \(mail.renews.day)"
        case .receipt(let mail):
            "receipt "
                + mail.lines.map { line in
                    "\(line.quantity) \(line.name) \(line.amount.milliunits)"
                        + (line.insteadOf.map { " instead of \($0.milliunits)" } ?? "")
                        + (line.until.map { " until \($0.day)" } ?? "")
                }.joined(separator: ", ")
        case .billingProblem(let mail):
            switch mail.state {
            case .ended: "ended \(mail.name) \(mail.price.milliunits)"
            case .retrying(let until):
                "not paid \(mail.name) \(mail.price.milliunits) "
                    + (until.map { "until \($0.day)" } ?? "interrupted")
            }
        case .renewalExtended(let mail):
            "extended \(mail.name) \(mail.old.day) to \(mail.new.day)"
        case .refundDecided(let mail):
            "refund \(mail.name) \(mail.amount.map { "\($0.milliunits)" } ?? "declined")"
                + (mail.isAsked ? "" : " unasked")
        case .willRenew(let items), .willExpire(let items):
            kind.rawValue + " " + items.map(\.line).joined(separator: ", ")
        case .cannotPay(let item): "cannot pay \(item.line)"
        case .priceIncrease(let news):
            (news.needsConsent ? "agree? " : "increase ")
                + news.lines.map { "\($0.name) \($0.old.milliunits) to \($0.new.milliunits)" }
                .joined(separator: ", ") + " on \(news.at.day)"
                + news.dependents.map { ", with \($0)" }.joined()
                + (news.restGoesOn ? ", the rest stays" : "")
        case .koreanConversion(let mail):
            "agree? "
                + mail.lines.map { "\($0.name) \($0.price.milliunits)" }.joined(separator: ", ")
                + " on \(mail.at.day)" + (mail.restGoesOn ? ", the rest stays" : "")
        case .discontinued(let mail):
            "discontinued \(mail.name) ends \(mail.ends.day)"
                + mail.others.map { ", \($0.name) \($0.price.milliunits)" }.joined()
        case .sharing(let mail):
            mail.giver.map { "\($0) shares \(mail.name)" } ?? "share \(mail.name)?"
        }
    }
}

extension CustomerMail.Upcoming {
    fileprivate var line: String {
        "\(name) \(price.map { "\($0.milliunits) " } ?? "")\(at.day)"
            + (reasonToEnd.map { $0 == .turnedOff ? "" : " \($0.rawValue)" } ?? "")
    }
}

extension Instant {
    fileprivate var day: String { BillingZone.utc.wallClock(at: self).date.iso8601 }
}
