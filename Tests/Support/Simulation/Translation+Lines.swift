import AppStoreWire
import NaiveModel
import SubscriptionRules
import TestSupport

// What is to be seen of each line, in words that both stores share.

extension Life {
    /// The lines with what was charged for them, then the offers that were ever taken up.
    var lineTexts: [String] {
        let taken = offersTaken.map { one in
            "took \(one.name ?? "an introductory offer") \(NaiveCalendar.text(one.at))"
        }
        return zip(plan.lines, costs).map { line, cost in
            var words = ["\(line.sku) for \(line.price), charged \(cost)"]
            if let offer = line.offer {
                words.append("\(offer.name ?? "introductory") and \(line.offersLeft) more")
            }
            if let next = line.upcoming { words.append("then \(next.name ?? "introductory")") }
            if let last = lastIncreases[line.sku] {
                words.append("raised \(NaiveCalendar.text(last))")
            }
            if !isOver, let increase = increases[line.sku] { words.append(increase.line) }
            return words.joined(separator: ", ")
        } + taken.sorted()
    }
}

extension PriceIncrease {
    fileprivate var line: String {
        "will cost \(price), "
            + (renewal == nil
                ? "waiting"
                : isDeclined
                    ? "declined"
                    : isAnnounced
                        ? (needsConsent && !isAgreed ? "asked" : "accepted")
                        : "told \(NaiveCalendar.text(told ?? 0))")
    }
}

extension Subscription {
    /// As `Life.lineTexts`.
    var lineTexts: [String] {
        let taken = offersUsed.map { one in
            "took \(one.kind == .introductory ? "an introductory offer" : one.id) "
                + NaiveCalendar.text(one.at)
        }
        return zip(plan.lines, newestPeriod.charges).map { line, charge in
            var words = ["\(line.sku) for \(line.price), charged \(charge)"]
            if let offer = line.offer {
                let name = offer.kind == .introductory ? "introductory" : offer.id
                words.append("\(name) and \(offer.periodsLeft) more")
            }
            if let next = line.nextOffer { words.append("then \(next.id)") }
            if let last = lastIncreases[line.sku] {
                words.append("raised \(NaiveCalendar.text(last))")
            }
            if !isOver, let increase = increases[line.sku] { words.append(increase.line) }
            return words.joined(separator: ", ")
        } + taken.sorted()
    }
}

extension PendingIncrease {
    fileprivate var line: String {
        let how =
            switch phase {
            case .waiting: "waiting"
            case .planned(let schedule): "told \(NaiveCalendar.text(schedule.announcement))"
            case .asked: "asked"
            case .accepted: "accepted"
            case .declined: "declined"
            }
        return "will cost \(price), \(how)"
    }
}

/// The lines of a transaction, where it has several.
enum LineTexts {
    static func of(_ one: Books.Transaction) throws -> String {
        guard let text = one.lines else { return "" }
        let lines = try JSONValue(parsing: text.utf8)["lines"]?.array ?? []
        return " of"
            + lines.map { line in
                " \(line["sku"]?.string ?? "?") \(line["price"]?.integer ?? -1)"
                    + (line["offer"] == nil ? "" : " discounted")
            }.joined()
    }

    static func of(_ receipt: Receipt) -> String {
        guard receipt.lines.count > 1 || receipt.isMerchants else { return "" }
        return " of"
            + zip(receipt.lines, receipt.costs).map { line, cost in
                " \(line.sku) \(cost)" + (line.offer == nil ? "" : " discounted")
            }.joined()
    }
}
