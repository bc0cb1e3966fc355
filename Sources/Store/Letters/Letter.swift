public import SubscriptionRules

/// A mail before anybody has written it: what it says, to whom, and in whose name.
public struct Letter: Hashable, Sendable {
    public var content: CustomerMail
    /// The name of the app.
    public var app: String
    /// Where customers find help; nil where the app names nothing.
    public var supportURL: String?
    /// What the app says of privacy; nil where it names nothing.
    public var privacyURL: String?
    /// Where customers see and change what they subscribe to; nil where there is no such page.
    public var manageURL: String?
    /// The name that the customer signs in with.
    public var account: String
    /// How the customer's device writes, such as `de_CH`.
    public var locale: String
    /// Where the customer is at home: how money and days are written.
    public var storefront: Storefront

    public init(
        _ content: CustomerMail, app: String, supportURL: String? = nil,
        privacyURL: String? = nil, manageURL: String? = nil, account: String, locale: String,
        storefront: Storefront
    ) {
        self.content = content
        self.app = app
        self.supportURL = supportURL
        self.privacyURL = privacyURL
        self.manageURL = manageURL
        self.account = account
        self.locale = locale
        self.storefront = storefront
    }
}

/// A letter as it is sent and shown.
public struct WrittenLetter: Hashable, Sendable {
    /// One line.
    public let subject: String
    public let text: String
    public let html: String
    /// The language of its words, such as `de`.
    public let language: String

    public init(subject: String, text: String, html: String, language: String) {
        self.subject = subject
        self.text = text
        self.html = html
        self.language = language
    }
}

/// The same in short: what a push or a sheet in the app shows.
public struct ShortLetter: Hashable, Sendable {
    public let title: String
    public let body: String
    /// What can be answered, the first one being what is asked for; empty for what is only told.
    public let buttons: [String]

    public init(title: String, body: String, buttons: [String]) {
        self.title = title
        self.body = body
        self.buttons = buttons
    }
}

/// Writes letters.
public protocol LetterWriter: Sendable {
    /// Writes a letter in its reader's language, or in the nearest one that there is.
    func write(_ letter: Letter) -> WrittenLetter

    /// What of it is shown on a device; nil where nothing is.
    func short(_ letter: Letter) -> ShortLetter?
}

/// How a letter comes to its reader.
public enum LetterChannel: String, Hashable, Sendable, CaseIterable {
    /// By mail.
    case mail
    /// As a push on the reader's devices.
    case push
    /// In the app, when it is opened.
    case inApp
}

/// The kinds of mails, by the names under which they are kept and asked for.
public enum MailKind: String, Hashable, Sendable, CaseIterable {
    case welcome
    case receipt
    case willRenew
    case willExpire
    case cannotPay
    case billingProblem
    case priceIncreaseConsent
    case priceIncreaseNotice
    case koreanConversion
    case renewalExtended
    case discontinued
    case refundDecision
    case sharing
}

extension CustomerMail {
    public var kind: MailKind {
        switch self {
        case .welcome: .welcome
        case .receipt: .receipt
        case .willRenew: .willRenew
        case .willExpire: .willExpire
        case .cannotPay: .cannotPay
        case .billingProblem: .billingProblem
        case .priceIncrease(let news):
            news.needsConsent ? .priceIncreaseConsent : .priceIncreaseNotice
        case .koreanConversion: .koreanConversion
        case .renewalExtended: .renewalExtended
        case .discontinued: .discontinued
        case .refundDecided: .refundDecision
        case .sharing: .sharing
        }
    }
}
