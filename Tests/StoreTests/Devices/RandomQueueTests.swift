import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Devices that do anything in any order, beside sets that say what must wait on them.
@Suite("Queues beside sets", .timeLimit(.minutes(15)))
struct RandomQueueTests {
    /// What a device has: by the identifiers of transactions.
    private struct Device {
        var waiting: Set<Int64> = []
        var restored: Set<Int64> = []
    }

    /// What must be, without numbers and marks.
    private struct Sets {
        var restorable: Set<Int64> = []
        var consumables: Set<Int64> = []
        var known: Set<Int64> = []
        var finished: Set<Int64> = []
        var devices: [String: Device] = [:]

        mutating func learn(_ id: Int64, _ type: ProductType) {
            guard known.insert(id).inserted else { return }
            switch type {
            case .autoRenewableSubscription, .nonConsumable: restorable.insert(id)
            case .consumable: consumables.insert(id)
            case .nonRenewingSubscription: break
            }
            for name in devices.keys { devices[name]?.waiting.insert(id) }
        }

        mutating func begin(_ name: String) {
            devices[name] = Device(waiting: known.subtracting(finished))
        }

        mutating func finish(_ id: Int64, on name: String) {
            finished.insert(id)
            for device in devices.keys where device == name || consumables.contains(id) {
                devices[device]?.waiting.remove(id)
                devices[device]?.restored.remove(id)
            }
        }

        mutating func restore(_ name: String) {
            let waiting = devices[name]?.waiting ?? []
            devices[name]?.restored.formUnion(restorable.subtracting(waiting))
        }
    }

    private static let names = ["phone", "tablet", "watch"]
    private static let products = ["coins", "season", "lifetime", "silver.monthly"]

    /// Looks at all of the customer's transactions, and learns of those that are new.
    private func look(_ world: World, _ sets: inout Sets) async throws {
        let console = try await world.store.device(
            of: "ada", bundleID: World.bundleID, in: .production)
        for found in try await world.store.transactions(
            for: console, unfinishedOnly: false, after: 0, limit: 10_000)
        {
            let transaction: JWSTransactionDecodedPayload = try JWSText.decode(found.signed)
            sets.learn(found.id, ProductType(rawValue: transaction.type.rawValue)!)
        }
    }

    private func compare(_ world: World, _ sets: Sets, _ about: Comment) async throws {
        for (name, expected) in sets.devices {
            let device = try await world.device(named: name)
            let found = try await world.store.transactions(
                for: device, unfinishedOnly: true, after: 0, limit: 10_000)
            #expect(
                Set(found.filter { !$0.isRestored }.map(\.id)) == expected.waiting,
                "\(about): \(name)")
            #expect(
                Set(found.filter(\.isRestored).map(\.id)) == expected.restored,
                "\(about): \(name)")
            #expect(found.map(\.id) == found.map(\.id).sorted())
        }
    }

    @Test(
        "Whatever is bought, finished, restored and wiped, each queue is what sets say",
        arguments: Backend.available, [UInt64](1...6))
    func random(_ backend: Backend, _ seed: UInt64) async throws {
        let world = try await World(backend, isListening: false)
        var random = SeededGenerator(seed: seed)
        var sets = Sets()
        var later: [Int64] = []
        _ = try await world.device(named: "phone")
        sets.begin("phone")
        for step in 1...80 {
            let name = sets.devices.keys.sorted().randomElement(using: &random)!
            let device = try await world.device(named: name)
            try await act(on: device, name, in: world, &sets, &later, &random)
            try await look(world, &sets)
            try await compare(world, sets, "seed \(seed), step \(step)")
        }
        #expect(sets.known.count > 10)
        try await world.check()
    }

    /// One thing that somebody does, drawn by chance.
    private func act(
        on device: DeviceSession, _ name: String, in world: World, _ sets: inout Sets,
        _ later: inout [Int64], _ random: inout SeededGenerator
    ) async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...4:
            let product = Self.products.randomElement(using: &random)!
            _ = try? await world.store.purchase(
                PurchaseRequest(productID: product), by: device)
        case 5:
            // Some are paid long after others were.
            try await world.pays(.answersLater(after: nil, isPaid: true))
            if let bill = try? await world.store.buy(
                PurchaseRequest(productID: "season"), by: device
            ).pendingBill {
                later.append(bill)
            }
            try await world.pays(.approves)
        case 6:
            if let bill = later.popLast() {
                try await world.store.answer(bill: bill, .paid, in: .production)
            }
        case 7:
            let now = try await world.store.clockReading().now
            _ = try await world.store.advance(to: now + .days(20))
        case 8:
            let fresh = Self.names.randomElement(using: &random)!
            if sets.devices[fresh] == nil {
                _ = try await world.device(named: fresh)
                sets.begin(fresh)
            }
        case 9:
            try await world.store.wipe(
                device: world.numbers()[name]!, of: "ada", in: .production)
            sets.begin(name)
        case 10, 11:
            #expect(
                try await world.store.restore(on: device) == sets.restorable.count)
            sets.restore(name)
        case 12 where sets.devices.count > 1:
            try await world.store.remove(
                device: world.numbers()[name]!, of: "ada", in: .production)
            sets.devices[name] = nil
        case 13:
            if let id = sets.known.sorted().randomElement(using: &random) {
                try await world.store.finish(
                    transaction: id, bundleID: World.bundleID, in: .production)
                for device in sets.devices.keys { sets.finish(id, on: device) }
            }
        default:
            let open = sets.devices[name]!
            let ids = open.waiting.union(open.restored).sorted()
            // Mostly in order, as apps do.
            let id =
                Bool.random(using: &random) ? ids.first : ids.randomElement(using: &random)
            guard let id else { return }
            try await world.store.finish(transaction: id, by: device)
            sets.finish(id, on: name)
        }
    }
}
