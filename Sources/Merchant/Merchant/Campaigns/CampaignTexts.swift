/// What a campaign writes to subscribers; nil for a channel that it does not use itself.
public struct CampaignTexts: Hashable, Sendable {
    public var mail: Mail?
    public var sheet: Sheet?
    public var push: Push?

    public init(mail: Mail? = nil, sheet: Sheet? = nil, push: Push? = nil) {
        self.mail = mail
        self.sheet = sheet
        self.push = push
    }

    /// A mail.
    public struct Mail: Hashable, Sendable {
        /// The sender's address.
        public var from: String
        /// The sender's name; nil for the address alone.
        public var name: String?
        public var subject: CampaignText
        public var text: CampaignText

        public init(
            from: String, name: String? = nil, subject: CampaignText, text: CampaignText
        ) {
            self.from = from
            self.name = name
            self.subject = subject
            self.text = text
        }
    }

    /// What the app shows on a sheet.
    public struct Sheet: Hashable, Sendable {
        public var title: CampaignText
        public var body: CampaignText

        public init(title: CampaignText, body: CampaignText) {
            self.title = title
            self.body = body
        }
    }

    /// A push notification.
    public struct Push: Hashable, Sendable {
        public var title: CampaignText
        public var body: CampaignText
        /// What the app opens: the sheet (ACC-7); nil where the app decides.
        public var url: String?

        public init(title: CampaignText, body: CampaignText, url: String? = nil) {
            self.title = title
            self.body = body
            self.url = url
        }
    }
}

/// A text in one language or several, with places for what differs by subscriber.
public struct CampaignText: Hashable, Sendable {
    /// The text for every language that has none of its own.
    public let usual: String
    /// By language tag, such as `de` or `pt-BR`.
    public let translations: [String: String]

    public init(_ usual: String, translations: [String: String] = [:]) {
        self.usual = usual
        self.translations = translations
    }

    /// The text for a language tag: its own, else that of its language, else the usual one.
    public func text(for locale: String?) -> String {
        guard let locale else { return usual }
        let tag = Self.spelled(locale)
        let known = Dictionary(
            translations.map { (Self.spelled($0.key), $0.value) },
            uniquingKeysWith: { first, _ in first })
        let language = tag.prefix { $0 != "-" }
        return known[tag] ?? known[String(language)] ?? usual
    }

    /// The text for a language tag with its places filled in; a place without a value is empty.
    public func text(for locale: String?, filling values: [CampaignPlace: String]) -> String {
        var text = text(for: locale)
        for place in CampaignPlace.allCases {
            text = text.replacing(place.mark, with: values[place] ?? "")
        }
        return text
    }

    /// Tags differ in case, and in what stands between their parts.
    private static func spelled(_ tag: String) -> String {
        String(tag.lowercased().map { $0 == "_" ? "-" : $0 })
    }
}

/// What a campaign's texts may hold in braces.
public enum CampaignPlace: String, Hashable, Sendable, CaseIterable {
    /// What the subscriber pays, with its currency.
    case oldPrice
    /// What the subscriber will pay.
    case newPrice
    /// The day on which the new price, or the new end of the period, takes effect.
    case date
    /// Where the subscriber reviews or cancels the subscription.
    case manageUrl
    /// Where the subscriber answers.
    case answerUrl
    /// By how many days the period is longer.
    case days

    /// As it stands in a text.
    public var mark: String { "{\(rawValue)}" }

    /// Where the App Store lets customers review and cancel their subscriptions: `manageUrl`.
    static let subscriptionsURL = "https://apps.apple.com/account/subscriptions"
}
