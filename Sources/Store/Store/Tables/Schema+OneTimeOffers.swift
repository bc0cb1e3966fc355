import Storage

extension Schema {
    /// Since this version what is bought once may have an offer: its bill says which.
    static let oneTimeOffers = Migration("0031 offers of what is bought once") { _ in
        [
            "ALTER TABLE bill ADD COLUMN offer_id TEXT "
                + "CHECK (offer_id IS NULL OR purpose = 'oneTimePurchase')"
        ]
    }
}
