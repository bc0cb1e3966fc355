import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("What customers read of a catalogue besides its products")
struct CatalogueReadingTests {
    private static let app = "/connect/v1/apps/\(World.bundleID)"

    private static let file = #"""
        {"appPolicies":{"eula":"https://a.example/terms","policies":[
           {"locale":"en_US","policyURL":"https://a.example/privacy","policyText":""},
           {"locale":"de_DE","policyURL":"https://a.example/de/privacy","policyText":""}]},
         "products":[],"settings":{"_storefront":"DEU","_locale":"de_DE"},
         "subscriptionGroups":[{"id":"G1","name":"Club","localizations":[
            {"locale":"en_US","displayName":"The Club","description":""},
            {"locale":"de_DE","displayName":"Der Verein","description":""}],
           "subscriptions":[{"productID":"club.monthly","type":"RecurringSubscription",
             "displayPrice":"4.99","groupNumber":1,"recurringSubscriptionPeriod":"P1M",
             "localizations":[
               {"locale":"de_DE","displayName":"Verein","description":"Alles."}]}]}],
         "version":{"major":4,"minor":0}}
        """#

    @Test("The operator reads languages, names of groups and policies as they were imported")
    func connect() async throws {
        let world = try await HTTPWorld(catalogue: Catalogue())
        try await world.with { client in
            let empty = try await client.ours(.get, "\(Self.app)/catalogue")
            #expect(empty["locale"] == .string("en_US"))
            #expect(empty["policies"] == .object(["privacyPolicies": .array([])]))
            let imported = try await client.ours(.put, "\(Self.app)/catalogue", Self.file)
            #expect(imported.status == 200, "\(imported.text)")
            let read = try await client.ours(.get, "\(Self.app)/catalogue")
            #expect(read["locale"] == .string("de_DE"))
            let names = read["groups"]?.array?.first?["localizations"]?.array?
                .compactMap { $0["displayName"]?.string }
            #expect(names == ["The Club", "Der Verein"])
            #expect(read["policies"]?["licenceAgreement"] == .string("https://a.example/terms"))
            let policies = try #require(read["policies"]?["privacyPolicies"]?.array)
            #expect(policies.compactMap { $0["locale"]?.string } == ["en_US", "de_DE"])
            #expect(policies.allSatisfy { $0["text"] == nil })
        }
    }

    @Test(
        "A device reads them in the customer's language, else in the app's",
        arguments: [
            (#","locale":"en_GB""#, "The Club", "https://a.example/privacy"),
            (#","locale":"de_AT""#, "Der Verein", "https://a.example/de/privacy"),
            (#","locale":"ja_JP""#, "Der Verein", "https://a.example/de/privacy"),
            ("", "Der Verein", "https://a.example/de/privacy"),
        ])
    func device(locale: String, group: String, policy: String) async throws {
        let world = try await HTTPWorld(catalogue: Catalogue())
        try await world.with { client in
            _ = try await client.ours(.put, "\(Self.app)/catalogue", Self.file)
            let signedIn = try await client.ours(
                .post, "/storefront/v1/sign-in",
                #"{"bundleId":"com.example.app","account":"ada"\#(locale)}"#, as: .nothing)
            let token = try #require(signedIn["token"]?.string)
            let shown = try await client.ours(
                .get, "/storefront/v1/products", as: .bearer(token))
            #expect(shown["privacyPolicyUrl"] == .string(policy))
            #expect(shown["licenceAgreement"] == .string("https://a.example/terms"))
            let product = try #require(shown["products"]?.array?.first)
            #expect(product["displayName"] == .string("Verein"))
            #expect(product["subscription"]?["groupDisplayName"] == .string(group))
        }
    }

    @Test("The operator sets the app's language, which new accounts have")
    func setting() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let set = try await client.ours(.patch, Self.app, #"{"locale":"fr-FR"}"#)
            #expect(set["locale"] == .string("fr_FR"))
            _ = try await client.signIn()
            let refused = try await client.ours(.patch, Self.app, #"{"locale":"?"}"#)
            #expect(refused.status == 400)
            let customers = try await client.ours(.get, "/connect/v1/customers")
            #expect(customers["customers"]?.array?.first?["locale"] == .string("fr_FR"))
        }
    }
}
