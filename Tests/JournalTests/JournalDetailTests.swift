import Journal
import SubscriptionRules
import Testing

@Suite("What the journal says of an event")
struct JournalDetailTests {
    /// A detail in which everything is said at once that can be.
    private static let everything: JournalDetail = {
        var detail = JournalDetail()
        detail.productID = "silver"
        detail.currency = "USD"
        detail.until = Instant(milliseconds: 1)
        detail.nextProductID = "bronze"
        detail.planChange = .downgrade
        detail.offerMode = .payUpFront
        detail.offer = NamedOffer(kind: .promotional, id: "spring")
        detail.nextOffer = NamedOffer(kind: .offerCode, id: "summer")
        (detail.declined, detail.pending) = (2, 3)
        (detail.billID, detail.billProductID) = (4, "gold")
        detail.refunded = 5
        (detail.asked, detail.note) = ("a \"b\"", "ü")
        (detail.oldPrice, detail.newPrice) = (6, 7)
        detail.newPriceFrom = Instant(milliseconds: 8)
        detail.pricedProductID = "bronze"
        detail.graceUntil = Instant(milliseconds: 9)
        detail.notices = ["DID_RENEW", "EXPIRED/VOLUNTARY"]
        let changes = ColumnChanges([
            .init("plan", .text("{}")), .init("term_end", .integer(-1)), .init("renews", .null),
        ])
        detail.changes = changes
        detail.transactions = [
            TransactionChanges(id: 10, changes), TransactionChanges(id: 11, ColumnChanges()),
        ]
        detail.provoked = "REFUND"
        detail.trouble = "unanswered"
        detail.scheduled = JournalDetail.Scheduled(
            storefront: "USA", price: 12, cohortPrice: 13, start: Instant(milliseconds: 14),
            existing: "apply", billingPlan: "MONTHLY")
        detail.massExtension = JournalDetail.MassExtension(
            days: 15, candidates: 16, succeeded: 17, failed: 18)
        detail.consumption = JournalDetail.Consumption(
            preference: "DECLINE", percentage: 19, body: "{}")
        detail.member = "bea"
        detail.instalment = 20
        detail.devices = [
            DeviceQueue(
                device: 21, name: "phone", watermark: 22, restoredAfter: 23, restoredUntil: 24,
                began: 25)
        ]
        return detail
    }()

    @Test("What is written is read again, all of it, of every kind")
    func roundTrip() throws {
        for word in [nil, JournalDetail.BankWord(.restored, leaving: .paid)] {
            var detail = Self.everything
            detail.word = word
            let text = try #require(detail.text)
            #expect(try JournalDetail(text: text) == detail)
            for member in JournalDetail.Member.allCases
            where word != nil || ![.answer, .state].contains(member) {
                #expect(text.contains(member.mark + ":"), "\(member)")
            }
        }
        for step in JournalDetail.PlanStep.allCases {
            for mode in Offer.Mode.allCases {
                var detail = JournalDetail()
                (detail.planChange, detail.offerMode) = (step, mode)
                #expect(try JournalDetail(text: #require(detail.text)) == detail)
            }
        }
        for answer in BankAnswer.allCases {
            for state in BillState.allCases {
                var detail = JournalDetail()
                detail.word = JournalDetail.BankWord(answer, leaving: state)
                #expect(try JournalDetail(text: #require(detail.text)) == detail)
            }
        }
    }

