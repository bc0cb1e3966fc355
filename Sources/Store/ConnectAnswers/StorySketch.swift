package import SubscriptionRules
package import Timeline

/// The drawing of a purchase's life, made of what the merchant says has happened.
package struct StorySketch {
    private var done: [Stretch] = []
    private var current: Stretch?
    /// The transaction of the period that runs.
    private var transactionID: String?
    private var marks: [Mark] = []
    private var ahead: Stretch?
    private let now: Instant

    /// - Parameters:
    ///   - events: those of one purchase, in the order of time.
    ///   - now: what the merchant's clock shows.
    package init(_ events: [Answer], at now: Instant) throws {
        self.now = now
        for event in events { try take(event) }
    }

    /// Nil for a life of which nothing is known.
    package var sketch: LifeSketch? {
        let access = (done + [current].compactMap(\.self)).filter { $0.start < $0.end }
        guard !access.isEmpty else { return nil }
        return LifeSketch(
            access: access, ahead: ahead, marks: marks + [Mark(kind: .now, at: now)])
    }

    private mutating func take(_ event: Answer) throws {
        let (kind, at) = (try event.text("event"), try event.moment("at"))
        let transaction = try event.text("transactionId")
        let until = event.optionalMoment("until")
        switch kind {
        case "bought", "boughtAgain", "renewed", "recovered", "recoveredInGrace", "changedPlan",
            "upgraded":
            begin(.paid, at: at, until: until)
            transactionID = transaction
            if kind == "upgraded" {
                marks.append(Mark(kind: .upgrade, at: at))
            } else if event.optionalText("previousProductId") != nil {
                marks.append(Mark(kind: .planChange, at: at))
            }
        case "graceBegan": begin(.grace, at: at, until: until)
        case "awaitingRenewal": begin(.awaited, at: at, until: until)
        case "unknown": begin(.unknown, at: at, until: until)
        case "graceEnded", "retryBegan": begin(.retry, at: at, until: nil)
        case "periodEnded", "ended":
            begin(.expired, at: at, until: nil)
            marks.append(Mark(kind: .end, at: at))
        case "extended": marks.append(Mark(kind: .extended, at: at))
        case "refunded":
            marks.append(Mark(kind: .refund, at: at))
            if transaction == transactionID, !isOver { begin(.revoked, at: at, until: nil) }
        case "sharingEnded":
            marks.append(Mark(kind: .end, at: at))
            if transaction == transactionID, !isOver { begin(.expired, at: at, until: nil) }
        case "refundReversed" where transaction == transactionID && (until.map { at < $0 } ?? true):
            begin(.paid, at: at, until: until)
        case "willRenew":
            // Without consent nothing follows.
            guard let current, try !event.bool("needsConsent") else { return }
            ahead = Stretch(kind: .paid, start: at, end: at + at.since(current.start))
        default: break
        }
    }

    /// Whether access had ended before: what was given back later changes nothing of that.
    private var isOver: Bool { current?.kind == .expired }

    /// Ends what runs, and begins something else: to its end, or as far as the clock shows.
    private mutating func begin(_ kind: Stretch.Kind, at start: Instant, until end: Instant?) {
        if var before = current {
            before.end = start
            done.append(before)
        }
        current = Stretch(kind: kind, start: start, end: max(end ?? now, start))
    }
}
