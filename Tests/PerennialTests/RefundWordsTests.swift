import AppStoreWire
import ConnectAnswers
import Testing
import Timeline

@testable import perennial

@Suite("Refund requests in words")
struct RefundWordsTests {
    @Test("A list of requests says what was paid, why, and what the developer prefers")
    func requests() throws {
        let answer = Answer(
            value: try JSONValue(
                parsing: Array(
                    """
                    {"refundRequests":[{"id":17,"account":"anna","productId":"plus","bundleId":"a.b",
                    "transactionId":"9","quantity":1,"price":9990,"currency":"USD",
                    "reason":"UNINTENDED_PURCHASE","requested":"2026-02-20T00:00:00Z",
                    "state":"open","decides":"2026-02-20T12:00:00Z",
                    "consumption":{"preference":"GRANT_PRORATED"}}],"hasMore":true}
                    """.utf8)), source: "a test")
        #expect(
            try Refunds.table(answer, Style(columns: 160)) == [
                "request  requested         account  transaction  product      paid  reason      "
                    + "         developer       state",
                "     17  2026-02-20 00:00  anna     9            plus     9.99 USD  unintended "
                    + "purchase  grant prorated  open, decided by 2026-02-20 12:00",
                "and more: --limit",
            ])
    }

    @Test("A list of requests says what was given back of what was paid, and for how many")
    func granted() throws {
        let answer = Answer(
            value: try JSONValue(
                parsing: Array(
                    """
                    {"refundRequests":[{"id":18,"account":"anna","productId":"coins",
                    "bundleId":"a.b","transactionId":"9","quantity":3,"price":14990,
                    "currency":"USD","reason":"OTHER","requested":"2026-02-20T00:00:00Z",
                    "state":"granted","decided":"2026-02-20T12:00:00Z","refunded":11240,
                    "percentage":74983}],"hasMore":false}
                    """.utf8)), source: "a test")
        let lines = try Refunds.table(answer, Style(columns: 160))
        #expect(lines.first?.contains("paid  given back") == true, "\(lines)")
        #expect(
            lines.last?.contains("3 of coins  14.99 USD  11.24 of 14.99 USD (74.983 %)  other")
                == true, "\(lines)")
    }

    @Test(
        "What was given back is named with its share, and alone where it is all",
        arguments: [
            (11_240, 74_983, "11.24 of 14.99 USD (74.983 %)"),
            (7_495, 50_000, "7.495 of 14.99 USD (50 %)"), (10, 70, "0.01 of 14.99 USD (0.07 %)"),
            (14_990, 100_000, "14.99 USD"),
        ] as [(Int64, Int64, String)])
    func givenBack(refunded: Int64, percentage: Int64, text: String) {
        #expect(Figures.plain.givenBack(refunded, of: 14_990, "USD", percentage) == text)
    }
}
