/// What an app promises its customers and asks of them: its privacy policy, and its licence
/// agreement. Mails and screens of subscriptions link both.
public struct AppPolicies: Hashable, Sendable {
    /// The licence agreement, as a web address or as its text; empty where the App Store's usual
    /// one holds.
    public var licenceAgreement: String
    /// The privacy policy, at most once a locale.
    public var privacyPolicies: [PrivacyPolicy]

    /// A privacy policy in one language: its address, its text or both.
    public struct PrivacyPolicy: Hashable, Sendable, Localized {
        /// An ICU locale with underscore, such as `en_US`.
        public var locale: String
        /// A web address; empty for none.
        public var url: String
        /// The policy itself; empty for none.
        public var text: String

        public init(locale: String, url: String, text: String) {
            self.locale = locale
            self.url = url
            self.text = text
        }
    }

    public init(licenceAgreement: String = "", privacyPolicies: [PrivacyPolicy] = []) {
        self.licenceAgreement = licenceAgreement
        self.privacyPolicies = privacyPolicies
    }

    /// Whether nothing is said.
    public var isEmpty: Bool { licenceAgreement.isEmpty && privacyPolicies.isEmpty }

    /// Whether a text can be linked as a web page. Anything else, such as `javascript:`, is none.
    public static func isWebAddress(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["https://", "http://"].contains { text.hasPrefix($0) && text.count > $0.count }
            && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.isControl }
    }
}
