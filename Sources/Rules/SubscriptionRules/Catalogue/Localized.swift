/// A text in one language, of several.
public protocol Localized {
    /// An ICU locale with underscore, such as `en_US`.
    var locale: String { get }
}

extension Localization: Localized {}

extension Sequence where Element: Localized {
    /// The one for a locale; else one in its language, in `home`, in `en_US`, whatever there is.
    ///
    /// - Parameters:
    ///   - locale: the customer's, with underscore or hyphen.
    ///   - home: the language that an app is written in first.
    public func best(for locale: String, or home: String = "en_US") -> Element? {
        let all = Array(self)
        func language(_ locale: String) -> Substring { locale.prefix { $0 != "_" } }
        for wanted in [locale.replacing("-", with: "_"), home, "en_US"] {
            let found =
                all.first { $0.locale == wanted }
                ?? all.first { language($0.locale) == language(wanted) }
            if let found { return found }
        }
        return all.first
    }
}
