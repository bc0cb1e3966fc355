import FoundationEssentials
import MerchantRules
import Storage
import SubscriptionRules

/// What the rules keep of a subscriber beside its state, as one text: it is only read as a whole.
struct PriceStateText: Codable {
    struct Contact: Codable {
        var occasion: String
        var channel: String
        var planned: Int64
        var requested: Int64?
        var first: Int64?
        var last: Int64?
        var notBefore: Int64?
        var isUnreachable: Bool
    }

    struct Answer: Codable {
        var occasion: String
        var isAgreed: Bool
        var at: Int64
        var skus: [String]
        var oldPrice: Int64
        var newPrice: Int64
        var renewal: Int64
    }

    var began: Int64
    var schedule: PriceScheduleText?
    var contacts: [Contact]
    var seen: Int64?
    var noticeSeen: Int64?
    var acknowledged: Int64?
    var answer: Answer?
    var conversionAnswer: Answer?

    init(_ record: PriceCampaignState) {
        began = record.began.milliseconds
        schedule = record.schedule.map { PriceScheduleText($0) }
        contacts = record.contacts.map { Contact($0) }
        seen = record.seen?.milliseconds
        noticeSeen = record.noticeSeen?.milliseconds
        acknowledged = record.acknowledged?.milliseconds
        answer = record.answer.map { Answer($0) }
        conversionAnswer = record.conversionAnswer.map { Answer($0) }
    }

    /// As it is kept.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// What a row keeps, as the rules take it.
    static func record(of row: PriceSubscriberRow) throws(StorageError) -> PriceCampaignState {
        let text = row.record
        guard let kept = try? JSONDecoder().decode(PriceStateText.self, from: Data(text.utf8)),
            let state = SubscriberState(code: row.state, detail: row.detail)
        else { throw StorageError(.corrupt, "what a campaign keeps of a subscriber is unreadable") }
        return PriceCampaignState(
            state: state, schedule: try kept.schedule?.schedule(),
            began: Instant(milliseconds: kept.began),
            contacts: try kept.contacts.map { one throws(StorageError) in try one.contact() },
            seen: kept.seen.map { Instant(milliseconds: $0) },
            noticeSeen: kept.noticeSeen.map { Instant(milliseconds: $0) },
            acknowledged: kept.acknowledged.map { Instant(milliseconds: $0) },
            answer: try kept.answer?.answer(), conversionAnswer: try kept.conversionAnswer?.answer()
        )
    }

    /// A word of a closed list.
    static func word<Word: RawRepresentable>(
        _ text: String
    ) throws(StorageError) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: text) else {
            throw StorageError(.corrupt, "what a campaign keeps has a word that is none")
        }
        return word
    }
}

extension PriceStateText.Contact {
    init(_ contact: CampaignContact) {
        self.init(
            occasion: contact.occasion.rawValue, channel: contact.channel.rawValue,
            planned: contact.planned.milliseconds, requested: contact.requested?.milliseconds,
            first: contact.first?.milliseconds, last: contact.last?.milliseconds,
            notBefore: contact.notBefore?.milliseconds, isUnreachable: contact.isUnreachable)
    }

    func contact() throws(StorageError) -> CampaignContact {
        CampaignContact(
            occasion: try PriceStateText.word(occasion), channel: try PriceStateText.word(channel),
            planned: Instant(milliseconds: planned),
            requested: requested.map { Instant(milliseconds: $0) },
            first: first.map { Instant(milliseconds: $0) },
            last: last.map { Instant(milliseconds: $0) },
            notBefore: notBefore.map { Instant(milliseconds: $0) }, isUnreachable: isUnreachable)
    }
}

extension PriceStateText.Answer {
    init(_ answer: CampaignAnswer) {
        self.init(
            occasion: answer.occasion.rawValue, isAgreed: answer.isAgreed,
            at: answer.at.milliseconds, skus: answer.skus, oldPrice: answer.oldPrice,
            newPrice: answer.newPrice, renewal: answer.renewal.milliseconds)
    }

    func answer() throws(StorageError) -> CampaignAnswer {
        CampaignAnswer(
            occasion: try PriceStateText.word(occasion), isAgreed: isAgreed,
            at: Instant(milliseconds: at), skus: skus, oldPrice: oldPrice, newPrice: newPrice,
            renewal: Instant(milliseconds: renewal))
    }
}
