import AppStoreWire
import Journal
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("On demand: notifications at will")
struct ProvokeTests {
    private static let period = "silver.monthly 9.99 until 2026-02-01"
    private static let renewal = "| 1 silver.monthly on 2026-02-01 9.99"

    @Test(
        "Every type goes out with every subtype that it can have", arguments: Backend.available)
    func everything(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        for type in NotificationTypeV2.known {
            for subtype in NotificationTypeV2.allowedSubtypes[type] ?? [] {
                let entry = try await world.store.provoke(
                    Provocation(type, subtype), subscription: id, in: .production)
                #expect(entry.isProvoked)
                #expect(entry.subscription == id)
                #expect(entry.attempts.isEmpty)
                try await world.store.settle()
                let arrivals = world.listener.takeArrivals()
                #expect(arrivals.count == 1)
                let one = try #require(arrivals.first)
                #expect(one.notification.notificationUUID == entry.uuid)
                #expect(one.notification.notificationType == type)
                #expect(one.notification.subtype == subtype)
                // Exactly one of the four.
                let parts: [Any?] = [
                    one.notification.data, one.notification.summary,
                    one.notification.externalPurchaseToken, one.notification.appData,
                ]
                #expect(parts.count { $0 != nil } == 1, "\(type)")
            }
        }
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-01 9.99"])
        #expect(try await world.ledger() == ["2026-01-01 +9.99"])
    }

    @Test(
        "It carries the subscription as it stands now",
        arguments: Backend.available)
    func asItStands(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        for (type, subtype, line) in [
            (
                NotificationTypeV2.expired, Subtype?.some(.voluntary),
                "2026-01-01 EXPIRED/VOLUNTARY 1 \(Self.period) \(Self.renewal)"
            ),
            (.didFailToRenew, nil, "2026-01-01 DID_FAIL_TO_RENEW 1 \(Self.period) \(Self.renewal)"),
            (.oneTimeCharge, nil, "2026-01-01 ONE_TIME_CHARGE \(Self.period)"),
            (.test, nil, "2026-01-01 TEST"),
            (.rescindConsent, nil, "2026-01-01 RESCIND_CONSENT"),
        ] {
            _ = try await world.store.provoke(
                Provocation(type, subtype), subscription: id, in: .production)
            try await world.store.settle()
            #expect(world.listener.takeArrivals().map(\.fullLine) == [line])
        }
        // What is due by then has happened before.
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        _ = world.listener.takeArrivals()
        _ = try await world.store.provoke(
            Provocation(.revoke), subscription: id, in: .production)
        try await world.settle(
            telling: [
                "2026-02-01 REVOKE 1 silver.monthly 9.99 until 2026-03-01 revoked 2026-02-01"
            ])
    }

    @Test("What a type is nothing without is put on", arguments: Backend.available)
    func dressed(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let now = World.instant("2026-01-01").milliseconds
        let refund = try await world.provoked(Provocation(.refund), id)
        #expect(refund.transaction?.revocationDate == now)
        #expect(refund.transaction?.revocationReason == .other)
        let declined = try await world.provoked(Provocation(.refundDeclined), id)
        #expect(declined.transaction?.revocationDate == nil)
        for (subtype, status) in [
            (Subtype.pending, PriceIncreaseStatus.pending), (.accepted, .accepted),
        ] {
            let one = try await world.provoked(Provocation(.priceIncrease, subtype), id)
            #expect(one.renewal?.priceIncreaseStatus == status)
        }
        for (reason, sent) in [
            (nil, ConsumptionRequestReason.unintendedPurchase),
            (ConsumptionRequestReason.legal, .legal),
        ] {
            let one = try await world.provoked(
                Provocation(.consumptionRequest, reason: reason), id)
            #expect(one.notification.data?.consumptionRequestReason == sent)
        }
        // The store itself knows of none of it.
        let history = try await world.history("\(id)")
        #expect(history.allSatisfy { $0.revocationDate == nil })
    }

