import MerchantRules
import Storage
import SubscriptionRules

/// What comes of a purchase that an account sends, or asks to restore: a closed list.
public enum PurchaseOutcome: String, Hashable, Sendable, CaseIterable {
    /// The account has it already.
    case has
    /// Nobody has it, so the account gets it.
    case binds
    /// The account gets it, and whoever had it has it no more.
    case moves
    /// The account has it beside those that have it.
    case shares
    /// Another account has it: it moves only where the customer asks to restore it.
    case ownedByAnother
    /// Another account has it and keeps it.
    case keptByOwner
    /// Another account has it, and it gives access now or the store still tries to charge.
    case stillActive
    /// As many accounts have it as may share it.
    case sharedByTooMany

    /// Why it is refused; nil where it is not.
    var refusal: MerchantError? {
        switch self {
        case .has, .binds, .moves, .shares: nil
        case .ownedByAnother: .ownedByAnother
        case .keptByOwner: .keptByOwner
        case .stillActive: .stillActive
        case .sharedByTooMany: .sharedByTooMany
        }
    }
}

/// Who has a purchase, as far as a policy looks at it.
struct HeldPurchase: Sendable {
    /// Nil where nobody has it.
    let owner: Int64?
    /// All that have it, the owner among them.
    let holders: [Int64]
    /// Nil where nothing is known but that there is a subscription.
    let access: Access?
    /// Whether the store charged for the newest transaction by itself: the one that a device has.
    let isRenewed: Bool
}

extension PurchaseRow {
    /// Who has it at a moment, and what access it gives.
    func held(
        at now: Instant, under policy: AccessPolicy, _ session: any Session
    ) throws(StorageError) -> HeldPurchase {
        let transactions = try TransactionRecord.register.records(
            where: "purchase = \(id)", session)
        let renewal = try RenewalRecord.register.records(where: "purchase = \(id)", session).first
        let access =
            transactions.isEmpty
            ? nil
            : Purchase(transactions: transactions.map(\.facts), renewal: renewal?.facts)
                .access(at: now, under: policy)
        // Of two of one moment the one with the greater number came later.
        func order(_ facts: TransactionFacts) -> (Instant, Int64) {
            (facts.purchased, Int64(facts.transactionID) ?? -1)
        }
        let newest = transactions.map(\.facts).max { order($0) < order($1) }
        return HeldPurchase(
            owner: account, holders: try holders(session), access: access,
            isRenewed: newest?.isRenewal ?? false)
    }
}
