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
