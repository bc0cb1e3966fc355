import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules

/// Answers what its customer is asked about a price.
struct ConsentCommand: AsyncParsableCommand {
    /// What a customer can say.
    enum Word: String, ExpressibleByArgument, CaseIterable {
        case agree, decline
    }

    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Answer a price increase, or in Korea the end of an offer: agree or decline.",
        discussion: """
            A customer can answer once the increase was announced (`perennial price of anna` says \
            when); one answer covers all open questions. Declining turns renewal off; agreeing \
            afterwards turns it on again. In a merchant's plan with several items, declining ends \
            only the items of the increase and those that depend on them. Renewal stays on while \
            another item is left. Declining after an agreement turns renewal off and makes the \
            agreement void. Run `perennial renewal anna on` first then; the increase is \
            announced again.

              perennial consent anna agree
              perennial consent 400000000000005 decline
            """)

    @Argument(
        help: "A subscription's identifier, or the account with one that has something to answer.",
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
            let loss = try Increases.loss(from: before, to: after)
            return [try Plans.words(after)] + (try loss.map { [$0] } ?? Increases.lines(after))
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

    /// The one subscription of a target to which a higher price is on its way, or whose customer is
    /// asked about the end of an offer.
    fileprivate func risingSubscription(of name: String) async throws -> String {
        let target = try await target(name)
        guard case .account(let account) = target else {
            return try await onlySubscription(of: target)
        }
        let all = try await customer(account).list("subscriptions")
        let rising = all.filter {
            $0.value["priceIncrease"] != nil || $0.value["offerConversion"]?["asked"]?.bool == true
        }
        guard let one = rising.first else { throw try await nothingRises(all, of: account) }
        guard rising.count == 1 else {
            throw try Failure.ambiguous(
                account, rising,
                "Prices are on their way to \(rising.count) subscriptions of "
                    + "\(account): name one by its number.")
        }
        return try one.text("originalTransactionId")
    }

    /// Why none of an account's subscriptions has a higher price on its way.
    private func nothingRises(_ all: [Answer], of account: String) async throws -> Failure {
        if all.count == 1, let one = all.first, one.isOver {
            return try Failure.refused("").told(ofEnd: one, Plans.remedy(one))
        }
        if let offer = try all.compactMap(Increases.conversion).first {
            return Failure.refused("Nothing can be answered yet: \(offer).")
        }
        for subscription in all where !subscription.isOver {
            guard let scheduled = try await scheduled(for: subscription) else { continue }
            return Failure.refused("No price increase can be answered yet: \(scheduled).")
        }
        return Failure.refused(
            "No price increase is on its way to \(account); `perennial price schedule "
                + "PRODUCT STOREFRONT PRICE --existing apply` makes one.")
    }
}
