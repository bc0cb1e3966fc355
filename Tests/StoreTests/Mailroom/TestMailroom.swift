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

    func short(_ letter: Letter) -> ShortLetter? { nil }
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
    /// The mails so far, first to last: when, what, and what became of it.
    func mails(in environment: StoreEnvironment = .production) async throws -> [String] {
        try await store.mailbox(in: environment).reversed().map {
            "\(World.text($0.created.milliseconds)) \($0.written.subject) \($0.state)"
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
        case .willRenew, .willExpire, .cannotPay, .priceIncrease, .koreanConversion, .discontinued,
            .sharing:
            kind.rawValue
        }
    }
}

extension Instant {
    fileprivate var day: String { BillingZone.utc.wallClock(at: self).date.iso8601 }
}
