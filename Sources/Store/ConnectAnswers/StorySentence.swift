package import SubscriptionRules
import Timeline

/// What has happened in the life of a merchant's purchase, or will, in a sentence.
package enum StorySentence {
    /// - Parameter moment: how a moment is written.
    package static func of(
        _ event: Answer, moment: (Instant) -> String = { $0.plainText }
    ) throws -> String {
        let product = try event.text("productId")
        let until = event.optionalMoment("until").map { " until \(moment($0))" } ?? ""
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
            "will renew\(change.isEmpty ? "" : " as \(product)\(change)")"
                + (try consent(event, moment))
        case "willEnd": "will end\(intent(event))"
        case "periodWillEnd": "the period will end; nothing has said whether it renews"
        case let other: Words.spelledOut(other)
        }
    }

    private static func share(_ event: Answer) -> String {
        guard let share = event.optionalInteger("refundedShare") else { return "" }
        return "\(percent(share)) of "
    }

    private static func reversal(_ event: Answer) throws -> String {
        try event.bool("isReversed") ? ", which was reversed later" : ""
    }

    /// By when the customer must agree.
    private static func consent(
        _ event: Answer, _ moment: (Instant) -> String
    ) throws -> String {
        guard try event.bool("needsConsent") else { return "" }
        return ": needs consent to a price increase by \(moment(try event.moment("at")))"
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

    /// Thousandths of a per cent, such as `74.983 %`.
    private static func percent(_ share: Int64) -> String {
        var decimals = String(share % 1000 + 1000).dropFirst()
        while decimals.last == "0" { decimals = decimals.dropLast() }
        return "\(share / 1000)" + (decimals.isEmpty ? "" : ".\(decimals)") + " %"
    }
}
