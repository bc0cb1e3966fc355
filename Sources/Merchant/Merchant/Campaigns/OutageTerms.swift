import FoundationEssentials
import MerchantRules
import Storage
import SubscriptionRules

/// What an outage campaign means, as it is kept while it runs: whoever goes on after a crash reads
/// no file again, and a file that was changed since changes nothing.
struct OutageTerms: Codable, Hashable, Sendable {
    /// A mail to those who were extended.
    struct Mail: Codable, Hashable, Sendable {
        var from: String
        var name: String?
        var subject: String
        var subjects: [String: String]
        var text: String
        var texts: [String: String]
    }

    var name: String
    var bundleID: String
    var environments: [String]
    var from: Int64
    var to: Int64
    var products: [String]
    var storefronts: [String]?
    var entitlement: String?
    var accounts: [String]?
    /// Nil for a day for each begun day.
    var fixedDays: Int?
    var reason: Int
    var messagesPerMinute: Int
    var callsPerSecond: Int
    var periods: [String: String]
    var mail: Mail?

    init(_ campaign: OutageCampaign, _ definition: CampaignDefinition) {
        name = campaign.name
        bundleID = campaign.bundleID
        environments = campaign.environments.map(\.rawValue).sorted()
        from = campaign.from.milliseconds
        to = campaign.to.milliseconds
        products = campaign.products.sorted()
        storefronts = campaign.storefronts?.sorted()
        entitlement = campaign.entitlement
        accounts = campaign.accounts?.sorted()
        if case .fixed(let days) = campaign.days { fixedDays = days } else { fixedDays = nil }
        reason = campaign.reason.rawValue
        messagesPerMinute = campaign.pace.messagesPerMinute
        callsPerSecond = campaign.pace.callsPerSecond
        periods = definition.periods.mapValues(\.iso8601)
        mail = definition.texts.mail.map { mail in
            Mail(
                from: mail.from, name: mail.name, subject: mail.subject.usual,
                subjects: mail.subject.translations, text: mail.text.usual,
                texts: mail.text.translations)
        }
    }

    init(kept text: String) throws(StorageError) {
        guard let terms = try? JSONDecoder().decode(OutageTerms.self, from: Data(text.utf8)) else {
            throw StorageError(.corrupt, "the terms of an outage cannot be read")
        }
        self = terms
    }

    func keptText() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    private var days: OutageCampaign.DaysRule {
        guard let fixedDays else { return .forEachBegunDay }
        return .fixed(fixedDays)
    }

    var campaign: OutageCampaign {
        OutageCampaign(
            name: name, bundleID: bundleID,
            environments: Set(
                environments.compactMap { CampaignSubscriber.Environment(rawValue: $0) }),
            from: Instant(milliseconds: from), to: Instant(milliseconds: to),
            products: Set(products), storefronts: storefronts.map { Set($0) },
            entitlement: entitlement, accounts: accounts.map { Set($0) },
            days: days,
            reason: ExtensionReason(rawValue: reason) ?? .undeclared,
            pace: CampaignPace(
                messagesPerMinute: max(1, messagesPerMinute),
                callsPerSecond: max(1, callsPerSecond)))
    }

    /// The campaign as it is read from its file, for whoever finds its audience.
    var definition: CampaignDefinition {
        CampaignDefinition(
            .outage(campaign), periods: periods.compactMapValues { CalendarPeriod(iso8601: $0) },
            texts: texts)
    }

    var texts: CampaignTexts {
        CampaignTexts(
            mail: mail.map { mail in
                CampaignTexts.Mail(
                    from: mail.from, name: mail.name,
                    subject: CampaignText(mail.subject, translations: mail.subjects),
                    text: CampaignText(mail.text, translations: mail.texts))
            })
    }
}
