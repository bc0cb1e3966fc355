import AppStoreWire

/// A purchase that waits: somebody has to approve it, or the customer has to settle something
/// first, such as new terms.
public struct PendingPurchase: Sendable, Identifiable {
    /// Its number.
    public let id: UInt64
    /// What is to be bought.
    public let productID: String
    /// Whether the customer can settle it here; else somebody else approves it.
    public let isInterrupted: Bool
    let session: StoreSession

    /// The customer's purchases that wait, newest first.
    public static func all(
        in session: StoreSession
    ) async throws(StoreKitError) -> [PendingPurchase] {
        let answer = try await session.exchange.get("/storefront/v1/purchase-requests")
        var found: [PendingPurchase] = []
        for entry in try answer.requiredList("purchaseRequests", "the purchases that wait")
        where entry["state"]?.string == "waiting" {
            guard let id = UInt64(try entry.requiredText("id", "a purchase that waits")) else {
                throw .invalidResponse("a purchase that waits has no number")
            }
            found.append(
                PendingPurchase(
                    id: id, productID: try entry.requiredText("productId", "a purchase"),
                    isInterrupted: try entry.requiredText("reason", "a purchase") == "interrupted",
                    session: session))
        }
        return found
    }

    /// The customer has settled what interrupted it: the purchase is made now, and its transaction
    /// comes in ``Transaction/updates(in:)``.
    ///
    /// - Throws: ``StoreKitError/refused(_:)`` where somebody else has to approve it
    ///   (`needsApproval`), or where it was decided before (`requestClosed`).
    public func settle() async throws(StoreKitError) {
        _ = try await session.exchange.send(
            "POST", StorePath("/storefront/v1/purchase-requests/\(id)/settle"),
            as: session.keeper.token(), repetition: .onlyIfRefused)
    }
}
