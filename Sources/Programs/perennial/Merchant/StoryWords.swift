import ConnectAnswers
import SubscriptionRules
import Timeline

/// The life of a purchase in words.
enum StoryWords {
    /// A line for each event, and below it the notifications that it rests on.
    static func lines(_ events: [Answer], _ style: Style) throws -> [String] {
        try events.flatMap { event in
            let line =
                try style.paint("  \(event.moment("at").plainText)  ", .faint)
                + style.paint(sentence(event), colour(event))
            return try [line]
                + event.list("notifications").map { notice in
                    let subtype = notice.optionalText("subtype").map { "/\($0)" } ?? ""
                    return style.paint(
                        "    \(try notice.text("type"))\(subtype)  "
                            + (try notice.text("notificationUUID")), .faint)
                }
        }
    }

    /// The notifications about a purchase on which no event of its story rests, one a line.
    static func others(of purchase: Answer, _ style: Style) throws -> [String] {
        let told = try purchase.list("story").flatMap { event in
            try event.list("notifications").map { try $0.text("notificationUUID") }
        }
        let known = Set(told)
        return try purchase.list("notifications").compactMap { one in
            let uuid = try one.text("notificationUUID")
            let isProcessed = try one.text("state") == "processed"
            guard !isProcessed || !known.contains(uuid) else { return nil }
            let subtype = one.optionalText("subtype").map { "/\($0)" } ?? ""
            let state = isProcessed ? "" : ", \(try one.text("state"))"
            return "  \(try one.moment("signedDate").plainText)  \(try one.text("type"))\(subtype)"
                + style.paint("  \(uuid)\(state)", .faint)
        }
    }

    /// That none of an account's purchases unlocks what was asked for, and what they unlock.
    static func nothing(
        of account: String, unlocks entitlement: String?, among purchases: [Answer]
    ) -> String {
        guard let entitlement, !purchases.isEmpty else {
            return "The merchant knows of no purchase of \(account)'s."
        }
        let none = "None of \(account)'s purchases unlocks \(entitlement)"
        let known = Set(purchases.flatMap { $0.texts("entitlements") }).sorted()
        return known.isEmpty
            ? "\(none): they are counted, and unlock nothing."
            : "\(none): they unlock \(known.joined(separator: ", "))."
    }

    /// What happened, or will.
    static func sentence(_ event: Answer) throws -> String {
        let product = try event.text("productId")
        let until = event.optionalMoment("until").map { " until \($0.plainText)" } ?? ""
        let change = event.optionalText("previousProductId").map { ", in place of \($0)" } ?? ""
        return switch try event.text("event") {
        case "bought": "bought \(product)\(until)"
        case "boughtAgain": "bought \(product) again\(until)\(change)"
        case "renewed": "renewed \(product)\(until)"
        case "recovered": "renewed \(product) after billing retry\(until)\(change)"
        case "changedPlan": "renewed as \(product)\(until)\(change)"
        case "upgraded": "upgraded to \(product)\(until)\(change)"
        case "extended": "the renewal date was extended: \(product) runs\(until)"
        case "recoveredInGrace": "renewed \(product) in the grace period\(until)\(change)"
        case "unknown": "no news\(until)"
        case "refunded": "\(share(event))\(product) was refunded\(try reversal(event))"
        case "sharingEnded": "\(product) is shared no more"
        case "refundReversed": "the refund of \(product) was reversed"
        case "graceBegan": "the renewal was not paid: grace period\(until)"
        case "graceEnded": "the grace period ended: billing retry\(until), without access"
        case "retryBegan": "the renewal was not paid: billing retry\(until), without access"
        case "periodEnded": "the period ended, and nothing has said that it renewed"
        case "awaitingRenewal":
            "the period ended, and the renewal may be on its way: access\(until)"
        case "ended": "ended\(intent(event))"
        case "willRenew":
            "will renew\(change.isEmpty ? "" : " as \(product)\(change)")\(try consent(event))"
        case "willEnd": "will end\(intent(event))"
        case "periodWillEnd": "the period will end; nothing has said whether it renews"
        case let other: Words.spelledOut(other)
        }
    }

    private static func share(_ event: Answer) -> String {
        guard let share = event.optionalInteger("refundedShare") else { return "" }
        return "\(Figures.percent(share)) of "
    }

    private static func reversal(_ event: Answer) throws -> String {
        try event.bool("isReversed") ? ", which was reversed later" : ""
    }

    /// By when the customer must agree.
    private static func consent(_ event: Answer) throws -> String {
        guard try event.bool("needsConsent") else { return "" }
        return ": needs consent to a price increase by \(try event.moment("at").plainText)"
    }

    /// Why it ended, in words.
    private static func intent(_ event: Answer) -> String {
        switch event.optionalInteger("expirationIntent") {
        case nil: ""
        case 1?: ": the customer turned renewal off"
        case 2?: ": it could not be charged"
        case 3?: ": the customer did not agree to a price increase"
        case 4?: ": the product was not for sale"
        case let number?: ": for another reason (\(number))"
        }
    }

    private static func colour(_ event: Answer) throws -> Style.Colour? {
        switch try event.text("event") {
        case "bought", "boughtAgain", "recovered", "recoveredInGrace": .paid
        case "changedPlan", "upgraded", "extended", "refundReversed": .mark
        case "graceBegan", "awaitingRenewal": .grace
        case "refunded", "sharingEnded", "graceEnded", "retryBegan", "ended", "periodEnded": .retry
        default: nil
        }
    }
}

extension Figures {
    /// Thousandths of a per cent, such as `74.983 %`.
    static func percent(_ share: Int64) -> String {
        var decimals = String(share % 1000 + 1000).dropFirst()
        while decimals.last == "0" { decimals = decimals.dropLast() }
        return "\(share / 1000)" + (decimals.isEmpty ? "" : ".\(decimals)") + " %"
    }
}
