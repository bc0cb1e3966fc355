import ConnectAnswers
import SubscriptionRules
import Timeline

/// Bills in words.
enum Bills {
    /// A bill that the bank has not answered, and how to answer it.
    static func pending(_ bill: Answer) throws -> [String] {
        let id = try bill.text("id")
        return [
            "bill \(id) of \(try purchase(bill)) is \(try condition(bill))",
            "`perennial bills answer \(word: id) paid` answers it",
        ]
    }

    /// Why an answer cannot be, and what comes first.
    static func unexpected(_ answer: Answer, _ says: BankAnswer) throws -> Failure {
        let bill = try answer.object("bill")
        let id = try bill.text("id")
        let (why, remedy): (String?, String?) =
            switch answer.optionalText("obstacle") {
            case "refunded":
                (
                    "it was refunded",
                    "`perennial refunds reverse --transaction \(word: id)` takes the refund back "
                        + "first."
                )
            case "notRefunded": ("the store does not take it for taken back", nil)
            case "upgraded": ("an upgrade gave its unused share back already", nil)
            case "free": ("nothing was paid for it", nil)
            default: (nil, nil)
            }
        var failure = Failure(
            .refused,
            "Bill \(id) is \(try bill.text("state")) and cannot be \(says.rawValue)"
                + (why.map { ", since \($0)" } ?? "") + ": nothing was changed.",
            remedy: remedy)
        failure.refusal = "unexpectedAnswer"
        return failure
    }

    /// What came of an answer.
    static func outcome(_ outcome: String, of bill: Answer) throws -> String {
        let (id, state) = (try bill.text("id"), try bill.text("state"))
        switch outcome {
        case "changed": return "bill \(id) of \(try purchase(bill)) is \(state)"
        case "givenBack": return "bill \(id) is \(state): the payment goes back"
        default:
            return "bill \(id) is \(state): the answer was known or is older, and changed nothing"
        }
    }

    /// All that there is to say of a bill.
    static func lines(_ bill: Answer, _ style: Style) throws -> [String] {
        let subscription = bill.optionalText("originalTransactionId").map { "subscription \($0)" }
        let (made, changed) = (try bill.moment("made"), try bill.moment("changed"))
        let passages: [[String]] = [
            [
                try bill.text("account"), "storefront \(try bill.text("storefront"))",
                try bill.text("bundleId"), subscription,
            ].compactMap(\.self),
            [
                Words.spelledOut(try bill.text("purpose")), "made \(made.plainText)",
                try condition(bill) + (changed == made ? "" : " since \(changed.plainText)"),
            ],
        ]
        return [style.paint("bill \(try bill.text("id"))", .strong) + ", \(try purchase(bill))"]
            + passages.flatMap {
                Passage.lines(
                    $0.map { Passage.Part($0) }, separator: ", ", width: style.columns,
                    style: style)
            }
    }

    /// - Parameter namesApps: whether each says whose it is.
    static func table(
        _ answer: Answer, namesApps: Bool = false, _ style: Style
    ) throws -> [String] {
        let bills = try answer.list("bills")
        guard !bills.isEmpty else {
            return ["no bills; `perennial pay ACCOUNT later` makes payments pending"]
        }
        var table = Columns(
            [
                ("bill", .left), ("made", .left), ("account", .left), ("for", .left),
                ("app", .left), ("product", .left), ("amount", .right), ("state", .left),
            ], first: ["bill", "account", "state", "amount"], without: namesApps ? [] : ["app"])
        for bill in bills {
            table.add([
                try bill.text("id"), try bill.moment("made").plainText,
                try bill.text("account"), Words.spelledOut(try bill.text("purpose")),
                try bill.text("bundleId"), try bill.bought(), try amount(bill),
                try condition(bill),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }

    /// What is paid, and what for: `9.99 USD for plus.monthly`.
    private static func purchase(_ bill: Answer) throws -> String {
        "\(try amount(bill)) for \(try bill.bought())"
    }

    private static func amount(_ bill: Answer) throws -> String {
        Money.plainText(try bill.integer("amount"), try bill.text("currency"))
    }

    /// The state, and what happens by itself.
    private static func condition(_ bill: Answer) throws -> String {
        let state = try bill.text("state")
        if BillState(rawValue: state)?.isOutstanding == true, try bill.bool("voiding") {
            return "\(state), to be given up"
        }
        guard let next = bill.optionalMoment("nextEvent") else { return state }
        return bill.optionalMoment("answers") == next
            ? "\(state), answered by itself \(next.plainText)"
            : "\(state), given up \(next.plainText)"
    }
}
