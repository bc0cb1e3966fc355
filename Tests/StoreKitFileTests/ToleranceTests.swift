import StoreKitFile
import SubscriptionRules
import Testing

@Suite("What is tolerated gives a warning with its path")
struct ToleranceTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let paths: [String]
        var testDescription: String { name }

        init(_ name: String, _ paths: [String]) {
            self.name = name
            self.paths = paths
        }
    }

    static let cases = [
        Case("billing-plan-has-other-price", [first + ".billingPlans[0].displayPrice"]),
        Case("byte-order-mark", []),
        Case(
            "code-without-audience",
            [
                first + ".codeOffers[0].eligibility",
                first + ".codeOffers[0].isStackable",
            ]),
        Case("codes-of-one-name", [first + ".codeOffers[1]"]),
        Case("family-sharable", ["$.products[0].familySharable"]),
        Case("family-shareable-consumable", ["$.products[0].familyShareable"]),
        Case("free-offer-has-a-price", [introductory + ".displayPrice"]),
        Case("free-offer-of-two-periods", [introductory + ".numberOfPeriods"]),
        Case("group-id-differs", [first + ".subscriptionGroupID"]),
        Case("group-is-empty", ["$.subscriptionGroups[0].subscriptions"]),
        Case(
            "group-lists-internal-ids",
            [
                "$.products[0].type",
                first,
                "$.products[0].subscriptionPeriod",
                "$.products[0].groupNumber",
            ]),
        Case(
            "group-lists-product-ids",
            [
                "$.products[0].type",
                first,
                "$.products[0].subscriptionPeriod",
                "$.products[0].groupNumber",
            ]),
        Case("group-localization-has-name", ["$.subscriptionGroups[0].localizations[0].name"]),
        Case("group-without-id", ["$.subscriptionGroups[0].id"]),
        Case("level-is-missing", [first + ".groupNumber"]),
        Case("locale-is-missing", ["$.products[0].localizations[0].locale"]),
        Case("locale-twice", ["$.products[0].localizations[1]"]),
        Case("locale-with-hyphen", ["$.products[0].localizations[0].locale"]),
        Case("monthly-billing-plan", []),
        Case(
            "monthly-billing-plan-of-other-total",
            [first + ".billingPlans[0].commitmentDisplayPrice"]),
        Case(
            "monthly-billing-plan-of-half-a-year",
            [first + ".billingPlans[0]", first + ".adHocOffers[0]"]),
        Case("no-products", ["$"]),
        Case(
            "non-consumable-iap",
            [
                "$.products",
                "$.nonConsumableIAP",
                "$.nonConsumableIAP[0].type",
            ]),
        Case("non-renewing-among-products", []),
        Case("offer-in-connect-words", [introductory + ".offerMode", introductory + ".duration"]),
        Case("offer-is-free-trial", [introductory + ".paymentMode"]),
        Case("offer-is-none", [introductory + ".paymentMode"]),
        Case("offer-of-nine-months", [introductory + ".subscriptionPeriod"]),
        Case("offer-of-seven-days", [introductory + ".subscriptionPeriod"]),
        Case("offer-without-id", [first + ".adHocOffers[0].offerID"]),
        Case("pay-as-you-go-of-other-period", [introductory + ".subscriptionPeriod"]),
        Case("period-of-seven-days", [first + ".recurringSubscriptionPeriod"]),
        Case("price-is-a-number", ["$.products[0].displayPrice"]),
        Case("price-is-empty", ["$.products[0].displayPrice"]),
        Case("price-is-missing", ["$.products[0].displayPrice"]),
        Case("price-is-rounded-in-yen", ["$.products[0].displayPrice", first + ".displayPrice"]),
        Case("price-is-rounded", ["$.products[0].displayPrice"]),
        Case("price-is-zero", ["$.products[0].displayPrice"]),
        Case("price-of-offer-is-empty", [introductory + ".displayPrice"]),
        Case("price-only-in-billing-plan", [first + ".displayPrice"]),
        Case("product-id-has-odd-marks", ["$.products[0].productID"]),
        Case("product-repeats-subscription", ["$.products[0].type", "$.products[0]"]),
        Case("products-are-missing", ["$.products"]),
        Case("settings-are-missing", []),
        Case("settings-of-generators", []),
        Case("signing-key", ["$.subscriptionOffersKeyPair"]),
        Case("storefront-in-small-letters", ["$.settings._storefront"]),
        Case(
            "subscription-names-its-group",
            [
                "$.products[0].type",
                "$.products[0]",
                "$.products[0].subscriptionPeriod",
                "$.products[0].groupNumber",
            ]),
        Case(
            "subscription-names-unknown-group",
            [
                "$.products[0].type",
                "$.products[0]",
                "$.products[0].subscriptionGroupID",
                "$.products[0].subscriptionPeriod",
                "$.products[0].groupNumber",
            ]),
        Case("suite-groups", ["$.subscriptionSuiteGroups"]),
        Case(
            "switched-on",
            [
                "$.settings._askToBuyEnabled",
                "$.settings._billingIssuesEnabled",
                "$.settings._renewalBillingIssuesEnabled",
                "$.settings._billingGracePeriodEnabled",
                "$.settings._failTransactionsEnabled",
                "$.settings._timeRate",
                "$.settings._storeKitErrors[1]",
            ]),
        Case("two-introductory-offers", [introductory]),
        Case("type-is-missing", ["$.nonRenewingSubscriptions[0].type"]),
        Case(
            "types-spelt-otherwise",
            [
                "$.products[0].type",
                "$.products[1].type",
                first + ".type",
            ]),
        Case("unknown-key", ["$.type"]),
        Case("version-has-patch", []),
        Case("version-is-a-number", ["$.version"]),
        Case("version-is-missing", ["$.version"]),
        Case("version-is-newer", ["$.version"]),
        Case("win-back-eligibility", [first + ".winbackOffers[1].isEligible"]),
    ]

    @Test("Each odd file is imported, with its warnings", arguments: cases)
    func warns(about odd: Case) throws {
        let file = try TestFiles.read("tolerated/\(odd.name).storekit")
        #expect(file.warnedPaths == odd.paths)
        for warning in file.warnings {
            #expect(warning.file == "\(odd.name).storekit")
            #expect(warning.problem.hasSuffix(".") && warning.remedy.hasSuffix("."))
        }
    }

    @Test("The table has every file of the folder")
    func complete() throws {
        #expect(try TestFiles.names(in: "tolerated") == Self.cases.map(\.name).sorted())
    }
}

