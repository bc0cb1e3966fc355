import Storage

extension Schema {
    /// Since this version it is noted at which place among everything that was numbered a product
    /// became one that can be shared; of older ones only the moment is known.
    static let shareable = Migration("0035 shareable since") { dialect in
        ["ALTER TABLE shareable_product ADD COLUMN number \(dialect.integer)"]
    }
}
