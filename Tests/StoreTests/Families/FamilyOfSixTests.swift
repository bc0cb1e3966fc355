import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Who has access on which day is stated before the clock moves.
@Suite("Stories: a family of six through two years")
struct FamilyOfSixTests {
    /// The world and the devices in it.
    private struct Life {
        let world: World
        var devices: [String: DeviceSession] = [:]
        var store: Store { world.store }

        func device(_ name: String) throws -> DeviceSession { try #require(devices[name]) }

        /// The subscription that somebody bought.
        func subscription(_ name: String) async throws -> Int64 {
            try #require(
                try await store.subscriptions(for: device(name)).first { !$0.isShared }
            ).originalTransactionID
        }

        func family() async throws -> Int64 {
            try #require(
                try await store.families(in: .production, after: 0, limit: 1).first
            ).id
        }

        func play(_ act: FamilyOfSix.Act) async throws {
            switch act {
            case .creates(let organiser, let others):
                try await store.createFamily(
                    organiser: organiser, with: others, in: .production)
            case .buys(let name, let product):
                _ = try await store.purchase(
                    PurchaseRequest(productID: product), by: device(name))
            case .joins(let name):
                try await store.join(family: family(), account: name, in: .production)
            case .leaves(let name):
                try await store.leaveFamily(by: device(name))
            case .isRemoved(let name):
                try await store.leave(family: family(), account: name, in: .production)
            case .chooses(let name, let product):
                try await store.change(
                    subscription: subscription(name), [.product(product)], by: device(name))
            case .isRefunded(let name):
                _ = try await store.cancel(
                    subscription: subscription(name), .prorated, reason: .other,
                    in: .production)
            case .turnsRenewalOff(let name):
                try await store.change(
                    subscription: subscription(name), [.renewal(isOn: false)],
                    by: device(name))
            case .shares(let name, let isOn):
                try await store.setSharing(
                    isOn ? .on : .off, originalTransaction: subscription(name),
                    by: device(name))
            case .endsFamily:
                try await store.endFamily(family(), in: .production)
            }
        }
    }

    @Test("Each member's access is what was stated for the day", arguments: Backend.available)
    func access(_ backend: Backend) async throws {
        var life = Life(world: try await World.shareable(backend))
        for name in FamilyOfSix.names {
            life.devices[name] = try await life.world.device(name)
        }
        for day in FamilyOfSix.days {
            _ = try await life.store.advance(to: World.instant(day.date))
            for act in day.acts { try await life.play(act) }
            for name in FamilyOfSix.names {
                let found = try await life.world.has(life.device(name))
                #expect(found == day.has[name], "\(day.date): \(name)")
            }
            try await life.world.check()
        }
        // What was shared is no money: the books know nobody but who bought.
        let buyers = try await life.store.ledger(after: 0, limit: 1000, in: .production)
            .map(\.account)
        #expect(Set(buyers) == ["ada", "bea", "carl", "fay"])
    }
}