@Suite("What is tolerated is read as one would expect")
struct ToleratedMeaningTests {
    private func product(_ id: String, in name: String) throws -> Product {
        try #require(try TestFiles.read("tolerated/\(name).storekit").catalogue.product(id))
    }

    private func offers(in name: String) throws -> [Offer] {
        let file = try TestFiles.read("tolerated/\(name).storekit")
        return file.catalogue.products.flatMap { $0.subscription?.offers ?? [] }
    }

    @Test(
        "Subscriptions among the products join their group",
        arguments: [
            ("group-lists-internal-ids", "9B0F11AA"), ("group-lists-product-ids", "9B0F11AA"),
            ("subscription-names-its-group", "9B0F11AA"),
            ("subscription-names-unknown-group", "walks"),
        ])
    func looseSubscriptions(name: String, group: String) throws {
        let terms = try #require(try product("walks.monthly", in: name).subscription)
        #expect(terms.groupID == group)
        #expect(terms.period == .month)
        #expect(terms.level == 1)
        let file = try TestFiles.read("tolerated/\(name).storekit")
        #expect(file.catalogue.groups.map(\.id) == [group])
    }

    @Test("A level may be as high as a group has subscriptions (GRP-1)", arguments: [1, 11, 100])
    func levels(_ level: Int) throws {
        let text = """
            {"version": {"major": 4, "minor": 0}, "settings": {}, "products": [],
             "nonRenewingSubscriptions": [],
             "subscriptionGroups": [{"id": "21", "name": "Club", "localizations": [],
               "subscriptions": [{"productID": "gold", "groupNumber": \(level),
                 "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M",
                 "referenceName": "Gold", "type": "RecurringSubscription"}]}]}
            """
        let file = try StoreKitFile.read(bytes: Array(text.utf8), name: "test.storekit")
        #expect(file.catalogue.products.map(\.subscription?.level) == [level])
    }

    @Test("A product entry that repeats a subscription is left out")
    func repeated() throws {
        let file = try TestFiles.read("tolerated/product-repeats-subscription.storekit")
        #expect(file.catalogue.products.map(\.id) == ["walks.monthly"])
        #expect(file.counts.autoRenewableSubscriptions == 1)
    }

    @Test("A price that was never typed in is 0, and the product stays")
    func emptyPrice() throws {
        #expect(try product("bench", in: "price-is-empty").basePrice == 0)
        #expect(try product("bench", in: "price-is-missing").basePrice == 0)
        #expect(try product("bench", in: "price-is-zero").basePrice == 0)
        #expect(try offers(in: "price-of-offer-is-empty").map(\.basePrice) == [0])
    }

