import Journal
import SubscriptionRules

/// The words for new prices, extensions and refunds.
extension Words {
    /// Says what happened. An event that is not known is told by its name.
    mutating func tellCompensation() {
        switch entry.kind {
        case .priceWasChanged: tellNewPrice()
        case .agreedToPriceIncrease: sayAnswer("agreed to \(newPrice ?? "the new price")")
        case .declinedPriceIncrease: sayAnswer("declined \(newPrice ?? "the new price")")
        case .wasExtended:
            say("renewal date extended", .mark)
            if let until = entry.until { note("to \(figures.moment(until))") }
        case .extensionFailed:
            say("not extended", .retry)
            if let note = entry.note { self.note(Words.failure(note)) }
        case .requestedRefund:
            say("asked for a refund", .mark)
            if let note = entry.note { self.note(Words.reason(ofRefund: note)) }
        case .refundWasDeclined: say("refund declined", nil)
        case .wasRefunded:
            say("refunded", .retry)
            if let refunded = entry.refunded {
                event.amount = figures.amount(-refunded, money)
            }
        case .refundWasReversed:
            say("refund reversed", .mark)
            if let amount = entry.takenAgain {
                event.amount = figures.amount(amount, money)
            }
        case .setAppAccountToken: say("got another app account token", nil)
        default: say(Words.spelledOut(entry.name), nil)
        }
    }

    /// Says that the subscriber was told of a higher price, or asked.
    mutating func tellAnnouncement() {
        let price = newPrice ?? "a higher price"
        let isAsked = entry.tells("PRICE_INCREASE/PENDING")
        say(isAsked ? "asked to agree to \(price)" : "told of \(price)", .mark)
        if let from = entry.newPriceFrom { note("from \(figures.moment(from)) on") }
    }

    private mutating func tellNewPrice() {
        guard let new = entry.newPrice, let newPrice else {
            return say("new price", .mark)
        }
        let waiting = entry.pricedProductID.map(names.short)
        let price = "price" + (waiting.map { " of \($0)" } ?? "")
        guard let old = entry.oldPrice, new > old else {
            if new == entry.oldPrice {
                let isWithdrawn = waiting == nil && rise != nil
                say(isWithdrawn ? "price increase withdrawn" : "\(price) stays", .mark)
                return note("stays at \(newPrice)")
            }
            say("\(price) falls to \(newPrice)", .mark)
            return note(earlier ?? "from the next renewal on")
        }
        say("\(price) rises to \(newPrice)", .mark)
        if waiting != nil {
            let first = figures.amount(old, money)
            return note("its first period costs \(first), more is charged after notice")
        }
        note(
            earlier ?? entry.newPriceFrom.map { "from \(figures.moment($0)) on" }
                ?? "nothing is planned yet")
    }

    /// Why a new price of the plan that runs is never charged; nil where no other plan waits for
    /// the renewal.
    private var earlier: String? {
        guard entry.pricedProductID == nil, let next = entry.nextProductID else { return nil }
        return "not charged, since \(names.short(next)) begins before"
    }

    private var newPrice: String? { entry.newPrice.map { figures.amount($0, money) } }

    private static func reason(ofRefund name: String) -> String {
        switch name {
        case "UNINTENDED_PURCHASE": "it was bought by mistake"
        case "FULFILLMENT_ISSUE": "it was not received, or does not work"
        case "UNSATISFIED_WITH_PURCHASE": "it does not please"
        case "LEGAL": "for a legal reason"
        case "OTHER": "for another reason"
        default: Words.spelledOut(name)
        }
    }

    /// Why a subscription was not extended.
    ///
    /// - Parameter note: the reason, then the identifier of the mass extension.
    package static func failure(_ note: String) -> String {
        switch note.split(separator: " ").first ?? "" {
        case "familyMember": "it is a family member's"
        case "expired": "it is over"
        case "revoked": "its period was refunded"
        case "inBillingRetry": "its renewal failed and is tried again"
        case "inGraceAfterExpiry": "only a grace period gives access"
        case "inFreeOffer": "its period is free"
        case "neverPaid": "no period was paid yet"
        case "limitReached": "it was extended twice within 365 days"
        case "provoked": "this failure was provoked"
        default: note
        }
    }
}
