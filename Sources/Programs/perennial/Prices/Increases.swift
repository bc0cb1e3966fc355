import AppStoreWire
import ConnectAnswers
import SubscriptionRules

/// Prices on their way, in words.
enum Increases {
    /// What turning renewal off did to an increase that was announced; nil where it did nothing.
    static func loss(from before: Answer, to after: Answer) throws -> String? {
        guard before.value["priceIncrease"] != nil, after.value["priceIncrease"] != nil else {
            return nil
        }
        let (old, new) = (
            try before.object("priceIncrease"), try after.object("priceIncrease")
        )
        let phase = try old.text("phase")
        guard ["asked", "accepted"].contains(phase), try new.text("phase") == "waiting" else {
            return nil
        }
        let price = Money.plainText(try old.integer("price"), try before.text("currency"))
        let isAgreed = phase == "accepted" && old.optionalText("path") == "consent"
        let id = try after.text("originalTransactionId")
        return (isAgreed ? "the agreement to \(price) is void" : "the increase to \(price) waits")
            + ": it is announced anew once `perennial renewal \(word: id) on` turns renewal on"
    }

    /// What is on its way to a subscription, a line a price; of what a merchant sells as several
    /// items each of them is named.
    static func lines(_ subscription: Answer) throws -> [String] {
        var lines: [String] = []
        if subscription.value["priceIncreases"] != nil {
            lines = try subscription.list("priceIncreases").map {
                "\(try $0.text("sku")): \(try words($0, of: subscription))"
            }
        } else if subscription.value["priceIncrease"] != nil {
            lines = [try words(subscription.object("priceIncrease"), of: subscription)]
        }
        return lines + (try conversion(subscription).map { [$0] } ?? [])
    }

    /// What becomes of an offer that ends in Korea; nil where none does.
    static func conversion(_ subscription: Answer) throws -> String? {
        guard subscription.value["offerConversion"] != nil else { return nil }
        let offer = try subscription.object("offerConversion")
        let currency = try subscription.text("currency")
        let price = Money.plainText(try offer.integer("price"), currency)
        let items =
            try offer.value["items"] == nil
            ? nil
            : offer.list("items").map {
                "\(try $0.text("sku")) \(Money.plainText(try $0.integer("price"), currency))"
            }.joined(separator: ", ")
        let what = "an offer ends: \(items ?? price) from \(try offer.moment("at").plainText) on"
        if offer.optionalMoment("agreed") != nil { return "\(what), agreed to" }
        let closes = try offer.moment("closes").plainText
        return try offer.bool("asked")
            ? "\(what) if agreed to before \(closes), not answered yet"
            : "\(what) if agreed to, asked \(try offer.moment("opens").plainText)"
    }

    private static func words(_ increase: Answer, of subscription: Answer) throws -> String {
        let price = Money.plainText(
            try increase.integer("price"), try subscription.text("currency"))
        let from = increase.optionalMoment("renewal").map { " from \($0.plainText) on" } ?? ""
        let hears = increase.optionalMoment("announcement")?.plainText ?? "later"
        let mustAgree = increase.optionalText("path") == "consent"
        switch try increase.text("phase") {
        case "waiting": return "\(price) is live, and waits until a renewal can be planned"
        case "planned":
            return mustAgree
                ? "\(price)\(from) if agreed to, asked \(hears)" : "\(price)\(from), told \(hears)"
        case "asked": return "\(price)\(from) if agreed to, not answered yet"
        case "accepted":
            // Of a merchant's lower price nobody is told.
            let isLower = try increase.optionalInteger("oldPrice").map {
                try increase.integer("price") < $0
            }
            return "\(price)\(from)"
                + (isLower == true ? "" : mustAgree ? ", agreed to" : ", told")
        case "declined": return "\(price)\(from) was declined"
        case let phase: return "\(price)\(from), \(phase)"
        }
    }
}
