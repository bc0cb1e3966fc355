/// The names of accounts that apps may send.
enum AccountName {
    /// What apps send by mistake, in lower case: values of languages that mean nothing, and words
    /// for somebody who is not signed in. Everybody who sends one would share one account
    /// (OWN-6).
    private static let reserved: Set = [
        "", "null", "(null)", "<null>", "nil", "none", "undefined", "unknown", "unidentified",
        "nan", "true", "false", "0", "-1", "[]", "{}", "[objectobject]", "optional(nil)",
        "guest", "anonymous", "anon", "no_user", "nouser", "no-user",
        "00000000-0000-0000-0000-000000000000",
    ]

    /// - Throws: `MerchantError.reservedAccount`.
    static func check(_ name: String) throws(MerchantError) {
        // Most names are plain ASCII, where no character has to be looked up.
        let hasNoSpace = name.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
        let letters = (hasNoSpace ? name : name.filter { !$0.isWhitespace }).lowercased()
        if reserved.contains(letters) { throw .reservedAccount(name) }
    }
}
