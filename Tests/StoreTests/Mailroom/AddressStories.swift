import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Only mail needs an address: an account called `kim` is told in the app and by push.
@Suite("Stories: customers without a mail address")
struct AddressStories {
    @Test(
        "What costs more or was not paid is shown in the app and pushed, and nothing is mailed",
        arguments: Backend.available, [1, 1000])
    func kim(_ backend: Backend, _ batchSize: Int) async throws {
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, batchSize: batchSize,
            mailroom: .lines())
        for name in ["kim", "leo"] {
            _ = try await world.subscribe("silver.monthly", by: world.device(name))
        }
        try await world.schedule("silver.monthly", 10_990, live: "2026-03-10")
        _ = try await world.store.advance(to: World.instant("2026-05-01"))
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "leo", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-05-20"))
        let told = "increase silver.monthly 9990 to 10990 on 2026-04-15"
        #expect(
            try await world.letters() == [
                "2026-03-19 kim inApp \(told)", "2026-03-19 leo inApp \(told)",
                "2026-04-08 kim push \(told)", "2026-04-08 leo push \(told)",
                "2026-05-15 leo inApp not paid silver.monthly 10990 interrupted",
            ])
        try await world.check()
    }

    @Test(
        "Who gives an address later is reminded from then on", arguments: Backend.available)
    func later(_ backend: Backend) async throws {
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, mailroom: .lines())
        _ = try await world.subscribe("silver.monthly", by: world.device("kim"))
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        try await world.store.setEmail("kim@example.com", account: "kim", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        #expect(
            try await world.letters(.willRenew)
                == ["2026-02-05 kim mail willRenew silver.monthly 9990 2026-02-15"])
        try await world.check()
    }
}
