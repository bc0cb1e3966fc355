import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("What a drawing of a life shows")
struct LifeSketchTests {
    @Test("A life in which nothing happened is not drawn")
    func nothing() {
        let life = Lives.life(
            [], expires: Lives.moment("2026-02-01"), now: Lives.moment("2026-01-01"))
        #expect(LifeSketch(life) == nil)
    }

    @Test("Plans follow each other where there was access or a payment awaited")
    func plans() throws {
        let sketch = try #require(LifeSketch(Lives.stormy))
        #expect(
            sketch.plans.map(\.text) == [
                "flowers.monthly", "estate.monthly", "flowers.monthly", "flowers.monthly",
            ])
        for (one, next) in zip(sketch.plans, sketch.plans.dropFirst()) {
            #expect(one.end <= next.start)
            #expect(one.start < one.end)
        }
        #expect(sketch.plans.first?.start == sketch.span.lowerBound)
        #expect(sketch.plans[2].end == Lives.moment("2027-02-10"))
        #expect(sketch.plans[3].start == Lives.moment("2027-05-01"))
    }

    @Test("Prices are those of the periods, the free ones too, and equal ones are one label")
    func prices() throws {
        let sketch = try #require(LifeSketch(Lives.fiveYears))
        #expect(sketch.prices.map(\.text) == ["9.99 USD"])
        #expect(sketch.prices.first?.start == sketch.span.lowerBound)
        let stormy = try #require(LifeSketch(Lives.stormy))
        #expect(
            stormy.prices.map(\.text) == [
                "0.00 USD", "4.99 USD", "9.99 USD", "4.99 USD", "4.99 USD",
            ])
    }

    @Test("Charges stand where something was paid")
    func charges() throws {
        let sketch = try #require(LifeSketch(Lives.fiveYears))
        #expect(sketch.charges.count == 61)
        #expect(sketch.charges == sketch.charges.sorted())
        let stormy = try #require(LifeSketch(Lives.stormy))
        #expect(!stormy.charges.contains(Lives.moment("2026-01-31")), "a trial costs nothing")
        #expect(stormy.charges.contains(Lives.moment("2026-07-10")))
        #expect(stormy.notices.contains(Lives.moment("2027-01-15T12:30:00Z")))
    }

    @Test("A life that ends unless a price is agreed to says so, and nothing is drawn ahead")
    func consent() throws {
        var life = Lives.fiveYears
        #expect(life.condition.hasPrefix("active, renews"))
        life.awaitsConsent = true
        #expect(life.condition.hasPrefix("active, ends"))
        #expect(life.condition.hasSuffix("unless the new price is agreed to"))
        #expect(try #require(LifeSketch(life)).ahead == nil)
    }

    @Test("What is owed is what was declined last, as long as it is tried again")
    func owed() {
        var declined = JournalEvent(named: "becameDue", at: Lives.moment("2026-02-01"))
        (declined.declined, declined.currency) = (9990, "EUR")
        var life = Lives.life(
            [TimelineEntry(sequence: 2, declined)], expires: Lives.moment("2026-02-01"),
            now: Lives.moment("2026-02-03"))
        for (state, owed) in [("grace", "9.99 EUR"), ("retrying", "9.99 EUR"), ("active", nil)] {
            life.state = state
            #expect(life.owed == owed)
        }
    }

    @Test("Amounts and moments are written as the reader wants them")
    func figures() throws {
        var life = Lives.fiveYears
        life.figures = Figures(amount: { "<\($0) \($1)>" }, moment: { _ in "then" })
        #expect(life.events.first?.amount == "<9990 USD>")
        #expect(life.condition == "active, renews then")
        #expect(try #require(LifeSketch(life)).prices.map(\.text) == ["<9990 USD>"])
        #expect(life.paid.hasPrefix("<"))
    }

    @Test("The next period is drawn in outline, as long as the newest one")
    func ahead() throws {
        var life = Lives.fiveYears
        let sketch = try #require(LifeSketch(life))
        let last = try #require(sketch.access.last)
        let ahead = try #require(sketch.ahead)
        #expect(ahead.start == last.end)
        #expect(ahead.end.since(ahead.start) == last.end.since(last.start))
        #expect(sketch.span.upperBound == ahead.end)
        life.renewsAutomatically = false
        #expect(try #require(LifeSketch(life)).ahead == nil)
        life.renewsAutomatically = true
        life.isNextForSale = false
        #expect(try #require(LifeSketch(life)).ahead == nil)
        #expect(try #require(LifeSketch(Lives.sandbox)).ahead == nil)
    }

    @Test("Quiet is what lies between an end and a new beginning, and after the last end")
    func quiet() throws {
        let stormy = try #require(LifeSketch(Lives.stormy))
        #expect(stormy.quiet == [Lives.moment("2027-02-10")..<Lives.moment("2027-05-01")])
        #expect(try #require(LifeSketch(Lives.fiveYears)).quiet.isEmpty)
        let sandbox = try #require(LifeSketch(Lives.sandbox))
        #expect(sandbox.quiet.count == 1)
        #expect(sandbox.quiet.last?.upperBound == sandbox.span.upperBound)
    }

    @Test(
        "What is drawn lies within the span",
        arguments: ["fiveYears", "stormy", "sandbox"])
    func span(name: String) throws {
        let lives = [
            "fiveYears": Lives.fiveYears, "stormy": Lives.stormy, "sandbox": Lives.sandbox,
        ]
        let life = try #require(lives[name])
        let sketch = try #require(LifeSketch(life))
        let moments =
            sketch.access.flatMap { [$0.start, $0.end] } + sketch.marks.map(\.at)
            + sketch.charges + sketch.plans.flatMap { [$0.start, $0.end] }
            + sketch.prices.flatMap { [$0.start, $0.end] } + [life.now]
        for moment in moments {
            #expect(sketch.span.lowerBound <= moment && moment <= sketch.span.upperBound)
        }
    }
}