    @Test("Odd prices keep their exact number")
    func prices() throws {
        #expect(try product("bench", in: "price-is-a-number").basePrice == 2000)
        #expect(try product("bench", in: "price-is-rounded").basePrice == 1995)
        #expect(try product("bench", in: "price-is-rounded-in-yen").basePrice == 120_500)
        let plan = try product("walks.monthly", in: "price-only-in-billing-plan")
        #expect(plan.basePrice == 5990)
        #expect(
            try product("walks.monthly", in: "billing-plan-has-other-price").basePrice == 4990)
    }

    @Test("Free offers are free whatever price remained, and `none` is no offer")
    func freeOffers() throws {
        let stale = try #require(try offers(in: "free-offer-has-a-price").first)
        #expect(stale.mode == .freeTrial && stale.basePrice == 0)
        #expect(try offers(in: "offer-is-none").isEmpty)
        #expect(try offers(in: "offer-is-free-trial").map(\.mode) == [.freeTrial])
    }

    @Test(
        "Offer lengths in other words are the same lengths",
        arguments: [
            ("offer-in-connect-words", "P1W"), ("offer-of-seven-days", "P1W"),
            ("offer-of-nine-months", "P9M"), ("free-offer-of-two-periods", "P2W"),
        ])
    func lengths(name: String, period: String) throws {
        let offer = try #require(try offers(in: name).first)
        #expect(offer.period.iso8601 == period)
        #expect(offer.periodCount == 1)
    }

    @Test("Of two introductory offers the newer key counts; each billing plan has its own")
    func introductoryOffers() throws {
        #expect(try offers(in: "two-introductory-offers").map(\.period) == [.week])
        let offers = try offers(in: "monthly-billing-plan")
        #expect(offers.map(\.period) == [.month, CalendarPeriod(2, .month), .week])
        #expect(offers.map(\.billing) == [.upFront, .monthly, .monthly])
    }

    @Test("A plan that is billed monthly is twelve months at its price, and only of a year")
    func monthlyBilling() throws {
        func monthly(_ name: String) throws -> MonthlyBilling? {
            try product("walks.yearly", in: name).subscription?.monthlyBilling
        }
        #expect(try monthly("monthly-billing-plan") == MonthlyBilling(basePrice: 3_990))
        #expect(
            try monthly("monthly-billing-plan-of-other-total") == MonthlyBilling(basePrice: 3_990))
        #expect(try monthly("monthly-billing-plan-of-half-a-year") == nil)
        #expect(
            try offers(in: "monthly-billing-plan-of-half-a-year").map(\.kind) == [.introductory])
    }

    @Test("Offer codes without words on it are for everybody, and have names of their own")
    func offerCodes() throws {
        let open = try #require(try offers(in: "code-without-audience").first)
        #expect(open.audiences == Offer.Audience.allCases)
        #expect(!open.isStackable)
        #expect(try offers(in: "codes-of-one-name").map(\.id) == ["HELLO", "1F00AA02"])
        #expect(try offers(in: "offer-without-id").map(\.id) == ["thanks"])
    }

    @Test("A win-back offer says whether it can be had")
    func winBackOffers() throws {
        let offers = try offers(in: "win-back-eligibility")
        #expect(offers.map(\.id) == ["back", "later"])
        #expect(offers.map(\.winBack) == [WinBackTerms(), WinBackTerms()])
        #expect(offers.map(\.availability.storefronts) == [nil, []])
    }

    @Test("Sharing is read in its misspelling, and never for what cannot be shared")
    func sharing() throws {
        #expect(try product("map", in: "family-sharable").isFamilyShareable)
        #expect(try !product("bench", in: "family-shareable-consumable").isFamilyShareable)
    }

    @Test("Types in other words, places and without words are the same types")
    func types() throws {
        #expect(try product("map", in: "types-spelt-otherwise").type == .nonConsumable)
        #expect(try product("map", in: "non-consumable-iap").type == .nonConsumable)
        #expect(try product("tour.summer", in: "type-is-missing").type == .nonRenewingSubscription)
        #expect(
            try product("tour.summer", in: "non-renewing-among-products").type
                == .nonRenewingSubscription)
    }

    @Test("Locales have underscores, and one text each")
    func locales() throws {
        let bench = try product("bench", in: "locale-with-hyphen")
        #expect(bench.localizations.map(\.locale) == ["zh_Hans", "en_US"])
        #expect(
            try product("bench", in: "locale-twice").localizations.map(\.displayName) == ["Bench"])
        let group = try TestFiles.read("tolerated/group-localization-has-name.storekit")
        #expect(group.catalogue.groups[0].localizations.map(\.displayName) == ["Walks"])
    }

    @Test("A missing group identifier is its name, and a storefront may be in small letters")
    func groupsAndStorefronts() throws {
        let group = try TestFiles.read("tolerated/group-without-id.storekit")
        #expect(group.catalogue.groups.map(\.id) == ["Walks"])
        let french = try TestFiles.read("tolerated/storefront-in-small-letters.storekit")
        #expect(french.storefront == "FRA")
    }
}
