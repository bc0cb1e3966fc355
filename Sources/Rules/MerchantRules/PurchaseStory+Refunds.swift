import SubscriptionRules

/// What was taken back, and what notifications alone say.
extension Purchase {
    var compensations: [Happening] {
        transactions.compactMap { one in
            guard let revoked = one.revoked else { return nil }
            var taken = Happening(
                one.revocation == .sharing ? .sharingEnded : .refunded, at: revoked, one)
            if one.revocation != .sharing { taken.refundedShare = one.refundedShare }
            return taken
        }
    }

    func tales(_ notices: [Notice]) -> [Happening] {
        var found: [Happening] = []
        for notice in notices {
            guard let one = transactions.first(where: { $0.transactionID == notice.transactionID })
            else { continue }
            let kind: Happening.Kind
            switch notice.type {
            case "RENEWAL_EXTENDED": kind = .extended
            case "REFUND_REVERSED": kind = .refundReversed
            case "REFUND" where isReversed(notice, of: one, notices): kind = .refunded
            default: continue
            }
            var tale = Happening(kind, at: notice.signedAt, one)
            tale.isReversed = kind == .refunded
            if kind != .refunded { tale.until = one.expires }
            // Two of one moment are one here: nothing tells them apart.
            if !found.contains(tale) { found.append(tale) }
        }
        return found
    }

    /// Whether a refund was taken back, so that its register says nothing of it any more, or only
    /// tells of a later one.
    private func isReversed(
        _ refund: Notice, of one: TransactionFacts, _ notices: [Notice]
    ) -> Bool {
        // On a clock that stands still, a register that shows a refund shows the last one.
        let isShown = one.revoked.map { refund.signedAt <= $0 } ?? false
        return notices.contains {
            $0.type == "REFUND_REVERSED" && $0.transactionID == refund.transactionID
                && ($0.signedAt > refund.signedAt || $0.signedAt == refund.signedAt && !isShown)
        }
    }

    /// Whether a notification of a refund is about this one: each that was reversed is told with
    /// its own.
    func isEvidence(_ notice: Notice, of refund: Happening, _ notices: [Notice]) -> Bool {
        let isTakenBack = isReversed(notice, of: refund.transaction, notices)
        guard refund.isReversed else { return !isTakenBack }
        return isTakenBack && notice.signedAt == refund.at
    }
}
