import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules

/// How much is given back, and why.
struct RefundOptions: ParsableArguments {
    /// Why a transaction is refunded.
    enum Reason: String, ExpressibleByArgument, CaseIterable {
        case problemWithApp, other
    }

    @Flag(
        help: "Give only the unused share of the period back; of what has none, all of it.")
    var prorated = false

    @Option(help: "Why.")
    var reason = Reason.other

    func write(to json: inout JSONWriter) {
        json.field("extent", prorated ? "prorated" : "full")
        json.field("reason", reason.rawValue)
    }
}

/// Refunds a period of a subscription, or another transaction.
struct RefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Refund a subscription's newest period, or a transaction.",
        discussion: """
            Works with or without the customer's request. For a subscription it refunds the newest \
            period; if that period is running, access ends at once. In a merchant's plan, \
            refunding an earlier transaction of the same cycle ends the items that it paid for. \
            --transaction names any other: `perennial timeline` shows the transaction of each \
            period, `perennial status` that of each purchase. A subscription has the same \
            identifier as its first transaction; here it means the subscription.

              perennial refunds issue anna
              perennial refunds issue 400000000000005 --prorated --reason problemWithApp
              perennial refunds issue --transaction 400000000000009
            """)

    @OptionGroup var target: PaymentArgument

    @OptionGroup var how: RefundOptions
    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let subscription = target.subscription
        var id = target.transaction ?? ""
        if let subscription {
            id = try await client.newestTransaction(of: subscription)
        } else {
            try await client.checkApp(of: id)
        }
        let before = try await client.subscription(ofTransaction: id)
        let answer = try await client.send(
            .POST, StorePath("connect", "v1", "transactions", id, "refund"), how.write)
        let after = try await client.subscription(ofBought: answer)
        try store.show(answer, of: which) { _ in
            try Refunds.lines(answer, wantsShare: how.prorated)
                + [
                    Refunds.end(from: before, to: after),
                    subscription.flatMap {
                        try Refunds.reading(
                            of: $0, answer,
                            command: "`perennial refunds issue --transaction \(word: $0)`")
                    },
                ].compactMap(\.self)
        }
    }
}

extension Refunds {
    /// What a refund ended: the subscription, or items of a merchant's plan; nil for nothing.
    static func end(from before: Answer?, to after: Answer?) -> String? {
        guard let before, let after, !before.isOver else { return nil }
        guard !after.isOver else { return "and with it the subscription ended" }
        let ended = before.skus.filter { !after.skus.contains($0) }
        return ended.isEmpty
            ? nil : "and with it ended \(ended.joined(separator: ", ")): the rest goes on"
    }

    /// Whether there is access again after a payment came again, and why not: a subscription goes
    /// by its newest transaction, and a merchant's items by those that paid for them.
    ///
    /// - Parameters:
    ///   - before: the subscription before that.
    ///   - newest: the bill of its newest transaction.
    ///   - transaction: the one whose refund was reversed.
    static func access(
        from before: Answer?, to subscription: Answer, newest: Answer, by transaction: String
    ) throws -> String {
        let id = try subscription.text("transactionId")
        let expires = try subscription.moment("expires")
        // The operator may have ended it before.
        let end = min(expires, subscription.optionalMoment("expired") ?? expires).plainText
        let hasAccess = try subscription.bool("entitled")
        if hasAccess, try before?.bool("entitled") != true {
            return "access is back until \(end), and renewal stays off"
        }
        if hasAccess {
            let back = subscription.skus.filter { before?.skus.contains($0) == false }
            return back.isEmpty
                ? "access goes by the newest transaction, \(id), as before"
                : "\(back.joined(separator: ", ")) until \(end) again, without renewing"
        }
        guard id != transaction else {
            return subscription.value["revoked"] == nil
                ? "the subscription stays over: its period ended \(end)"
                : "the subscription stays over: each of its items was given back by itself too"
        }
        let none = "access is not back: it goes by the newest transaction, \(id), which "
        guard subscription.value["revoked"] != nil else { return none + "ended \(end)" }
        return none
            + (try newest.text("state") == "reversed"
                ? "the bank took back; `perennial bills answer \(word: id) restored` lets it come "
                    + "again"
                : "is over too; if it was refunded, "
                    + "`perennial refunds reverse --transaction \(word: id)` takes that back")
    }
}

extension StoreClient {
    /// The subscription of what was bought, as it stands; nil for what is none.
    func subscription(ofBought answer: Answer) async throws -> Answer? {
        try await unless(refused: "unknownSubscription") {
            try await subscription(try answer.text("originalTransactionId"))
        }
    }

    /// The subscription of a transaction as it stands; nil for what is none, or is unknown.
    func subscription(ofTransaction id: String) async throws -> Answer? {
        // A bill bears the identifier of its transaction.
        let bill = try await unless(refused: "unknownBill") { try await self.bill(id) }
        guard let original = bill?.optionalText("originalTransactionId") else { return nil }
        return try await unless(refused: "unknownSubscription") {
            try await subscription(original)
        }
    }

    /// Whether there is access after a payment came again, in words; nil for what is no
    /// subscription's.
    ///
    /// - Parameter before: the subscription before that.
    func access(by transaction: String, from before: Answer?) async throws -> String? {
        guard let one = try await subscription(ofTransaction: transaction) else { return nil }
        return try Refunds.access(
            from: before, to: one, newest: try await bill(one.text("transactionId")),
            by: transaction)
    }

    /// The newest transaction of the subscription that is meant; an identifier that is no
    /// subscription's is a transaction itself.
    fileprivate func newestTransaction(of target: String) async throws -> String {
        let id = try await onlySubscription(of: target)
        let newest = try await unless(refused: "unknownSubscription") {
            try await subscription(id).text("transactionId")
        }
        return newest ?? id
    }
}

/// Cancels a subscription as customer support does.
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a subscription as customer support does: refund it and end it at once.",
        discussion: """
            Refunds the newest transaction. If nothing was paid for it, as in a free trial, the \
            command is refused. If the customer only turns renewal off, use \
            `perennial renewal SUBSCRIPTION off`.

              perennial subscription cancel anna
              perennial subscription cancel 400000000000005 --prorated
            """)

    @OptionGroup var target: SubscriptionArgument

    @OptionGroup var how: RefundOptions
    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: target.subscription)
        let answer = try await client.tellingEnd(of: id, Self.remedy) {
            try await client.send(
                .POST, StorePath("connect", "v1", "subscriptions", id, "cancel"), how.write)
        }
        try store.show(answer, of: which) { _ in
            ["\(id): ended"] + (try Refunds.lines(answer, wantsShare: how.prorated))
        }
    }

    private static func remedy(_ subscription: Answer) throws -> String {
        guard subscription.value["revoked"] == nil else {
            return "Nothing is left to end."
        }
        let id = try subscription.text("originalTransactionId")
        return
            "Nothing is left to end; `perennial refunds issue \(word: id)` gives its last "
            + "payment back."
    }
}
