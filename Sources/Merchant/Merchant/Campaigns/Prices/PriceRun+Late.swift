import MerchantRules
import Storage
import SubscriptionRules

extension PriceRun {
    /// Writes a first mail anew that is late. Once it is handed over, a later renewal is the first
    /// at the new price, and the mail has to name that one (ACC-7, CMP-32).
    func rewrite(_ message: inout PriceMessageRow, _ session: any Session) throws {
        let row = try PriceSubscriberRow.all(
            where: "campaign = \(message.campaign) AND purchase = \(message.purchase)", session
        ).first
        guard let row, let subscriber = try subscriber(of: message.purchase, session) else {
            return
        }
        // What will be planned then, of which nothing is kept now.
        var record = try PriceStateText.record(of: row)
        _ = record.handle(
            .sent(message.occasion, message.channel), at: now, of: campaign, for: subscriber)
        guard let terms = record.terms(about: message.occasion) else { return }
        let words = PriceWords(definition.texts, terms, for: subscriber)
        guard let (title, body) = words.words(on: message.channel),
            title != message.title || body != message.body
        else { return }
        message.say(title, body)
        try message.keepWords(session)
    }
}
