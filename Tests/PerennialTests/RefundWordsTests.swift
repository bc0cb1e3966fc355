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
                    "transactionId":"9","price":9990,"currency":"USD",
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
}
