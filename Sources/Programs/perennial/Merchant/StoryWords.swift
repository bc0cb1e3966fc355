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

    /// How purchases came from other accounts or went to them, the first one first.
    static func transfers(in answer: Answer, _ style: Style) throws -> [String] {
        let transfers = try TransferSentence.all(in: answer)
        guard !transfers.isEmpty else { return [] }
        return try ["Transfers:"]
            + transfers.reversed().map { one in
                style.paint("  \(try one.transfer.moment("at").plainText)  ", .faint) + one.sentence
            }
    }

    /// What happened, or will.
    static func sentence(_ event: Answer) throws -> String { try StorySentence.of(event) }

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
