import AppStoreWire
import MerchantRules
import Storage
import SubscriptionRules

extension TransactionRecord {
    /// What a receipt says of a transaction, of which it names less than a JWS.
    ///
    /// - Parameter siblings: all transactions of the same purchase in the receipt.
    init(
        _ entry: ReceiptEntry, among siblings: [ReceiptEntry], at created: Instant,
        source: String
    ) {
        let told = entry.transaction
        let isUpgraded = entry.isUpgraded(among: siblings)
        let revoked = isUpgraded ? nil : told.cancellationDate
        self.init(
            purchase: 0,
            facts: TransactionFacts(
                transactionID: told.transactionId, productID: told.productId,
                groupID: told.subscriptionGroupIdentifier, kind: entry.kind,
                purchased: Instant(milliseconds: told.purchaseDate),
                expires: told.expiresDate.map(Instant.init(milliseconds:)),
                isUpgraded: isUpgraded, revoked: revoked.map(Instant.init(milliseconds:)),
                revocation: revoked.map { _ in .refund },
                isShared: told.inAppOwnershipType == .familyShared, quantity: told.quantity,
                isRenewal: entry.isRenewal(among: siblings)),
            price: nil, currency: nil,
            signature: RegisterSignature(
                told: told.jsonText(), at: created, rank: .receipt, source: source))
    }

