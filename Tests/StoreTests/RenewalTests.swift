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
}
