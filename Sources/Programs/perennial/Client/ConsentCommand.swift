import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules

/// Answers a price increase as its customer does.
struct ConsentCommand: AsyncParsableCommand {
    /// What a customer can say.
    enum Word: String, ExpressibleByArgument, CaseIterable {
        case agree, decline
    }

    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Answer a price increase as the customer: agree or decline.",
        discussion: """
            It can be answered once it was announced (`perennial price-change of anna` says \
            when). Declining turns renewal off; agreeing afterwards turns it on again. Declining \
            what was agreed to turns renewal off and makes the agreement void: `perennial renewal \
            anna on` comes first then, and the increase is announced anew.

              perennial consent anna agree
              perennial consent 400000000000005 decline
            """)

    @Argument(
        help: "A subscription's identifier, or the account with one price increase on its way.",
        transform: Reading.account)
    var subscription: String

    @Argument(help: "What the customer says.")
    var word: Word

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.risingSubscription(of: subscription)
        let before = try await client.subscription(id)
        let answer = try await client.tellingRenewalIsOff(of: id) {
            try await client.tellingSchedule(of: id) {
                try await client.change(id) { json in
                    json.field("priceIncrease", word.rawValue)
                }
            }
        }
        let after = try await client.subscription(id)
        try store.show(answer, of: which) { _ in
            let increase = try Increases.loss(from: before, to: after) ?? Increases.words(after)
            return [try Plans.words(after)] + (increase.map { [$0] } ?? [])
        }
    }
}

extension StoreClient {
    /// Does something about an increase; where it waits because renewal is off, the refusal says
    /// so.
    fileprivate func tellingRenewalIsOff(
        of id: String, _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch let failure as Failure where failure.refusal == "noPriceIncrease" {
            let one = try await subscription(id)
            guard one.value["priceIncrease"] != nil, try !one.bool("autoRenew") else {
                throw failure
            }
            var better = failure
            better.message =
                "renewal is off: no renewal would charge the higher price, and there is nothing "
                + "to answer."
            better.remedy =
                "`perennial renewal \(word: id) on` turns it on first; the increase is announced "
                + "anew then."
            throw better
        }
    }

    /// The one subscription of a target to which a higher price is on its way.
    fileprivate func risingSubscription(of name: String) async throws -> String {
        let target = try await target(name)
        guard case .account(let account) = target else {
            return try await onlySubscription(of: target)
        }
        let all = try await customer(account).list("subscriptions")
        let rising = all.filter { $0.value["priceIncrease"] != nil }
        guard let one = rising.first else { throw try await nothingRises(all, of: account) }
        guard rising.count == 1 else {
            throw try Failure.ambiguous(
                account, rising,
                "Price increases are on their way to \(rising.count) subscriptions of "
                    + "\(account): name one by its number.")
        }
        return try one.text("originalTransactionId")
    }

    /// Why none of an account's subscriptions has a higher price on its way.
    private func nothingRises(_ all: [Answer], of account: String) async throws -> Failure {
        if all.count == 1, let one = all.first, one.isOver {
            return try Failure.refused("").told(ofEnd: one, Plans.remedy(one))
        }
        for subscription in all where !subscription.isOver {
            guard let scheduled = try await scheduled(for: subscription) else { continue }
            return Failure.refused("No price increase can be answered yet: \(scheduled).")
        }
        return Failure.refused(
            "No price increase is on its way to \(account); `perennial price-change schedule "
                + "PRODUCT STOREFRONT PRICE --existing apply` makes one.")
    }
}

/// Price increases on their way, in words.
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

    /// What is on its way to a subscription, in one line; nil where nothing is.
    static func words(_ subscription: Answer) throws -> String? {
        guard subscription.value["priceIncrease"] != nil else { return nil }
        let increase = try subscription.object("priceIncrease")
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
        case "accepted": return "\(price)\(from), \(mustAgree ? "agreed to" : "told")"
        case "declined": return "\(price)\(from) was declined"
        case let phase: return "\(price)\(from), \(phase)"
        }
    }
}
