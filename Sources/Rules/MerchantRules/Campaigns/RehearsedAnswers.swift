public import SubscriptionRules

/// How an audience would answer, for a rehearsal: shares of it and a seed. Each subscriber's answer
/// follows from the seed and the original transaction identifier alone, so that a rehearsal on the
/// registers and one on a copy of a store get the same answers.
public struct RehearsedAnswers: Hashable, Sendable {
    /// What a subscriber does who is told of a price.
    public enum Answer: String, Hashable, Sendable, CaseIterable {
        /// Agrees; taps "OK" where nothing is asked.
        case agree
        /// Declines; only looks at the sheet where nothing is asked.
        case decline
        /// Does nothing at all.
        case silent
        /// Turns renewal off.
        case cancel
    }

    public let seed: String
    /// Shares in thousandths; the rest stays silent.
    public let agreeing: Int
    public let declining: Int
    public let cancelling: Int
    /// Within how many days of the first message everybody answers.
    public let days: Int

    /// Makes answers; nil where a share is below zero, all are more than 1000, or there is no day.
    public init?(
        seed: String, agreeing: Int, declining: Int = 0, cancelling: Int = 0,
        withinDays days: Int = 3
    ) {
        let shares = [agreeing, declining, cancelling]
        guard shares.allSatisfy({ (0...1000).contains($0) }), shares.reduce(0, +) <= 1000,
            (1...365).contains(days)
        else { return nil }
        self.seed = seed
        self.agreeing = agreeing
        self.declining = declining
        self.cancelling = cancelling
        self.days = days
    }

    /// What a subscriber does.
    public func answer(of originalTransactionID: String) -> Answer {
        let place = Int(number(originalTransactionID, "answer") % 1000)
        if place < agreeing { return .agree }
        if place < agreeing + declining { return .decline }
        return place < agreeing + declining + cancelling ? .cancel : .silent
    }

    /// What a subscriber does about something that it is told for the first time, in order; nothing
    /// where it stays silent.
    public func reaction(
        of originalTransactionID: String, to occasion: CommunicationTimetable.Occasion
    ) -> [CampaignEvent] {
        switch (answer(of: originalTransactionID), occasion) {
        case (.agree, .notice): [.seen(.notice), .acknowledged]
        case (.agree, _): [.seen(occasion), .agreed(occasion)]
        case (.decline, .notice): [.seen(.notice)]
        case (.decline, _): [.seen(occasion), .declined(occasion)]
        case (.cancel, _): [.renewalTurnedOff]
        case (.silent, _): []
        }
    }

    /// How long after the first message a subscriber answers: whole minutes, at least one.
    public func delay(of originalTransactionID: String, tempo: Tempo = .real) -> Span {
        let longest = max(tempo.span(days: days, of: .month).milliseconds / 60_000, 1)
        let minutes = number(originalTransactionID, "delay") % UInt64(longest)
        return .minutes(Int(minutes) + 1)
    }

    /// A number that a seed, a subscriber and a purpose give, evenly spread: the hash of Fowler,
    /// Noll and Vo, then the last steps of SplitMix64, which mix the low bits.
    private func number(_ originalTransactionID: String, _ purpose: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(seed)/\(originalTransactionID)/\(purpose)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}
