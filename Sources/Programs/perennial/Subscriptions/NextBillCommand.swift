import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Journal
import SubscriptionRules
import Timeline

/// Shows what a subscription will be charged next, and what is going to change.
struct NextBillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next-bill",
        abstract: "Show the next bill of a subscription, and the changes that wait.",
        discussion: """
            Shows each line of the bill, or when and why the subscription ends instead. It assumes \
            that nobody answers an open question and that nothing else changes. It includes prices \
            that are scheduled until then.

              perennial subscription next-bill anna
              perennial subscription next-bill 400000000000005 --json
            """)

    @Argument(help: "A subscription's identifier, or an account.", transform: Reading.account)
    var target: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: target)
        let bill = try await client.get(
            StorePath("connect", "v1", "subscriptions", id, "next-bill"))
        let changes = try await client.get(
            StorePath("connect", "v1", "subscriptions", id, "pending-changes"))
        let answer = bill.with(["changes": changes.value["changes"]])
        try store.show(answer, of: which) { style in
            try Self.words(bill, style) + Self.words(ofChanges: changes, style)
        }
    }

    static func words(_ bill: Answer, _ style: Style) throws -> [String] {
        let outcome = try bill.text("outcome")
        let at = bill.optionalMoment("at")?.plainText ?? ""
        switch outcome {
        case "over": return ["no bill comes: the subscription is over"]
        case "end":
            return [
                style.paint("no bill comes: it ends \(at)", .strong)
                    + ", since \(why(bill.optionalInteger("expirationIntent")))"
            ]
        default: break
        }
        let currency = try bill.text("currency")
        func money(_ amount: Int64) -> String { Money.plainText(amount, currency) }
        let isMade = outcome == "pending"
        var lines = [
            style.paint(
                "\(money(try bill.integer("amount"))), \(isMade ? "made " : "")\(at)", .strong)
                + ", \(try purpose(bill, isMade: isMade))"
        ]
        if let start = bill.optionalMoment("periodStart"),
            let end = bill.optionalMoment("periodEnd")
        {
            let month = bill.optionalInteger("commitmentMonth").map {
                ", month \($0) of \(Commitment.months)"
            }
            lines.append("for \(start.plainText) to \(end.plainText)\(month ?? "")")
        }
        if let credit = bill.optionalInteger("credit") {
            lines.append("\(money(credit)) goes back once it is paid")
        }
        return lines + (try table(of: bill, currency).lines(style))
    }

    private static func table(of bill: Answer, _ currency: String) throws -> Columns {
        var table = Columns(
            [
                ("line", .left), ("name", .left), ("price", .right), ("to pay", .right),
                ("", .left),
            ], first: ["line", "to pay"])
        for line in try bill.list("lines") {
            let offer = line.optionalText("offerMode").map { mode in
                let left = line.optionalInteger("offerPeriodsLeft") ?? 0
                let name = Timeline.Words.spelledOut(mode)
                return left == 0 ? "\(name), the last period" : "\(name), \(left) more follow"
            }
            let before = line.optionalInteger("formerPrice").map {
                "\(Money.plainText($0, currency)) until then"
            }
            table.add([
                try line.text("sku"), line.optionalText("displayName") ?? "",
                Money.plainText(try line.integer("price"), currency),
                Money.plainText(try line.integer("amount"), currency),
                [offer, before].compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    /// What is going to change, a line each; nothing where nothing is.
    static func words(ofChanges answer: Answer, _ style: Style) throws -> [String] {
        let currency = try answer.text("currency")
        let changes = try answer.list("changes").compactMap { Alteration($0.harmless) }
        guard !changes.isEmpty else { return ["", "nothing is going to change"] }
        return ["", "going to change"]
            + changes.map { change in
                let heard = change.announcement.map { ", announced \($0.plainText)" } ?? ""
                let others =
                    change.dependents.isEmpty
                    ? "" : ", with it end \(change.dependents.joined(separator: ", "))"
                return "  " + change.sentence(.plain, currency) + heard + others
            }
    }

    private static func purpose(_ bill: Answer, isMade: Bool) throws -> String {
        let waits = isMade ? ", and the bank has not answered" : ""
        switch try bill.text("purpose") {
        case "renewal": return "it renews" + waits
        case "recovery": return "the failed renewal is tried again" + waits
        case "purchase": return "it is bought" + waits
        case "modification": return "its items change" + waits
        default: return "its plan changes" + waits
        }
    }

    private static func why(_ intent: Int64?) -> String {
        switch intent {
        case 1: "renewal is off"
        case 2: "it could not be charged"
        case 3: "a price is not agreed to"
        case 4: "the product is not for sale"
        default: "something else ended it"
        }
    }
}
