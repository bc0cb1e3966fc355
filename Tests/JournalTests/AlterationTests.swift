import AppStoreWire
import Journal
import SubscriptionRules
import Testing

@Suite("What became of items, on the wire")
struct AlterationTests {
    private func text(_ value: some WireEncodable) -> String {
        var json = JSONWriter()
        value.encode(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("What is written is read again, and absent stays absent")
    func again() throws {
        var one = Alteration(.repriced, of: "news", from: Instant(iso8601: "2026-02-01T00:00:00Z"))
        (one.formerSKU, one.displayName, one.price, one.formerPrice) = (
            "old", "News", 10_990, 9_990
        )
        (one.amount, one.status, one.path) = (990, .asked, .consent)
        one.announcement = Instant(iso8601: "2026-01-05T00:00:00Z")
        (one.dependents, one.offerMode, one.value) = (["chess", "go"], .freeTrial, "P1M")
        let json = try JSONValue(parsing: Array(text(one).utf8))
        #expect(
            Set(json.object?.keys.map { $0 } ?? [])
                == Set(Alteration.Member.allCases.map(\.rawValue)))
        #expect(Alteration(json) == one)
        let least = Alteration(.ends)
        #expect(text(least) == #"{"change":"ends"}"#)
        #expect(Alteration(try JSONValue(parsing: Array(text(least).utf8))) == least)
    }

    @Test("A change that only a later version knows is passed over, and its entry is read")
    func later() throws {
        let json = try JSONValue(
            parsing: Array(
                (#"{"sequence":3,"at":"2026-02-01T00:00:00Z","event":"becameDue","notices":[],"#
                    + #""items":[{"change":"melted","sku":"ice"},{"change":"paid","sku":"news","#
                    + #""amount":990}]}"#).utf8))
        let entry = try TimelineEntry(json)
        #expect(entry.items.map(\.kind) == [.paid])
        #expect(try TimelineEntry(JSONValue(parsing: Array(text(entry).utf8))) == entry)
    }
}
