import AppStoreWire

extension Transaction {
    /// Why a customer wants the money back.
    public struct RefundReason: RawRepresentable, Sendable, Hashable {
        /// The store's word.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// It was not meant to be bought.
        public static let unintendedPurchase = RefundReason(rawValue: "UNINTENDED_PURCHASE")
        /// It does not work.
        public static let fulfillmentIssue = RefundReason(rawValue: "FULFILLMENT_ISSUE")
        /// It is not what was expected.
        public static let unsatisfiedWithPurchase = RefundReason(
            rawValue: "UNSATISFIED_WITH_PURCHASE")
        /// A law gives the money back.
        public static let legal = RefundReason(rawValue: "LEGAL")
        /// Another reason.
        public static let other = RefundReason(rawValue: "OTHER")
    }

    /// What became of asking.
    public enum RefundRequestStatus: Sendable, Hashable {
        /// It was asked for; the answer comes as a transaction that was changed.
        case success
        /// Not answered by this library: there is no sheet to cancel. It is here because
        /// StoreKit's switches name it.
        case userCancelled
    }

    /// Why a refund could not be asked for.
    public enum RefundRequestError: Error, Sendable, Hashable {
        /// It was asked for before.
        case duplicateRequest
        /// The store does not give it back: nothing was paid, it was given back already, it is too
        /// late, or somebody else bought it.
        case failed(StoreRefusal)
    }

    /// Asks for the price of this transaction back.
    ///
    /// - Throws: ``RefundRequestError`` or ``StoreKitError``.
    public func beginRefundRequest(
        reason: RefundReason = .other
    ) async throws -> RefundRequestStatus {
        try await Self.beginRefundRequest(for: id, reason: reason, in: session)
    }

    /// Asks for the price of a transaction back.
    ///
    /// - Throws: ``RefundRequestError`` or ``StoreKitError``.
    public static func beginRefundRequest(
        for transactionID: UInt64, reason: RefundReason = .other, in session: StoreSession
    ) async throws -> RefundRequestStatus {
        var mayHaveActed = false
        do throws(StoreKitError) {
            var json = JSONWriter()
            json.object { $0.field("reason", reason.rawValue) }
            _ = try await session.exchange.send(
                "POST", StorePath("/storefront/v1/transactions/\(transactionID)/refund-request"),
                as: session.keeper.token(), body: json.bytes,
                failed: { mayHaveActed = mayHaveActed || $0.mayHaveActed })
            return .success
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            guard refusal.code == "refundAlreadyRequested" else {
                throw RefundRequestError.failed(refusal)
            }
            // An earlier attempt, whose answer was lost, may have been the one that asked.
            if mayHaveActed { return .success }
            throw RefundRequestError.duplicateRequest
        }
    }
}
