import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("Words for what a family shares")
struct SharingWordsTests {
    /// A period from 31 January to 28 February 2026, and what comes after its beginning.
    private func life(_ later: TimelineEntry...) -> Life {
        Lives.life(
            [
                Lives.entry(
                    "2026-01-31", "chosePlan", opens: Lives.moment("2026-02-28"), amount: 9990,
                    notices: ["SUBSCRIBED/INITIAL_BUY"])
            ] + later, expires: Lives.moment("2026-02-28"), now: Lives.moment("2026-02-20"))
    }

    private func words(
        _ name: String, member: String? = nil, note: String? = nil, notices: [String] = []
    ) throws -> [String] {
        var entry = Lives.entry("2026-02-10", name, notices: notices)
        (entry.member, entry.note) = (member, note)
        let event = try #require(life(entry).events.last)
        return [event.text] + event.notes.map(\.text)
    }

    @Test("Each of them says who it is, and why")
    func words() throws {
        #expect(
            try words("gainedAccess", member: "bea", notices: ["SUBSCRIBED/INITIAL_BUY"])
                == ["shared with bea"])
        #expect(
            try words("gainedAccess", member: "bea", notices: ["SUBSCRIBED/RESUBSCRIBE"])
                == ["shared with bea", "who had it before"])
        for (name, words) in [
            ("left", "who left the family"), ("purchaserLeft", "the purchaser left the family"),
            ("stopped", "the purchaser stopped sharing"), ("hidden", "the purchaser hid it"),
            ("notShareable", "the new product is not shared"),
            ("refunded", "the purchaser was refunded"), ("atLast", "at last"),
        ] {
            #expect(
                try self.words("lostAccess", member: "bea", note: name)
                    == ["no longer shared with bea", words])
        }
        #expect(try words("changedSharing", note: "on") == ["turned sharing on"])
        #expect(try words("changedSharing", note: "off") == ["turned sharing off"])
        #expect(try words("sharesFollowed") == ["the family's transactions followed"])
    }

    @Test("The condition and the plan stay as they were")
    func besides() {
        let after = life(Lives.entry("2026-02-10", "lostAccess"))
        #expect(after.stretches.map(\.kind) == life().stretches.map(\.kind))
        #expect(after.events.count == life().events.count + 1)
    }
}
