import Journal
import SubscriptionRules

/// A subscription's life for a terminal: a heading, the band of its periods, what happened.
public enum TimelineDrawing {
    /// The drawing, one text a line.
    ///
    /// - Parameter folds: whether runs of the same become one line.
    public static func lines(of life: Life, style: Style, folds: Bool = true) -> [String] {
        var lines = heading(life, style)
        let indent = "  "
        let width = style.columns - 2 * indent.count
        // Both have one axis: the band begins where the lines of the items do.
        let items = ItemBands(life, style: style, width: width)
        let band = Band(life, style: style, width: width, margin: items?.margin ?? 0)
        for drawn in [band?.lines, items?.lines].compactMap(\.self) {
            lines.append("")
            lines += drawn.map { (indent + $0).trimmingEnd() }
        }
        let happened = ChronicleLines(Chronicle(life, folds: folds), style: style).lines
        if !happened.isEmpty { lines += [""] + happened }
        return lines
    }

    private static func heading(_ life: Life, _ style: Style) -> [String] {
        let dot = style.pick(" · ", " - ")
        let now = [life.account, life.condition, life.priceText]
        let past = [
            "subscription \(life.id)", counted(life.renewals, "renewal"),
            "\(life.paid) paid in all",
        ]
        return [style.paint(life.productID, .strong)]
            + [now, past].flatMap { parts in
                Passage.lines(
                    parts.map { Passage.Part($0) }, separator: dot, width: style.columns,
                    style: style)
            }
    }
}

extension Life {
    /// What the newest period cost, in words.
    package var priceText: String {
        switch offerMode {
        case .freeTrial where ["awaitingPayment", "grace", "retrying"].contains(state):
            "free trial over, nothing paid since"
        case .freeTrial where offer == nil || offer?.kind == .introductory: "free trial"
        case .freeTrial: "free trial by \(offerText)"
        case nil: figures.amount(price, currency)
        case .payAsYouGo, .payUpFront: "\(figures.amount(price, currency)) by \(offerText)"
        }
    }

    private var offerText: String { offer.map { "the \($0.words)" } ?? "an offer" }

    /// The state and what comes next, in words.
    package var condition: String {
        guard let expires else { return state }
        let end = figures.moment(expires)
        switch state {
        case "active":
            let end = figures.moment(commitment?.ends ?? expires)
            let active =
                commitment.map { "active, month \($0.month) of \($0.months)" } ?? "active"
            guard renewsAutomatically else { return "\(active), ends \(end)" }
            guard isNextForSale else {
                return "\(active), ends \(end): \(nextProductID ?? productID) is off sale"
            }
            if let reachedLimit {
                return "\(active), ends \(end): Sandbox allows \(counted(reachedLimit, "renewal"))"
            }
            guard !awaitsConsent else {
                return "\(active), ends \(end) unless the new price is agreed to"
            }
            let next =
                nextProductID.flatMap { $0 == productID ? nil : $0 }.map {
                    " as \(ProductNames(of: self).short($0))"
                } ?? ""
            return "\(active), renews \(end)\(next)"
        case "awaitingPayment": return "payment awaited, was due \(end)"
        case "grace": return "in grace, was due \(end)"
        case "retrying": return "in billing retry since \(end)"
        case "expired":
            let refund = refunded.map { ", refunded \(figures.moment($0))" } ?? ""
            return "expired \(figures.moment(expired ?? expires))\(refund)"
        case "revoked": return "refunded, would have ended \(end)"
        default: return state
        }
    }
}
