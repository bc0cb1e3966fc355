import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: restoring, wiping, removing")
struct RestoreStories {
    /// Two years of a subscription and something for ever, all of it finished on the phone.
    private static func twoYears(_ backend: Backend) async throws -> (World, DeviceSession) {
        let world = try await World(backend, at: "2026-03-05", isListening: false)
        let phone = try await world.device(named: "phone")
        _ = try await world.subscribe("silver.monthly", by: phone)
        _ = try await world.buyOnce("lifetime", by: phone)
        for product in ["coins", "season"] { _ = try await world.buyOnce(product, by: phone) }
        _ = try await world.store.advance(to: World.instant("2028-02-20"))
        try await world.finishAll(phone)
        return (world, phone)
    }

    @Test(
        "A wiped phone has an empty queue, and a restore brings 24 months and what is for ever",
        arguments: Backend.available)
    func wiped(_ backend: Backend) async throws {
        let (world, _) = try await Self.twoYears(backend)
        let number = try #require(try await world.numbers()["phone"])
        try await world.store.wipe(device: number, of: "ada", in: .production)
        let phone = try await world.device(named: "phone")
        #expect(try await world.numbers() == ["phone": number])
        #expect(try await world.queue(phone).isEmpty)
        #expect(try await world.store.restore(on: phone) == 25)
        let queue = try await world.queue(phone)
        #expect(queue.count == 25 && queue.allSatisfy { $0.hasSuffix(" restored") })
        #expect(queue.count { $0.hasPrefix("silver.monthly to ") } == 24)
        // What is consumed is not restored, nor what the store knows no end of.
        #expect(!queue.contains { $0.hasPrefix("coins") || $0.hasPrefix("season") })
        // Later renewals wait there as well.
        _ = try await world.store.advance(to: World.instant("2028-03-10"))
        #expect(try await world.queue(phone).last == "silver.monthly to 2028-04-05")
        try await world.check()
    }

    @Test("Restoring again changes nothing", arguments: Backend.available)
    func idempotent(_ backend: Backend) async throws {
        let (world, phone) = try await Self.twoYears(backend)
        #expect(try await world.store.restore(on: phone) == 25)
        let before = try await Tables(world.database)
        #expect(try await world.store.restore(on: phone) == 25)
        #expect(try await Tables(world.database).differences(from: before) == [])
        // What was finished meanwhile comes back, whatever the order in which it was.
        let ids = try await world.waiting(phone)
        for place in [0, 1, 7, 3, 24] {
            try await world.store.finish(transaction: ids[place], by: phone)
        }
        #expect(try await world.waiting(phone).count == 20)
        try await world.check()
        #expect(try await world.store.restore(on: phone) == 25)
        #expect(try await world.waiting(phone) == ids)
        try await world.check()
        // All of it is finished again, backwards, and the device's row is as small as before.
        for id in ids.reversed() { try await world.store.finish(transaction: id, by: phone) }
        #expect(try await world.queue(phone).isEmpty)
        #expect(try await Tables(world.database).counts["device_mark"] == 0)
        #expect(try await world.store.restore(on: phone) == 25)
        try await world.check()
    }

    @Test(
        "What waits anyway is not called restored, and what is not restored stays as it is",
        arguments: Backend.available)
    func mixed(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let lifetime = try await world.buyOnce("lifetime", by: phone)
        _ = try await world.buyOnce("season", by: phone)
        let silver = try await world.subscribe("silver.monthly", by: phone)
        let coins = try await world.buyOnce("coins", by: phone)
        _ = try await world.store.advance(to: World.instant("2026-02-03"))
        for id in [lifetime, silver, coins] {
            try await world.store.finish(transaction: id, by: phone)
        }
        let tablet = try await world.device(named: "tablet")
        let open = ["season", "silver.monthly to 2026-03-01"]
        #expect(try await world.queue(phone) == open)
        #expect(try await world.queue(tablet) == open)
        let all = [
            "lifetime restored", "season", "silver.monthly to 2026-02-01 restored",
            "silver.monthly to 2026-03-01",
        ]
        for device in [phone, tablet] {
            #expect(try await world.store.restore(on: device) == 3)
            #expect(try await world.queue(device) == all)
        }
        try await world.check()
        try await world.finishAll(phone)
        #expect(try await world.queue(phone).isEmpty)
        #expect(try await world.queue(tablet) == all)
        try await world.check()
    }

