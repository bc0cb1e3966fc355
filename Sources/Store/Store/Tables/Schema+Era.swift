import Storage

extension Schema {
    /// Since this version an app may live by the ways of 2012.
    static let era = Migration("0039 era") { _ in
        ["ALTER TABLE app ADD COLUMN era TEXT NOT NULL DEFAULT 'today'"]
    }
}
