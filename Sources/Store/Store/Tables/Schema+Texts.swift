import Storage

extension Schema {
    /// Since this version an app has a language of its own, and policies that mails and pages link.
    static let texts = Migration("0023 languages and policies") { _ in
        [
            "ALTER TABLE app ADD COLUMN locale TEXT NOT NULL DEFAULT 'en_US'",
            "ALTER TABLE app ADD COLUMN policies TEXT",
        ]
    }
}
