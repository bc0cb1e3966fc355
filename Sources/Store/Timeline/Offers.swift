package import Journal
import SubscriptionRules

extension NamedOffer {
    /// What it is called, in words.
    package var words: String {
        switch kind {
        case .introductory: "introductory offer"
        case .promotional: "promotional offer \(id)"
        case .offerCode: "offer \(id) of a code"
        case .winBack: "win-back offer \(id)"
        }
    }
}

/// The words for offers.
extension Words {
    /// Says which offer a period is under.
    mutating func tellOffer() {
        switch entry.offerMode {
        case .freeTrial:
            event.amount = "free"
            note(entry.until.map { "on trial until \(figures.moment($0))" } ?? "on trial")
            if let offer = entry.offer, offer.kind != .introductory {
                note("by the \(offer.words)")
            }
        case .payAsYouGo, .payUpFront:
            note("at the price of " + (entry.offer.map { "the \($0.words)" } ?? "an offer"))
        case nil: break
        }
    }

    /// Says which offer waits from now on, and what became of the one that did before.
    mutating func tellWaitingOffer(after waited: NamedOffer?) {
        guard entry.nextOffer != waited else { return }
        if let next = entry.nextOffer {
            let replaced = waited.map { " in the place of the \($0.words)" } ?? ""
            note("the \(next.words) waits for a renewal\(replaced)")
        } else if let waited, entry.offer != waited {
            note("the \(waited.words) no longer waits")
        }
    }
}
