import Journal
package import SubscriptionRules

extension Alteration {
    /// What becomes of it, in words, without the day.
    ///
    /// - Parameter currency: that of its amounts.
    package func words(_ figures: Figures, _ currency: String) -> String {
        func money(_ amount: Int64?) -> String { amount.map { figures.amount($0, currency) } ?? "" }
        let sku = sku ?? ""
        switch kind {
        case .added: return "\(sku) comes" + (price.map { " for \(money($0))" } ?? "")
        case .removed: return "\(sku) goes"
        case .replaced:
            let place = formerSKU.map { " takes the place of \($0)" } ?? " begins anew"
            return sku + (price.map { " for \(money($0))" } ?? "") + place
        case .renamed:
            if let formerSKU { return "\(formerSKU) is called \(sku)" }
            return "\(sku) is called \(displayName ?? "something else")"
        case .repriced:
            let before = formerPrice.map { " instead of \(money($0))" } ?? ""
            return "\(sku) costs \(money(price))\(before)" + (standing.map { ", \($0)" } ?? "")
        case .offered: return "an offer begins on \(sku)"
        case .kept: return "\(sku) stays as it is"
        case .paid: return "\(sku) paid, \(amount == 0 ? "free" : money(amount))"
        case .refunded: return "\(money(amount)) of \(sku) given back"
        case .refundReversed: return "\(money(amount)) of \(sku) taken again"
        case .plan:
            return "\(value ?? "another plan") takes its place"
                + (price.map { " for \(money($0))" } ?? "")
        case .period: return "a period is \(value.map(Alteration.period) ?? "another")"
        case .described: return "the whole is called \(displayName ?? "something else")"
        case .taxed: return "the tax code is \(value ?? "another")"
        case .renewalOff: return "renewal is off"
        case .renewalOn: return "renewal is on"
        case .ends: return "it ends"
        case .extended:
            let agreed = value.flatMap { Instant(iso8601: $0) }
            return "the period was extended"
                + (agreed.map { ", it was to end \(figures.moment($0))" } ?? "")
        }
    }

    /// The same with the day from which on it holds.
    package func sentence(_ figures: Figures, _ currency: String) -> String {
        guard let from else { return words(figures, currency) }
        switch kind {
        case .ends: return "it ends \(figures.moment(from))"
        case .extended: return "\(words(figures, currency)), and ends \(figures.moment(from))"
        default: return "\(words(figures, currency)), from \(figures.moment(from)) on"
        }
    }

    /// How far a new price has come, in words; nil for what is none.
    package var standing: String? {
        switch status {
        case nil: nil
        case .waiting: "which waits"
        case .planned: path == .consent ? "not asked yet" : "not told yet"
        case .asked: "asked, and not answered"
        case .accepted: path == .consent ? "agreed to" : "settled"
        case .declined: "declined"
        }
    }

    private static func period(_ iso: String) -> String {
        guard let period = CalendarPeriod(iso8601: iso) else { return iso }
        return counted(period.count, "\(period.unit)")
    }
}

/// The words for a merchant's requests and its items.
extension Words {
    /// Says what was asked for.
    mutating func tellRequest() {
        switch entry.kind {
        case .merchantModified:
            say(entry.pending == nil ? "changed the items" : "asked to change the items", .mark)
            if entry.pending != nil { notePending() }
        case .merchantReactivated: say("let items renew again", .mark)
        case .merchantDescribed: say("called something else by the merchant", .mark)
        case .merchantChangedPrices: say("prices changed by the merchant", .mark)
        case .merchantMigrated: say("moved over to the merchant's own plan", .strong)
        case .wasMigrated: say("ended, since the merchant's own plan goes on for it", .retry)
        case .askedForItems: say("money asked back by the merchant", .mark)
        default:
            say("items refunded", .retry)
            if let refunded = entry.refunded {
                event.amount = figures.amount(-refunded, money)
            }
        }
    }

    /// So many items are named of an event.
    private static let mostNamed = 6

    /// Names what became of items; that they were paid is the event itself.
    mutating func tellItems() {
        let told = entry.items.filter { $0.kind != .paid }
        for item in told.prefix(Self.mostNamed) {
            event.notes.append(
                TimelineEvent.Note(text: item.sentence(figures, money), isSentence: true))
        }
        let more = told.count - Self.mostNamed
        if more > 0 { note("and \(counted(more, "more change"))") }
    }
}
