import StoreKitFile
import SubscriptionRules
import Testing

@Suite("Every format version is read by the keys that it has")
struct VersionTests {
    struct Row: CustomTestStringConvertible {
        let version: String
        let storefront: String
        let products: [String]
        let offers: [String]
        var testDescription: String { version }
    }

    static let rows = [
        Row(
            version: "1.0", storefront: "USA", products: ["bench", "walks.monthly"],
            offers: ["1  FREE_TRIAL P1W × 1 = 0"]),
        Row(
            version: "1.1", storefront: "FRA",
            products: ["bench", "tour.summer", "walks.monthly"],
            offers: ["1  PAY_AS_YOU_GO P1M × 2 = 1990", "2 thanks FREE_TRIAL P1M × 1 = 0"]),
        Row(
            version: "1.2", storefront: "USA",
            products: ["bench", "tour.summer", "walks.monthly"],
            offers: ["3 HELLO FREE_TRIAL P1M × 1 = 0"]),
        Row(
            version: "2.0", storefront: "USA", products: ["bench", "1234567891"], offers: []),
        Row(
            version: "3.0", storefront: "USA",
            products: ["bench", "walks.monthly", "walks.yearly"], offers: []),
        Row(
            version: "4.0", storefront: "DEU", products: ["map", "walks.monthly"],
            offers: ["4 return PAY_AS_YOU_GO P1M × 3 = 1990"]),
        Row(
            version: "5.0", storefront: "USA",
            products: ["bench", "walks.yearly", "walks.monthly"],
            offers: ["1  FREE_TRIAL P2W × 1 = 0"]),
        Row(
            version: "6.3", storefront: "USA", products: ["bench", "walks.yearly"],
            offers: ["1  FREE_TRIAL P1M × 1 = 0", "3 HELLO FREE_TRIAL P2M × 1 = 0"]),
    ]

    @Test("A file of each version gives its catalogue without unusual warnings", arguments: rows)
    func reads(row: Row) throws {
        let file = try TestFiles.read("versions/\(row.version).storekit")
        #expect(file.version == row.version)
        #expect(file.storefront == row.storefront)
        #expect(file.catalogue.products.map(\.id) == row.products)
        #expect(file.warnedPaths.isEmpty)
        let offers = file.catalogue.products.flatMap { $0.subscription?.offers ?? [] }
        #expect(
            offers.map {
                "\($0.kind.rawValue) \($0.id) \($0.mode.rawValue) \($0.period.iso8601) × "
                    + "\($0.periodCount) = \($0.basePrice)"
            } == row.offers)
    }

    @Test("A folder is read by the configuration in it")
    func folder() throws {
        let file = try TestFiles.read("versions/Folder.storekit")
        #expect(file.catalogue.products.map(\.id) == ["bench", "walks.monthly"])
    }

    @Test("All that a product has is taken over")
    func wholeProduct() throws {
        let file = try TestFiles.read("versions/4.0.storekit")
        let map = try #require(file.catalogue.product("map"))
        #expect(
            map
                == Product(
                    id: "map", type: .nonConsumable, referenceName: "Map", isFamilyShareable: true,
                    localizations: [
                        Localization(locale: "en_US", displayName: "", description: "")
                    ],
                    basePrice: 14_990))
        let walks = try #require(file.catalogue.product("walks.monthly")?.subscription)
        #expect(walks.groupID == "9B0F11AA" && walks.level == 1 && walks.period == .month)
        #expect(
            file.catalogue.groups == [
                SubscriptionGroup(
                    id: "9B0F11AA", referenceName: "Walks",
                    localizations: [
                        Localization(locale: "en_US", displayName: "Walks", description: ""),
                        Localization(locale: "de", displayName: "Spaziergänge", description: ""),
                    ])
            ])
    }

    @Test("An offer code keeps its audience as a set, and whether it stacks")
    func offerCode() throws {
        let file = try TestFiles.read("versions/1.2.storekit")
        let code = try #require(file.catalogue.products.last?.subscription?.offers.first)
        #expect(code.audiences == [.new, .expired])
        #expect(code.isStackable)
    }
}

@Suite("Prices are exact")
struct PriceTests {
    private func read(_ price: String) throws -> Int64? {
        let json = """
            {"version": {"major": 4, "minor": 0}, "products": [{"productID": "a",
             "type": "Consumable", "displayPrice": "\(price)"}], "subscriptionGroups": []}
            """
        return try StoreKitFile.read(bytes: Array(json.utf8), name: "Price.storekit")
            .catalogue.products.first?.basePrice
    }

    @Test(
        "A decimal text is milliunits, whatever its length",
        arguments: [
            ("0.99", 990), ("9.9", 9900), ("79", 79_000), ("49.00", 49_000), ("13900", 13_900_000),
            ("0", 0), ("0.00", 0), ("0.001", 1), ("1.005", 1005), ("4.35", 4350), ("0.29", 290),
            ("1.15", 1150), ("8.41", 8410), ("00012.5", 12_500), ("999999.99", 999_999_990),
            ("1000000000", 1_000_000_000_000),
        ] as [(String, Int64)])
    func exact(text: String, milliunits: Int64) throws {
        #expect(try read(text) == milliunits)
    }

    @Test("Every hundredth up to a hundred comes out exactly")
    func hundredths() throws {
        for number in stride(from: 0, through: 9999, by: 37) {
            let cents = number % 100
            let text = "\(number / 100).\(cents < 10 ? "0" : "")\(cents)"
            #expect(try read(text) == Int64(number) * 10)
        }
    }

    @Test(
        "Any other text is refused",
        arguments: [
            "1,99", "-1", "+1", ".5", "5.", ".", "1.2345", "1.0000", "1e3", "0x10", "1_000", "１",
            "1 000", " 1", "1 ", "$1", "NaN", "1000000000.001", "9223372036854775807",
            "99999999999999999999999999",
        ])
    func refused(text: String) {
        let error = #expect(throws: StoreKitFileError.self) { try read(text) }
        #expect(error?.problems.map(\.path) == ["$.products[0].displayPrice"])
    }
}
