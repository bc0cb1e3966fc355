import AppStoreWire
import ConnectAnswers
import SubscriptionRules
import Testing
import Timeline

@testable import perennial

@Suite("Answers of the store in words")
struct WordsTests {
    @Test("The log of notifications says how each one fared")
    func notifications() throws {
        let answer = try answer(
            """
            {"notifications":[
            {"id":4,"notificationType":"DID_RENEW","created":"2026-02-28T00:00:00Z",
            "originalTransactionId":"400000000000005","account":"anna",
            "delivered":true,"attempts":[{"at":"2026-02-28T00:00:00Z","result":"SUCCESS"}]},
            {"id":3,"notificationType":"SUBSCRIBED","subtype":"INITIAL_BUY",
            "created":"2026-01-31T00:00:00Z","delivered":false,
            "nextAttempt":"2026-01-31T01:00:00Z",
            "attempts":[{"at":"2026-01-31T00:00:00Z","result":"TIMED_OUT"}]},
            {"id":2,"notificationType":"TEST","created":"2026-01-30T00:00:00Z",
            "delivered":false,"nextAttempt":"2026-01-30T00:00:00Z","attempts":[]},
            {"id":1,"notificationType":"TEST","created":"2026-01-29T00:00:00Z",
            "delivered":false,"attempts":[{"at":"2026-01-29T00:00:00Z","result":"NO_RESPONSE"},
            {"at":"2026-01-29T01:00:00Z","result":"SOCKET_ISSUE"},
            {"at":"2026-01-29T13:00:00Z","result":"SOCKET_ISSUE"}]},
            {"id":0,"notificationType":"TEST","created":"2026-01-28T00:00:00Z",
            "delivered":true,"attempts":[{"at":"2026-01-28T00:00:00Z","result":"TIMED_OUT"},
            {"at":"2026-01-28T01:00:00Z","result":"TIMED_OUT"},
            {"at":"2026-01-28T13:00:00Z","result":"SUCCESS"}]}
            ],"hasMore":true}
            """)
        #expect(
            try NotificationsCommand.words(answer, Style(columns: 160)).map {
                $0.split(separator: " ").joined(separator: " ")
            } == [
                "created id notification about account tries outcome",
                "2026-02-28 00:00 4 DID_RENEW 400000000000005 anna 1 delivered",
                "2026-01-31 00:00 3 SUBSCRIBED/INITIAL_BUY 1 TIMED_OUT, again 2026-01-31 01:00",
                "2026-01-30 00:00 2 TEST 0 due 2026-01-30 00:00",
                "2026-01-29 00:00 1 TEST 3 NO_RESPONSE, SOCKET_ISSUE × 2, given up",
                "2026-01-28 00:00 0 TEST 3 TIMED_OUT × 2, SUCCESS, delivered",
                "and more: --limit",
            ])
    }

    @Test(
        "A payment method is told in a few words",
        arguments: [
            (#"{"behaviour":"approve"}"#, "approved"),
            (#"{"behaviour":"decline"}"#, "declined"),
            (#"{"behaviour":"later","answer":"paid"}"#, "pending"),
            (
                #"{"behaviour":"later","after":"P4D","answer":"paid"}"#,
                "approved after P4D"
            ),
            (
                #"{"behaviour":"later","after":"P4D","answer":"declined"}"#,
                "declined after P4D"
            ),
            (#"{"behaviour":"decline","count":1}"#, "declined once"),
            (#"{"behaviour":"decline","count":3}"#, "declined 3 times"),
            (
                #"{"behaviour":"decline","until":"2026-04-01T00:00:00Z"}"#,
                "declined until 2026-04-01 00:00"
            ),
        ] as [(String, String)])
    func payments(json: String, words: String) throws {
        #expect(CustomerCommand.payments(try answer(json).payment) == words)
    }

    @Test("A purchase without a transaction and without a bill waits for the renewal")
    func waiting() throws {
        let answer = try answer(#"{"result":"success"}"#)
        #expect(
            try BuyCommand.words(answer, "anna", "plus", Style()) == [
                "anna chose plus from the next renewal on."
            ])
    }

    @Test("A purchase names what was paid, until when, and the transaction")
    func bought() throws {
        // {"transactionId":"9","originalTransactionId":"5","price":1500000,"currency":"JPY",
        //  "expiresDate":1772236800000}
        let payload = """
            eyJ0cmFuc2FjdGlvbklkIjoiOSIsIm9yaWdpbmFsVHJhbnNhY3Rpb25JZCI6IjUiLCJwcmljZSI6MTUwMDAwMC\
            wiY3VycmVuY3kiOiJKUFkiLCJleHBpcmVzRGF0ZSI6MTc3MjIzNjgwMDAwMH0
            """
        let answer = try answer(
            #"{"result":"success","signedTransactionInfo":"e30.\#(payload).AA"}"#)
        #expect(
            try BuyCommand.words(answer, "anna", "plus", Style()) == [
                "anna bought plus for 1500 JPY, until 2026-02-28 00:00",
                "transaction 9, subscription 5",
            ])
    }

    @Test("What is owned already was not bought")
    func owned() throws {
        // {"transactionId":"9","originalTransactionId":"9","price":14990,"currency":"USD",
        //  "purchaseDate":1772236800000}
        let payload = """
            eyJ0cmFuc2FjdGlvbklkIjoiOSIsIm9yaWdpbmFsVHJhbnNhY3Rpb25JZCI6IjkiLCJwcmljZSI6MTQ5OTAsIm\
            N1cnJlbmN5IjoiVVNEIiwicHVyY2hhc2VEYXRlIjoxNzcyMjM2ODAwMDAwfQ
            """
        let answer = try answer(
            """
            {"result":"success","signedTransactionInfo":"e30.\(payload).AA","deliveredAgain":true}
            """)
        #expect(
            try BuyCommand.words(answer, "anna", "shears", Style()) == [
                "anna owns shears already since 2026-02-28 00:00: nothing was charged",
                "transaction 9",
            ])
    }

    @Test(
        "A step counts events of subscriptions, which a delivery is not",
        arguments: [
            (0, "2026-01-31 00:00 UTC, 1 step, 0 events of subscriptions"),
            (1, "2026-01-31 00:00 UTC, 1 step, 1 event of a subscription"),
        ])
    func steps(changes: Int, words: String) throws {
        let answer = try answer(
            #"{"now":"2026-01-31T00:00:00Z","steps":1,"changes":\#(changes)}"#)
        #expect(try StepCommand.words(answer) == [words])
    }

    @Test(
        "The list of price changes says whom each one concerns",
        arguments: [
            (#""price":1990,"cohortPrice":990,"forCohort":false"#, "purchases"),
            (
                #""price":1990,"cohortPrice":990,"forCohort":false,"existing":"preserve""#,
                "new purchases, who paid or was to pay more"
            ),
            (
                #""price":1990,"cohortPrice":990,"forCohort":false,"existing":"apply""#,
                "new purchases, who pays or is to pay 0.99 USD"
            ),
            (
                #""price":490,"cohortPrice":990,"forCohort":false,"existing":"preserve""#,
                "new purchases, who pays or is to pay more"
            ),
            (
                #""price":1990,"cohortPrice":990,"forCohort":true,"existing":"apply""#,
                "who keeps or is to pay 0.99 USD"
            ),
            (
                #""price":1990,"forCohort":false,"existing":"apply""#,
                "new purchases, who pays the list price"
            ),
        ] as [(String, String)])
    func priceChanges(members: String, whom: String) throws {
        let answer = try answer(
            """
            {"priceChanges":[{"start":"2026-01-31T00:00:00Z","productId":"plus","storefront":"USA",
            "currency":"USD",\(members),"state":"done","subscribers":7}],"hasMore":false}
            """)
        let line = try #require(try PriceChanges.table(answer, Style()).last)
        #expect(line.contains(" USD  \(whom)  done "), "\(line)")
    }

    @Test(
        "A price increase on its way says how far it has come",
        arguments: [
            (#""phase":"waiting""#, "19.99 USD is live, and waits until a renewal can be planned"),
            (
                #""phase":"planned","path":"consent","announcement":"2026-04-03T00:00:00Z","#
                    + #""renewal":"2026-04-30T00:00:00Z""#,
                "19.99 USD from 2026-04-30 00:00 on if agreed to, asked 2026-04-03 00:00"
            ),
            (
                #""phase":"planned","path":"notice","announcement":"2026-04-03T00:00:00Z","#
                    + #""renewal":"2026-04-30T00:00:00Z""#,
                "19.99 USD from 2026-04-30 00:00 on, told 2026-04-03 00:00"
            ),
            (
                #""phase":"asked","path":"consent","renewal":"2026-04-30T00:00:00Z""#,
                "19.99 USD from 2026-04-30 00:00 on if agreed to, not answered yet"
            ),
            (
                #""phase":"accepted","path":"consent","renewal":"2026-04-30T00:00:00Z""#,
                "19.99 USD from 2026-04-30 00:00 on, agreed to"
            ),
            (
                #""phase":"accepted","path":"notice","renewal":"2026-04-30T00:00:00Z""#,
                "19.99 USD from 2026-04-30 00:00 on, told"
            ),
            (
                #""phase":"declined","path":"consent","renewal":"2026-04-30T00:00:00Z""#,
                "19.99 USD from 2026-04-30 00:00 on was declined"
            ),
        ] as [(String, String)])
    func increases(members: String, words: String) throws {
        let subscription = try answer(
            #"{"currency":"USD","priceIncrease":{"price":19990,\#(members)}}"#)
        #expect(try Increases.lines(subscription) == [words])
        #expect(try Increases.lines(answer(#"{"currency":"USD"}"#)) == [])
    }

    @Test("The clock says what comes next, or that nothing does")
    func clock() throws {
        let ahead = try answer(
            """
            {"now":"2026-01-31T10:00:06Z","mode":"running","nextEvent":"2026-02-28T00:00:00Z"}
            """)
        #expect(
            try ClockShowCommand.words(ahead) == [
                "2026-01-31 10:00:06 UTC, running, next event 2026-02-28 00:00"
            ])
        let empty = try answer(#"{"now":"2026-01-31T10:00:06Z","mode":"frozen"}"#)
        #expect(
            try ClockShowCommand.words(empty) == [
                "2026-01-31 10:00:06 UTC, frozen, nothing is ahead"
            ])
    }

    private func answer(_ json: String) throws -> Answer {
        Answer(value: try JSONValue(parsing: Array(json.utf8)), source: "a test")
    }
}