    @Test(
        "Who signs out is a stranger, and back again finds the queue as it was",
        arguments: Backend.available)
    func signedOut(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        func signIn(_ token: String) async throws -> DeviceSession {
            try await world.store.signIn(
                SignInRequest(bundleID: World.bundleID, account: "ada", device: "phone"),
                in: .production, token: token)
        }
        let phone = try await signIn("first")
        _ = try await signIn("second")
        _ = try await world.buyOnce("lifetime", by: phone)
        try await world.store.signOut(token: "first", from: phone)
        await #expect(throws: StoreError.request(.signedOut)) {
            _ = try await world.store.device(token: "first", in: .production)
        }
        await #expect(throws: StoreError.request(.signedOut)) {
            try await world.store.signOut(token: "first", from: phone)
        }
        // The other token goes on, and the device is known.
        let other = try await world.store.device(token: "second", in: .production)
        #expect(try await world.queue(other) == ["lifetime"])
        // Nobody signs another device out.
        let bob = try await world.device("bob")
        await #expect(throws: StoreError.request(.signedOut)) {
            try await world.store.signOut(token: "second", from: bob)
        }
        try await world.store.signOut(token: "second", from: other)
        let devices = try await world.store.devices(
            of: "ada", bundleID: World.bundleID, in: .production)
        #expect(devices.map(\.signIns) == [0] && devices.map(\.waiting) == [1])
        #expect(try await world.queue(signIn("third")) == ["lifetime"])
        try await world.check()
    }

    @Test(
        "A device that is removed is signed out, and its name is a new one's",
        arguments: Backend.available)
    func removed(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let tablet = try await world.device(named: "tablet")
        let lifetime = try await world.buyOnce("lifetime", by: phone)
        let season = try await world.buyOnce("season", by: phone)
        try await world.store.finish(transaction: season, by: phone)
        let number = try #require(try await world.numbers()["phone"])
        try await world.store.remove(device: number, of: "ada", in: .production)
        await #expect(throws: StoreError.request(.signedOut)) {
            try await world.store.finish(transaction: lifetime, by: phone)
        }
        await #expect(throws: StoreError.request(.signedOut)) {
            _ = try await world.store.restore(on: phone)
        }
        await #expect(throws: StoreError.request(.signedOut)) { _ = try await world.queue(phone) }
        await #expect(throws: StoreError.unknown(.device, "\(number)")) {
            try await world.store.remove(device: number, of: "ada", in: .production)
        }
        #expect(try await world.queue(tablet) == ["lifetime", "season"])
        let again = try await world.device(named: "phone")
        #expect(try await world.numbers()["phone"] != number)
        #expect(try await world.queue(again) == ["lifetime"])
        try await world.check()
    }

    @Test("Other people's devices, and unknown ones, are refused", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        _ = try await world.device("ada", named: "phone")
        let bob = try await world.device("bob", named: "phone")
        _ = try await world.buyOnce("lifetime", by: bob)
        let number = try #require(try await world.numbers("bob")["phone"])
        let before = try await Tables(world.database)
        for (account, device) in [("ada", number), ("bob", 1), ("ada", 1)] {
            await #expect(throws: StoreError.unknown(.device, "\(device)")) {
                try await world.store.wipe(device: device, of: account, in: .production)
            }
            await #expect(throws: StoreError.unknown(.device, "\(device)")) {
                try await world.store.remove(device: device, of: account, in: .production)
            }
            await #expect(throws: StoreError.unknown(.device, "\(device)")) {
                _ = try await world.store.device(device, of: account, in: .production)
            }
        }
        await #expect(throws: StoreError.unknown(.account, "eve")) {
            try await world.store.wipe(device: number, of: "eve", in: .production)
        }
        await #expect(throws: StoreError.unknown(.account, "bob")) {
            try await world.store.wipe(device: number, of: "bob", in: .sandbox)
        }
        await #expect(throws: StoreError.unknown(.app, "com.example.other")) {
            _ = try await world.store.devices(
                of: "ada", bundleID: "com.example.other", in: .production)
        }
        #expect(try await Tables(world.database).differences(from: before) == [])
    }
}
