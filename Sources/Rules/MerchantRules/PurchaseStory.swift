public import SubscriptionRules

/// The life of a purchase, told from the newest of what was signed.
extension Purchase {
    /// What has happened and what comes next, in the order of time. It is a function of what was
    /// signed alone, so every order of arrival tells the same story (STO-1). Registers do not keep
    /// that an end was moved or that a refund was taken back: only notifications say so, and a
    /// story without them leaves it out. Where periods are missing, it says that nothing is known:
    /// a payment has failed only where something says so.
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
            openings(notices, retries: retries) + compensations + tales(notices)
            + outcome(at: now, under: policy, retries: retries, notices)
        return happened.sorted(by: Happening.isBefore).map { one in
            var one = one
            one.notices = notices.filter { notice in
                one.rests(on: notice)
                    && (one.kind != .refunded || isEvidence(notice, of: one, notices))
            }
            return one
        }
    }

    // MARK: Periods

    private func openings(_ notices: [Notice], retries: Span?) -> [Happening] {
        var found: [Happening] = []
        var before: TransactionFacts?
        for one in transactions.sorted(by: TransactionFacts.isBefore) {
            found += opening(one, after: before, notices, retries: retries)
            before = one
        }
        return found
    }

    private func opening(
        _ one: TransactionFacts, after before: TransactionFacts?, _ notices: [Notice],
        retries: Span?
    ) -> [Happening] {
        var opening = Happening(.bought, at: one.purchased, one)
        opening.until = one.expires
        guard let before, one.kind == .autoRenewable else { return [opening] }
        if before.productID != one.productID { opening.previousProductID = before.productID }
        // What was taken back within its period has ended by that.
        let end: Instant? = before.expires.flatMap { end in
            before.revoked.map { $0 < end } == true ? nil : end
        }
        if one.isRenewal {
            opening.kind = opening.previousProductID == nil ? .renewed : .changedPlan
            guard let end else { return [opening] }
            let gap = Gap(after: before, at: end, until: one, retries: retries)
            return renewed(opening, over: gap, notices)
        }
        let isRunning = end.map { one.purchased < $0 } ?? before.isUpgraded
        opening.kind = isRunning && opening.previousProductID != nil ? .upgraded : .boughtAgain
        guard !isRunning, let end, !before.isUpgraded else { return [opening] }
        return lapse(of: before, at: end, until: one.purchased, notices) + [opening]
    }

    // MARK: How it stands

    private func outcome(
        at now: Instant, under policy: AccessPolicy, retries: Span?, _ notices: [Notice]
    ) -> [Happening] {
        let access = access(at: now, under: policy)
        let current = access.transaction
        let end = current.expires ?? access.until ?? current.purchased
        switch access.reason {
        case .owned, .upgraded: return []
        case .refunded, .sharingEnded:
            // The end that came before stays.
            guard let revoked = current.revoked, current.expires != nil, end < revoked else {
                return []
            }
            let happened = lapse(of: current, at: end, until: revoked, notices)
            return happened.filter { $0.at < revoked }.map { one in
                var one = one
                if one.kind == .ended { one.expirationIntent = renewal?.expirationIntent }
                return one
            }
        case .active: return [next(after: current, at: end, access)]
        case .awaitingRenewal:
            var waiting = Happening(.awaitingRenewal, at: end, current)
            waiting.until = access.until
            return [waiting]
        case .gracePeriod:
            return failure(after: current, at: end, before: .never, notices)?.happenings ?? []
        case .billingRetry:
            return retry(after: current, at: end, until: retries.map { end + $0 }, notices)
        case .expired:
            let renews = renewal?.renewsAutomatically ?? true
            let isKnown = renewal?.expirationIntent != nil || !renews
            guard isKnown || current.kind != .autoRenewable else {
                let failed = failure(after: current, at: end, before: .never, notices)
                let ended = Happening(.periodEnded, at: access.until ?? end, current)
                return (failed?.happenings ?? []) + [ended]
            }
            var happened = lapse(of: current, at: end, until: nil, notices)
            happened[happened.count - 1].expirationIntent = renewal?.expirationIntent
            return happened
        }
    }

    private func retry(
        after current: TransactionFacts, at end: Instant, until last: Instant?,
        _ notices: [Notice]
    ) -> [Happening] {
        let failed = failure(after: current, at: end, before: .never, notices)
        guard let failed, failed.hasGrace, let graceEnds = failed.graceEnds else {
            var retry = Happening(.retryBegan, at: end, current)
            retry.until = last
            return [retry]
        }
        var ended = Happening(.graceEnded, at: graceEnds, current)
        ended.until = last
        return failed.happenings + [ended]
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
        next.needsConsent = willRenew && renewal?.needsConsent == true
        if !willRenew { next.expirationIntent = renewal?.expirationIntent }
        return next
    }
}
