public import SubscriptionRules

/// The life of a purchase, told from the newest of what was signed.
extension Purchase {
    /// How late the store may charge on time.
    private static let punctuality = Span.seconds(60)

    /// What has happened and what comes next, in the order of time. It is a function of what was
    /// signed alone, so every order of arrival tells the same story (STO-1). Registers do not keep
    /// that an end was moved or that a refund was taken back: only notifications say so, and a
    /// story without them leaves it out.
    ///
    /// - Parameters:
    ///   - retries: for how long the store tries to charge after a period's end; nil where that is
    ///     not known, as in Sandbox.
    ///   - notices: the notifications about it, in any order.
    public func story(
        at now: Instant, under policy: AccessPolicy = AccessPolicy(),
        retries: Span? = .days(60), notices: [Notice] = []
    ) -> [Happening] {
        let notices = Set(notices).sorted { ($0.signedAt, $0.uuid) < ($1.signedAt, $1.uuid) }
        let happened =
            openings(notices) + compensations + tales(notices)
            + outcome(at: now, under: policy, retries: retries)
        return happened.sorted(by: Happening.isBefore).map { one in
            var one = one
            one.notices = notices.filter(one.rests(on:))
            return one
        }
    }

    // MARK: Periods

    private func openings(_ notices: [Notice]) -> [Happening] {
        var found: [Happening] = []
        var before: TransactionFacts?
        for one in transactions.sorted(by: TransactionFacts.isBefore) {
            found += opening(one, after: before, notices)
            before = one
        }
        return found
    }

    private func opening(
        _ one: TransactionFacts, after before: TransactionFacts?, _ notices: [Notice]
    ) -> [Happening] {
        var opening = Happening(.bought, at: one.purchased, one)
        opening.until = one.expires
        guard let before, one.kind == .autoRenewable else { return [opening] }
        if before.productID != one.productID { opening.previousProductID = before.productID }
        // What was taken back before has ended by that.
        let end = before.revoked == nil ? before.expires : nil
        if one.isRenewal {
            let isLate = end.map { $0 + Self.punctuality < one.purchased } ?? false
            let isRecovered = notices.contains {
                $0.type == "DID_RENEW" && $0.subtype == "BILLING_RECOVERY"
                    && $0.transactionID == one.transactionID
            }
            let changes = opening.previousProductID != nil
            opening.kind = isLate || isRecovered ? .recovered : changes ? .changedPlan : .renewed
            let failure = notices.first {
                $0.type == "DID_FAIL_TO_RENEW" && $0.transactionID == before.transactionID
            }
            guard let end, isLate || isRecovered && failure != nil else { return [opening] }
            let isGrace = failure?.subtype == "GRACE_PERIOD"
            return [Happening(isGrace ? .graceBegan : .retryBegan, at: end, before), opening]
        }
        let isRunning = end.map { one.purchased < $0 } ?? before.isUpgraded
        opening.kind = isRunning && opening.previousProductID != nil ? .upgraded : .boughtAgain
        guard !isRunning, let end, !before.isUpgraded else { return [opening] }
        return [Happening(.ended, at: end, before), opening]
    }

    // MARK: What was taken back, and what notifications alone say

    private var compensations: [Happening] {
        transactions.compactMap { one in
            guard let revoked = one.revoked else { return nil }
            var taken = Happening(
                one.revocation == .sharing ? .sharingEnded : .refunded, at: revoked, one)
            if one.revocation != .sharing { taken.refundedShare = one.refundedShare }
            return taken
        }
    }

    private func tales(_ notices: [Notice]) -> [Happening] {
        var found: [Happening] = []
        for notice in notices {
            guard let one = transactions.first(where: { $0.transactionID == notice.transactionID })
            else { continue }
            let kind: Happening.Kind
            switch notice.type {
            case "RENEWAL_EXTENDED": kind = .extended
            case "REFUND_REVERSED": kind = .refundReversed
            case "REFUND" where one.revoked == nil && isReversed(notice, notices): kind = .refunded
            default: continue
            }
            var tale = Happening(kind, at: notice.signedAt, one)
            if kind != .refunded { tale.until = one.expires }
            // Two of one moment are one here: nothing tells them apart.
            if !found.contains(tale) { found.append(tale) }
        }
        return found
    }

    /// Whether a refund was taken back, so that its register says nothing of it any more.
    private func isReversed(_ refund: Notice, _ notices: [Notice]) -> Bool {
        notices.contains {
            $0.type == "REFUND_REVERSED" && $0.transactionID == refund.transactionID
                && $0.signedAt >= refund.signedAt
        }
    }

    // MARK: How it stands

    private func outcome(
        at now: Instant, under policy: AccessPolicy, retries: Span?
    ) -> [Happening] {
        let access = access(at: now, under: policy)
        let current = access.transaction
        let end = current.expires ?? access.until ?? current.purchased
        switch access.reason {
        case .owned, .refunded, .sharingEnded, .upgraded: return []
        case .active: return [next(after: current, at: end, access)]
        case .awaitingRenewal: return [Happening(.periodEnded, at: end, current)]
        case .gracePeriod: return grace(after: current, at: end)
        case .billingRetry:
            let last = retries.map { end + $0 }
            let grace = grace(after: current, at: end)
            var retry = Happening(
                grace.isEmpty ? .retryBegan : .graceEnded, at: access.until ?? end, current)
            retry.until = last
            return grace + [retry]
        case .expired:
            let renews = renewal?.renewsAutomatically ?? true
            let isKnown = renewal?.expirationIntent != nil || !renews
            var ended = Happening(
                isKnown || current.kind != .autoRenewable ? .ended : .periodEnded,
                at: access.until ?? end, current)
            ended.expirationIntent = renewal?.expirationIntent
            return grace(after: current, at: end) + [ended]
        }
    }

    private func grace(after current: TransactionFacts, at end: Instant) -> [Happening] {
        guard let graceEnds = renewal?.graceEnds, end < graceEnds else { return [] }
        var grace = Happening(.graceBegan, at: end, current)
        grace.until = graceEnds
        return [grace]
    }

    private func next(
        after current: TransactionFacts, at end: Instant, _ access: Access
    ) -> Happening {
        guard current.kind == .autoRenewable else { return Happening(.willEnd, at: end, current) }
        guard let willRenew = access.willRenew else {
            return Happening(.periodWillEnd, at: end, current)
        }
        var next = Happening(willRenew ? .willRenew : .willEnd, at: end, current)
        if willRenew, let product = renewal?.nextProductID, product != current.productID {
            next.previousProductID = current.productID
            next.productID = product
        }
        if !willRenew { next.expirationIntent = renewal?.expirationIntent }
        return next
    }
}
