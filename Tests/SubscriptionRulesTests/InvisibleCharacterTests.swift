import SubscriptionRules
import Testing

@Suite("Characters that nobody sees")
struct InvisibleCharacterTests {
    @Test(
        "What is no letter and drives how a name looks is found, with its place",
        arguments: [
            ("\u{200B}anna", "U+200B (ZERO WIDTH SPACE) as character 1"),
            ("an\u{200B}na", "U+200B (ZERO WIDTH SPACE) as character 3"),
            ("anna\u{202E}", "U+202E (RIGHT-TO-LEFT OVERRIDE) as character 5"),
            ("\u{200D}anna", "U+200D (ZERO WIDTH JOINER) as character 1"),
            ("anna\u{200C}", "U+200C (ZERO WIDTH NON-JOINER) as character 5"),
            ("a\u{200D}\u{200D}b", "U+200D (ZERO WIDTH JOINER) as character 2"),
            ("a \u{200D}b", "U+200D (ZERO WIDTH JOINER) as character 3"),
            ("\u{FE0F}", "U+FE0F (VARIATION SELECTOR-16) as character 1"),
            ("a\u{2028}b", "U+2028 (LINE SEPARATOR) as character 2"),
            ("a\u{AD}b", "U+00AD (SOFT HYPHEN) as character 2"),
            ("\u{3164}", "U+3164 (HANGUL FILLER) as character 1"),
            ("\u{2800}", "U+2800 (BRAILLE PATTERN BLANK) as character 1"),
            ("a\u{E0041}", "U+E0041 (TAG LATIN CAPITAL LETTER A) as character 2"),
        ] as [(String, String)])
    func found(text: String, words: String) {
        #expect(InvisibleCharacter.all(in: text).first?.description == words)
    }

    @Test(
        "What is seen, and joiners between that, are none",
        arguments: [
            "", "anna", "a b", "Ærøskøbing", "é", "e\u{301}", "日本", "👩‍👩‍👧", "👩🏽‍⚕️", "❤️‍🔥",
            "anna ❤️", "क्\u{200D}ष", "می\u{200C}خواهم", "1️⃣",
        ])
    func none(text: String) {
        #expect(InvisibleCharacter.all(in: text).isEmpty)
    }
}
