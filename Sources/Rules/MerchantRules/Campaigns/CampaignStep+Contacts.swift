import SubscriptionRules

/// What goes out and what becomes of it.
extension CampaignStep {
    private func index(
        _ occasion: CommunicationTimetable.Occasion, _ channel: PriceMessage.Channel
    ) -> Int? {
        record.contacts.firstIndex { $0.occasion == occasion && $0.channel == channel }
    }

    /// Where a contact stands in the list; it is made if it is not there.
    private mutating func place(of message: CampaignMessage) -> Int {
        if let index = index(message.occasion, message.channel) { return index }
        record.contacts.append(
            CampaignContact(
                occasion: message.occasion, channel: message.channel, planned: message.moment))
        return record.contacts.count - 1
    }

    mutating func noteRequested(_ message: CampaignMessage) {
        let index = place(of: message)
        record.contacts[index].planned = message.moment
        record.contacts[index].requested = now
    }

    /// What the store sends by itself.
    mutating func noteTold(_ message: CampaignMessage) {
        let index = place(of: message)
        record.contacts[index].planned = message.moment
        record.contacts[index].first = record.contacts[index].first ?? message.moment
        record.contacts[index].last = message.moment
    }

    /// A message was handed over. If the first mail is late by more than a day, the days before the
    /// renewal are no longer there: notice counts from the mail, and a later renewal is the first
    /// at the new price.
    mutating func noteSent(
        _ occasion: CommunicationTimetable.Occasion, _ channel: PriceMessage.Channel
    ) {
        guard let index = index(occasion, channel) else { return }
        let contact = record.contacts[index]
        record.contacts[index].last = now
        record.contacts[index].notBefore = now + span(days: 7)
        // Said twice, or about a message of before the notice began anew.
        guard contact.requested != nil else { return }
        record.contacts[index].requested = nil
        record.contacts[index].first = contact.first ?? now
        record.contacts[index].isUnreachable = false
        let isFirstMail =
            channel == .mail && contact.first == nil && occasion != .koreanConversion
        guard isFirstMail, record.isRunning, now > contact.planned + span(days: 1) else { return }
        record.began = now
        replan()
    }

    mutating func noteUnreachable(
        _ occasion: CommunicationTimetable.Occasion, _ channel: PriceMessage.Channel
    ) {
        guard let index = index(occasion, channel) else { return }
        record.contacts[index].requested = nil
        record.contacts[index].isUnreachable = true
    }

    /// Forgets what was told: notice begins anew. The week between two requests stays (ACC-12).
    mutating func forgetContacts() {
        for index in record.contacts.indices {
            if let requested = record.contacts[index].requested {
                // Nobody knows whether it was handed over: it counts as sent.
                let week = requested + span(days: 7)
                record.contacts[index].last = record.contacts[index].last ?? requested
                record.contacts[index].notBefore = max(
                    record.contacts[index].notBefore ?? week, week)
            }
            record.contacts[index].first = nil
            record.contacts[index].requested = nil
            record.contacts[index].isUnreachable = false
        }
        record.contacts.removeAll { $0.occasion == .notice }
        (record.seen, record.noticeSeen, record.acknowledged) = (nil, nil, nil)
    }

    func span(days: Int) -> Span {
        subscriber.tempo.span(days: days, of: subscriber.period)
    }
}
