import Storage
import SubscriptionRules

/// What the operator set for consent to price increases in a storefront.
struct ConsentSetting {
    let storefront: Storefront
    /// Whether every increase needs consent; nil as it is built in.
    var alwaysConsent: Bool?
    /// The amounts, in milliunits, and the day on which they were set; nil as they are built in.
    var amounts: (nonAnnual: Int64?, annual: Int64?, asOf: CivilDate)?

    static let columns = "storefront, always_consent, non_annual, annual, as_of"

    init(in storefront: Storefront) { self.storefront = storefront }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "consent_threshold", ConsentSetting.columns)
        storefront = try row.parsed(0, Storefront.init(code:))
        alwaysConsent = row.isNull(1) ? nil : try row.bool(1)
        guard !row.isNull(4) else { return }
        amounts = (
            try row.amountOrNil(2), try row.amountOrNil(3),
            CivilDate(daysSinceEpoch: try row.count(4))
        )
    }

    /// Puts what was set into a table of thresholds.
    func apply(to thresholds: inout ConsentThresholds) throws(ThresholdRefusal) {
        if let alwaysConsent {
            try thresholds.setAlwaysConsent(alwaysConsent, in: storefront.code)
        }
        if let amounts {
            try thresholds.setAmounts(
                nonAnnual: amounts.nonAnnual, annual: amounts.annual, in: storefront.code,
                asOf: amounts.asOf)
        }
    }

    /// Writes it; where nothing is set any more, its row goes.
    func save(in session: any Session) throws {
        try session.execute("DELETE FROM consent_threshold WHERE storefront = \(storefront.code)")
        guard alwaysConsent != nil || amounts != nil else { return }
        try session.execute(
            """
            INSERT INTO consent_threshold (\(raw: ConsentSetting.columns))
            VALUES (\(storefront.code), \(alwaysConsent), \(amounts?.nonAnnual),
                \(amounts?.annual), \(amounts?.asOf.daysSinceEpoch))
            """)
    }

    static func find(
        in storefront: Storefront, _ session: any Session
    ) throws -> ConsentSetting {
        try session.row(
            "SELECT \(raw: columns) FROM consent_threshold WHERE storefront = \(storefront.code)"
        ).map { try ConsentSetting($0) } ?? ConsentSetting(in: storefront)
    }

    /// What is built in, and in its place what was set.
    static func thresholds(in session: any Session) throws -> ConsentThresholds {
        var thresholds = ConsentThresholds.standard
        for row in try session.rows("SELECT \(raw: columns) FROM consent_threshold") {
            let setting = try ConsentSetting(row)
            do throws(ThresholdRefusal) {
                try setting.apply(to: &thresholds)
            } catch {
                throw StorageError(.corrupt, "consent_threshold: an amount is impossible")
            }
        }
        return thresholds
    }
}
