import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Renewals")
struct RenewalTests {
    @Test(
        "Five years of a monthly subscription from 31 January are 60 renewals from the anchor",
        arguments: Backend.available)
    func fiveYears(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-31T12:00:00Z")
        let ada = try await world.device()
        let first = try #require(
            try await world.buy("silver.monthly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"]))
        try await world.advance(by: "P5Y", expecting: Array(repeating: "DID_RENEW", count: 60))

        let history = try await world.history(first.transactionId)
        #expect(history.count == 61)
        let anchor = CivilDate(year: 2026, month: 1, day: 31)
        for (index, transaction) in history.enumerated() {
            let end = Instant(
                milliseconds: Int64(anchor.adding(months: index + 1).daysSinceEpoch) * 86_400_000
                    + 12 * 3_600_000)
            #expect(transaction.expiresDate == end.milliseconds)
            #expect(transaction.price == 9_990)
            #expect(transaction.originalTransactionId == first.transactionId)
            #expect(transaction.transactionReason == (index == 0 ? .purchase : .renewal))
        }
    }

    @Test(
        "Where days are Pacific, the first of a month in New York is the last of the one before",
        arguments: Backend.available)
    func pacific(_ backend: Backend) async throws {
        // Two in the morning of 1 April in New York, eleven at night of 31 March in California.
        let world = try await World(backend, at: "2026-04-01T06:00:00Z", isListening: false) {
            $0.billingZone = .pacific
        }
        let id = try await world.subscribe("silver.monthly", by: world.device())
        _ = try await world.store.advance(to: World.instant("2027-03-15"))
        // Eleven at night on the last of each month, in winter an hour later in UTC.
        #expect(
            try await world.history("\(id)").map { World.text($0.expiresDate) } == [
                "2026-05-01 06:00", "2026-06-01 06:00", "2026-07-01 06:00", "2026-08-01 06:00",
                "2026-09-01 06:00", "2026-10-01 06:00", "2026-11-01 06:00", "2026-12-01 07:00",
                "2027-01-01 07:00", "2027-02-01 07:00", "2027-03-01 07:00", "2027-04-01 06:00",
            ])
    }
}
