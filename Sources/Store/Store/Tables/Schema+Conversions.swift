import Storage

extension Schema {
    /// What a Korean subscriber has to agree to before an offer turns into the standard price.
    static let conversions = Migration("0028 conversions") { _ in
        ["ALTER TABLE subscription ADD COLUMN conversion TEXT"]
    }
}
