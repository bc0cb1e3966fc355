import AppStoreWire
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

@Suite("Stories: what changed since", .timeLimit(.minutes(15)))
struct UpdateStories {
    /// What a device was told, such as `coins` and `2 silver.monthly off`.
    private static func lines(_ updates: DeviceUpdates) throws -> [String] {
        try updates.transactions.map { one in
            let transaction: JWSTransactionDecodedPayload = try JWSText.decode(one.signed)
            return World.line(transaction) + (one.isFinished ? " finished" : "")
        }
            + updates.subscriptions.map { one in
                "\(one.status.rawValue) \(one.productID) "
                    + (one.renewsAutomatically ? "on" : "off")
            }
    }

    /// Asks once, says what must have come, and goes on from there.
    private static func expect(
        _ lines: [String], _ world: World, _ device: DeviceSession, after cursor: inout String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let updates = try await world.store.updates(for: device, after: cursor)
        #expect(try Self.lines(updates) == lines, sourceLocation: sourceLocation)
        #expect(!updates.hasMore, sourceLocation: sourceLocation)
        if lines.isEmpty, let cursor {
            #expect(updates.cursor == cursor, sourceLocation: sourceLocation)
        }
        cursor = updates.cursor
    }

    @Test(
        "What is bought, renewed, refunded and cancelled is told once, on every device",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let store = world.store
        let phone = try await world.device(named: "phone")
        let tablet = try await world.device(named: "tablet")
        var (onPhone, onTablet): (String?, String?) = (nil, nil)
        try await Self.expect([], world, phone, after: &onPhone)
        let id = try await world.subscribe("silver.monthly", by: tablet)
        let bought = [
            "silver.monthly 9.99 until 2026-02-01", "1 silver.monthly on",
        ]
        try await Self.expect(bought, world, phone, after: &onPhone)
        try await Self.expect(bought, world, tablet, after: &onTablet)
        try await Self.expect([], world, phone, after: &onPhone)
        // Finishing is the device's own business.
        try await world.finishAll(phone)
        try await Self.expect([], world, phone, after: &onPhone)
        try await Self.expect([], world, tablet, after: &onTablet)
        _ = try await store.advance(to: World.instant("2026-02-02"))
        let renewed = ["silver.monthly 9.99 until 2026-03-01", "1 silver.monthly on"]
        try await Self.expect(renewed, world, phone, after: &onPhone)
        try await store.change(subscription: id, [.renewal(isOn: false)], by: phone)
        try await Self.expect(["1 silver.monthly off"], world, phone, after: &onPhone)
        try await Self.expect(
            ["silver.monthly 9.99 until 2026-03-01", "1 silver.monthly off"], world, tablet,
            after: &onTablet)
        _ = try await store.subscribeAgain(id, by: phone)
        try await Self.expect(["1 silver.monthly on"], world, phone, after: &onPhone)
        // What the device has finished comes again once it was changed.
        try await store.refund(transaction: id, .full, reason: .other, in: .production)
        let refunded = try await store.updates(for: phone, after: onPhone)
        #expect(refunded.transactions.map(\.id) == [id])
        #expect(refunded.transactions.map(\.isFinished) == [true])
        #expect(try await world.queue(phone).count == 1)
        onPhone = refunded.cursor
        try await Self.expect([], world, phone, after: &onPhone)
        // Bob hears nothing of it, whatever cursor he shows.
        let bob = try await world.device("bob")
        for cursor in [nil, onPhone, onTablet] {
            #expect(try await store.updates(for: bob, after: cursor).isEmpty)
        }
        try await world.check()
    }

    @Test(
        "Without a cursor it begins with what still waits, and with all subscriptions",
        arguments: Backend.available)
    func beginning(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let lifetime = try await world.buyOnce("lifetime", by: phone)
        _ = try await world.subscribe("silver.monthly", by: phone)
        let season = try await world.buyOnce("season", by: phone)
        var cursor: String?
        try await world.store.finish(transaction: lifetime, by: phone)
        try await Self.expect(
            [
                "silver.monthly 9.99 until 2026-02-01", "season 14.99", "1 silver.monthly on",
            ], world, phone, after: &cursor)
        // What was finished behind the first that waits comes along, and says so.
        try await world.store.finish(transaction: season, by: phone)
        cursor = nil
        try await Self.expect(
            [
                "silver.monthly 9.99 until 2026-02-01", "season 14.99 finished",
                "1 silver.monthly on",
            ], world, phone, after: &cursor)
        try await world.finishAll(phone)
        cursor = nil
        try await Self.expect(["1 silver.monthly on"], world, phone, after: &cursor)
    }

