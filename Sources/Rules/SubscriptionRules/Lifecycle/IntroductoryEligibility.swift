extension Subscription {
    /// Whether an introductory offer of the group was ever used: one per group, ever (INT-1,
    /// TAB-5.2).
    public var hasUsedIntroductoryOffer: Bool {
        offersUsed.contains { $0.kind == .introductory }
    }
}

extension Plan {
    /// The same plan without an offer for those who are new, which no change of plan brings
    /// (INT-2).
    var withoutIntroductory: Plan {
        changingLines { line in
            guard line.offer?.kind == .introductory else { return }
            (line.offer, line.nextOffer) = (line.nextOffer, nil)
        }
    }
}
