import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Many devices", .timeLimit(.minutes(15)))
struct ManyDevicesTests {
    private static func devices(_ world: World, _ count: Int) async throws -> [DeviceSession] {
        var devices: [DeviceSession] = []
        for number in 1...count {
            devices.append(try await world.device(named: "device \(number)"))
        }
        return devices
    }

    /// How many statements and rows a year of renewals takes with so many devices.
    private static func renewals(
        _ backend: Backend, devices count: Int
    ) async throws -> (statements: Int, rows: [String: Int]) {
        let log = StatementLog(try await backend.makeDatabase())
        let world = try await World(database: log, isListening: false)
        let phones = try await devices(world, count)
        _ = try await world.subscribe("silver.monthly", by: phones[0])
        let before = try await Tables(world.database).counts
        log.clear()
        _ = try await world.store.advance(to: World.instant("2027-01-01"))
        let statements = log.count
        for phone in phones { #expect(try await world.queue(phone).count == 13) }
        let after = try await Tables(world.database).counts
        return (statements, after.filter { $1 != before[$0] })
    }

    @Test(
        "A renewal takes as many statements and rows with thirty devices as with one",
        arguments: Backend.available)
    func rows(_ backend: Backend) async throws {
        let one = try await Self.renewals(backend, devices: 1)
        let thirty = try await Self.renewals(backend, devices: 30)
        #expect(one.statements == thirty.statements)
        #expect(Set(one.rows.keys) == ["store_transaction", "journal", "ledger"])
        #expect(one.rows["store_transaction"] == thirty.rows["store_transaction"])
        #expect(thirty.rows["device"] == nil && thirty.rows["device_mark"] == nil)
    }

    @Test(
        "Sixteen that finish while the years go by end with nothing to do, and nothing missed",
        arguments: Backend.available)
    func sixteen(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let devices = try await Self.devices(world, 16)
        _ = try await world.subscribe("silver.monthly", by: devices[0])
        let seen = try await withThrowingTaskGroup(of: Set<Int64>.self) { group in
            for (place, device) in devices.enumerated() {
                group.addTask {
                    var seen: Set<Int64> = []
                    while seen.count < 25 {
                        for id in try await world.waiting(device).reversed() {
                            // Each comes once: what is finished does not wait again.
                            #expect(seen.insert(id).inserted)
                            try await world.store.finish(transaction: id, by: device)
                        }
                        if place == 0, seen.count == 3 { _ = try await world.waiting(device) }
                        await Task.yield()
                    }
                    return seen
                }
            }
            group.addTask {
                for month in 1...24 {
                    let (year, rest) = (2026 + month / 12, month % 12 + 1)
                    _ = try await world.store.advance(
                        to: World.instant("\(year)-\(rest < 10 ? "0" : "")\(rest)-01"))
                }
                return []
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }.filter { !$0.isEmpty }
        #expect(seen.count == 16 && Set(seen).count == 1)
        for device in devices { #expect(try await world.queue(device).isEmpty) }
        #expect(try await Tables(world.database).counts["device_mark"] == 0)
        try await world.check()
    }

    @Test(
        "Sixteen that sign in, finish, restore and sign out at once leave whole queues",
        arguments: Backend.available)
    func everything(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let first = try await world.device(named: "first")
        for _ in 1...5 { _ = try await world.buyOnce("season", by: first) }
        _ = try await world.buyOnce("lifetime", by: first)
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    let token = "token \(number)"
                    let device = try await world.store.signIn(
                        SignInRequest(
                            bundleID: World.bundleID, account: "ada",
                            // Two of each name.
                            device: "device \(number / 2)"),
                        in: .production, token: token)
                    _ = try await world.buyOnce("coins", by: device)
                    for id in try await world.waiting(device).prefix(3) {
                        try await world.store.finish(transaction: id, by: device)
                    }
                    #expect(try await world.store.restore(on: device) == 1)
                    if number.isMultiple(of: 2) {
                        try await world.store.signOut(token: token, from: device)
                    }
                }
            }
            try await group.waitForAll()
        }
        let devices = try await world.store.devices(of: "ada", bundleID: nil, in: .production)
        #expect(devices.count == 9)
        #expect(devices.filter { $0.name != "first" }.allSatisfy { $0.signIns == 1 })
        for device in devices {
            let waiting = try await world.store.device(device.id, of: "ada", in: .production).1
            #expect(waiting.count == device.waiting)
        }
        try await world.check()
    }
}
