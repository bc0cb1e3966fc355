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
