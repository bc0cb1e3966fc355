import SubscriptionRules
import Testing

@Suite("New prices of several items")
struct BundlePriceTests {
    private static let dollars = Currency(code: "USD")!

    /// A subscriber who renews on the 15th, or on another day.
    private static func bundle(
        _ items: [ImaginedBundle.Item], _ period: CalendarPeriod = .month,
        renews: String = "2026-03-15", storefront: String = "USA"
    ) -> ImaginedBundle {
        ImaginedBundle(
            ImaginedSubscriber(storefront: storefront, period: period, renews: moment(renews)),
            items: items)
    }

    private static func item(
        _ sku: String, _ old: Int64, _ new: Int64, increased: String? = nil,
        offer: ImaginedSubscriber.RunningOffer? = nil, ends: [String] = []
    ) -> ImaginedBundle.Item {
        ImaginedBundle.Item(
            sku: sku, oldPrice: old, newPrice: new, lastIncrease: increased.map { moment($0) },
            offer: offer, dependents: ends)
    }

    private static func explain(
        _ bundle: ImaginedBundle, _ route: PriceChangeRoute, live: String = "2026-02-15",
        in currency: Currency = dollars
    ) throws -> BundlePriceExplanation {
        try bundle.explanation(
            in: currency, route: route, live: moment(live), thresholds: .standard)
    }

    private static func days(_ messages: [BundlePriceExplanation.Message]) -> [String] {
        messages.map {
            "\(text($0.message.moment)) \($0.message.channel) \($0.skus.joined(separator: "+"))"
        }
    }

