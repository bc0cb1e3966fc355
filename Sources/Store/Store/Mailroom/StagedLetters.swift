import Letters
import Storage
import SubscriptionRules

/// That a customer was told something of a subscription.
struct SentLetter {
    let kind: MailKind
    let channel: LetterChannel
    let at: Instant
    /// When it was seen in the app.
    let seen: Instant?
    /// Which prices it told.
    let prices: [PriceStep]
}

/// What one change writes to customers, and when it found that they are to be written to next.
struct StagedLetters {
    var due: [Int64: LetterDue] = [:]
    private var mails: [MailRecord] = []
    /// Where the mails about each subscription are.
    private var places: [Int64: [Int]] = [:]

    mutating func add(_ mail: MailRecord) {
        if let subscription = mail.subscription {
            places[subscription, default: []].append(mails.count)
        }
        mails.append(mail)
    }

    func sent(about subscription: Int64) -> [SentLetter] {
        (places[subscription] ?? []).map { place in
            let mail = mails[place]
            return SentLetter(
                kind: mail.content.kind, channel: mail.channel, at: mail.created, seen: nil,
                prices: mail.content.prices)
        }
    }

    func write(in session: any Session) throws {
        try MailRecord.insert(mails, in: session)
        try LetterDue.save(due.values, in: session)
    }
}
