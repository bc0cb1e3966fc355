extension NotificationTypeV2 {
    /// The subtypes that each published type can carry; `nil` stands for "no subtype"
    /// (NTF-2, "Valid pairs").
    public static let allowedSubtypes: [NotificationTypeV2: Set<Subtype?>] = {
        var table: [NotificationTypeV2: Set<Subtype?>] = [
            .subscribed: [.initialBuy, .resubscribe],
            .didRenew: [nil, .billingRecovery],
            .didChangeRenewalPref: [nil, .upgrade, .downgrade],
            .offerRedeemed: [nil, .upgrade, .downgrade],
            .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled],
            .didFailToRenew: [nil, .gracePeriod],
            .expired: [nil, .voluntary, .billingRetry, .priceIncrease, .productNotForSale],
            .priceIncrease: [.pending, .accepted],
            .renewalExtension: [.summary, .failure],
            .externalPurchaseToken: [.unreported, .created, .activeTokenReminder],
        ]
        for type in known where table[type] == nil { table[type] = [nil] }
        return table
    }()

    /// Whether a notification of this type can carry `subtype` (`nil`: none). A type that is not
    /// published allows nothing.
    ///
    /// A history filter that names a type but no subtype means "any subtype": ask only for a
    /// subtype that was given.
    public func allows(_ subtype: Subtype?) -> Bool {
        Self.allowedSubtypes[self]?.contains(subtype) ?? false
    }
}