    /// Texts as stores wrote them before there was this type: the same bytes, for ever.
    static let stored = [
        #"{"product":"silver","currency":"USD","until":1769904000000,"nextProduct":"bronze","#
            + #""planChange":"downgrade","offer":"FREE_TRIAL","declined":9990,"#
            + #""pending":1,"bill":2,"#
            + #""billProduct":"gold","refunded":3,"asked":"silver 1","note":"why","oldPrice":9990,"#
            + #""newPrice":19990,"newPriceFrom":1769904000000,"graceUntil":1769904000000,"#
            + #""notices":["DID_RENEW"],"changed":{"plan":"{}","term_end":5},"#
            + #""cleared":["renews"],"transactions":[{"id":7,"changed":{"is_upgraded":1}},"#
            + #"{"id":8,"changed":{},"cleared":["refunded","revoked_at"]}]}"#,
        #"{"product":"silver","currency":"USD","until":1769904000000,"changed":{}}"#,
        #"{"bill":4,"product":"silver","currency":"USD","declined":9990,"answer":"declined","#
            + #""state":"declined"}"#,
        #"{"bill":4,"product":"silver","currency":"USD","pending":9990,"answer":"pending","#
            + #""asked":"silver 1","state":"sent"}"#,
        #"{"bill":4,"trouble":"unanswered"}"#,
        #"{"asked":"coins 2"}"#,
        #"{"product":"silver","note":"a-b","days":5,"candidates":3,"succeeded":2,"failed":1}"#,
        #"{"product":"silver","storefront":"USA","currency":"USD","price":19990,"#
            + #""cohortPrice":9990,"start":1769904000000,"existing":"preserve"}"#,
        #"{"product":"coins","currency":"USD","refunded":990,"notices":["REFUND"],"#
            + #""transactions":[{"id":7,"changed":{"refunded":990}}]}"#,
        #"{"transactions":[{"id":7,"changed":{"app_account_token":"t"}}]}"#,
        #"{"product":"silver","currency":"USD","until":1769904000000,"nextProduct":"bronze","#
            + #""provoked":"EXPIRED/VOLUNTARY"}"#,
        #"{"preference":"DECLINE","percentage":50000,"body":"{\"customerConsented\":true}"}"#,
    ]

    @Test("The bytes of the journal stay as they were", arguments: stored)
    func bytes(text: String) throws {
        #expect(try JournalDetail(text: text).text == text)
    }

    @Test("The columns stand in the order in which the writer gives them, empty ones apart")
    func columns() {
        var detail = JournalDetail()
        detail.changes = ColumnChanges([
            .init("term_end", .integer(1)), .init("increase", .null), .init("plan", .text("p")),
        ])
        #expect(
            detail.text == #"{"changed":{"term_end":1,"plan":"p"},"cleared":["increase"]}"#)
    }

    @Test("Where there is nothing to say, nothing is stored")
    func nothing() { #expect(JournalDetail().text == nil) }

    @Test(
        "What an older version did not write is absent, and what a later one does is passed over",
        arguments: [
            #"{"product":"silver","currency":"USD"}"#,
            #"{"product":"silver","currency":"USD","planChange":"sidegrade"}"#,
            #"{"product":"silver","currency":"USD","answer":"thinking","offer":"PAY_NEVER"}"#,
            #"{"product":"silver","currency":"USD","mood":{"good":true},"notices":[]}"#,
            #"{"product":"silver","currency":"USD","transactions":[{"changed":{}}],"bill":"4"}"#,
        ])
    func otherVersions(text: String) throws {
        var expected = JournalDetail()
        (expected.productID, expected.currency) = ("silver", "USD")
        #expect(try JournalDetail(text: text) == expected)
    }

    @Test(
        "What was damaged is said without being quoted",
        arguments: [
            ("{", "the text is no JSON object"), ("[]", "the text is no JSON object"),
            (#"{"until":-1}"#, "until is impossible in the JSON text"),
            (#"{"until":null}"#, "until is impossible in the JSON text"),
            (#"{"graceUntil":"soon"}"#, "graceUntil is impossible in the JSON text"),
            (#"{"newPriceFrom":9e99}"#, "newPriceFrom is impossible in the JSON text"),
        ])
    func damaged(text: String, message: String) {
        let error = #expect(throws: JournalDetail.Unreadable.self) {
            try JournalDetail(text: text)
        }
        #expect(error?.message == message)
    }
}
