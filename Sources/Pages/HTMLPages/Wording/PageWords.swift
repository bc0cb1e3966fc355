/// What pages say that is not about what they show, one language after the other: whole
/// sentences, never pieces that are put together.
package protocol PageWords: Sendable {
    /// How the language is written: `ltr` or `rtl`.
    var direction: String { get }
    var skip: String { get }
    var navigation: String { get }
    var signOut: String { get }
    /// So many of something, in the form that the number asks for.
    func plural(_ count: Int, one: String, other: String) -> String
}

/// The words in English.
struct EnglishPageWords: PageWords {
    let direction = "ltr"
    let skip = "Skip to content"
    let navigation = "Pages"
    let signOut = "Sign out"

    func plural(_ count: Int, one: String, other: String) -> String {
        count.magnitude == 1 ? one : other
    }
}

/// The words in German.
struct GermanPageWords: PageWords {
    let direction = "ltr"
    let skip = "Zum Inhalt"
    let navigation = "Seiten"
    let signOut = "Abmelden"

    func plural(_ count: Int, one: String, other: String) -> String {
        count.magnitude == 1 ? one : other
    }
}

/// The words in French, where nothing is one thing too.
struct FrenchPageWords: PageWords {
    let direction = "ltr"
    let skip = "Aller au contenu"
    let navigation = "Pages"
    let signOut = "Se déconnecter"

    func plural(_ count: Int, one: String, other: String) -> String {
        count.magnitude < 2 ? one : other
    }
}

/// The words in Spanish.
struct SpanishPageWords: PageWords {
    let direction = "ltr"
    let skip = "Ir al contenido"
    let navigation = "Páginas"
    let signOut = "Cerrar sesión"

    func plural(_ count: Int, one: String, other: String) -> String {
        count.magnitude == 1 ? one : other
    }
}

/// The words in Japanese, which has no plural.
struct JapanesePageWords: PageWords {
    let direction = "ltr"
    let skip = "本文へ"
    let navigation = "ページ"
    let signOut = "サインアウト"

    func plural(_ count: Int, one: String, other: String) -> String { other }
}

/// The words in Arabic.
struct ArabicPageWords: PageWords {
    let direction = "rtl"
    let skip = "انتقل إلى المحتوى"
    let navigation = "الصفحات"
    let signOut = "تسجيل الخروج"

    func plural(_ count: Int, one: String, other: String) -> String {
        count.magnitude == 1 ? one : other
    }
}
