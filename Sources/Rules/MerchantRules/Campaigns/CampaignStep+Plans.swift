import SubscriptionRules

/// Plans that begin, move and end.
extension CampaignStep {
    /// Computes the dates anew for the subscriber as it is now. What was sent is not sent again,
    /// what the store took stays taken (ACC-11).
    mutating func replan() {
        var plan = campaign.plan(
            for: subscriber, from: record.began, contacts: record.contacts)
        if leavesSomeUntold(plan) {
            record.began = max(campaign.live, now)
            record.contacts.removeAll { $0.occasion == .notice }
            (record.noticeSeen, record.acknowledged) = (nil, nil)
            plan = campaign.plan(
                for: subscriber, from: record.began, contacts: record.contacts)
        }
        switch plan.decision {
        case .included:
            let before = record.schedule
            record.schedule = plan.schedule
            record.schedule?.keepCalls(of: before)
            // What has come to need consent since was not agreed to: all of it is asked anew.
            let asked = Set(record.schedule?.askedSKUs ?? [])
            if let answer = record.answer, answer.isAgreed, !asked.isSubset(of: answer.skus) {
                record.answer = nil
            }
            if record.answer != nil {
                record.schedule?.messages.removeAll { $0.occasion == .consent }
            }
            if record.conversionAnswer != nil {
                record.schedule?.messages.removeAll { $0.occasion == .koreanConversion }
            }
        case .blocked(let reason): block(reason)
        case .leftOut(.paysItAlready): finish(at: subscriber.price)
        case .leftOut(let reason):
            record.schedule?.messages = []
            record.state = .leftOut(reason)
            actions.append(.withdraw)
        }
    }

    /// Whether a notice went out that did not name an item which needs one now: it was to be asked
    /// for until twelve months had passed. Then another notice names them all (ACC-3).
    private func leavesSomeUntold(_ plan: SubscriberPlan) -> Bool {
        guard let before = record.schedule, let after = plan.schedule,
            record.contacts.contains(where: { $0.occasion == .notice && $0.last != nil })
        else { return false }
        return !after.toldSKUs.isSubset(of: before.toldSKUs)
    }

    /// Begins with full notice, as after a failed renewal or once renewal is on again (INC-7,
    /// ACC-11). A refusal stays.
    mutating func restart() {
        record.began = max(campaign.live, now)
        if record.answer?.isAgreed == true { record.answer = nil }
        forgetContacts()
        record.state = .planned
        replan()
        settle()
        proceed()
    }

    /// After billing retry: what the store took already comes with the next renewal.
    mutating func goOnAfterRetry() {
        let calls = record.schedule?.calls ?? []
        let isDone = !calls.isEmpty && calls.allSatisfy(\.isAccepted)
        guard isDone, campaign.isToldByMerchant else { return restart() }
        record.state = .called
        replan()
        settle()
    }

    mutating func block(_ reason: BlockReason) {
        record.schedule?.messages = []
        record.state = .blocked(reason)
        actions.append(.withdraw)
    }

    mutating func withdraw(_ reason: WithdrawalReason) {
        record.schedule?.messages = []
        record.state = .withdrawn(reason)
        actions.append(.withdraw)
    }

    /// A renewal charged the new price: that of every item, or of those that came so far. What it
    /// charged is what reports go by: where one item fell and another was to rise, the sum that
    /// was planned says nothing of what became of it.
    mutating func finish(at price: Int64) {
        record.schedule?.newPrice = price
        record.schedule?.messages = []
        record.state = .applied
    }

    // MARK: - Renewals

    /// Whether a renewal charged the new price: that of every item, or of those that the store took
    /// by now.
    func hasNewPrice(_ price: Int64) -> Bool {
        guard let schedule = record.schedule, price != schedule.oldPrice else { return false }
        if price == schedule.newPrice { return true }
        let taken = schedule.calls.filter { $0.isAccepted && hasCome($0.renewal) }
        return !taken.isEmpty
            && price == taken.reduce(schedule.oldPrice) { $0 + $1.difference }
    }

    /// Whether a renewal has come: the store may charge for it within the day before.
    private func hasCome(_ renewal: Instant) -> Bool { renewal <= now + span(days: 1) }

    mutating func renew(at price: Int64) {
        guard let schedule = record.schedule else { return restart() }
        let isRefused = record.answer?.isAgreed == false
        if hasNewPrice(price) {
            let isOpen = schedule.calls.contains {
                !$0.isAccepted && !($0.needsConsent && isRefused)
            }
            guard isOpen, price != schedule.newPrice else {
                if !isRefused { finish(at: price) }
                return
            }
            // Some items are done; the others go on by themselves.
            return carryOn(from: schedule)
        }
        if hasCome(schedule.renewal) {
            carryOn(from: schedule)
        } else {
            proceed()
        }
    }

    /// The renewal that was meant charged the old price, of some items or of all.
    private mutating func carryOn(from schedule: CampaignSchedule) {
        let isRefused = record.answer?.isAgreed == false
        let isMissed = schedule.calls.contains {
            !$0.needsConsent && !$0.isAccepted && hasCome($0.renewal)
        }
        if isMissed {
            // The subscriber was told of another date: notice begins anew.
            return restart()
        }
        let isAsked = schedule.path == .consent && record.answer == nil
        guard isAsked, campaign.isToldByMerchant else {
            replan()
            settle()
            return proceed()
        }
        record.state = .carriedOver
        guard campaign.whenSilent == .keepAsking, !isRefused else {
            record.schedule?.messages.removeAll { $0.occasion == .consent }
            return
        }
        replan()
        proceed()
    }
}

extension CampaignSchedule {
    /// Takes over how far the calls about the same items are.
    mutating func keepCalls(of before: CampaignSchedule?) {
        for index in calls.indices {
            guard
                let same = before?.calls.first(where: { $0.skus == calls[index].skus }),
                same.isAccepted || same.isRequested || same.failures > 0
            else { continue }
            calls[index].status = same.status
            calls[index].failures = same.failures
        }
    }
}
