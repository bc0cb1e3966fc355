import MerchantRules
import SubscriptionRules

/// The words of a campaign's messages for one subscriber.
struct PriceWords: Sendable {
    let texts: CampaignTexts
    let locale: String?
    private let values: [CampaignPlace: String]

    init(
        _ texts: CampaignTexts, _ terms: CampaignSchedule.Terms,
        for subscriber: CampaignSubscriber
    ) {
        self.texts = texts
        locale = subscriber.locale
        let code = subscriber.currency.code
        values = [
            .oldPrice: Money.plainText(terms.oldPrice, code),
            .newPrice: Money.plainText(terms.newPrice, code),
            .date: String(terms.renewal.iso8601.prefix(10)),
            .manageUrl: CampaignPlace.subscriptionsURL, .answerUrl: texts.push?.url ?? "",
        ]
    }

    /// Title and body of a message; nil for a channel that the campaign does not use.
    func words(on channel: PriceMessage.Channel) -> (title: String, body: String)? {
        let texts: (CampaignText, CampaignText)? =
            switch channel {
            case .mail: self.texts.mail.map { ($0.subject, $0.text) }
            case .sheet: self.texts.sheet.map { ($0.title, $0.body) }
            case .push: self.texts.push.map { ($0.title, $0.body) }
            }
        return texts.map {
            ($0.0.text(for: locale, filling: values), $0.1.text(for: locale, filling: values))
        }
    }
}