    @Test("Items that need no consent are changed by one request and told in one message (ACC-4)")
    func notices() throws {
        let bundle = Self.bundle([
            Self.item("news", 9_990, 10_990), Self.item("sport", 4_990, 5_990),
            Self.item("films", 7_990, 7_990),
        ])
        let merchant = try Self.explain(bundle, .merchantManaged)
        #expect(merchant.path == .notice)
        #expect(merchant.requests.map(\.skus) == [["news", "sport"]])
        #expect(merchant.requests.map(\.opens) == [moment("2026-03-08")])
        #expect(merchant.requests.map(\.closes) == [moment("2026-03-14")])
        #expect(
            Self.days(merchant.messages) == [
                "2026-02-16 mail news+sport", "2026-02-16 sheet news+sport",
                "2026-03-08 push news+sport",
            ])
        #expect(merchant.bills.map(\.moment) == [moment("2026-03-15")])
        #expect(merchant.bills.map(\.ifAgreed) == [24_970])
        #expect(merchant.bills.map(\.ifUnanswered) == [24_970])
        #expect(merchant.sum.change.old == 22_970)
        // Where the store tells, the call comes first, and at once.
        let store = try Self.explain(bundle, .storeManaged)
        #expect(store.requests.map(\.skus) == [["news", "sport"]])
        #expect(store.requests.map(\.opens) == [moment("2026-02-15")])
        #expect(store.requests.map(\.closes) == [nil])
        #expect(Self.days(store.messages) == Self.days(merchant.messages))
    }

    @Test("What needs consent has its own request, and ends or stays (ACC-5, ACP-10, ACS-3)")
    func mixed() throws {
        let bundle = Self.bundle([
            Self.item("news", 9_990, 10_990), Self.item("sport", 4_990, 10_990, ends: ["replay"]),
            Self.item("replay", 2_990, 2_990), Self.item("films", 7_990, 6_990),
        ])
        let merchant = try Self.explain(bundle, .merchantManaged)
        #expect(merchant.path == .consent)
        #expect(
            merchant.items.map(\.explanation.decision.path) == [.notice, .consent, .none, .none])
        #expect(Set(merchant.requests.map(\.skus)) == [["films"], ["news"], ["sport"]])
        #expect(merchant.requests.filter(\.needsConsent).map(\.skus) == [["sport"]])
        // Without an answer the old price stays, and so does what depends on the item.
        #expect(merchant.bills.map(\.ifAgreed) == [31_960])
        #expect(merchant.bills.map(\.ifUnanswered) == [25_960])
        #expect(merchant.bills.map(\.lapsed) == [[]])
        let store = try Self.explain(bundle, .storeManaged)
        #expect(store.requests.map(\.skus) == [["news", "sport", "films"]])
        #expect(store.bills.map(\.ifAgreed) == [31_960])
        #expect(store.bills.map(\.ifUnanswered) == [17_980])
        #expect(store.bills.map(\.lapsed) == [["sport", "replay"]])
        // The two kinds are told apart, and each channel asks once a week (ACC-1).
        #expect(
            Self.days(store.messages.filter { $0.skus == ["sport"] }) == [
                "2026-02-16 mail sport", "2026-02-16 sheet sport", "2026-02-16 push sport",
                "2026-02-23 mail sport", "2026-02-23 sheet sport", "2026-02-23 push sport",
                "2026-03-02 mail sport", "2026-03-02 sheet sport", "2026-03-02 push sport",
                "2026-03-09 mail sport", "2026-03-09 sheet sport", "2026-03-09 push sport",
            ])
    }

    @Test("Items are judged one by one, the sum decides nothing (TAB-7.2)")
    func sum() throws {
        // Each rises by less than five dollars, together they rise by more.
        let small = try Self.explain(
            Self.bundle([Self.item("a", 5_000, 9_000), Self.item("b", 5_000, 9_000)]),
            .storeManaged)
        #expect(small.path == .notice)
        #expect(small.sum.path == .consent)
        // One rises by much, together they rise by less than half.
        let large = try Self.explain(
            Self.bundle([Self.item("a", 5_000, 11_000), Self.item("b", 50_000, 50_000)]),
            .merchantManaged)
        #expect(large.path == .consent)
        #expect(large.sum.path == .notice)
        // Of an item that was raised within a year consent is needed, of the others not.
        let again = try Self.explain(
            Self.bundle([
                Self.item("a", 5_000, 5_100, increased: "2025-06-15"),
                Self.item("b", 5_000, 5_100, increased: "2025-03-14"),
            ]), .storeManaged)
        #expect(again.items.map(\.explanation.decision.path) == [.consent, .notice])
    }

    @Test(
        "A weekly bundle pays more at the fourth renewal, by a call in its week (ACC-6)",
        arguments: [PriceChangeRoute.merchantManaged, .storeManaged])
    func weekly(_ route: PriceChangeRoute) throws {
        let bundle = Self.bundle(
            [Self.item("a", 990, 1_990), Self.item("b", 1_990, 2_490)], .week,
            renews: "2026-02-12")
        let explanation = try Self.explain(bundle, route, live: "2026-02-05")
        let fourth = moment("2026-03-05")
        #expect(explanation.items.map(\.explanation.firstRenewalAtNewPrice) == [fourth, fourth])
        #expect(
            explanation.items.allSatisfy {
                $0.explanation.calendar.remarks == [.fourthRenewal]
            })
        #expect(
            Self.days(explanation.messages) == [
                "2026-02-06 mail a+b", "2026-02-06 sheet a+b", "2026-02-26 push a+b",
            ])
        #expect(explanation.bills.map(\.moment) == [moment("2026-02-12"), fourth])
        #expect(explanation.bills.map(\.ifAgreed) == [2_980, 4_480])
        #expect(
            explanation.requests.map(\.closes)
                == [route == .merchantManaged ? moment("2026-03-04") : nil])
    }

    @Test("Requests about two items on one channel are a week apart (ACC-1, ACC-12)")
    func weeks() throws {
        // What is in an offer is announced for the renewal after it.
        let bundle = Self.bundle(
            [
                Self.item("a", 5_000, 12_000),
                Self.item("b", 5_000, 12_000, offer: .init(mode: .freeTrial)),
            ], CalendarPeriod(2, .month), renews: "2026-03-01")
        let explanation = try Self.explain(bundle, .storeManaged, live: "2026-01-01")
        #expect(
            explanation.items.map(\.explanation.firstRenewalAtNewPrice)
                == [moment("2026-03-01"), moment("2026-05-01")])
        #expect(explanation.requests.map(\.opens) == [moment("2026-01-01"), moment("2026-03-01")])
        let mails = explanation.messages.filter { $0.message.channel == .mail }
            .map(\.message.moment)
        #expect(zip(mails, mails.dropFirst()).allSatisfy { $1 >= $0 + .days(7) })
        // The first of them would have its mail on 2 March, three days after the other's last.
        #expect(mails.contains(moment("2026-02-26")))
        #expect(!mails.contains(moment("2026-03-02")))
        #expect(mails.contains(moment("2026-03-05")))
    }

    @Test("In Korea the end of an item's offer is asked about besides (KOR-9)")
    func korea() throws {
        let won = try #require(Currency(code: "KRW"))
        let bundle = Self.bundle(
            [
                Self.item(
                    "news", 5_900_000, 6_900_000, offer: .init(mode: .freeTrial)),
                Self.item("sport", 3_900_000, 4_900_000),
            ], renews: "2025-05-01", storefront: "KOR")
        let explanation = try Self.explain(
            bundle, .merchantManaged, live: "2025-04-01", in: won)
        let conversions = explanation.items.map(\.explanation.koreanConversion)
        #expect(conversions[0]?.days?.lowerBound.iso8601 == "2025-04-01")
        #expect(conversions[0]?.days?.upperBound.iso8601 == "2025-04-30")
        #expect(conversions[1] == nil)
        #expect(explanation.items.map(\.explanation.decision.path) == [.notice, .notice])
    }

    @Test("In India what rises is not available, and what falls is (ACP-5)")
    func india() throws {
        let rupees = try #require(Currency(code: "INR"))
        let explanation = try Self.explain(
            Self.bundle(
                [Self.item("a", 99_000, 149_000), Self.item("b", 99_000, 49_000)],
                storefront: "IND"), .storeManaged, in: rupees)
        #expect(explanation.path == .unavailable)
        #expect(explanation.requests.map(\.skus) == [["b"]])
        #expect(explanation.bills.map(\.ifAgreed) == [148_000])
        #expect(explanation.messages.isEmpty)
    }

    @Test(
        "What can be no bundle is refused",
        arguments: [
            ([], .storeManaged, .itemCount),
            ([item("a", 1_000, 2_000)], .appStoreConnect, .route),
            (
                [item("a", 1_000, 2_000), item("a", 1_000, 1_000)], .storeManaged,
                .repeatedItem("a")
            ),
            (
                [item("a", 1_000, 2_000, ends: ["b"])], .storeManaged, .unknownDependent("b")
            ),
            ([item("a", 1_000, 2_000, ends: ["a"])], .storeManaged, .chain("a")),
            (
                [
                    item("a", 1_000, 2_000, ends: ["b"]), item("b", 1_000, 2_000, ends: ["c"]),
                    item("c", 1_000, 2_000),
                ], .storeManaged, .chain("b")
            ),
            (
                [item("a", 1_000, 2_000, increased: "2026-04-01")], .storeManaged,
                .item("a", .increasedAfterRenewal)
            ),
        ] as [([ImaginedBundle.Item], PriceChangeRoute, ImaginedBundle.Impossibility)])
    func impossible(
        _ items: [ImaginedBundle.Item], _ route: PriceChangeRoute,
        _ fault: ImaginedBundle.Impossibility
    ) {
        #expect(throws: fault) { try Self.explain(Self.bundle(items), route) }
    }

    @Test("A hundred items are explained, and one more is not")
    func many() throws {
        let items = (0..<101).map { Self.item("item\($0)", 1_000_000_000_000, 0) }
        let explanation = try Self.explain(Self.bundle(Array(items.dropLast())), .storeManaged)
        #expect(explanation.sum.change.old == 100_000_000_000_000)
        #expect(explanation.requests.map(\.skus.count) == [100])
        #expect(throws: ImaginedBundle.Impossibility.itemCount) {
            try Self.explain(Self.bundle(items), .storeManaged)
        }
    }
}
