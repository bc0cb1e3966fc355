import Foundation
import Testing

@testable import AppStoreWire

@Suite("Dates in receipts")
struct ReceiptDateFormTests {
    @Test("The three forms are those of the reference")
    func forms() {
        #expect(ReceiptDateForms.universal(1_594_755_400_999) == "2020-07-14 19:36:40 Etc/GMT")
        #expect(
            ReceiptDateForms.pacific(1_594_755_400_999)
                == "2020-07-14 12:36:40 America/Los_Angeles")
    }

    @Test(
        "Summer time begins and ends where the law says",
        arguments: [
            ("2025-03-09T09:59:59Z", "01:59:59"), ("2025-03-09T10:00:00Z", "03:00:00"),
            ("2025-11-02T08:59:59Z", "01:59:59"), ("2025-11-02T09:00:00Z", "01:00:00"),
            ("2006-04-02T09:59:59Z", "01:59:59"), ("2006-04-02T10:00:00Z", "03:00:00"),
            ("2006-10-29T08:59:59Z", "01:59:59"), ("2006-10-29T09:00:00Z", "01:00:00"),
        ])
    func changes(instant: String, wall: String) throws {
        let date = try Date(instant, strategy: .iso8601)
        let time = PacificTime.wallClock(at: Int64(date.timeIntervalSince1970) * 1000)
        #expect(time.timeText == wall)
    }

    @Test("From 1987 to 2099 every eight and a half hours read as the system's own calendar says")
    func againstTheSystem() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        var seconds = 536_500_000
        while seconds < 4_100_000_000 {
            let offset = zone.secondsFromGMT(
                for: Date(timeIntervalSince1970: Double(seconds)))
            let expected = CivilTime(milliseconds: Int64(seconds + offset) * 1000)
            if PacificTime.wallClock(at: Int64(seconds) * 1000) != expected {
                Issue.record("at \(seconds)")
                break
            }
            seconds += 30_600
        }
    }

    @Test("A day that the calendar has not is none, and every other comes back")
    func civilTime() {
        #expect(CivilTime(year: 2025, month: 2, day: 29) == nil)
        #expect(CivilTime(year: 2100, month: 2, day: 29) == nil)
        #expect(CivilTime(year: 2000, month: 2, day: 29) != nil)
        #expect(CivilTime(year: 10_000, month: 1, day: 1) == nil)
        var day: Int64 = -719_528
        while day < 2_932_896 {
            let time = CivilTime(milliseconds: day * 86_400_000 + 4_501_000)
            #expect(time.milliseconds == day * 86_400_000 + 4_501_000)
            #expect(time.timeText == "01:15:01")
            day += 997
        }
        // The ends of what 64 bits can say are no reason to stop.
        for end in [Int64.min, .max] { #expect(!CivilTime(milliseconds: end).dateText.isEmpty) }
    }
}
