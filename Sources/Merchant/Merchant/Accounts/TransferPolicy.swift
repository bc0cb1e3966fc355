import MerchantRules

/// What comes of a purchase that one account sends while another one has it.
public enum TransferPolicy: Hashable, Sendable {
    /// It moves only where the customer has asked to restore it.
    case refuse
    /// It stays with the account that had it first, also where the customer asks to restore it.
    case keep
    /// It moves to the account that sends it.
    case transfer
    /// It moves where it gives no access now. The grace period and billing retry count as access:
    /// the store may charge at any moment. What was bought for good moves, since it would never
    /// end; what is consumed stays where it is counted.
    case transferIfInactive
    /// So many accounts have it at once; what is consumed is never shared.
    case share(upTo: Int64)

    /// The word of the configuration.
    public var name: String {
        switch self {
        case .refuse: "refuse"
        case .keep: "keep"
        case .transfer: "transfer"
        case .transferIfInactive: "transferIfInactive"
        case .share: "share"
        }
    }
}

extension HeldPurchase {
    /// What comes of it (OWN-1).
    ///
    /// - Parameters:
    ///   - account: nil for one that was never heard of.
    ///   - isRenewal: whether the store charged for what is sent by itself. It sends that to every
    ///     device of the customer, whoever uses the app there: a renewal alone moves nothing
    ///     (OWN-2).
    func outcome(
        for account: Int64?, restores: Bool, isRenewal: Bool, under policy: TransferPolicy
    ) -> PurchaseOutcome {
        if let account, holders.contains(account) { return .has }
        guard owner != nil else { return .binds }
        if isCounted { return .keptByOwner }
        let isAsked = restores || !isRenewal
        switch policy {
        case .refuse: return restores ? .moves : .ownedByAnother
        case .keep: return .keptByOwner
        case .transfer: return isAsked ? .moves : .ownedByAnother
        case .transferIfInactive:
            if isActive { return .stillActive }
            return isAsked ? .moves : .ownedByAnother
        case .share(let most):
            guard isAsked else { return .ownedByAnother }
            return Int64(holders.count) < most ? .shares : .sharedByTooMany
        }
    }

    /// Whether it is consumed: who gets it after another one would spend it once more.
    private var isCounted: Bool { access?.transaction.kind == .consumable }

    /// Whether a period runs, or may begin at any moment.
    private var isActive: Bool {
        switch access?.reason {
        case .active, .gracePeriod, .awaitingRenewal, .billingRetry: true
        case .owned, .expired, .refunded, .sharingEnded, .upgraded, nil: false
        }
    }
}
