import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline
import Wording

/// Explains the prices that are on their way to one subscriber.
struct PriceChangeOfCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "of",
        abstract: "Explain the price changes that are scheduled for a subscription.",
        discussion: """
            Shows whether the subscriber must consent or only gets notice, why, and all dates; in \
            a merchant's plan for each item. In Korea it also shows which offers end, and whether \
            the subscriber must consent.

              perennial price of anna
              perennial price of 400000000000005 --json
            """)

    @OptionGroup var target: SubscriptionArgument

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: target.subscription)
        let one = try await client.subscription(id)
        let answer = try await explanation(of: one, id, client)
        try store.show(answer, of: which) { style in
            try PriceChanges.explanation(answer, of: one).flatMap {
                Folding.lines(of: $0, width: style.lineWidth)
            }
        }
    }

    /// What the store explains, and the end of an offer, which may be all that there is.
    private func explanation(
        of one: Answer, _ id: String, _ client: StoreClient
    ) async throws -> Answer {
        let conversion = one.value["offerConversion"]
        let path = StorePath("connect", "v1", "subscriptions", id, "price-increase")
        do {
            return try await client.tellingSchedule(of: id) { try await client.get(path) }
                .with(["offerConversion": conversion])
        } catch let failure as Failure
            where conversion != nil && one.value["priceIncrease"] == nil
            && failure.refusal == "noIncreasePlanned"
        {
            return Answer(value: .object([:]), source: one.source)
                .with(["offerConversion": conversion])
        }
    }
}

extension PriceChanges {
    /// Why prices go their way with one subscriber, each item by its name, and what becomes of an
    /// offer that ends.
    static func explanation(_ answer: Answer, of subscription: Answer) throws -> [String] {
        var lines: [String] = []
        if answer.value["items"] != nil {
            let items = try answer.list("items")
            for item in items {
                let name = item.optionalText("displayName").map { " (\($0))" } ?? ""
                lines.append("Item \(try item.text("sku"))\(name):")
                lines += try explanation(item, unanswered: ending(item, items, subscription))
                    .map { "  " + $0 }
            }
            lines += try waiting(besides: items.map { try $0.text("sku") }, subscription)
        } else if answer.value["path"] != nil {
            lines = try explanation(
                answer, unanswered: "the subscription expires at the renewal")
        }
        return lines + (try Increases.conversion(subscription).map { ["Korea: \($0)."] } ?? [])
    }

    /// What ends where an item's price is not agreed to: the item, with what depends on it; with
    /// the last one the subscription (ACS-2, ACS-3).
    private static func ending(
        _ item: Answer, _ items: [Answer], _ subscription: Answer
    ) throws -> String {
        let renewal = item.optionalMoment("firstRenewalAtNewPrice")
        let asked = try items.filter {
            try $0.text("path") == "consent" && $0.value["agreed"]?.bool != true
                && $0.optionalMoment("firstRenewalAtNewPrice") == renewal
        }
        let gone = Set(
            try asked.map { try $0.text("sku") } + asked.flatMap { $0.texts("dependentSKUs") })
        let all = try subscription.list("lines").map { try $0.text("sku") }
        guard all.contains(where: { !gone.contains($0) }) else {
            return "it ends at the renewal, and the subscription expires, since nothing is left"
        }
        let dependents = item.texts("dependentSKUs")
        return dependents.isEmpty
            ? "it ends at the renewal, and the rest goes on"
            : "it ends at the renewal, with \(dependents.joined(separator: ", "))"
    }

    /// Items whose prices are live and of which no date is known yet.
    private static func waiting(
        besides explained: [String], _ subscription: Answer
    ) throws -> [String] {
        guard subscription.value["priceIncreases"] != nil else { return [] }
        let currency = try subscription.text("currency")
        return try subscription.list("priceIncreases").filter {
            try !explained.contains($0.text("sku"))
        }.map { item in
            let price = Money.plainText(try item.integer("price"), currency)
            return "Item \(try item.text("sku")): \(price) is live, and waits until a renewal can "
                + "be planned."
        }
    }

    /// Why an increase goes its way with one subscriber, as `explain` tells it.
    ///
    /// - Parameter ending: what comes to pass at the renewal without an answer, where something
    ///   ends.
    private static func explanation(
        _ answer: Answer, unanswered ending: String
    ) throws -> [String] {
        let currency = try answer.text("currency")
        let old = Money.plainText(try answer.integer("oldPrice"), currency)
        let new = Money.plainText(try answer.integer("newPrice"), currency)
        var lines = [
            "\(old) to \(new), storefront \(try answer.text("storefront")), live "
                + (try answer.moment("live").plainText), try path(answer), "Why:",
        ]
        lines += try answer.list("reasons").map { reason in
            let demands = try reason.bool("demandsConsent")
            return "  \(demands ? "consent" : "  -    ")  \(try reason.text("sentence"))"
        }
        lines += answer.texts("remarks").map { "Note: \($0)" }
        lines += answer.texts("oldPriceRenewals").compactMap { Instant(iso8601: $0) }
            .map { "Old price: still at the renewal on \($0.plainText)." }
        let agreed = answer.value["agreed"]?.bool
        if agreed == true { lines.append("Answer: the subscriber has agreed.") }
        if agreed == false { lines.append("Answer: the subscriber has declined so far.") }
        if let limit = answer.optionalMoment("answerBy") {
            let expires = try answer.text("withoutAnswer") == "expires"
            lines.append(
                "Answer: before \(limit.plainText); otherwise "
                    + (expires ? "\(ending)." : "the renewal charges the old price."))
        }
        if let renewal = answer.optionalMoment("firstRenewalAtNewPrice") {
            lines.append("New price: from the renewal on \(renewal.plainText).")
        }
        if agreed != nil { return lines }
        let messages = try answer.list("messages").compactMap(PriceMessage.init)
        guard !messages.isEmpty else { return lines + ["Messages: none."] }
        return lines + ["Messages:"] + Wording.english.lines(messages).map { "  " + $0 }
    }

    private static func path(_ answer: Answer) throws -> String {
        let path = try answer.text("path")
        guard try answer.text("route") != "merchantManaged" || path == "none" else {
            let asked = path == "consent" ? "asked" : "told"
            return
                "Path: \(path): the merchant has \(asked) the subscriber before it called, and no "
                + "answer is needed here."
        }
        return switch path {
        case "consent": "Path: consent: the price rises only if the subscriber agrees."
        case "notice": "Path: notice: the subscriber is told and need not answer."
        default: "Path: \(path): nobody is told or asked."
        }
    }
}

extension PriceMessage {
    /// Reads a message of the store's answer; nil for one that only a newer store sends.
    fileprivate init?(_ answer: Answer) throws {
        let condition = try answer.text("condition")
        guard let channel = Channel(rawValue: try answer.text("channel")),
            let condition = Condition.allCases.first(where: { "\($0)" == condition })
        else { return nil }
        self.init(channel: channel, moment: try answer.moment("at"), condition: condition)
    }
}
