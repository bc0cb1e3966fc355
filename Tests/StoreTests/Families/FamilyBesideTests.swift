import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Several processes, and families in which everybody does something at once: what one buys comes
/// into the histories of all, and never behind a revision that was handed out.
@Suite(
    "Families beside each other",
    .enabled(if: Backend.available.contains(.postgres), "there is no PostgreSQL server"),
    .timeLimit(.minutes(15)))
struct FamilyBesideTests {
    private static let members = ["ada", "bea", "carl", "dora"]

    private func worlds(_ count: Int, batchSize: Int = 1000) async throws -> [World] {
        var worlds: [World] = []
        for (number, database) in try await Backend.makeShared(count).enumerated() {
            worlds.append(
                try await World(
                    database: database, catalogue: FamilyCatalogue.all, isListening: false,
                    batchSize: batchSize, processName: "store \(number)",
                    claimTime: .minutes(10)))
        }
        return worlds
    }

    @Test("Who pages through a member's history while all buy sees each transaction once, in order")
    func history() async throws {
        let worlds = try await worlds(4)
        var devices: [DeviceSession] = []
        for name in Self.members { devices.append(try await worlds[0].device(name)) }
        try await worlds[0].store.createFamily(
            organiser: "ada", with: Array(Self.members.dropFirst()), in: .production)
        let first = try await worlds[0].buyOnce("coins", by: devices[3])
        // Each refund makes the product one that is bought anew, and shared anew.
        let each = 12
        let all = 1 + 3 * each
        async let writing: Void = withThrowingTaskGroup { group in
            for (place, world) in worlds.dropFirst().enumerated() {
                let device = devices[place]
                group.addTask {
                    for _ in 0..<each {
                        let id = try await world.buyOnce("lifetime", by: device)
                        try await world.store.refund(
                            transaction: id, .full, reason: .other, in: .production)
                    }
                }
            }
            try await group.waitForAll()
        }
        var seen: Set<String> = []
        var order: [String] = []
        var revision: String?
        var revoked = 0
        while seen.count < all || revoked < all - 1 {
            let page = try await worlds[0].store.history(
                anyTransaction: first, HistoryFilter(), revision: revision,
                for: worlds[0].caller())
            revision = page.revision
            for text in page.signedTransactions {
                let payload: JWSTransactionDecodedPayload = try JWSText.decode(text)
                if seen.insert(payload.transactionId).inserted {
                    order.append(payload.transactionId)
                }
                if payload.revocationDate != nil { revoked += 1 }
            }
            if page.signedTransactions.isEmpty { await Task.yield() }
        }
        try await writing
        #expect(seen.count == all)
        try await worlds[0].check()
    }

    @Test("Everybody's renewals are made by whoever is free, each once, with the members'")
    func sweeping() async throws {
        let worlds = try await worlds(3, batchSize: 5)
        let families = 6
        for number in 0..<families {
            var devices: [DeviceSession] = []
            for name in Self.members {
                devices.append(try await worlds[0].device("\(name) \(number)"))
            }
            try await worlds[0].store.createFamily(
                organiser: "ada \(number)",
                with: Self.members.dropFirst().map { "\($0) \(number)" }, in: .production)
            // The organiser, and somebody who is not.
            for device in devices.prefix(2) {
                _ = try await worlds[0].subscribe("family.monthly", by: device)
            }
        }
        let helpers = worlds.dropFirst().map { world in
            Task { while !Task.isCancelled { _ = try? await world.store.settle() } }
        }
        _ = try await worlds[0].store.advance(to: World.instant("2026-07-02"))
        for helper in helpers {
            helper.cancel()
            await helper.value
        }
        let books = try await Books.transactions(in: worlds[0].database)
        // Seven periods of two purchasers, each with the transactions of three others.
        #expect(books.count == families * 2 * 7 * 4)
        try await worlds[0].check()
    }
}
