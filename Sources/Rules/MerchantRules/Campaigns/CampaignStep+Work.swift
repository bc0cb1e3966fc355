import SubscriptionRules

/// Messages and calls whose moment has come.
extension CampaignStep {
    /// Sends and calls what is due, the messages first: a call rests on them.
    mutating func proceed() {
        guard record.isRunning, !record.isPaused, record.schedule != nil else { return }
        if endUnanswered() { return }
        send()
        call()
        settle()
    }

    /// Korea: where nobody agreed to the end of an offer, it does not turn into a paid period. The
    /// store knows of no answer that was given to the merchant, so the merchant turns renewal off
    /// (KOR-5).
    ///
    /// - Returns: whether the campaign is over with that.
    private mutating func endUnanswered() -> Bool {
        guard let end = record.endOfUnanswered, end <= now,
            let conversion = record.schedule?.conversion
        else { return false }
        guard now < conversion.moment else {
            // It was charged while nobody looked: that is for people to put right.
            record.schedule?.conversion?.isEndedByMerchant = false
            return false
        }
        withdraw(.expiredWithoutConsent)
        actions.append(.cancelRenewal)
        return true
    }

    // MARK: - Messages

    private mutating func send() {
        let (due, later) = (record.schedule?.messages ?? []).parted { $0.moment <= now }
        var kept: [CampaignMessage] = []
        for message in due where isWanted(message) {
            guard campaign.isToldByMerchant else {
                noteTold(message)
                continue
            }
            let contact = record.contact(message.occasion, message.channel)
            if contact?.requested != nil {
                // One is on its way; the next one waits for it, and then for its week.
                kept.append(message)
            } else if let notBefore = contact?.notBefore, notBefore > now {
                var moved = message
                moved.moment = notBefore
                kept.append(moved)
            } else {
                noteRequested(message)
                actions.append(.send(message))
            }
        }
        record.schedule?.messages = (kept + later).withoutRepetition.inOrder
    }

    /// Whether what must hold for a message still does (ACC-1, ACC-3).
    private func isWanted(_ message: CampaignMessage) -> Bool {
        if record.contact(message.occasion, message.channel)?.isUnreachable == true { return false }
        switch message.condition {
        case .always, .atFirstLaunch: return true
        case .unlessSheetWasSeen: return record.noticeSeen == nil && record.acknowledged == nil
        case .untilAnswered: break
        }
        if message.occasion == .koreanConversion {
            let isOpen = record.schedule?.conversion.map { now < $0.closes } ?? false
            return isOpen && record.conversionAnswer == nil
        }
        guard record.answer == nil, let schedule = record.schedule else { return false }
        let ends = schedule.calls.filter(\.needsConsent).compactMap(\.closes)
        guard let end = ends.max() ?? schedule.answerBy else { return true }
        return now < end
    }

    // MARK: - Calls

    private mutating func call() {
        for index in (record.schedule?.calls ?? []).indices {
            guard let call = record.schedule?.calls[index], case .waiting(let until) = call.status
            else { continue }
            if let closes = call.closes, now > closes {
                // Too late for the renewal that is meant: the renewal decides what follows.
                record.schedule?.calls[index].status = .waiting(until: max(until, now))
                continue
            }
            guard max(call.opens, until) <= now, record.isReady(for: call) else { continue }
            record.schedule?.calls[index].status = .requested(at: now)
            actions.append(.call(skus: call.skus))
        }
    }

    mutating func noteAccepted(_ skus: [String]) {
        setStatus(of: skus, .accepted(at: now))
    }

    mutating func noteFailed(_ skus: [String], isFinal: Bool) {
        guard let index = index(of: skus), !isAccepted(skus) else { return }
        record.schedule?.calls[index].failures += 1
        let failures = record.schedule?.calls[index].failures ?? 1
        let pause = Self.pause(after: failures)
        record.schedule?.calls[index].status = .waiting(until: isFinal ? .latest : now + pause)
    }

    mutating func fail(_ skus: [String], _ code: Int, isRetryable: Bool) {
        noteFailed(skus, isFinal: !isRetryable)
        // A failure of before is no news once the store has the price.
        guard !isRetryable, !isAccepted(skus) else { return proceed() }
        record.schedule?.messages = []
        record.state = .failed(code)
        actions.append(.withdraw)
    }

    /// How long a call waits after so many failures: five minutes, then twice as long each time,
    /// six hours at most.
    static func pause(after failures: Int) -> Span {
        .minutes(min(5 << min(max(failures - 1, 0), 10), 360))
    }

    private func isAccepted(_ skus: [String]) -> Bool {
        record.schedule?.calls.contains { $0.skus == skus && $0.isAccepted } ?? false
    }

    private func index(of skus: [String]) -> Int? {
        record.schedule?.calls.firstIndex { $0.skus == skus }
    }

    private mutating func setStatus(of skus: [String], _ status: CampaignCall.Status) {
        guard let index = index(of: skus) else { return }
        record.schedule?.calls[index].status = status
    }

    // MARK: - The state that follows

    /// Of the states in which the campaign runs, the one that the facts amount to.
    mutating func settle() {
        guard record.isRunning else { return }
        let calls = record.schedule?.calls ?? []
        let isRefused = record.answer?.isAgreed == false
        let wanted = calls.filter { !($0.needsConsent && isRefused) }
        if isRefused {
            record.state = .declined
        } else if !wanted.isEmpty, wanted.allSatisfy(\.isAccepted) {
            record.state = .called
        } else if calls.contains(where: \.isRequested) {
            record.state = .callable
        } else if record.answer != nil {
            record.state = .consented
        } else if record.state != .carriedOver {
            let isTold = record.contacts.contains { $0.first != nil || $0.requested != nil }
            record.state =
                record.acknowledged != nil ? .acknowledged : isTold ? .communicating : .planned
        }
    }
}

extension [CampaignMessage] {
    fileprivate func parted(
        by isFirst: (CampaignMessage) -> Bool
    ) -> (first: [CampaignMessage], second: [CampaignMessage]) {
        (filter(isFirst), filter { !isFirst($0) })
    }

    /// Of two messages of one occasion, channel and moment the first.
    fileprivate var withoutRepetition: [CampaignMessage] {
        var kept: [CampaignMessage] = []
        for message in self {
            let isThere = kept.contains {
                $0.occasion == message.occasion && $0.channel == message.channel
                    && $0.moment == message.moment
            }
            if !isThere { kept.append(message) }
        }
        return kept
    }
}
