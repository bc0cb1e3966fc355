import AppStoreWire
import ConnectAnswers
import Testing

@testable import perennial

@Suite("Bills in words")
struct BillWordsTests {
    @Test(
        "A bill says what happens to it by itself",
        arguments: [
            (#""state":"sent""#, "sent"), (#""state":"void""#, "void"),
            (
                #""state":"pending","nextEvent":"2026-02-01T00:00:00Z""#,
                "pending, given up 2026-02-01 00:00"
            ),
            (
                #""state":"pending","nextEvent":"2026-02-01T00:00:00Z","#
                    + #""answers":"2026-02-03T00:00:00Z""#,
                "pending, given up 2026-02-01 00:00"
            ),
            (
                #""state":"pending","nextEvent":"2026-02-01T00:00:00Z","#
                    + #""answers":"2026-02-01T00:00:00Z""#,
                "pending, answered by itself 2026-02-01 00:00"
            ),
        ] as [(String, String)])
    func conditions(members: String, words: String) throws {
        #expect(
            try Bills.pending(bill(members)).first == "bill 9 of 3.00 USD for 3 of gems is \(words)"
        )
    }

    @Test("A bill that is to be given up says so, while the bank has it")
    func voiding() throws {
        for (state, words) in [("pending", "pending, to be given up"), ("paid", "paid")] {
            let answer = try bill(#""state":"\#(state)""#, isVoiding: true)
            #expect(try Bills.pending(answer).first?.hasSuffix("is \(words)") == true)
        }
    }

    private func bill(_ members: String, isVoiding: Bool = false) throws -> Answer {
        let json = """
            {"id":"9","amount":3000,"currency":"USD","productId":"gems","quantity":3,
             "voiding":\(isVoiding),\(members)}
            """
        return Answer(value: try JSONValue(parsing: Array(json.utf8)), source: "a test")
    }
}
