import AppStoreWire
import Foundation
import Testing

@Suite("verifyReceipt on the wire")
struct VerifyReceiptTests {
    @Test("A request is read as it was written")
    func request() throws {
        let full = VerifyReceiptRequest(
            receiptData: "MIIT", password: "00112233445566778899aabbccddeeff",
            excludeOldTransactions: true)
        #expect(
            full.jsonText()
                == #"{"receipt-data":"MIIT","password":"00112233445566778899aabbccddeeff","#
                + #""exclude-old-transactions":true}"#)
        for request in [full, VerifyReceiptRequest(receiptData: "MIIT")] {
            #expect(try VerifyReceiptRequest(parsing: request.jsonBytes()) == request)
        }
        let text = #"{"receipt-data":"MIIT","password":null,"exclude-old-transactions":null,"#
        #expect(
            try VerifyReceiptRequest(parsing: Array((text + #""receipt":1}"#).utf8))
                == VerifyReceiptRequest(receiptData: "MIIT"))
    }

    @Test(
        "Each wrong form of a request has its status and says what is wrong",
        arguments: [
            ("", 21002, "not JSON"), ("{", 21002, "not JSON"), ("[]", 21002, "object"),
            ("null", 21002, "object"), ("{}", 21002, "missing"),
            (#"{"receipt-data":null}"#, 21002, "missing"),
            (#"{"receipt-data":""}"#, 21002, "missing"),
            (#"{"receipt_data":"MIIT"}"#, 21002, "missing"),
            (#"{"receipt-data":7}"#, 21002, "not a text"),
            (#"{"receipt-data":["MIIT"]}"#, 21002, "not a text"),
            (#"{"receipt-data":"MIIT","receipt-data":"MIIT"}"#, 21002, "twice"),
            (#"{"receipt-data":"MIIT","password":7}"#, 21004, "password"),
            (#"{"receipt-data":"MIIT","password":{}}"#, 21004, "password"),
            (#"{"receipt-data":"MIIT","exclude-old-transactions":"true"}"#, 21002, "neither"),
            (#"{"receipt-data":"MIIT","exclude-old-transactions":1}"#, 21002, "neither"),
            ("{\"receipt-data\":\"\u{0}\"}", 21002, "not JSON"),
        ] as [(String, Int, String)])
    func refusals(body: String, status: Int, word: String) throws {
        let refusal = try #require(throws: VerifyReceiptRequest.Refusal.self) {
            try VerifyReceiptRequest(parsing: Array(body.utf8))
        }
        #expect(refusal.status.rawValue == status)
        #expect(refusal.description.contains(word))
    }

    @Test("A request that is printed keeps its secret")
    func printing() {
        let request = VerifyReceiptRequest(receiptData: "MIIT", password: "secret")
        var dumped = "\(request)"
        dump(request, to: &dumped)
        #expect(!dumped.contains("secret"))
    }

    @Test("Every value of transactions and renewals is a text")
    func texts() throws {
        for name in [
            "receipt-transaction-full", "receipt-transaction-minimal", "receipt-renewal-full",
            "receipt-renewal-minimal",
        ] {
            let members = try #require(JSONValue(parsing: Sample.golden(name)).object)
            #expect(members.values.allSatisfy { $0.string != nil }, "\(name)")
        }
    }

    @Test("A number where a text should be, a flag that is none and a missing date are refused")
    func wrongValues() throws {
        let text = String(decoding: try Sample.golden("receipt-transaction-full"), as: UTF8.self)
        for (right, wrong) in [
            (#""quantity":"10""#, #""quantity":10"#), (#""10""#, #""ten""#),
            (#""is_trial_period":"true""#, #""is_trial_period":"yes""#),
            (#""is_trial_period":"true""#, #""is_trial_period":true"#),
            (#""purchase_date_ms":"1594755400000","#, ""),
            (#""expires_date_ms":"1597433800000""#, #""expires_date_ms":"soon""#),
            (#""product_id":"garden.monthly","#, ""),
        ] {
            #expect(text.contains(right))
            #expect(throws: DecodingError.self, "\(wrong)") {
                try Sample.decode(
                    ReceiptTransaction.self, Array(text.replacing(right, with: wrong).utf8))
            }
        }
    }

    @Test(
        "Whether to try again is read in every spelling",
        arguments: [
            (#""is_retryable":true"#, true), (#""is_retryable":1"#, true),
            (#""is-retryable":0"#, false), (#""is-retryable":false"#, false),
        ])
    func retryable(member: String, value: Bool) throws {
        let text = #"{"status":21150,\#(member)}"#
        let response = try Sample.decode(VerifyReceiptResponse.self, Array(text.utf8))
        #expect(response.isRetryable == value)
        #expect(response.status.advice == .asTheReplySays)
    }

    @Test("Whether to try again is 0 or 1")
    func wrongRetryable() {
        #expect(throws: DecodingError.self) {
            try Sample.decode(
                VerifyReceiptResponse.self, Array(#"{"status":0,"is_retryable":2}"#.utf8))
        }
    }

    @Test("Every status has a meaning of its own and says what to do")
    func statuses() {
        let meanings = VerifyReceiptStatus.known.map(\.meaning)
        #expect(Set(meanings).count == 12)
        #expect(VerifyReceiptStatus(rawValue: 5).advice == .giveUp)
        #expect(VerifyReceiptStatus(rawValue: 5).meaning == "This status is not known.")
        let advice: [VerifyReceiptStatus.Advice] = [
            .read, .giveUp, .giveUp, .retryOnce, .giveUp, .giveUp, .retryLater, .read, .askSandbox,
            .askProduction, .retryLater, .giveUp,
        ]
        #expect(VerifyReceiptStatus.known.map(\.advice) == advice)
        for number in [21100, 21199] {
            #expect(VerifyReceiptStatus(rawValue: number).advice == .asTheReplySays)
        }
        #expect(VerifyReceiptStatus(rawValue: 21200).advice == .giveUp)
    }
}
