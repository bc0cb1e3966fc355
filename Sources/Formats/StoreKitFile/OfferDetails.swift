import AppStoreWire
import SubscriptionRules

extension CatalogueReader {
    /// The length of one offer period, also in App Store Connect's words.
    mutating func readOfferPeriod(of node: Node) -> CalendarPeriod? {
        let path = node.path(of: "subscriptionPeriod")
        let remedy = "Write a length such as P1W, P1M or P1Y."
        guard let text = findings.filledText("subscriptionPeriod", of: node) else {
            return readConnectLength(of: node, missing: path, remedy: remedy)
        }
        guard let written = CalendarPeriod(iso8601: text) else {
            findings.fail(
                path, "\(quoted(text)) is no length of an offer.", remedy: remedy)
            return nil
        }
        let period = Spelling.same(as: written, in: Spelling.offerLengths) ?? written
        if period.iso8601 != text {
            findings.warn(
                path, "The length \(quoted(text)) is read as \(period.iso8601).",
                remedy: "Write \(period.iso8601).")
        }
        return period
    }

    /// Reads `duration` and `durationUnit`. An offer of unknown length is a problem, not an offer
    /// left out: whether a customer pays today must not depend on a guess.
    private mutating func readConnectLength(
        of node: Node, missing path: String, remedy: String
    ) -> CalendarPeriod? {
        guard node.member("duration")?.value.integer != nil,
            let unit = findings.filledText("durationUnit", of: node),
            let count = findings.whole("duration", of: node, in: 1...365),
            let period = Spelling.period(count: count, unit: unit)
        else {
            findings.fail(path, "The offer does not say how long it lasts.", remedy: remedy)
            return nil
        }
        findings.warn(
            node.path(of: "duration"),
            "\"duration\" and \"durationUnit\" are read as "
                + "\(period.iso8601).",
            remedy: "Write \"subscriptionPeriod\" : \"\(period.iso8601)\".")
        return Spelling.same(as: period, in: Spelling.offerLengths) ?? period
    }

    /// No offer lasts longer than a year (OFF-4).
    mutating func isWithinAYear(_ length: CalendarPeriod, _ node: Node) -> Bool {
        if (length.months ?? 0) <= 12, (length.days ?? 0) <= 366 { return true }
        findings.fail(
            node.path(of: "subscriptionPeriod"),
            "The offer lasts \(length.iso8601), longer than a year.",
            remedy: "Choose a shorter length or fewer periods.")
        return false
    }

    /// Warns of lengths that Apple does not have, but the store can count.
    mutating func noteLength(
        of node: Node, mode: Offer.Mode, written: CalendarPeriod, length: CalendarPeriod,
        plan: CalendarPeriod?
    ) {
        let path = node.path(of: "subscriptionPeriod")
        switch mode {
        case .payAsYouGo:
            guard let plan, plan != written else { return }
            findings.warn(
                path,
                "Pay as you go has the subscription's own period, \(plan.iso8601), on the "
                    + "App Store; \(written.iso8601) is kept.",
                remedy: "Write \(plan.iso8601).")
        case .freeTrial, .payUpFront:
            guard Spelling.same(as: length, in: Spelling.offerLengths) == nil else { return }
            findings.warn(
                path, "The App Store has no offers of \(length.iso8601); kept.",
                remedy: "Choose a length that Xcode offers.")
        }
    }

    /// The identifier of an offer: `offerID`, and the reference name of an offer code, which has
    /// nothing else (SKF-6.4). Introductory offers have none (OFF-1).
    mutating func readOfferID(of node: Node, kind: Offer.Kind) -> String? {
        let keys: [String]
        switch kind {
        case .introductory: return ""
        case .offerCode: keys = ["referenceName", "offerID", "internalID"]
        case .promotional, .winBack: keys = ["offerID", "referenceName"]
        }
        for (index, key) in keys.enumerated() {
            guard let id = findings.filledText(key, of: node) else { continue }
            if index > 0 {
                findings.warn(
                    node.path(of: keys[0]),
                    "The offer has no \"\(keys[0])\"; its \"\(key)\" "
                        + "\(quoted(id)) is taken.", remedy: "Write \"\(keys[0])\".")
            }
            return id
        }
        findings.fail(
            node.path(of: keys[0]), "The offer has no identifier.",
            remedy: "Write \"\(keys[0])\".")
        return nil
    }

    /// Who may redeem an offer code; all customers where the file says nothing.
    mutating func readAudiences(of node: Node) -> [Offer.Audience] {
        var audiences: Set<Offer.Audience> = []
        for entry in findings.list("eligibility", of: node) {
            if let audience = entry.value.string.flatMap(Offer.Audience.init(rawValue:)) {
                audiences.insert(audience)
            } else {
                findings.fail(
                    entry.path, "This is no group of customers.",
                    remedy: "Write \"new\", \"existing\" or \"expired\".")
            }
        }
        if audiences.isEmpty {
            findings.warn(
                node.path(of: "eligibility"), "Nobody is named; all customers may redeem it.",
                remedy: "Write \"new\", \"existing\" or \"expired\".")
            return Offer.Audience.allCases
        }
        // In one order, whatever the file's: it is a set.
        return Offer.Audience.allCases.filter(audiences.contains)
    }

    /// Whether an offer code may follow the introductory offer (COD-3).
    mutating func readStacking(of node: Node) -> Bool {
        if let isStackable = findings.flag("isStackable", of: node) { return isStackable }
        findings.warn(
            node.path(of: "isStackable"), "Not given; the code replaces the introductory offer.",
            remedy: "Write true or false.")
        return false
    }
}
