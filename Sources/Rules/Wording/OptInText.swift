/// How a customer is asked to share who they are with a publisher, in the languages of the mails
/// (S308-95).
public enum OptInText {
    /// The question, in the language of a locale, or in English.
    public static func question(by publisher: String, in locale: String) -> String {
        let language = String(locale.prefix { $0 != "_" && $0 != "-" }).lowercased()
        let text = texts[language] ?? english
        return text.split(separator: "{publisher}", omittingEmptySubsequences: false)
            .joined(separator: publisher)
    }

    private static let english =
        "May {publisher} have your name, e-mail address and postal code, to write to you? You can "
        + "revoke it at any time."

    private static let texts = [
        "en": english,
        "de": "Darf {publisher} Ihren Namen, Ihre E-Mail-Adresse und Ihre Postleitzahl haben, um "
            + "Ihnen zu schreiben? Sie können das jederzeit widerrufen.",
        "fr": "{publisher} peut-il recevoir votre nom, votre adresse e-mail et votre code postal "
            + "pour vous écrire ? Vous pouvez le révoquer à tout moment.",
        "es": "¿Puede {publisher} tener su nombre, su correo electrónico y su código postal para "
            + "escribirle? Puede revocarlo en cualquier momento.",
        "ja": "{publisher}からのご案内のため、お名前、メールアドレス、郵便番号を提供しますか？いつでも取り消せます。",
        "ar": "هل تسمح لـ {publisher} بالحصول على اسمك وبريدك الإلكتروني ورمزك البريدي لمراسلتك؟ "
            + "يمكنك إلغاء ذلك في أي وقت.",
    ]
}
