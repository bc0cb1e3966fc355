import AppStoreSigning
import AppStoreWire
import PerennialTesting
import ServerAPIClient
import SubscriptionRules
import Testing

@Suite(
    "A store for each test",
    .perennial(
        TestCatalogue {
            $0.subscription("club.monthly", price: 9_990, every: .month, in: "club")
            $0.product("coins", price: 990, .consumable)
        }))
struct TestStoreTests {
    @Test(
        "Nothing of one test is left in another, whichever is first",
        arguments: ["ada", "ben", "carla"])
    func fresh(account: String) async throws {
        let store = try TestStore.current
        #expect(try await store.now().iso8601 == "2026-01-31T10:00:00Z")
        #expect(store.notifications.all.isEmpty)
        let ada = try await store.customer("ada")
        #expect(try await ada.entitlements().isEmpty)
        try await ada.buy("club.monthly")
        #expect(store.notifications.names == ["SUBSCRIBED/INITIAL_BUY"])
        #expect(try await ada.entitlements() == ["club.monthly"])
        try await store.advance("P1Y")
    }

    @Test("A client and a verifier are ready")
    func client() async throws {
        let store = try TestStore.current
        let bought = try await store.customer("ada").buy("coins")
        let info = try await store.client.transactionInfo(bought.id)
        let verified = try await store.verifier.verifyTransaction(info.signedTransactionInfo)
        #expect(verified.transactionId == bought.id)
    }

    @Test("A refusal has the store's code")
    func refusal() async throws {
        let ada = try await TestStore.current.customer("ada")
        try await ada.declinePayments(count: 1)
        do {
            try await ada.buy("coins")
            Issue.record("it was sold")
        } catch {
            #expect(TestStore.code(of: error) == "paymentDeclined")
        }
        try await ada.buy("coins")
    }

    @Test("Calls fail as often as a rule says")
    func failingCalls() async throws {
        let store = try TestStore.current
        let bought = try await store.customer("ada").buy("coins")
        try await store.faults.failCalls(4_040_010, count: 1)
        do {
            _ = try await store.client.transactionInfo(bought.id)
            Issue.record("it was answered")
        } catch {
            #expect(error.errorCode == 4_040_010)
        }
        _ = try await store.client.transactionInfo(bought.id)
    }

    @Test("A notification that does not come is missed with what came, and why it did not")
    func missing() async throws {
        let store = try TestStore.current
        let ada = try await store.customer("ada")
        try await store.faults.lose(.didRenew)
        try await ada.buy("club.monthly")
        try await store.advance("P1M")
        do {
            try await store.notifications.expect(.didRenew, within: .zero)
            Issue.record("it came")
        } catch let error as MissingNotification {
            #expect(error.description.hasPrefix("No DID_RENEW came ("))
            #expect(
                error.description.contains(
                    "2026-01-31T10:00:00Z SUBSCRIBED/INITIAL_BUY 200 club.monthly"))
            #expect(error.description.contains("DID_RENEW loseNotifications (rule "))
        } catch {
            Issue.record(error)
        }
    }

    @Test("A server that throws is asked again, an hour later")
    func failingServer() async throws {
        struct Broken: Error {}
        let store = try TestStore.current
        store.notifications.forward { _ in throw Broken() }
        try await store.customer("ada").buy("coins")
        #expect(store.notifications.all.map(\.answer) == [500])
        store.notifications.forward { _ in }
        try await store.advance("PT1H")
        #expect(store.notifications.names == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
        #expect(store.notifications.all.map(\.answer) == [500, 200])
    }

    @Test("The clock goes to a notification")
    func until() async throws {
        let store = try TestStore.current
        let ada = try await store.customer("ada")
        try await ada.buy("club.monthly")
        try await ada.cancel()
        let end = try await store.advance(until: .expired, .voluntary)
        #expect(end.iso8601 == "2026-02-28T10:00:00Z")
        try await store.notifications.expect(.expired, .voluntary)
    }

    @Test("A duration that is none is refused", arguments: ["", "1M", "P", "month"])
    func badDuration(text: String) async throws {
        let store = try TestStore.current
        do {
            try await store.advance(text)
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains("write P1M"))
        }
    }
}

@Suite("Tests without a store")
struct StorelessTests {
    @Test("A test without the trait is told to add it")
    func noTrait() {
        #expect(throws: TestStoreFailure.self) { _ = try TestStore.current }
    }

    @Test(
        "A store that cannot begin says why",
        arguments: [
            (StoreTrait.perennial("/nowhere/App.storekit"), "The catalogue /nowhere/App.storekit"),
            (StoreTrait.perennial(.file("nowhere.storekit")), "PerennialTestingTests/nowhere"),
            (StoreTrait.perennial(TestCatalogue { _ in }, start: "today"), "today is no moment"),
        ])
    func unusable(trait: StoreTrait, words: String) async throws {
        let test = try #require(Test.current)
        do {
            try await trait.provideScope(for: test, testCase: nil) {
                Issue.record("it began")
            }
        } catch {
            #expect("\(error)".contains(words))
        }
    }

    @Test(
        "A code is redeemed as often as it may be",
        .perennial(
            TestCatalogue {
                $0.subscription(
                    "club.monthly", price: 9_990, every: .month,
                    offers: [
                        Offer(
                            kind: .offerCode, id: "spring", mode: .freeTrial, period: .month,
                            audiences: [.new])
                    ])
            }))
    func offerCode() async throws {
        let store = try TestStore.current
        try await store.makeOfferCode("SPRING", for: "spring", of: "club.monthly", count: 1)
        let redeemed = try await store.customer("ada").redeem("SPRING")
        #expect(redeemed.payload.price == 0)
        do {
            try await store.customer("ben").redeem("SPRING")
            Issue.record("it was redeemed twice")
        } catch {
            #expect(TestStore.code(of: error) != nil)
        }
    }

    @Test(
        "In Sandbox a month takes five minutes",
        .perennial(
            TestCatalogue { $0.subscription("club.monthly", price: 9_990, every: .month) },
            environment: .sandbox))
    func sandbox() async throws {
        let store = try TestStore.current
        let bought = try await store.customer("ada").buy("club.monthly")
        #expect(bought.payload.environment == .sandbox)
        try await store.advance("PT5M")
        try await store.notifications.expect(.didRenew, about: bought)
    }
}
