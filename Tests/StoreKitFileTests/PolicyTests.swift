import AppStoreWire
import StoreKitFile
import SubscriptionRules
import Testing

@Suite("Policies, languages and pictures of .storekit files")
struct PolicyTests {
    private func file(
        policies: String = "{}", settings: String = #"{"_storefront":"USA"}"#, image: String = "",
        groupTexts: String = ""
    ) throws -> StoreKitFile {
        let text = """
            {"appPolicies":\(policies),
             "products":[{"productID":"seeds","type":"Consumable","displayPrice":"1.99",
              "localizations":[]\(image)}],
             "settings":\(settings),
             "subscriptionGroups":[{"id":"G","name":"Club","localizations":[\(groupTexts)],
              "subscriptions":[{"productID":"club.monthly","type":"RecurringSubscription",
               "displayPrice":"4.99","groupNumber":1,"recurringSubscriptionPeriod":"P1M",
               "localizations":[]\(image)}]}]}
            """
        return try StoreKitFile.read(bytes: Array(text.utf8), name: "Club.storekit")
    }

    /// The warnings besides the one for the version that these files lack.
    private func warnings(_ file: StoreKitFile) -> [Finding] {
        file.warnings.filter { $0.path != "$.version" }
    }

    @Test("The privacy policy is read by language, and the licence agreement")
    func policies() throws {
        let file = try file(
            policies: #"""
                {"eula":"https://a.example/terms","policies":[
                 {"locale":"en_US","policyURL":"https://a.example/privacy","policyText":""},
                 {"locale":"de-DE","policyURL":"","policyText":"Nichts wird behalten."},
                 {"locale":"fr_FR","policyURL":"","policyText":""}]}
                """#)
        #expect(
            file.catalogue.policies
                == AppPolicies(
                    licenceAgreement: "https://a.example/terms",
                    privacyPolicies: [
                        .init(locale: "en_US", url: "https://a.example/privacy", text: ""),
                        .init(locale: "de_DE", url: "", text: "Nichts wird behalten."),
                    ]))
        #expect(warnings(file).map(\.path) == ["$.appPolicies.policies[1].locale"])
        #expect(file.advice == [])
    }

    @Test(
        "Policies as Xcode writes them for none say nothing",
        arguments: [
            "{}", #"{"eula":"","policies":[{"locale":"en_US","policyText":"","policyURL":""}]}"#,
        ])
    func none(policies: String) throws {
        let file = try file(policies: policies)
        #expect(file.catalogue.policies.isEmpty)
        #expect(warnings(file) == [])
    }

    @Test(
        "What is no policy is left out, and the products are read all the same",
        arguments: [
            (#"{"eula":7}"#, "$.appPolicies.eula"),
            (
                #"{"policies":[{"locale":"en_US","policyURL":"javascript:alert(1)"}]}"#,
                "$.appPolicies.policies[0].policyURL"
            ),
            (
                #"{"policies":[{"locale":"en_US","policyURL":"https://a b"}]}"#,
                "$.appPolicies.policies[0].policyURL"
            ),
            (
                #"{"policies":[{"locale":7,"policyText":"We keep nothing."}]}"#,
                "$.appPolicies.policies[0].locale"
            ),
            (
                "{\"policies\":[{\"locale\":\"en_US\",\"policyText\":\"\\u0000\"}]}",
                "$.appPolicies.policies[0].policyText"
            ),
        ] as [(String, String)])
    func noPolicy(policies: String, path: String) throws {
        let file = try file(policies: policies)
        #expect(file.catalogue.policies.isEmpty)
        #expect(warnings(file).map(\.path) == [path])
        #expect(file.catalogue.products.count == 2)
    }

    @Test("Of two policies in one language the first counts; without one it is the file's")
    func languages() throws {
        let file = try file(
            policies: #"""
                {"policies":[{"policyText":"Eins."},{"locale":"de_DE","policyText":"Zwei."}]}
                """#, settings: #"{"_locale":"de_DE","_storefront":"DEU"}"#)
        #expect(file.catalogue.policies.privacyPolicies.map(\.text) == ["Eins."])
        #expect(warnings(file).map(\.path) == ["$.appPolicies.policies[1]"])
    }

    @Test(
        "The language of a file is read, and what is none is ignored",
        arguments: [
            (#""_locale":"de_DE""#, "de_DE", 0), (#""_locale":"zh-Hans""#, "zh_Hans", 1),
            (#""_locale":"nb""#, "nb", 0), (#""_locale":"""#, nil, 0), (#""_x":1"#, nil, 0),
            (#""_locale":"everywhere else""#, nil, 1), (#""_locale":"de_""#, nil, 1),
        ])
    func locale(setting: String, locale: String?, count: Int) throws {
        let file = try file(settings: #"{"_storefront":"USA",\#(setting)}"#)
        #expect(file.locale == locale)
        #expect(warnings(file).count == count)
    }

    @Test(
        "Promotional images are said to be ignored, which is no warning",
        arguments: [
            (#","promotionalImageID":"7C8D9E0F""#, 2), (#","promotionalImageID":"""#, 0), ("", 0),
        ])
    func images(image: String, count: Int) throws {
        let file = try file(image: image)
        #expect(file.imageCount == count)
        #expect(warnings(file) == [])
        let report = CatalogueReport(files: [.init(name: "a", file)])
        let text = report.text { _ in [] }
        #expect(text.contains("Promotional images of 2 products are not read") == (count == 2))
        let json = try JSONValue(parsing: report.jsonBytes())["files"]?.array?.first
        #expect(json?["ignoredImages"] == .integer(Int64(count)))
    }

    @Test("What customers read of groups and policies stands in the report")
    func report() throws {
        let file = try file(
            policies: #"""
                {"eula":"Be kind.",
                 "policies":[{"locale":"en_US","policyURL":"https://a.example/privacy"}]}
                """#, settings: #"{"_storefront":"DEU","_locale":"de_DE"}"#,
            groupTexts: #"{"locale":"de_DE","displayName":"Verein","description":""}"#)
        let report = CatalogueReport(files: [.init(name: "a", file)])
        let text = report.text { _ in [] }
        #expect(text.contains("storefront DEU (EUR), language de_DE\n"))
        #expect(
            text.contains(
                """
                  Customers read of the group Club: "Verein" (de_DE)
                  Privacy policy (en_US): https://a.example/privacy
                  Licence agreement: a text

                """))
        let json = try JSONValue(parsing: report.jsonBytes())["files"]?.array?.first
        #expect(json?["locale"] == .string("de_DE"))
        let texts = json?["groups"]?.array?.first?["localizations"]?.array
        #expect(texts?.first?["displayName"] == .string("Verein"))
        #expect(json?["licenceAgreement"] == .string("Be kind."))
        #expect(
            json?["privacyPolicies"]?.array?.first?["url"]
                == .string("https://a.example/privacy"))
    }
}
