import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("The band of a life")
struct BandTests {
    @Test("A stretch too short for its share gets a character all the same")
    func shortStretch() {
        var life = Lives.fiveYears
        let last = life.entries.count - 1
        life.entries[last] = Lives.entry(
            "2031-01-31", "becameDue", notices: ["DID_FAIL_TO_RENEW/GRACE_PERIOD"])
        life.entries[last].declined = 9990
        life.entries[last].graceUntil = Lives.moment("2031-02-03")
        #expect(band(life).contains("▒"))
    }

    @Test("Stretches follow each other without gaps")
    func noGaps() {
        let stretches = Lives.stormy.stretches
        #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.end == $1.start })
        var kinds: [Stretch.Kind] = []
        for stretch in stretches where stretch.kind != kinds.last { kinds.append(stretch.kind) }
        #expect(kinds == [.trial, .paid, .grace, .retry, .paid, .expired, .paid])
    }

    @Test("Renewal-date extensions lengthen the period that runs")
    func extended() {
        var life = Lives.life(
            [
                Lives.entry(
                    "2026-01-01", "chosePlan", opens: Lives.moment("2026-02-01"), amount: 9990),
                Lives.entry("2026-01-10", "extendedRenewalDate"),
            ], expires: Lives.moment("2026-03-01"), now: Lives.moment("2026-01-15"))
        life.entries[1].until = Lives.moment("2026-03-01")
        #expect(
            life.stretches == [
                Stretch(
                    kind: .paid, start: Lives.moment("2026-01-01"),
                    end: Lives.moment("2026-03-01"))
            ])
        #expect(life.events.last?.text == "extended renewal date")
    }

    @Test("Marks stand at what happened and at now")
    func marks() {
        #expect(Lives.stormy.marks.map(\.kind) == [.upgrade, .planChange, .end, .now])
    }

    @Test("Marks of one place stand side by side, and the legend has those that are there")
    func crowded() throws {
        var life = Lives.fiveYears
        let last = try #require(life.entries.last?.at)
        for event in ["wasRefunded", "wasEnded", "wasEnded", "wasExtended"] {
            var entry = Lives.entry("2031-01-31", event)
            entry.at = last
            if event == "wasRefunded" { entry.refunded = 9990 }
            life.entries.append(entry)
        }
        var lines = Band(life, style: Style(), width: 76)?.lines ?? []
        #expect(lines.first?.hasSuffix("   ↩✕+▼") == true)
        #expect(lines.first?.count == 76)
        #expect(lines.last == "█ paid   + extended   ↩ refund   ✕ end   ▼ now")
        life.now = life.now + .days(3650)
        lines = Band(life, style: Style(), width: 40)?.lines ?? []
        #expect(lines.first?.contains("↩✕+  ") == true)
        #expect(lines.first?.last == "▼")
    }

    @Test("What was paid is summed by currency")
    func currencies() {
        var life = Lives.fiveYears
        life.entries[1].currency = "JPY"
        life.entries[1].amount = 1_500_000
        #expect(life.paid == "599.40 USD + 1500 JPY")
    }

    @Test(
        "Ticks fit the length of the life",
        arguments: [
            ("2026-01-31T10:00:00Z", "2026-01-31T10:50:00Z", "10:10"),
            ("2026-01-01", "2026-01-20", "01-08"), ("2026-01-15", "2026-11-01", "Apr"),
            ("2026-01-15", "2034-11-01", "2030"), ("2000-01-01", "2099-12-31", "2050"),
        ])
    func ticks(start: String, end: String, label: String) {
        let ruler = Ruler(start: Lives.moment(start), end: Lives.moment(end), width: 76)
        #expect(ruler.labels.contains(label), "\(ruler.labels)")
        #expect(ruler.labels.count <= 76)
        #expect(ruler.axis(Style()).count == 76)
    }

    @Test("Product names lose the beginning that all share, never their last part")
    func names() {
        let names = ProductNames(of: Lives.stormy)
        #expect(names.short(Lives.flowers) == "flowers.monthly")
        #expect(ProductNames(of: Lives.fiveYears).short(Lives.monthly) == "monthly")
        var life = Lives.life(
            [], expires: Lives.moment("2026-02-28"), now: Lives.moment("2026-02-28"))
        for (product, short) in [
            ("monthly.premium.999", "premium.999"),
            ("a.annual_39.99_no_trial", "annual_39.99_no_trial"),
            ("1.2", "1.2"), ("plus", "plus"), ("..", ".."),
        ] {
            life.productID = product
            #expect(ProductNames(of: life).short(product) == short)
        }
    }

    private func band(_ life: Life) -> String {
        Band(life, style: Style(), width: 76)?.lines[1] ?? ""
    }
}
