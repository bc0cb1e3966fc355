import Letters
import SubscriptionRules
import Testing

@testable import Store

@Suite("Mails: as rows keep them")
struct LetterTextTests {
    private static let day = Instant(milliseconds: 1_768_493_109_250)
    private static let price = Money(milliunits: 4990, .init(everUsed: "EUR")!)

    private static let upcoming = CustomerMail.Upcoming(
        name: "A \"b\"\u{1F33B}", at: day, price: price, period: .month)
    private static let ending = CustomerMail.Upcoming(
        name: "B", at: day, price: nil, period: .week)
    private static let endings = CustomerMail.Upcoming.ReasonToEnd.allCases.map {
        CustomerMail.Upcoming(name: "C", at: day, price: nil, reasonToEnd: $0, period: .week)
    }

    static let mails: [CustomerMail] = [
        .welcome(.init(name: "A", price: price, period: .month, renews: day)),
        .welcome(
            .init(
                name: "A", price: price, period: .year, offer: .init(paid: price, until: day),
                renews: day)),
        .receipt(
            .init(
                order: "17", at: day,
                lines: [
                    .init(name: "A", quantity: 1, amount: price, until: day),
                    .init(name: "B", quantity: 3, amount: price, insteadOf: price, until: nil),
                ])),
        .willRenew([upcoming, upcoming]), .willExpire([ending] + endings), .cannotPay(upcoming),
        .billingProblem(.init(name: "A", price: price, state: .ended)),
        .billingProblem(.init(name: "A", price: price, state: .retrying(accessUntil: day))),
        .billingProblem(.init(name: "A", price: price, state: .retrying(accessUntil: nil))),
        .priceIncrease(
            .init(
                needsConsent: true, lines: [.init(name: "A", old: price, new: price)],
                dependents: ["B", "C"], restGoesOn: true, period: .month, at: day)),
        .priceIncrease(
            .init(
                needsConsent: false, lines: [.init(name: "A", old: price, new: price)],
                period: .month, at: day)),
        .koreanConversion(
            .init(
                lines: [
                    .init(name: "A", isFree: true, price: price),
                    .init(name: "B", isFree: false, price: price),
                ], restGoesOn: true, period: .month, at: day, answerBy: day)),
        .renewalExtended(.init(name: "A", old: day, new: day)),
        .discontinued(
            .init(name: "A", ends: day, others: [.init(name: "B", price: price, period: .year)])),
        .discontinued(.init(name: "A", ends: day, others: [])),
        .refundDecided(.init(name: "A", bought: day, amount: price)),
        .refundDecided(.init(name: "A", bought: day, amount: price, isAsked: false)),
        .refundDecided(.init(name: "A", bought: day, amount: nil)),
        .sharing(.init(name: "A")), .sharing(.init(name: "A", giver: "Maria")),
    ]

    @Test("What is kept of a mail is read as it was", arguments: mails)
    func same(mail: CustomerMail) throws {
        #expect(try LetterText.content(LetterText.text(mail)) == mail)
    }

    @Test("A request about the end of an offer is read as earlier versions kept it")
    func earlier() throws {
        let text = """
            {"kind":"koreanConversion","name":"A","price":4990,"currency":"EUR","period":"P1M",\
            "isFree":true,"at":1768493109250,"answerBy":1768493109250}
            """
        #expect(
            try LetterText.content(text)
                == .koreanConversion(
                    .init(
                        lines: [.init(name: "A", isFree: true, price: Self.price)], period: .month,
                        at: Self.day, answerBy: Self.day)))
    }

    @Test("Every kind is kept")
    func complete() {
        #expect(Set(Self.mails.map(\.kind)) == Set(MailKind.allCases))
    }

    @Test(
        "A text that this store cannot have written is damage",
        arguments: [
            "", "{}", "[]", #"{"kind":"letter"}"#, #"{"kind":"welcome"}"#,
            #"{"kind":"receipt","order":"1","at":1,"items":[]}"#,
            #"{"kind":"cannotPay","name":"A","at":1,"period":"P0M"}"#,
            #"{"kind":"refundDecision","name":"A","at":1,"amount":-1,"currency":"USD"}"#,
            #"{"kind":"refundDecision","name":"A","at":1,"amount":1,"currency":"???"}"#,
        ])
    func damaged(text: String) {
        #expect(throws: (any Error).self) { try LetterText.content(text) }
    }
}
