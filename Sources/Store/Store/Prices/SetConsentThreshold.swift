import Journal
import Storage
public import SubscriptionRules

/// What the operator wants to hold for consent to price increases in a storefront.
public struct ConsentThresholdChange: Sendable, Hashable {
    public var storefront: Storefront
    /// Whether every increase needs consent; nil leaves it.
    public var alwaysConsent: Bool?
    /// The amount for each period of a plan shorter than a year, in milliunits; nil leaves it.
    public var nonAnnualAmount: Int64?
    /// The amount a year for a yearly plan, in milliunits; nil leaves it.
    public var annualAmount: Int64?
    /// The code of the currency that the amounts are meant in; nil takes the storefront's.
    public var currency: String?
    /// Whether what was set before goes first, so that what is built in holds.
    public var isReset = false

    /// Changes nothing yet.
    public init(in storefront: Storefront) { self.storefront = storefront }
}

extension Store {
    /// From which amounts a price increase needs consent, storefront by storefront.
    public func consentThresholds() async throws -> ConsentThresholds {
        try await read { try ConsentSetting.thresholds(in: $0.session) }
    }

    /// Sets what holds for consent in a storefront, for the increases that are planned from now
    /// on; what was planned keeps what was decided. What changes nothing is not written, and waits
    /// for nothing.
    ///
    /// - Returns: what holds there now.
    /// - Throws: `StoreError.setting(.invalid)` for an amount below zero or beyond all prices, or
    ///   with more decimals than the currency has, and for another currency than the storefront's.
    @discardableResult
    public func setConsentThreshold(
        _ change: ConsentThresholdChange
    ) async throws -> ConsentThresholds.Row {
        try change.check()
        let known = try await read { reader in
            let setting = try ConsentSetting.find(in: change.storefront, reader.session)
            return try (setting.row(), change.applied(to: setting, at: reader.now).row())
        }
        guard known.0 != known.1 else { return known.0 }
        // What was due before goes by what held before.
        try await catchUp()
        return try await write { work in
            let before = try ConsentSetting.find(in: change.storefront, work.session)
            let setting = change.applied(to: before, at: work.now)
            try setting.save(in: work.session)
            work.record(.setConsentThreshold) { $0.event.note = change.storefront.code }
            work.settingsChanged()
            return try setting.row()
        }
    }
}

extension ConsentThresholdChange {
    fileprivate func check() throws(StoreError) {
        let own = storefront.currency
        if let currency, currency != own.code {
            throw .setting(
                .invalid(
                    "currency",
                    reason: "\(storefront.code) is charged in \(own.code)"))
        }
        for (field, amount) in [
            ("nonAnnualAmount", nonAnnualAmount), ("annualAmount", annualAmount),
        ] {
            guard let amount else { continue }
            guard (0...ConsentThresholds.largestAmount).contains(amount), own.allows(amount) else {
                throw .setting(
                    .invalid(
                        field,
                        reason: "it must be 0 to \(ConsentThresholds.largestAmount) milliunits in "
                            + "steps of \(own.step), as \(own.code) allows"))
            }
        }
    }

    fileprivate func applied(to setting: ConsentSetting, at now: Instant) -> ConsentSetting {
        var setting = isReset ? ConsentSetting(in: storefront) : setting
        setting.alwaysConsent = alwaysConsent ?? setting.alwaysConsent
        guard nonAnnualAmount != nil || annualAmount != nil else { return setting }
        let held = setting.amounts.map { ($0.nonAnnual, $0.annual) }
        let builtIn = ConsentThresholds.standard[storefront.code]
        let before = held ?? (builtIn?.nonAnnualAmount, builtIn?.annualAmount)
        let after = (nonAnnualAmount ?? before.0, annualAmount ?? before.1)
        // The day is that of the change.
        guard held == nil || after != before else { return setting }
        setting.amounts = (after.0, after.1, BillingZone.utc.wallClock(at: now).date)
        return setting
    }
}

extension ConsentSetting {
    /// What holds in its storefront.
    fileprivate func row() throws -> ConsentThresholds.Row {
        var thresholds = ConsentThresholds.standard
        try apply(to: &thresholds)
        guard let row = thresholds[storefront.code] else {
            preconditionFailure("every storefront has a row: \(storefront.code)")
        }
        return row
    }
}
