import SubscriptionRules
import Testing

@Suite("Storefronts")
struct StorefrontTests {
    @Test("There are 175, each with a code and a number of its own")
    func unique() {
        #expect(Storefront.all.count == 175)
        #expect(Set(Storefront.all.map(\.code)).count == 175)
        #expect(Set(Storefront.all.map(\.id)).count == 175)
        #expect(Set(Storefront.all.map(\.name)).count == 175)
    }

    @Test("Codes are three capitals, numbers six digits from Apple's range, and names are there")
    func shapes() {
        for storefront in Storefront.all {
            #expect(storefront.code.utf8.count == 3)
            #expect(storefront.code.utf8.allSatisfy { (0x41...0x5A).contains($0) })
            #expect(storefront.id.utf8.count == 6)
            #expect(
                storefront.id.hasPrefix("1434") || storefront.id.hasPrefix("1435")
                    || storefront.id.hasPrefix("1436"))
            #expect(!storefront.name.isEmpty)
        }
    }

    @Test("They use 43 currencies, each with the same decimals wherever it is used")
    func currencies() {
        let currencies = Set(Storefront.all.map(\.currency))
        #expect(currencies.count == 43)
        #expect(Set(currencies.map(\.code)).count == 43)
        #expect(
            Set(currencies.filter { $0.decimals == 0 }.map(\.code)) == [
                "CLP", "COP", "DKK", "HKD", "HUF", "IDR", "INR", "JPY", "KRW", "KZT", "MXN", "NGN",
                "NOK", "PHP", "PKR", "RUB", "SEK", "THB", "TWD", "TZS", "VND",
            ])
        #expect(Storefront.all.count { $0.currency.code == "EUR" } == 25)
        #expect(Storefront.all.count { $0.currency.code == "USD" } == 109)
    }

    @Test(
        "Well-known storefronts have Apple's numbers",
        arguments: [
            ("USA", "143441", "USD"), ("FRA", "143442", "EUR"), ("DEU", "143443", "EUR"),
            ("GBR", "143444", "GBP"), ("JPN", "143462", "JPY"), ("CHN", "143465", "CNY"),
            ("KOR", "143466", "KRW"), ("XKS", "143624", "EUR"), ("BGR", "143526", "EUR"),
        ])
    func known(code: String, id: String, currency: String) throws {
        let storefront = try #require(Storefront(code: code))
        #expect(storefront.id == id)
        #expect(storefront.currency.code == currency)
    }

    @Test("Other codes name no storefront", arguments: ["", "US", "usa", "USD", "QQQ", "USA "])
    func unknown(code: String) {
        #expect(Storefront(code: code) == nil)
    }

    @Test("A currency's step is its smallest price difference in milliunits")
    func steps() throws {
        #expect(Storefront.usa.currency.step == 10)
        #expect(try #require(Storefront(code: "JPN")).currency.step == 1000)
    }
}