    @Test(
        "What carries no purchase gets something plausible", arguments: Backend.available)
    func otherPayloads(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device(in: .sandbox)
        let id = try await world.subscribe("silver.monthly", by: ada)
        func send(_ type: NotificationTypeV2, _ subtype: Subtype? = nil) async throws
            -> ResponseBodyV2DecodedPayload
        {
            try await world.provoked(Provocation(type, subtype), id, in: .sandbox).notification
        }
        let summary = try #require(try await send(.renewalExtension, .summary).summary)
        #expect(summary.productId == "silver.monthly")
        #expect(summary.storefrontCountryCodes == ["USA"])
        #expect((summary.succeededCount, summary.failedCount) == (1, 0))
        #expect(summary.environment == .sandbox)
        #expect(summary.appAppleId == nil)
        let unreported = try #require(
            try await send(.externalPurchaseToken, .unreported).externalPurchaseToken)
        #expect(unreported.externalPurchaseId.hasPrefix("SANDBOX"))
        #expect(unreported.tokenType == nil)
        let created = try #require(
            try await send(.externalPurchaseToken, .created).externalPurchaseToken)
        #expect(created.tokenType == .services)
        #expect(created.externalPurchaseId != unreported.externalPurchaseId)
        let appData = try #require(try await send(.rescindConsent).appData)
        let copy: AppTransaction = try JWSText.decode(appData.signedAppTransactionInfo)
        #expect(copy.bundleId == World.bundleID)
        #expect(copy.receiptType == .sandbox)
    }

    @Test("The journal and the log say that it was provoked", arguments: Backend.available)
    func marked(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.provoked(Provocation(.expired, .voluntary), id)
        let timeline = try await world.store.timeline(subscription: id, after: 0, limit: 10)
        #expect(timeline.map(\.kind) == [.chosePlan, .provokedNotification])
        #expect(timeline.map(\.provoked) == [nil, "EXPIRED/VOLUNTARY"])
        #expect(timeline.last?.notices == [])
        let log = try await world.store.notificationLog(in: .production, before: nil, limit: 10)
        #expect(log.map(\.isProvoked) == [true, false])
        // Developers find it in their history as well, as any other.
        var filter = NotificationFilter(
            start: World.instant("2025-12-31"), end: World.instant("2026-01-02"))
        filter.type = .expired
        let history = try await world.store.notificationHistory(
            filter, token: nil, for: world.caller())
        #expect(history.notificationHistory.count == 1)
    }

    @Test("What cannot be sent changes nothing", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let before = try await Tables(world.database)
        for (wanted, subscription, environment, error) in [
            (
                Provocation(.subscribed), id, StoreEnvironment.production,
                StoreError.setting(
                    .invalid(
                        "subtype", reason: "SUBSCRIBED has INITIAL_BUY, RESUBSCRIBE"))
            ),
            (
                Provocation(.refund, .pending), id, .production,
                .setting(.invalid("subtype", reason: "REFUND has none"))
            ),
            (
                Provocation(NotificationTypeV2(rawValue: "NEW")), id, .production,
                .setting(.invalid("subtype", reason: "NEW has none"))
            ),
            (
                Provocation(.refund, reason: .legal), id, .production,
                .setting(
                    .invalid(
                        "consumptionRequestReason", reason: "only CONSUMPTION_REQUEST carries it"))
            ),
            (Provocation(.refund), 7, .production, .unknown(.originalTransaction, "7")),
            (Provocation(.refund), id, .sandbox, .unknown(.originalTransaction, "\(id)")),
        ] {
            await #expect(throws: error) {
                try await world.store.provoke(
                    wanted, subscription: subscription, in: environment)
            }
        }
        try await world.store.configure(bundleID: World.bundleID) { $0.notificationURL = nil }
        let unheard = try await Tables(world.database)
        await #expect(throws: StoreError.setting(.noNotificationURL)) {
            try await world.store.provoke(
                Provocation(.refund), subscription: id, in: .production)
        }
        #expect(try await Tables(world.database) == unheard)
        #expect(before.differences(from: unheard).sorted() == ["app", "journal", "world"])
    }
}

extension World {
    /// Sends a notification and returns it as it arrives.
    fileprivate func provoked(
        _ wanted: Provocation, _ subscription: Int64,
        in environment: StoreEnvironment = .production
    ) async throws -> Listener.Arrival {
        _ = try await store.provoke(wanted, subscription: subscription, in: environment)
        try await store.settle()
        return try #require(listener.takeArrivals().last)
    }
}