    @Test("What a family shares is told to each who has it", arguments: Backend.available)
    func families(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        var cursor: String?
        try await Self.expect([], world, bea, after: &cursor)
        let id = try await world.subscribe("family.monthly", by: ada)
        let bought = try await world.store.updates(for: bea, after: cursor)
        #expect(bought.transactions.map(\.productID) == ["family.monthly"])
        #expect(bought.subscriptions.map(\.isShared) == [true])
        // What only the purchaser's row says.
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        let off = try await world.store.updates(for: bea, after: bought.cursor)
        #expect(off.transactions.isEmpty && off.subscriptions.count == 1)
        try await world.store.leaveFamily(by: bea)
        let gone = try await world.store.updates(for: bea, after: off.cursor)
        #expect(gone.subscriptions.map(\.status) == [.revoked])
        #expect(gone.subscriptions.map(\.isEntitled) == [false])
        try await world.check()
    }

    @Test("Much comes in pieces, and the subscriptions with the last", arguments: Backend.available)
    func pieces(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        let most = Store.updatesAtOnce
        for _ in 1..<(2 * most) { _ = try await world.buyOnce("coins", by: ada) }
        var seen: [Int64] = []
        var cursor: String?
        for piece in 1...2 {
            let updates = try await world.store.updates(for: ada, after: cursor)
            #expect(updates.transactions.count == most)
            #expect(updates.hasMore == (piece == 1))
            #expect(updates.subscriptions.count == piece - 1)
            seen += updates.transactions.map(\.id)
            cursor = updates.cursor
        }
        #expect(seen == seen.sorted() && Set(seen).count == 2 * most)
        #expect(try await world.store.updates(for: ada, after: cursor).isEmpty)
    }

    @Test(
        "A cursor survives the process, and counts as none once the world was put back",
        arguments: Backend.available)
    func survives(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        _ = try await world.buyOnce("lifetime", by: ada)
        try await world.store.snapshot("before")
        let cursor = try await world.store.updates(for: ada, after: nil).cursor
        let later = try await World.join(world.database, as: "later")
        #expect(try await later.updates(for: ada, after: cursor).isEmpty)
        let season = try await world.buyOnce("season", by: ada)
        let found = try await later.updates(for: ada, after: cursor)
        #expect(found.transactions.map(\.id) == [season])
        try await world.store.rewind(to: "before")
        let again = try await world.store.updates(for: ada, after: found.cursor)
        #expect(again.transactions.map(\.productID) == ["lifetime"])
        // So it does where an account begins anew.
        let mia = try await world.device("mia", in: .sandbox)
        _ = try await world.buyOnce("lifetime", by: mia)
        let old = try await world.store.updates(for: mia, after: nil).cursor
        try await world.store.clearHistory(account: "mia")
        let fresh = try await world.device("mia", in: .sandbox)
        #expect(try await world.store.updates(for: fresh, after: old).isEmpty)
    }

    @Test(
        "What is no cursor is refused",
        arguments: [
            "", "_", "1_2", "1_2_", "1_2_zz", "x_2_0123456789abcdef01234567",
            "-1_2_0123456789abcdef01234567", "1_2_0123456789abcdef01234567_",
            "1_2_0123456789abcdef0123456", "9999999999999999999_2_0123456789abcdef01234567",
            "01_2_0123456789abcdef01234567", "1_2_0123456789abcdef0123456é",
        ])
    func refused(_ text: String) async throws {
        let world = try await World(.sqlite, isListening: false)
        let ada = try await world.device()
        await #expect(throws: StoreError.request(.invalidCursor)) {
            _ = try await world.store.updates(for: ada, after: text)
        }
        // One that is none of this customer's is no error: there is nothing to be found out.
        let cursor = "1_2_0123456789abcdef01234567"
        #expect(try await world.store.updates(for: ada, after: cursor).isEmpty)
    }
}

extension Store {
    fileprivate func subscribeAgain(_ id: Int64, by device: DeviceSession) async throws {
        try await change(subscription: id, [.renewal(isOn: true)], by: device)
    }
}
