import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("Rows of what happened")
struct ChronicleTests {
    @Test("A long run of the same is one row between its first and its last")
    func folded() throws {
        let rows = Chronicle(Lives.fiveYears).rows
        #expect(rows.count == 4)
        guard case .event(let first) = rows[0], case .event(let renewal) = rows[1],
            case .folded(let count, let pattern) = rows[2], case .event(let last) = rows[3]
        else {
            Issue.record("\(rows)")
            return
        }
        #expect(first.notices == ["SUBSCRIBED/INITIAL_BUY"])
        #expect(renewal.notices == ["DID_RENEW"])
        #expect(count == 58)
        #expect(pattern.count == 1)
        #expect(last.at == Lives.fiveYears.entries.last?.at)
        let summary = try #require(rows[2].summary(dots: "…"))
        #expect(summary.hasPrefix("… 58 "))
        #expect(summary.hasSuffix(", 9.99 USD each"))
        #expect(rows[0].summary(dots: "…") == nil)
    }

    @Test(
        "Unfolded, each event has a row, and folded none is lost",
        arguments: ["fiveYears", "stormy", "sandbox"])
    func counted(name: String) throws {
        let lives = [
            "fiveYears": Lives.fiveYears, "stormy": Lives.stormy, "sandbox": Lives.sandbox,
        ]
        let life = try #require(lives[name])
        let all = Chronicle(life, folds: false).rows
        #expect(all.count == life.events.count)
        #expect(all.allSatisfy { $0.summary(dots: "") == nil })
        let folded = Chronicle(life).rows.reduce(0) { sum, row in
            switch row {
            case .event: sum + 1
            case .folded(let count, let pattern): sum + count * pattern.count
            }
        }
        #expect(folded == life.events.count)
    }

    @Test("A life in which nothing happened has no rows")
    func nothing() {
        let life = Lives.life(
            [], expires: Lives.moment("2026-02-01"), now: Lives.moment("2026-01-01"))
        #expect(Chronicle(life).rows.isEmpty)
    }
}
