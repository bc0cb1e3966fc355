import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// How the bills are given out.
    private static let billPages = Paging(
        "bills", "Newest first.", of: .named("Bill"), .before,
        .integer("The id of the last one of the page before."))

    /// Bills that the bank did not pay at once.
    static let listBills = Endpoint.operatorOnly(
        .get, "/connect/v1/bills", "listBills",
        OperationDescription(
            .theOperator, "List the bills of this environment that were not paid at once",
            detail: "Of all apps, newest first. A bill that was paid at once is its transaction.",
            parameters: [
                .query("state", .choice("Only those.", BillState.allCases.map(\.rawValue))),
                .query("account", .text("Only those of this account.", 1...256)),
            ] + billPages.parameters,
            success: billPages.success("A page of bills.", "Bills."),
            failures: [.init(.notFound, "unknownAccount")])
    ) { call, input in
        try await billPages.page(input) { before, limit in
            try await call.store.bills(
                input.parameter("state")?.string.flatMap(BillState.init(rawValue:)),
                account: input.parameter("account")?.string, before: before, limit: limit,
                in: call.environment)
        } writing: { entry, json in
            json.elementObject { entry.write(to: &$0) }
        }
    }

    /// One bill.
    static let getBill = Endpoint.operatorOnly(
        .get, "/connect/v1/bills/{id}", "getBill",
        OperationDescription(
            .theOperator, "Get a bill", parameters: [billParameter],
            success: .ok("The bill.", .named("Bill")),
            failures: [.init(.notFound, "unknownBill")])
    ) { call, _ in
        let entry = try await call.store.bill(try billID(call), in: call.environment)
        return .object { entry.write(to: &$0) }
    }

    /// Answers a bill in place of the bank.
    static let answerBill = Endpoint.operatorOnly(
        .post, "/connect/v1/bills/{id}/answer", "answerBill", canRehearse: true,
        OperationDescription(
            .theOperator, "Answer a bill in place of the bank",
            detail: "An answer may come twice, late and out of order; only one that moves the bill "
                + "on changes anything. A bill that was paid can be reversed, as by a dispute, and "
                + "restored.",
            parameters: [billParameter],
            body: .members(
                .object(
                    "What the bank says.",
                    .required(
                        "answer", .choice("The answer.", BankAnswer.allCases.map(\.rawValue))))),
            success: .ok(
                "What came of it.",
                .object(
                    "What came of an answer.",
                    .required(
                        "outcome",
                        .choice(
                            "changed: the bill has moved on. unchanged: the answer was known or is "
                                + "older than what is known. givenBack: the bill was closed, and "
                                + "the payment goes back. unexpected: it cannot be, and changed "
                                + "nothing.", outcomes)),
                    .optional(
                        "obstacle",
                        .choice(
                            "Why a payment is not taken back, or not given back again, although "
                                + "the bill is such: the store refunded it, or did not, an upgrade "
                                + "gave the unused share back, or nothing was paid.",
                            BillObstacle.allCases.map(\.rawValue))),
                    .required("bill", .named("Bill")))),
            failures: [.init(.notFound, "unknownBill")])
    ) { call, input in
        let id = try billID(call)
        guard let answer = input.text("answer").flatMap(BankAnswer.init(rawValue:)) else {
            preconditionFailure("the description asks for one of the answers")
        }
        let answered = try await call.store.answer(bill: id, answer, in: call.environment)
        let entry = try await call.store.bill(id, in: call.environment)
        return .object { json in
            json.field("outcome", answered.outcome.name)
            json.field("obstacle", answered.obstacle?.rawValue)
            json.object("bill") { entry.write(to: &$0) }
        }
    }

    private static let outcomes = ["changed", "unchanged", "givenBack", "unexpected"]

    private static func billID(_ call: Call) throws -> Int64 {
        try call.pathIdentifier("id", of: .bill)
    }

    private static let billParameter = OperationDescription.Parameter.path(
        "id", .identifier("The bill."))

    static let billSchema = Schema.object(
        "Something to be paid once, and what for.",
        .required("id", .identifier("Its number; its transaction bears the same.")),
        .required("bundleId", .text("The app.")),
        .required("account", .text("Who pays.")),
        .optional("originalTransactionId", .identifier("The subscription that waits for it.")),
        .required(
            "purpose", .choice("What it is for.", BillRecord.Purpose.allCases.map(\.rawValue))),
        .required("productId", .text("The product.")),
        .required("quantity", .integer("How many.")),
        .required("amount", .total("What is to be paid")),
        .required("currency", .currency()),
        .required("storefront", .storefront("Where it was made.")),
        .required("state", .choice("How far it has come.", BillState.allCases.map(\.rawValue))),
        .required("voiding", .boolean("Whether the bank was asked to give it up.")),
        .required("made", .moment("When it was made.")),
        .required("changed", .moment("When its state last changed.")),
        .optional("answers", .moment("When the built-in bank answers by itself.")),
        .optional(
            "nextEvent",
            .moment("When something happens to it by itself: an answer, or it is given up.")))
}

extension BillOutcome {
    fileprivate var name: String {
        switch self {
        case .moves: "changed"
        case .nothing: "unchanged"
        case .giveBack: "givenBack"
        case .report: "unexpected"
        }
    }
}

extension BillEntry {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", String(bill.id))
        json.field("bundleId", bundleID)
        json.field("account", account)
        json.field("originalTransactionId", bill.subscription.map(String.init))
        json.field("purpose", bill.purpose.rawValue)
        json.field("productId", bill.productID)
        json.field("quantity", bill.quantity)
        json.field("amount", bill.amount.milliunits)
        json.field("currency", bill.amount.currency.code)
        json.field("storefront", bill.storefront.code)
        json.field("state", bill.state.rawValue)
        json.field("voiding", bill.isBeingVoided)
        json.field("made", bill.made.iso8601)
        json.field("changed", bill.changed.iso8601)
        json.field("answers", bill.state.isOutstanding ? bill.answersAt?.iso8601 : nil)
        json.field("nextEvent", bill.next?.iso8601)
    }
}
