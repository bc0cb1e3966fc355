import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Every type and subtype that the store sends, with what it carries, in one long life.
@Suite("Notifications: types")
struct TypeTests {
    private struct Step: Sendable {
        let lines: [String]
        let command: @Sendable (World, DeviceSession) async throws -> Void

        init(
            _ lines: String...,
            command: @escaping @Sendable (World, DeviceSession) async throws -> Void
        ) {
            self.lines = lines
            self.command = command
        }

        static func buy(_ product: String, _ line: String) -> Step {
            Step(line) { world, ada in
                _ = try await world.store.purchase(
                    PurchaseRequest(productID: product), by: ada)
            }
        }

        static func change(_ change: SubscriptionChange, _ line: String) -> Step {
            Step(line) { world, ada in
                let one = try #require(try await world.store.subscriptions(for: ada).first)
                try await world.store.change(
                    subscription: one.originalTransactionID, [change], by: ada)
            }
        }

        static func wait(until moment: String, _ lines: String...) -> Step {
            Step(lines: lines) { world, _ in
                _ = try await world.store.advance(to: World.instant(moment))
            }
        }

        static func pay(_ method: PaymentMethod, _ lines: String...) -> Step {
            Step(lines: lines) { world, _ in
                try await world.store.setPaymentMethod(method, account: "ada", in: .production)
            }
        }

        private init(
            lines: [String],
            command: @escaping @Sendable (World, DeviceSession) async throws -> Void
        ) {
            self.lines = lines
            self.command = command
        }
    }

    private static let broke = PaymentMethod.declines(until: nil, left: nil)
    private static let silver = "1 silver.monthly 9.99 until 2026-02-01"
    private static let gold = "gold.monthly 19.99 until"

    private static let choices: [Step] = [
        .buy(
            "silver.monthly",
            "2026-01-01 SUBSCRIBED/INITIAL_BUY \(silver) | 1 silver.monthly on 2026-02-01 9.99"),
        .change(
            .product("bronze.monthly"),
            """
            2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE \(silver) \
            | 1 silver.monthly>bronze.monthly on 2026-02-01 4.99
            """),
        .change(
            .product("silver.monthly"),
            "2026-01-01 DID_CHANGE_RENEWAL_PREF \(silver) | 1 silver.monthly on 2026-02-01 9.99"),
        .change(
            .renewal(isOn: false),
            """
            2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED \(silver) \
            | 1 silver.monthly off 2026-02-01 9.99
            """),
        .change(
            .renewal(isOn: true),
            """
            2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED \(silver) \
            | 1 silver.monthly on 2026-02-01 9.99
            """),
        .buy(
            "gold.monthly",
            """
            2026-01-01 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 \(gold) 2026-02-01 \
            | 1 gold.monthly on 2026-02-01 19.99
            """),
    ]

    private static let billing: [Step] = [
        .wait(
            until: "2026-02-01",
            "2026-02-01 DID_RENEW 1 \(gold) 2026-03-01 | 1 gold.monthly on 2026-03-01 19.99"),
        .pay(broke),
        .wait(
            until: "2026-03-04",
            """
            2026-03-01 DID_FAIL_TO_RENEW/GRACE_PERIOD 4 \(gold) 2026-03-01 \
            | 4 gold.monthly on 2026-03-01 19.99 intent 2 retrying grace 2026-03-04
            """,
            """
            2026-03-04 GRACE_PERIOD_EXPIRED 3 \(gold) 2026-03-01 \
            | 3 gold.monthly on 2026-03-01 19.99 intent 2 retrying grace 2026-03-04
            """),
        .pay(
            .approves,
            """
            2026-03-04 DID_RENEW/BILLING_RECOVERY 1 \(gold) 2026-04-04 \
            | 1 gold.monthly on 2026-04-04 19.99
            """),
        .pay(broke),
        Step { world, _ in
            try await world.store.configure(bundleID: World.bundleID) { $0.gracePeriod = nil }
        },
        .wait(
            until: "2026-06-03",
            """
            2026-04-04 DID_FAIL_TO_RENEW 3 \(gold) 2026-04-04 \
            | 3 gold.monthly on 2026-04-04 19.99 intent 2 retrying
            """,
            """
            2026-06-03 EXPIRED/BILLING_RETRY 2 \(gold) 2026-04-04 \
            | 2 gold.monthly off 2026-04-04 intent 2
            """),
        .pay(.approves),
    ]

    private static let endings: [Step] = [
        .buy(
            "silver.monthly",
            """
            2026-06-03 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 9.99 until 2026-07-03 \
            | 1 silver.monthly on 2026-07-03 9.99
            """),
        .change(
            .renewal(isOn: false),
            """
            2026-06-03 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED \
            1 silver.monthly 9.99 until 2026-07-03 | 1 silver.monthly off 2026-07-03 9.99
            """),
        .wait(
            until: "2026-07-03",
            """
            2026-07-03 EXPIRED/VOLUNTARY 2 silver.monthly 9.99 until 2026-07-03 \
            | 2 silver.monthly off 2026-07-03 intent 1
            """),
        .buy(
            "silver.monthly",
            """
            2026-07-03 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 9.99 until 2026-08-03 \
            | 1 silver.monthly on 2026-08-03 9.99
            """),
        Step { world, _ in
            try await world.store.setAvailability(
                false, product: "silver.monthly", storefront: nil, bundleID: World.bundleID)
        },
        .wait(
            until: "2026-08-03",
            """
            2026-08-03 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 until 2026-08-03 \
            | 2 silver.monthly off 2026-08-03 intent 4
            """),
        .buy(
            "bronze.monthly",
            """
            2026-08-03 SUBSCRIBED/RESUBSCRIBE 1 bronze.monthly 4.99 until 2026-09-03 \
            | 1 bronze.monthly on 2026-09-03 4.99
            """),
        Step(
            """
            2026-08-03 EXPIRED 2 bronze.monthly 4.99 until 2026-08-03 \
            | 2 bronze.monthly off 2026-08-03 intent 5
            """
        ) { world, ada in
            let one = try #require(try await world.store.subscriptions(for: ada).first)
            try await world.store.end(subscription: one.originalTransactionID)
        },
        .buy("coins", "2026-08-03 ONE_TIME_CHARGE coins 0.99"),
        Step("2026-08-03 TEST") { world, _ in
            _ = try await world.store.requestTestNotification(
                bundleID: World.bundleID, in: .production)
        },
    ]

    @Test("Every notification says what it must about that moment", arguments: Backend.available)
    func everyType(_ backend: Backend) async throws {
        let world = try await World(backend) { $0.gracePeriod = .threeDays }
        let ada = try await world.device()
        for step in Self.choices + Self.billing + Self.endings {
            try await step.command(world, ada)
            try await world.store.settle()
            #expect(world.listener.takeArrivals().map(\.fullLine) == step.lines)
        }
        // All that TAB-16.3 names, but for what later milestones bring.
        #expect(Set(world.listener.arrivals.map(\.name)).count == 18)
        for arrival in world.listener.arrivals {
            let data = try #require(arrival.notification.data)
            #expect(data.bundleId == World.bundleID)
            #expect(data.environment == .production)
            #expect(data.appAppleId == World.appleID)
            #expect(arrival.notification.version == "2.0")
            for signed in [arrival.transaction?.signedDate, arrival.renewal?.signedDate] {
                #expect(signed == nil || signed == arrival.notification.signedDate)
            }
        }
        let identifiers = world.listener.arrivals.map(\.notification.notificationUUID)
        #expect(Set(identifiers).count == identifiers.count)
    }
}
