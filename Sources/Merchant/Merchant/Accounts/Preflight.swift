import Storage

/// Whose a purchase is, and what would come of it if an account sent it: asked before anybody
/// pays or restores.
public struct PurchaseOwner: Hashable, Sendable {
    /// Whose it is, as one account sees it.
    public enum Holder: String, Hashable, Sendable, CaseIterable {
        case nobody, this, another
    }

    public let originalTransactionID: String
    /// Nil for a purchase that was never heard of.
    public let environment: MerchantEnvironment?
    public let holder: Holder
    /// The account that owns it, for whoever may know.
    public private(set) var owner: String?
    /// What comes of it if the account sends the newest transaction, as a device does. A renewal
    /// alone changes no owner.
    public let onPost: PurchaseOutcome
    /// What comes of it if the account sends a transaction that is no renewal.
    public let onFirstPost: PurchaseOutcome
    /// What comes of it if the customer asks to restore it.
    public let onRestore: PurchaseOutcome

    /// The same for whoever may not know the other account.
    public var withoutName: PurchaseOwner {
        var copy = self
        copy.owner = nil
        return copy
    }
}

extension Merchant {
    /// Says whose a purchase is, and changes nothing.
    ///
    /// - Parameters:
    ///   - account: the account that would send it.
    ///   - environment: nil for the one in which it is known, Production first.
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`.
    public func owner(
        of originalTransactionID: String, asSeenBy account: String, in bundleID: String,
        _ environment: MerchantEnvironment? = nil
    ) async throws -> PurchaseOwner {
        let app = try app(bundleID)
        try AccountName.check(account)
        let now = try await now()
        return try await database.read { session in
            let found = try PurchaseRow.first(
                originalTransactionID, of: app.id, environment, session)
            guard let (purchase, place) = found else {
                return PurchaseOwner(
                    originalTransactionID: originalTransactionID, environment: nil,
                    holder: .nobody, owner: nil, onPost: .binds, onFirstPost: .binds,
                    onRestore: .binds)
            }
            let known = try AccountRow.find(account, of: app.id, session)
            let held = try purchase.held(at: now, under: app.setup.policy, session)
            func outcome(restores: Bool = false, isRenewal: Bool) -> PurchaseOutcome {
                held.outcome(
                    for: known?.id, restores: restores, isRenewal: isRenewal,
                    under: app.setup.transfers)
            }
            let onPost = outcome(isRenewal: held.isRenewed)
            let holder: PurchaseOwner.Holder =
                switch onPost {
                case .has: .this
                case .binds: .nobody
                default: .another
                }
            return PurchaseOwner(
                originalTransactionID: originalTransactionID, environment: place, holder: holder,
                owner: try held.owner.flatMap { try AccountRow.name(of: $0, session) },
                onPost: onPost, onFirstPost: outcome(isRenewal: false),
                onRestore: outcome(restores: true, isRenewal: held.isRenewed))
        }
    }
}

extension PurchaseRow {
    /// The row of a purchase in the environment that is named, or in the first that knows it.
    static func first(
        _ originalTransactionID: String, of app: Int64, _ environment: MerchantEnvironment?,
        locked: Bool = false, _ session: any Session
    ) throws(StorageError) -> (PurchaseRow, MerchantEnvironment)? {
        for one in environment.map({ [$0] }) ?? MerchantEnvironment.allCases {
            let found = try find(originalTransactionID, of: app, one, locked: locked, session)
            if let found { return (found, one) }
        }
        return nil
    }
}
