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
        "Names of the wire are spelled out as words, in either style",
        arguments: [
            ("extendedRenewalDate", "extended renewal date"),
            ("UNSATISFIED_WITH_PURCHASE", "unsatisfied with purchase"), ("LEGAL", "legal"),
            ("open", "open"),
        ])
    func spelledOut(name: String, words: String) {
        #expect(Words.spelledOut(name) == words)
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

    @Test("A refund of what paid for the last items ends the band, and a reversal goes on with it")
    func lastItems() {
        var life = life("itemsWereRefunded") {
            $0.transactionID = 400_000_000_000_001
            $0.revoked = true
        }
        #expect(life.stretches.map(\.kind) == [.paid, .revoked])
        var reversal = Lives.entry("2026-02-15", "refundWasReversed")
        reversal.transactionID = 400_000_000_000_001
        reversal.until = Lives.moment("2026-02-28")
        reversal.revoked = true
        life.entries.append(reversal)
        #expect(life.stretches.map(\.kind) == [.paid, .revoked])
        life.entries[life.entries.count - 1].revoked = false
        #expect(life.stretches.map(\.kind) == [.paid, .revoked, .paid])
    }

    @Test("A rise that never comes, since another plan begins before, says so")
    func overtaken() throws {
        var waiting = life("priceWasChanged") {
            ($0.oldPrice, $0.newPrice) = (9_990, 19_990)
            // An earlier version told of a day all the same.
            $0.newPriceFrom = Lives.moment("2026-03-31")
            $0.nextProductID = Lives.flowers
        }
        let rise = try #require(waiting.events.last)
        #expect(rise.text == "price rises to 19.99 USD")
        #expect(
            rise.notes.map(\.text) == ["not charged, since flowers.monthly begins before"])
        (waiting.entries[1].oldPrice, waiting.entries[1].newPrice) = (9_990, 7_990)
        #expect(waiting.events.last?.text == "price falls to 7.99 USD")
        #expect(
            waiting.events.last?.notes.map(\.text)
                == ["not charged, since flowers.monthly begins before"])
    }

    @Test(
        "A new price of a plan that waits names its product, and is no increase of the one before")
    func waitingPlan() throws {
        var waiting = life("priceWasChanged") {
            ($0.oldPrice, $0.newPrice) = (4_990, 5_990)
            ($0.nextProductID, $0.pricedProductID) = (Lives.flowers, Lives.flowers)
        }
        let rise = try #require(waiting.events.last)
        #expect(rise.text == "price of flowers.monthly rises to 5.99 USD")
        #expect(
            rise.notes.map(\.text)
                == ["its first period costs 4.99 USD, more is charged after notice"])
        var stays = Lives.entry("2026-02-12", "chosePlan")
        stays.until = Lives.moment("2026-02-28")
        var leaves = Lives.entry(
            "2026-02-13", "chosePlan", notices: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        leaves.nextProductID = Lives.flowers
        waiting.entries += [stays, leaves]
        #expect(!waiting.events.flatMap(\.notes).contains { $0.text.contains("is void") })
        waiting.entries = Array(waiting.entries.prefix(2))
        (waiting.entries[1].oldPrice, waiting.entries[1].newPrice) = (4_990, 3_990)
        #expect(waiting.events.last?.text == "price of flowers.monthly falls to 3.99 USD")
        #expect(waiting.events.last?.notes.map(\.text) == ["from the next renewal on"])
        waiting.entries[1].newPrice = 4_990
        #expect(waiting.events.last?.text == "price of flowers.monthly stays")
    }

    @Test("An increase is void once, however often another plan is chosen")
    func voidOnce() throws {
        var life = life("priceWasChanged") { ($0.oldPrice, $0.newPrice) = (9_990, 19_990) }
        for (day, product) in [("2026-02-11", Lives.flowers), ("2026-02-12", "other.weekly")] {
            var choice = Lives.entry(
                day, "chosePlan", notices: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
            choice.nextProductID = product
            life.entries.append(choice)
        }
        let notes = life.events.map { $0.notes.map(\.text) }
        #expect(notes[2].contains("the increase to 19.99 USD is void"))
        #expect(!notes[3].contains("the increase to 19.99 USD is void"))
    }

    @Test("A plan that is chosen again is said to be, and what it costs if that is another price")
    func chosenAgain() throws {
        func choice(_ day: String, _ notices: [String]) -> TimelineEntry {
            var choice = Lives.entry(day, "chosePlan", notices: notices)
            choice.nextProductID = Lives.flowers
            return choice
        }
        let downgrade = ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"]
        var life = life("chosePlan", notices: downgrade) { $0.nextProductID = Lives.flowers }
        life.entries.append(choice("2026-02-11", []))
        #expect(life.events.map(\.text).suffix(2).first == "chose flowers.monthly")
        #expect(life.events.last?.text == "chose flowers.monthly again")
        #expect(life.events.last?.notes.map(\.text) == ["which changed nothing"])
        var dearer = choice("2026-02-13", [])
        (dearer.oldPrice, dearer.newPrice) = (4_990, 5_990)
        dearer.pricedProductID = Lives.flowers
        life.entries += [dearer, choice("2026-02-14", [])]
        #expect(
            life.events.suffix(2).map { $0.notes.map(\.text) }
                == [["for 5.99 USD now"], ["which changed nothing"]])
        // Where renewal was off it is on again.
        life.entries.append(choice("2026-02-15", ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"]))
        #expect(life.events.last?.text == "chose flowers.monthly")
        // What waits for the bank is asked for once.
        var asked = Lives.entry("2026-02-16", "chosePlan")
        (asked.billID, asked.pending, asked.billProductID) = (5, 4_990, Lives.flowers)
        var again = asked
        again.pending = nil
        life.entries += [asked, again]
        #expect(
            life.events.suffix(2).map(\.text)
                == ["asked for flowers.monthly", "asked for flowers.monthly again"])
        #expect(life.events.last?.notes.map(\.text) == ["which changed nothing"])
    }
}
