import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What is refused of families, and of what came by sharing; each changes nothing.
@Suite("Refusals of families")
struct SharedRefusalTests {
    private struct Case: Sendable {
        let name: String
        let error: StoreError
        let body: @Sendable (Store) async throws -> Void

        init(
            _ name: String, _ error: StoreError,
            _ body: @escaping @Sendable (Store) async throws -> Void
        ) {
            (self.name, self.error, self.body) = (name, error, body)
        }
    }

    private func expect(_ cases: [Case], in world: World) async throws {
        for one in cases {
            let before = try await Tables(world.database)
            await #expect(throws: one.error, "\(one.name)") { try await one.body(world.store) }
            #expect(try await Tables(world.database) == before, "\(one.name)")
        }
        try await world.check()
    }

    @Test("Families are refused what they cannot be (FAM-1)", arguments: Backend.available)
    func families(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        for account in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            _ = try await world.device(account)
        }
        let full = try await world.store.createFamily(
            organiser: "a", with: ["b", "c", "d", "e", "f"], in: .production)
        let other = try await world.store.createFamily(organiser: "h", in: .production)
        try await expect(
            [
                Case("a seventh", .family(.isFull(most: 6))) {
                    try await $0.join(family: full, account: "g", in: .production)
                },
                Case("a seventh at once", .family(.inFamily("b"))) {
                    try await $0.createFamily(
                        organiser: "g", with: ["b"], in: .production)
                },
                Case("one of another family", .family(.inFamily("h"))) {
                    try await $0.join(family: full, account: "h", in: .production)
                },
                Case("one twice", .family(.inFamily("g"))) {
                    try await $0.createFamily(organiser: "g", with: ["g"], in: .production)
                },
                Case("nobody", .unknown(.account, "z")) {
                    try await $0.join(family: other, account: "z", in: .production)
                },
                Case("no family", .unknown(.family, "7")) {
                    try await $0.join(family: 7, account: "g", in: .production)
                },
                Case("the other environment's", .unknown(.family, "\(full)")) {
                    try await $0.endFamily(full, in: .sandbox)
                },
                Case("the organiser goes", .family(.isOrganiser("a"))) {
                    try await $0.leave(account: "a", in: .production)
                },
                Case("out of another family", .family(.notInFamily("b"))) {
                    try await $0.leave(family: other, account: "b", in: .production)
                },
                Case("out of none", .family(.notInFamily("g"))) {
                    try await $0.leave(account: "g", in: .production)
                },
            ], in: world)
        // The place of one who leaves is free again.
        try await world.store.leave(account: "c", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        try await world.store.join(family: full, account: "g", in: .production)
        let family = try await world.store.family(full, in: .production).0
        #expect(family.members.map(\.account) == ["a", "b", "d", "e", "f", "g"])
        try await world.check()
    }

    @Test("What came by sharing is its purchaser's to change (FAM-7)", arguments: Backend.available)
    func shared(_ backend: Backend) async throws {
        let world = try await World.shareable(backend) { $0.refundPolicy = .operatorDecides }
        let (ada, bea) = (try await world.device("ada"), try await world.device("bea"))
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        let id = try await world.subscribe("family.monthly", by: ada)
        let poster = try await world.buyOnce("poster", by: ada)
        let single = try await world.store.subscriptions(for: bea)
        let shared = try #require(single.first).originalTransactionID
        try await expect(serverCases(shared, world.caller()), in: world)
        try await expect(
            deviceCases(shared, of: id, poster, ada: ada, bea: bea), in: world)
    }

    /// What a developer's server and the operator are refused.
    private func serverCases(_ shared: Int64, _ caller: Caller) -> [Case] {
        let isShared = StoreError.family(.isShared("\(shared)"))
        return [
            Case("extended", .refused(.notExtended(.familyMember))) {
                _ = try await $0.extend(
                    originalTransaction: shared,
                    try ExtensionRequest(days: 7, reasonCode: 1), requestIdentifier: "one",
                    for: caller)
            },
            Case("named", isShared) {
                try await $0.setAppAccountToken(
                    "11111111-2222-4333-8444-555555555555", originalTransaction: shared,
                    bundleID: World.bundleID, in: .production)
            },
            Case("consumed", isShared) {
                try await $0.consumption(
                    of: shared, Consumption(preference: nil, percentage: nil, body: "{}"),
                    for: caller)
            },
            Case("given back", isShared) {
                try await $0.refund(
                    transaction: shared, .full, reason: .other, in: .production)
            },
            Case("reversed", isShared) {
                try await $0.reverseRefund(transaction: shared, in: .production)
            },
            Case("a bill", .unknown(.bill, "\(shared)")) {
                _ = try await $0.bill(shared, in: .production)
            },
        ]
    }

    /// What devices are refused: the member's, and the purchaser's.
    private func deviceCases(
        _ shared: Int64, of id: Int64, _ poster: Int64, ada: DeviceSession, bea: DeviceSession
    ) -> [Case] {
        let isShared = StoreError.family(.isShared("\(shared)"))
        return [
            Case("asked back", isShared) {
                try await $0.requestRefund(transaction: shared, .other, by: bea)
            },
            Case("managed", isShared) {
                try await $0.change(subscription: shared, [.renewal(isOn: false)], by: bea)
            },
            Case("managed by the purchaser's number", .unknown(.originalTransaction, "\(id)")) {
                try await $0.change(subscription: id, [.renewal(isOn: false)], by: bea)
            },
            Case("shared on", isShared) {
                try await $0.setSharing(.on, originalTransaction: shared, by: bea)
            },
            Case("turned off by another", .unknown(.originalTransaction, "\(id)")) {
                try await $0.setSharing(.off, originalTransaction: id, by: bea)
            },
            Case("hidden", hiding) {
                try await $0.setSharing(.hidden, originalTransaction: id, by: ada)
            },
            Case("not shareable", .family(.notShareable("poster"))) {
                try await $0.setSharing(.on, originalTransaction: poster, by: ada)
            },
        ]
    }

    private let hiding = StoreError.setting(
        .invalid(
            "sharing", reason: "only what is bought once can be hidden; turn sharing off instead"))

    @Test(
        "A history tells shared from bought, and refunds name what was bought alone",
        arguments: Backend.available)
    func history(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let (ada, bea) = (try await world.device("ada"), try await world.device("bea"))
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        let lifetime = try await world.buyOnce("lifetime", by: ada)
        let coins = try await world.buyOnce("coins", by: bea)
        try await world.store.refund(
            transaction: lifetime, .full, reason: .other, in: .production)
        for (ownership, lines) in [
            (InAppOwnershipType.purchased, ["coins 0.99"]),
            (.familyShared, ["lifetime 0.00 FAMILY_REVOKE 2026-01-01"]),
            (.assigned, []),
        ] {
            var filter = HistoryFilter()
            filter.ownership = ownership
            let page = try await world.store.history(
                anyTransaction: coins, filter, revision: nil, for: world.caller())
            let found = try page.signedTransactions.map { text in
                World.line(try JWSText.decode(text) as JWSTransactionDecodedPayload)
            }
            #expect(found == lines)
        }
        let refunds = try await world.store.refundHistory(
            anyTransaction: coins, revision: nil, for: world.caller())
        #expect(refunds.signedTransactions.isEmpty)
        #expect(
            try await world.store.purchases(
                account: "bea", in: .production, limit: 10
            ).map(\.productID) == ["coins"])
        try await world.check()
    }
}
