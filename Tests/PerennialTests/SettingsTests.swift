import AppStoreWire
import Foundation
import Testing

@testable import perennial

@Suite("Settings, prices, answers and requests on the command line")
struct SettingsTests {
    /// Runs the program against a store of a file for Norway, on 31 January 2026, in which Anna
    /// has bought plus and the news.
    func with(_ body: (Program) async throws -> Void) async throws {
        try await withDirectory { directory in
            let file = "\(directory)/Oslo.storekit"
            try Self.file.write(toFile: file, atomically: false, encoding: .utf8)
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let store = try await EndToEndTests().open(
                program, ready, selling: file, "--ephemeral")
            try await expect(
                program, "buy plus.monthly --account anna",
                says: "anna bought plus.monthly for 99 NOK, until 2026-02-28 00:00",
                "storefront NOR, transaction 4")
            try await expect(program, "buy news.monthly --account anna", says: "for 29 NOK")
            try await body(program)
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    /// The identifier of the subscription of a product.
    func id(of product: String, _ program: Program) async throws -> String {
        let status = try await program.run("status", "anna", "--json")
        let all = status.json?["subscriptions"]?.array ?? []
        return try #require(
            all.first { $0["productId"]?.string == product }?["originalTransactionId"]?.string)
    }

    @Test("An app is shown and set up")
    func app() async throws {
        try await with { program in
            try await expect(
                program, "app", says: "com.example.app, Apple id 1000000001, 4 products",
                "storefront             NOR", "grace-period           none",
                "notify-production      none", "small-business         off")
            try await expect(
                program, "app set --grace-period 16 --grace-scope paidToPaidOnly",
                says: "grace-period from none to 16 days, grace-scope from allRenewals to paid")
            try await expect(
                program, "app set --notify http://127.0.0.1:9/ --notify-sandbox none",
                says: "notify-production from none to http://127.0.0.1:9/\n")
            let set = try await program.run(
                "app", "set", "--grace-period", "none", "--sandbox-renewal-limit", "0",
                "--small-business", "on", "--refund-policy", "manual", "--billing-zone", "pacific",
                "--upgrade-in-trial", "keepsTrial", "--failing-extensions", "5", "--json")
            let json = try #require(set.json, "\(set.complaint)")
            #expect(json["gracePeriod"] == nil && json["sandboxRenewalLimit"] == nil)
            #expect(json["smallBusiness"] == true && json["refundPolicy"] == "manual")
            #expect(json["billingZone"]?.string == "pacific")
            #expect(json["upgradeInTrial"]?.string == "keepsTrial")
            #expect(json["failingExtensions"]?.integer == 5)
            #expect(json["notificationUrl"]?.string == "http://127.0.0.1:9/")
            try await expect(program, "app show --bundle-id nobody", isRefusedAs: "unknownApp")
        }
    }

    @Test("A grace period that was switched on is had by whoever cannot pay")
    func grace() async throws {
        try await with { program in
            try await expect(program, "app set --grace-period 3", says: "3 days")
            try await expect(program, "pay anna decline", says: "every payment is declined")
            try await expect(
                program, "pay anna decline --until 2020-01-01", isRefusedAs: "invalidSetting")
            try await expect(program, "advance P1M", says: "2026-02-28")
            try await expect(
                program, "status anna", says: "in grace, was due 2026-02-28 00:00",
                "has access until 2026-03-03 00:00")
        }
    }

    @Test("Prices and sales are shown and set by storefront")
    func prices() async throws {
        try await with { program in
            try await expect(program, "price list", says: "plus.monthly   NOR         99 NOK  yes")
            try await expect(
                program, "price set plus.monthly JPN 1500",
                says: "plus.monthly in JPN: 1500 JPY for whoever buys from now on",
                "Subscribers keep what they pay")
            let gems = try await program.run("price", "set", "gems", "SWE", "0")
            #expect(gems.output.contains("for free offers only"))
            #expect(!gems.output.contains("Subscribers"))
            try await expect(program, "price list", says: "Everywhere else the catalogue's number")
            try await expect(
                program, "price list plus.monthly --storefront JPN",
                says: "plus.monthly  JPN         1500 JPY  yes       set there")
            try await expect(
                program, "buy plus.monthly --account kenji --storefront JPN",
                says: "kenji bought plus.monthly for 1500 JPY", "storefront JPN")
            try await expect(program, "price set nothing JPN 1", isRefusedAs: "unknownProduct")
            try await expect(
                program, "buy plus.montly --account anna",
                isRefusedWith: "com.example.app has no product plus.montly.",
                "Did you mean 'plus.monthly'?")
            try await expect(
                program, "price set plus.monthly NOR 0", isRefusedAs: "invalidSetting")
            try await expect(
                program, "product availability gems off --storefront DEU",
                says: "gems is for sale everywhere but in DEU")
            try await expect(
                program, "buy gems --account bea --storefront DEU", isRefusedAs: "notForSale")
            try await expect(
                program, "product availability gems off",
                says: "off sale everywhere; `perennial product availability gems on` puts it back "
                    + "everywhere but in DEU, and after it "
                    + "`perennial product availability gems on --storefront DEU` puts it back in "
                    + "DEU\n"
            )
            try await expect(
                program, "product availability gems on --storefront DEU",
                isRefusedAs: "offSaleEverywhere")
            try await expect(
                program, "product availability gems on",
                says: "gems is for sale everywhere but in DEU; "
                    + "`perennial product availability gems on --storefront DEU` puts it back in "
                    + "DEU\n"
            )
            try await expect(
                program, "product availability gems on --storefront DEU",
                says: "gems is for sale everywhere\n")
            try await expect(program, "product discontinue gems", isRefusedAs: "stillForSale")
            _ = try await program.run("product", "availability", "gems", "off")
            try await expect(
                program, "product discontinue gems", says: "gems was deleted on",
                "whoever bought it keeps what was paid for")
            try await expect(program, "product availability gems on", isRefusedAs: "productDeleted")
            let unknown = try await program.run("product", "availability", "nothing")
            #expect(unknown.code == 1)
            #expect(unknown.complaint.contains("`perennial price list` lists"))
        }
    }

    @Test("Prices that are scheduled say whom they concern")
    func scheduled() async throws {
        try await with { program in
            try await expect(
                program, "price schedule gems NOR 12 --existing apply",
                isRefusedAs: "invalidSetting")
            try await expect(
                program, "price schedule gems NOR 12",
                says: "gems in NOR: 12 NOK instead of 9 NOK from 2026-01-31 00:00 on; ",
                "it is bought, not subscribed to")
            try await expect(
                program, "price schedule plus.monthly NOR 99",
                says: "99 NOK is the price already, so that nothing changes, but whoever pays ")
            try await expect(
                program, "price schedule gems DEU 9 --start 2026-02-01",
                says: "gems in DEU: 9.00 EUR is the price already, so that nothing changes\n")
            try await expect(
                program, "price changes", says: "12 NOK  purchases ",
                "99 NOK  new purchases, who pays or is to pay more ")
        }
    }

    @Test("A schedule says who keeps what, and what was scheduled for now is read back at once")
    func cohorts() async throws {
        try await with { program in
            let price = "price schedule plus.monthly NOR"
            try await expect(
                program, "\(price) 109 --existing preserve", says: "subscribers keep what they pay",
                "1 subscriber at 99 NOK keeps it; `perennial price unpreserve plus.monthly "
                    + "NOR 99` ends that")
            try await expect(
                program, "price cohorts plus.monthly", says: "preserved, list price 109 NOK")
            try await expect(
                program, "\(price) 119 --existing apply",
                says: "whoever pays 109 NOK or is on the way to it pays it too",
                "1 subscriber at 99 NOK keeps it")
            try await expect(program, "price list", says: "plus.monthly   NOR         119 NOK")
        }
    }

    @Test("A plan that gets dearer while it waits says what comes first, and what after notice")
    func dearerMeanwhile() async throws {
        try await with { program in
            try await expect(program, "plan anna basic.monthly", says: "renews as basic.monthly")
            try await expect(
                program, "price schedule basic.monthly NOR 59 --existing apply",
                says: "59 NOK")
            try await expect(
                program, "status anna",
                says: "basic.monthly will cost 49 NOK for one period, and after notice 59 NOK")
            let all = try await program.run("status", "anna", "--json").json?["subscriptions"]
            let one = try #require(all?.array?.first { $0["nextPrice"] != nil })
            #expect(one["nextPrice"]?.integer == 49_000)
            #expect(one["nextRaisedPrice"]?.integer == 59_000)
            let id = try #require(one["originalTransactionId"]?.string)
            try await expect(program, "price of \(id)", isRefusedAs: "increaseWaiting")
        }
    }

    @Test("A subscription says where it is charged after its customer has moved")
    func moved() async throws {
        try await with { program in
            try await expect(program, "customer move anna JPN", says: "at home in JPN")
            try await expect(program, "plan anna basic.monthly", says: "renews as basic.monthly")
            try await expect(
                program, "status anna", says: "bought in the storefront NOR, and charged there",
                "basic.monthly will cost 49 NOK")
        }
    }

    @Test(
        "In Sandbox an extension moves something, says that days are shortened, and so does grace")
    func sandboxScale() async throws {
        try await with { program in
            try await expect(
                program, "buy plus.monthly --account tester --sandbox",
                says: "until 2026-01-31")
            try await expect(
                program, "extensions grant tester --days 1 --sandbox",
                says: "paid until 2026-01-31 00:05:10 now; Sandbox shortens days")
            try await expect(program, "status tester --sandbox", says: "by 10 seconds")
            try await expect(
                program, "app set --sandbox-grace-period 28",
                says: "28 days, which lasts as a week or a month does there")
            try await expect(program, "pay tester decline --sandbox", says: "declined")
            let refused = try await program.run(
                "buy", "news.monthly", "--account", "tester", "--sandbox")
            #expect(refused.complaint.contains("`perennial pay tester approve --sandbox`"))
        }
    }

    @Test("A refused purchase moves nobody, and `customers move` does")
    func move() async throws {
        try await with { program in
            try await expect(
                program, "buy com.none --account li --storefront SWE",
                isRefusedAs: "unknownProduct")
            try await expect(program, "status li", isRefusedAs: "unknownAccount")
            for product in ["plus.monthly", "gems"] {
                let refused = try await program.run(
                    "buy", product, "--account", "anna", "--storefront", "SWE")
                #expect(refused.code == 1)
                #expect(refused.complaint.contains("`perennial customer move anna SWE`"))
            }
            try await expect(program, "customer list", says: "anna     NOR")
            try await expect(
                program, "buy gems --account anna --storefront NOR", says: "for 9 NOK")
            try await expect(
                program, "customer move anna SWE", says: "anna: at home in SWE; running")
            try await expect(program, "customer list", says: "anna     SWE")
            try await expect(program, "buy gems --account anna", says: "for 9 SEK")
            try await expect(program, "customer move nobody SWE", isRefusedAs: "unknownAccount")
        }
    }

    @Test("A Sandbox speed holds for the first purchase on")
    func speed() async throws {
        try await with { program in
            try await expect(program, "customer speed tester 15", says: "a month lasts 15 minutes")
            try await expect(
                program, "buy plus.monthly --account tester --sandbox",
                says: "for 99 NOK, until 2026-01-31 00:15")
            try await expect(
                program, "status tester --sandbox", says: "a month lasts 15 minutes")
            try await expect(program, "customer speed tester 60", says: "a month lasts 60 minutes")
            try await expect(program, "status tester", isRefusedAs: "unknownAccount")
            // With the URL of Production there is no Sandbox, and nobody is made.
            let ready = try ReadyFile.read(program.environment["PERENNIAL_READY"] ?? "")
            let (url, token) = (ready.productionURL, ready.operatorToken)
            try await expect(
                program, "customer speed bea 3 --url \(url) --token \(token)",
                isRefusedAs: "sandboxOnly")
            try await expect(program, "status bea", isRefusedAs: "unknownAccount")
        }
    }

    @Test("Of several subscriptions the product's group is meant, and a waiting plan is shown")
    func plan() async throws {
        try await with { program in
            try await expect(
                program, "plan anna basic.monthly", says: "plus.monthly until 2026-02-28 00:00")
            try await expect(
                program, "status anna", says: "chose basic.monthly from the next renewal on",
                "renews 2026-02-28 00:00 as basic.monthly",
                "basic.monthly will cost 49 NOK", "news.monthly",
                "29 NOK, transaction 4")
            for (product, words) in [
                ("nothing", "com.example.app has no product nothing"),
                ("gems", "gems is no auto-renewable subscription"),
            ] {
                let refused = try await program.run("plan", "anna", product)
                #expect(refused.code == 1)
                #expect(refused.complaint.contains(words), "\(refused.complaint)")
            }
            try await expect(program, "plan nobody plus.monthly", isRefusedAs: "unknownAccount")
        }
    }

    @Test("A subscription's newest period is refunded, an older one by its transaction")
    func refund() async throws {
        try await with { program in
            let id = try await id(of: "plus.monthly", program)
            try await expect(program, "advance P1M", says: "2026-02-28")
            let plain = try await program.run("refunds", "issue", "anna")
            #expect(plain.complaint.contains("anna has 2 subscriptions"))
            try await expect(
                program, "refunds issue \(id)", says: "99 NOK given back",
                "plus.monthly, 2026-02-28 00:00 to 2026-03-31 00:00")
            try await expect(program, "status \(id)", says: "refunded, would have ended")
            let again = try await program.run("refunds", "issue", id)
            #expect(again.complaint.contains("--transaction"))
            try await expect(
                program, "refunds issue --transaction \(id)", says: "transaction \(id): 99 NOK",
                "plus.monthly, 2026-01-31 00:00 to 2026-02-28 00:00")
            try await expect(
                program, "timeline \(id)", says: "transaction \(id)", "99 NOK")
            try await expect(
                program, "refunds issue 400000000099999", isRefusedAs: "unknownTransaction")
        }
    }

    @Test("A subscription is ended at once, and stays ended")
    func expire() async throws {
        try await with { program in
            let id = try await id(of: "news.monthly", program)
            try await expect(
                program, "subscription expire \(id)", says: "expired 2026-01-31 00:00", "29 NOK")
            try await expect(program, "subscription expire \(id)", isRefusedAs: "notActive")
            try await expect(program, "status anna", says: "active, renews", "expired 2026-01-31")
        }
    }

    @Test("A customer asks for a refund, and the ledger shows what moved")
    func request() async throws {
        try await with { program in
            try await expect(program, "app set --refund-policy manual", says: "manual")
            let id = try await id(of: "news.monthly", program)
            try await expect(
                program, "refunds request \(id) --reason unintendedPurchase",
                says: "anna asks for a refund of transaction \(id)", "`perennial refunds grant ")
            try await expect(
                program, "refunds request anna --transaction \(id)",
                isRefusedAs: "refundAlreadyRequested")
            try await expect(
                program, "refunds request nobody --transaction \(id)",
                isRefusedAs: "unknownAccount")
            let list = try await program.run("refunds", "list", "--json")
            let request = try #require(list.json?["refundRequests"]?.array?.first?["id"]?.integer)
            try await expect(program, "refunds", says: "unintended purchase")
            try await expect(program, "refunds grant \(request)", says: "29 NOK given back")
            try await expect(
                program, "money ledger", says: "charge", "refund", "-29 NOK", "20.300 NOK",
                "-8.700 NOK")
            let first = try await program.run("money", "ledger", "--limit", "1", "--json")
            #expect(first.json?["entries"]?.array?.count == 1)
            try await expect(program, "money ledger --limit 1", says: "and more: --limit\n")
            try await expect(
                program, "money ledger --after 1 --limit 1", says: "and more: --limit, or --after ")
            try await expect(program, "money ledger --after 999999", says: "no money has moved")
        }
    }

    @Test("Without a notification URL `until` says what to do, and does it then")
    func until() async throws {
        try await with { program in
            let refused = try await program.run("clock", "until", "DID_RENEW")
            #expect(refused.code == 1)
            #expect(refused.complaint.contains("`perennial app set --notify http://"))
            try await expect(program, "clock", says: "2026-01-31 00:00 UTC")
            try await expect(
                program, "app set --notify http://127.0.0.1:9/", says: "http://127.0.0.1:9/")
            try await expect(
                program, "clock until DID_RENEW", says: "2026-02-28 00:00 UTC", "not delivered")
        }
    }

    static let file = #"""
        {"identifier":"AB12CD34","nonRenewingSubscriptions":[],
         "products":[{"displayPrice":"9.00","familyShareable":false,"internalID":"1",
           "localizations":[],"productID":"gems","referenceName":"Gems","type":"Consumable"}],
         "settings":{"_storefront":"NOR"},
         "subscriptionGroups":[
           {"id":"G1","localizations":[],"name":"Plus","subscriptions":[
             \#(plan("plus.monthly", "99.00", "G1", 1)),\#(plan("basic.monthly", "49.00", "G1", 2))
           ]},
           {"id":"G2","localizations":[],"name":"News","subscriptions":[
             \#(plan("news.monthly", "29.00", "G2", 1))]}],
         "version":{"major":4,"minor":0}}
        """#

    private static func plan(_ id: String, _ price: String, _ group: String, _ level: Int) -> String
    {
        #"""
        {"adHocOffers":[],"codeOffers":[],"displayPrice":"\#(price)","familyShareable":false,
         "groupNumber":\#(level),"internalID":"\#(id)","introductoryOffer":null,"localizations":[],
         "productID":"\#(id)","recurringSubscriptionPeriod":"P1M","referenceName":"\#(id)",
         "subscriptionGroupID":"\#(group)","type":"RecurringSubscription"}
        """#
    }
}
