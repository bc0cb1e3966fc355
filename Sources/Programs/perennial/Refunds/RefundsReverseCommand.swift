import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1

/// Takes a refund back.
struct RefundsReverseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Reverse a refund: the customer lost the dispute.",
        discussion: """
            The customer pays again. If the refund ended a running period, the customer has access \
            again until the agreed end. A subscription that the refund ended in a grace period or \
            in billing retry stays ended. For a subscription the command reverses its newest \
            refunded period; --transaction names any other transaction. Access goes by the newest \
            transaction: reversing the refund of an older one gives no access back. Items \
            of a merchant's plan return with the transaction that paid for them, unless the newest \
            is refunded as a whole; they do not renew.

              perennial refunds reverse anna
              perennial refunds reverse --transaction 400000000000009
            """)

    @OptionGroup var target: PaymentArgument

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let subscription = target.subscription
        var id = target.transaction ?? ""
        if let subscription {
            id = try await client.newestRefund(of: subscription)
        } else {
            try await client.checkApp(of: id)
        }
        let before = store.json ? nil : try await client.subscription(ofTransaction: id)
        let answer = try await client.send(
            .POST, StorePath("connect", "v1", "transactions", id, "reverse-refund"))
        let access = store.json ? nil : try await client.access(by: id, from: before)
        try store.show(answer, of: which) { _ in
            try ["transaction \(id): the refund was reversed"]
                + [
                    access,
                    subscription.flatMap {
                        try Refunds.reading(
                            of: $0, answer,
                            command: "`perennial refunds reverse --transaction \(word: $0)`")
                    },
                ].compactMap(\.self)
        }
    }
}

extension StoreClient {
    /// The newest transaction of the subscription that is meant whose refund stands, or else its
    /// newest; an identifier that is no subscription's is a transaction itself.
    fileprivate func newestRefund(of target: String) async throws -> String {
        let id = try await onlySubscription(of: target)
        guard
            let answer = try await unless(
                refused: "unknownSubscription", { try await timeline(id) })
        else { return id }
        var periods: [String] = []
        var refunded: Set<String> = []
        for entry in try answer.list("entries") {
            guard let transaction = entry.optionalText("transactionId") else { continue }
            if !periods.contains(transaction) { periods.append(transaction) }
            if entry.value["transactionRevoked"]?.bool == true {
                refunded.insert(transaction)
            } else if try entry.text("event") == "refundWasReversed" {
                refunded.remove(transaction)
            }
        }
        return try periods.last { refunded.contains($0) }
            ?? answer.object("subscription").text("transactionId")
    }
}
