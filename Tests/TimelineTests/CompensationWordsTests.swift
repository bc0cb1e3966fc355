import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("New prices, extensions and refunds in words")
struct CompensationWordsTests {
    private static let newest: Int64 = 400_000_000_000_009

    /// A period from 31 January to 28 February 2026, then one event.
    private func life(
        _ event: String, notices: [String] = [], _ change: (inout TimelineEntry) -> Void = { _ in }
    ) -> Life {
        var entry = Lives.entry("2026-02-10", event, notices: notices)
        entry.until = Lives.moment("2026-02-28")
        change(&entry)
        return Lives.life(
            [
                Lives.entry(
                    "2026-01-31", "chosePlan", opens: Lives.moment("2026-02-28"), amount: 9990,
                    notices: ["SUBSCRIBED/INITIAL_BUY"]), entry,
            ], expires: Lives.moment("2026-02-28"), now: Lives.moment("2026-02-20"))
    }

    @Test(
        "Each event has words of its own",
        arguments: [
            (
                "agreedToPriceIncrease", nil, "agreed to 19.99 USD", "which changed nothing"
            ),
            (
                "declinedPriceIncrease", nil, "declined 19.99 USD", "which changed nothing"
            ), ("turnedRenewalOff", nil, "turned renewal off", "which changed nothing"),
            ("wasExtended", nil, "renewal date extended", "to 2026-02-28 00:00"),
            (
                "extensionFailed", "limitReached 0b7a2c1e", "not extended",
                "it was extended twice within 365 days"
            ), ("extensionFailed", "brandNew", "not extended", "brandNew"),
            (
                "requestedRefund", "UNINTENDED_PURCHASE", "asked for a refund",
                "it was bought by mistake"
            ), ("requestedRefund", "NEW_REASON", "asked for a refund", "new reason"),
            ("refundWasDeclined", nil, "refund declined", nil),
            ("setAppAccountToken", nil, "got another app account token", nil),
            ("somethingNewHappened", nil, "something new happened", nil),
        ] as [(String, String?, String, String?)])
    func words(event: String, note: String?, text: String, more: String?) throws {
        let life = life(event) {
            $0.transactionID = Self.newest
            $0.newPrice = 19_990
            $0.note = note
        }
        let last = try #require(life.events.last)
        #expect(last.text == text)
        #expect(last.notes.map(\.text) == [more].compactMap(\.self))
        #expect(last.amount.isEmpty)
        // It is about the newest transaction, and begins no period.
        #expect(life.renewals == 0)
        #expect(life.stretches.map(\.kind) == [.paid])
    }

    @Test("A price rises or falls, and an announcement says what is wanted")
    func prices() throws {
        let from = Lives.moment("2026-03-31")
        let rise = life("priceWasChanged") {
            ($0.oldPrice, $0.newPrice, $0.newPriceFrom) = (9_990, 19_990, from)
        }
        #expect(rise.events.last?.text == "price rises to 19.99 USD")
        #expect(rise.events.last?.notes.first?.text == "from 2026-03-31 00:00 on")
        let waiting = life("priceWasChanged") { ($0.oldPrice, $0.newPrice) = (9_990, 19_990) }
        #expect(waiting.events.last?.notes.first?.text == "nothing is planned yet")
        let fall = life("priceWasChanged") { ($0.oldPrice, $0.newPrice) = (9_990, 7_990) }
        #expect(fall.events.last?.text == "price falls to 7.99 USD")
        var withdrawn = rise
        withdrawn.entries.append(Lives.entry("2026-02-12", "priceWasChanged"))
        (withdrawn.entries[2].oldPrice, withdrawn.entries[2].newPrice) = (9_990, 9_990)
        #expect(withdrawn.events.last?.text == "price increase withdrawn")
        #expect(withdrawn.events.last?.notes.map(\.text) == ["stays at 9.99 USD"])
        let asked = life("becameDue", notices: ["PRICE_INCREASE/PENDING"]) {
            ($0.newPrice, $0.newPriceFrom) = (19_990, from)
        }
        #expect(asked.events.last?.text == "asked to agree to 19.99 USD")
        #expect(asked.marks.map(\.kind) == [.price, .now])
        let told = life("becameDue", notices: ["PRICE_INCREASE/ACCEPTED"])
        #expect(told.events.last?.text == "told of a higher price")
    }

    @Test("A refund of the newest period ends it, and a reversal goes on with it")
    func refund() throws {
        var refunded = life("wasRefunded", notices: ["REFUND"]) {
            $0.transactionID = Self.newest
            $0.refunded = 9_990
        }
        #expect(refunded.stretches.map(\.kind) == [.paid, .revoked])
        #expect(refunded.marks.map(\.kind) == [.refund, .now])
        #expect(refunded.events.last?.amount == "-9.99 USD")
        #expect(refunded.paid == "0.00 USD")
        var reversal = Lives.entry("2026-02-15", "refundWasReversed")
        reversal.transactionID = Self.newest
        reversal.until = Lives.moment("2026-02-28")
        reversal.takenAgain = 9_990
        refunded.entries.append(reversal)
        #expect(refunded.stretches.map(\.kind) == [.paid, .revoked, .paid])
        #expect(refunded.events.last?.amount == "9.99 USD")
        #expect(refunded.paid == "9.99 USD")
    }

    @Test("A refund of an older period leaves the band as it is")
    func older() {
        let life = life("wasRefunded") {
            $0.transactionID = 400_000_000_000_001
            $0.refunded = 9_990
        }
        #expect(life.stretches.map(\.kind) == [.paid])
        #expect(life.marks.map(\.kind) == [.refund, .now])
    }
}