    /// The records of a purchase by transaction, where they are needed.
    static func known(
        of purchase: Int64, besides news: [TransactionRecord], _ session: any Session
    ) throws(StorageError) -> [String: TransactionRecord] {
        guard news.contains(where: \.signature.isOfReceipt) else { return [:] }
        let records = try Self.register.records(where: "purchase = \(purchase)", session)
        return Dictionary(
            records.map { ($0.facts.transactionID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Goes into the register unless a newer record is there; the purchase's row is locked.
    ///
    /// - Parameter known: what the register holds of the purchase; only asked of what a receipt
    ///   says.
    /// - Returns: whether that is news.
    func enter(
        besides known: [String: TransactionRecord], _ session: any Session
    ) throws(StorageError) -> Bool {
        guard signature.isOfReceipt else {
            let isNews = try Self.register.take(self, session) ? true : complete(session)
            let namesGroup = try nameGroup(session)
            return isNews || namesGroup
        }
        var record = self
        if facts.groupID == nil, facts.kind == .autoRenewable {
            // A subscription stays in its group, whatever its plan is.
            record.facts.groupID = known.values.compactMap(\.facts.groupID).first
        }
        guard let before = known[facts.transactionID] else {
            return try Self.register.take(record, session)
        }
        guard before.signature.signedAt <= signature.signedAt else { return false }
        let merged = record.completed(by: before)
        return try Self.register.take(merged, session) && merged.facts != before.facts
    }

    /// Says of what group a subscription is of which a receipt has told, which names none.
    private func nameGroup(_ session: any Session) throws(StorageError) -> Bool {
        guard let groupID = facts.groupID, facts.kind == .autoRenewable else { return false }
        return try session.execute(
            """
            UPDATE transaction_register SET group_id = \(groupID)
            WHERE purchase = \(purchase) AND group_id IS NULL
                AND kind = \(facts.kind.rawValue)
                AND rank = \(RegisterSignature.Rank.receipt.rawValue)
            """) > 0
    }

    /// What a receipt does not name, and never changes, is as it was known before.
    private func completed(by known: TransactionRecord) -> TransactionRecord {
        var record = self
        let (facts, before) = (record.facts, known.facts)
        // What a JWS has said has a price, and stays with the record however often it is replaced.
        if known.price != nil || !known.signature.isOfReceipt {
            record.facts.kind = before.kind
            record.facts.isShared = before.isShared
            record.facts.isRenewal = before.isRenewal
        }
        record.facts.groupID = facts.groupID ?? before.groupID
        record.facts.isUpgraded = facts.isUpgraded || before.isUpgraded
        // Receipts have whole seconds.
        func exact(_ told: Instant?, _ known: Instant?) -> Instant? {
            guard let told, let known else { return told }
            return known.milliseconds / 1000 == told.milliseconds / 1000 ? known : told
        }
        record.facts.purchased = exact(facts.purchased, before.purchased) ?? facts.purchased
        record.facts.expires = exact(facts.expires, before.expires)
        if record.facts.isUpgraded {
            (record.facts.revoked, record.facts.revocation) = (before.revoked, before.revocation)
        } else if facts.revoked != nil {
            record.facts.revoked = exact(facts.revoked, before.revoked)
            record.facts.revocation = before.revocation ?? facts.revocation
            record.facts.refundedShare = before.refundedShare
        }
        (record.price, record.currency) = (known.price, known.currency)
        return record
    }

    /// Adds what never changes to the record of a later receipt, which could not name it: so every
    /// order of arrival ends in the same.
    private func complete(_ session: any Session) throws(StorageError) -> Bool {
        let isMoreExact = try makeExact(session)
        let isCompleted =
            try session.execute(
                """
                UPDATE transaction_register SET group_id = \(facts.groupID), price = \(price),
                    currency = \(currency), is_shared = \(facts.isShared),
                    is_renewal = \(facts.isRenewal), kind = \(facts.kind.rawValue),
                    purchased_at = \(facts.purchased)
                WHERE \(isOfReceipt) AND price IS NULL
                """) == 1
        return isCompleted || isMoreExact
    }

    /// The row of the same transaction where a receipt has told it.
    private var isOfReceipt: SQL {
        """
        purchase = \(purchase) AND transaction_id = \(facts.transactionID)
        AND rank = \(RegisterSignature.Rank.receipt.rawValue)
        """
    }

    /// Adds to a later receipt's record what receipts lack: milliseconds, and why a transaction was
    /// cancelled (upgrade, partial refund, or end of sharing).
    ///
    /// - Returns: whether the record changed.
    private func makeExact(_ session: any Session) throws(StorageError) -> Bool {
        var changed = 0
        if let expires = facts.expires {
            changed += try session.execute(
                """
                UPDATE transaction_register SET expires_at = \(expires)
                WHERE \(isOfReceipt) AND expires_at <> \(expires)
                    AND expires_at / 1000 = \(expires.milliseconds / 1000)
                """)
        }
        if facts.isUpgraded {
            changed += try session.execute(
                """
                UPDATE transaction_register SET is_upgraded = 1, revoked_at = \(facts.revoked),
                    revocation = \(facts.revocation?.rawValue)
                WHERE \(isOfReceipt) AND is_upgraded = 0
                """)
        } else if let revoked = facts.revoked, let revocation = facts.revocation {
            changed += try session.execute(
                """
                UPDATE transaction_register SET revoked_at = \(revoked),
                    revocation = \(revocation.rawValue), refunded_share = \(facts.refundedShare)
                WHERE \(isOfReceipt) AND revoked_at / 1000 = \(revoked.milliseconds / 1000)
                    AND (revoked_at <> \(revoked) OR revocation <> \(revocation.rawValue)
                        OR COALESCE(refunded_share, -1) <> \(facts.refundedShare ?? -1))
                """)
        }
        return changed > 0
    }
}

extension RenewalRecord {
    /// What stands beside a receipt about a subscription, signed by nobody.
    init(_ info: PendingRenewalInfo, at created: Instant, source: String) {
        self.init(
            purchase: 0,
            facts: RenewalFacts(
                nextProductID: info.autoRenewProductId,
                renewsAutomatically: info.autoRenewStatus == .on,
                isInBillingRetry: info.isInBillingRetryPeriod ?? false,
                graceEnds: info.gracePeriodExpiresDate.map(Instant.init(milliseconds:)),
                expirationIntent: info.expirationIntent.map { Int64($0.rawValue) },
                priceIncreaseStatus: info.priceIncreaseStatus.map { Int64($0.rawValue) }),
            renewalPrice: nil, currency: nil,
            signature: RegisterSignature(
                told: info.jsonText(), at: created, rank: .unsigned, source: source))
    }
}
