import AppStoreWire
import ArgumentParser
import Logging
import Store
import SubscriptionRules
import Testing
import Timeline

@testable import perennial

@Suite("The command line")
struct CommandLineTests {
    @Test(
        "Wrong usage ends with 2 and one line that names the help",
        arguments: [
            (["buy"], "Missing expected argument '<product>'"),
            (["buy", "x"], "--account"),
            (["buy", "x", "--account", "a", "--quantity", "0"], "'0' is no number of 1 or more"),
            (["buy", "x", "--account", "a", "--storefront", "ZZZ"], "'ZZZ' is no storefront"),
            (["advance"], "Say how far"),
            (["clock", "step", "0"], "'0' is no such number: write 1 to 1000"),
            (["clock", "until"], "Missing expected argument '<notification>'"),
            (["clock", "until", "RENEWED"], "'RENEWED' is no notification"),
            (
                ["clock", "until", "DID_RENEW/PENDING"],
                "DID_RENEW has the subtypes BILLING_RECOVERY"
            ),
            (["clock", "until", "TEST/PENDING"], "TEST has no subtypes"),
            (["clock", "until", "EXPIRED", "--limit", "soon"], "'soon' is no limit"),
            (["notify", "REFUND"], "Say what REFUND is about: --subscription"),
            (["notify", "REFUND", "--subscription", "a", "--reason", "x"], "UNINTENDED_PURCHASE"),
            (["notify", "EXPIRED/", "--subscription", "a"], "EXPIRED has the subtypes"),
            (["fault", "add"], "Missing expected argument '<kind>'"),
            (["fault", "add", "eat"], "dropNotifications, loseNotifications"),
            (["fault", "add", "failCalls"], "--error 5000001"),
            (["fault", "add", "delayNotifications"], "--by PT5M"),
            (["fault", "add", "slowCalls", "--by", "long"], "'long' is no step of time"),
            (["fault", "remove", "x"], "'x' is no number"),
            (["advance", "P1M", "--to", "2027-01-01"], "exclude each other"),
            (["advance", "-P1D"], "'-P1D' is negative"),
            (["clock", "step", "1001"], "write 1 to 1000"),
            (["notify", "TEST", "--subscription", "a"], "TEST is about no subscription"),
            (
                ["notify", "REFUND", "--subscription", "a", "--reason", "LEGAL"],
                "--reason is for CONSUMPTION_REQUEST"
            ),
            (["clock", "until", "DID_RENW"], "Did you mean 'DID_RENEW'?"),
            (["product", "availability", "x", "off", "--sandbox"], "leave --sandbox out"),
            (["app", "add"], "Missing expected argument"),
            (["app", "add", "x.storekit", "--bundle-id", "a b"], "letters, digits, dots"),
            (["fault", "add", "dropNotification"], "Did you mean 'dropNotifications'?"),
            (["advance", "1 month"], "'1 month' is no step of time"),
            (["advance", "--to", "2027-02-30"], "'2027-02-30' is no moment"),
            (["pay", "anna", "maybe"], "'maybe'"),
            (["pay", "anna", "approve", "--count", "2"], "limit how long the bank declines"),
            (
                ["pay", "anna", "decline", "--count", "2", "--until", "2027-01-01"],
                "exclude each other"
            ),
            (["pay", "anna", "approve", "--after", "P1D"], "how the bank answers later"),
            (["pay", "anna", "decline", "--then", "approve"], "how the bank answers later"),
            (["pay", "anna", "later", "--then", "decline"], "--then needs --after"),
            (["pay", "anna", "later", "--after", "soon"], "'soon' is no step of time"),
            (["pay", "anna", "later", "--after", "P1D", "--then", "later"], "'later'"),
            (["pay", "anna", "later", "--count", "2"], "limit how long the bank declines"),
            (["bills", "--state", "lost"], "'lost'"), (["refunds", "--state", "lost"], "'lost'"),
            (["bills", "--stat", "paid"], "Unknown option '--stat'. Did you mean '--state'?"),
            (["bills", "show"], "<bill>"),
            (["bills", "answer", "1"], "<says>"), (["bills", "answer", "1", "maybe"], "'maybe'"),
            (["bills", "pay", "1"], "1"), (["world", "snapshots", "create"], "<name>"),
            (["world", "forks", "create", "A"], "'A'"),
            (["world", "snapshots", "create", "../a"], "all lower case, 32 at most"),
            (["world", "rewind"], "<name>"),
            (["world", "deliveries", "maybe"], "'maybe'"),
            (["world", "snapshots", "create", "a", "--sandbox"], "both"),
            (["app", "set", "--pending-renewal-days", "29"], "write 0 to 28"),
            (["renewal", "anna", "maybe"], "'maybe'"),
            (["serve", "--data", "x", "--ephemeral"], "--data and --ephemeral exclude each other"),
            (["serve", "--ephemeral", "--database-url", "postgres://x"], "exclude each other"),
            (["serve", "--port", "70000"], "'--port <n>': '70000' is no such number: write 0 to"),
            (["serve", "--port", "9000", "--sandbox-port", "9000"], "must differ"),
            (["serve", "--clock", "system", "--at", "2026-01-01"], "cannot set a system clock"),
            (["serve", "--at", "1999-12-31"], "2000 to 2099"),
            (["serve", "--clock", "fast"], "'fast'"),
            (["serve", "--notify", "example.com"], "no URL for notifications"),
            (["serve", "--app-apple-id", "0"], "'0' is no number of 1 or more"),
            (["serve", "--deliveries-at-once", "0"], "'0' is no such number: write 1 to 1000"),
            (["serve", "--deliveries-at-once", "1001"], "write 1 to 1000"),
            (["serve", "--deliveries-at-once", "x"], "'x' is no such number: write 1 to 1000"),
            (["serve", "--deliveries-at-once", "-1"], "'-1' for '--deliveries-at-once' is nega"),
            (["serve", "--deliveries-at-once=-1"], "'--deliveries-at-once <n>': '-1' is no such"),
            (["serve", "--port", "x"], "'--port <n>': 'x' is no such number: write 0 to 65535"),
            (["serve", "--app-apple-id", "x"], "'x' is no number of 1 or more"),
            (["bills", "--limit", "-1"], "'-1' for '--limit' is negative"),
            (["bills", "--limit", "99999999999999999999"], "is too large a number"),
            (
                ["app", "set", "--pending-renewal-days", "x"],
                "'x' is no such number: write 0 to 28"
            ),
            (["app", "set", "--failing-extensions", "x"], "'x' is no such number: write 0 to 100"),
            (
                ["extensions", "grant", "anna", "--days", "x"],
                "'--days <n>': 'x' is no such number: write 1 to"
            ),
            (["fault", "add", "failCalls", "--error", "x"], "'--error <code>': 'x' is no number"),
            (
                ["fault", "add", "failCalls", "--percent", "x"],
                "'x' is no such number: write 1 to"
            ),
            (["pay", "a", "decline", "--count", "x"], "'x' is no such number: write 1 to 1000000"),
            (["serve", "--log-level", "loud"], "'loud'"),
            (["catalog", "check"], "Missing expected argument"),
            (["nonsense"], "nonsense"),
            (["price", "schedule", "x", "USA", "-9.99"], "'-9.99' is negative"),
            (["price", "unpreserve", "x", "USA", "-9.99"], "'-9.99' is negative"),
            (
                [
                    "price", "explain", "9.99", "-5", "--renews", "2026-04-15", "--live",
                    "2026-04-01",
                ], "'-5' is negative"
            ),
            (
                [
                    "price", "explain", "9.99", "14.99", "--renews", "2026-04-15", "--live",
                    "2026-04-01", "--since", "2026-01-14",
                ], "No period since 2026-01-14 00:00 ends on 2026-04-15 00:00, but one on"
            ),
            (
                ["price", "schedule", "x", "USA", "9.999", "--existing", "apply"],
                "'9.999' is no price in USD"
            ),
            (
                ["price", "schedule", "x", "JPN", "300.5", "--existing", "apply"],
                "'300.5' is no price in JPY"
            ),
            (["price", "schedule", "x", "ZZZ", "9.99"], "'ZZZ' is no storefront"),
            (["price", "unpreserve", "x", "USA"], "<cohort>"),
            (["price", "unpreserve", "x", "USA", "9.99", "--to", "a"], "'a' is no price"),
            (["extensions", "grant", "anna"], "--days"),
            (
                ["extensions", "grant", "anna", "--days", "91"],
                "'91' is no such number: write 1 to 90"
            ),
            (["extensions", "grant", "anna", "--days", "7", "--reason", "bad"], "'bad'"),
            (["extensions", "grant-all", "--days", "7"], "<product>"),
            (
                ["extensions", "grant-all", "x", "--days", "0"],
                "'0' is no such number: write 1 to 90"
            ),
            (["refunds", "issue"], "Say which payment"),
            (["refunds", "issue", "1", "--reason", "bad"], "'bad'"),
            (["refunds", "issue", "1", "--transaction", "1"], "Say which payment"),
            (["refunds", "request"], "<customer>"),
            (["refunds", "request", "anna", "--reason", "bad"], "'bad'"),
            (["app", "set"], "Say what to set"), (["app", "set", "--grace-period", "7"], "'7'"),
            (["app", "set", "--grace-scope", "all"], "'all'"),
            (["app", "set", "--notify", "example.com"], "no URL for notifications"),
            (["notifications", "--resend"], "--resend needs the notification's id"),
            (["notifications", "7", "--failed"], "A notification is shown alone"),
            (["notifications", "--type", "EXPIRED/NEW"], "EXPIRED has the subtypes"),
            (["app", "set", "--sandbox", "--grace-period", "3"], "--sandbox-grace-period"),
            (["price", "set", "x", "USA", "1", "--sandbox"], "leave --sandbox out"),
            (
                ["price", "schedule", "x", "USA", "1", "--sandbox"], "leave --sandbox out"
            ),
            (["price", "withdraw", "x", "USA", "--sandbox"], "leave --sandbox out"),
            (
                ["price", "unpreserve", "x", "USA", "1", "--sandbox"],
                "leave --sandbox out"
            ),
            (["buy", "x", "--accout", "a"], "'--accout'. Did you mean '--account'?"),
            (["ap"], "Unknown verb 'ap'. Did you mean 'app'?"),
            (["byu", "x"], "Unknown verb 'byu'. Did you mean 'buy'?"),
            (["price", "explian"], "Did you mean 'explain'?"),
            (["help", "nope"], "Unknown verb 'nope'."),
            (["refunds", "reverse"], "Say which payment"),
            (["refunds", "reverse", "1", "--transaction", "1"], "Say which payment"),
            (["app", "set", "--storefront", "ZZZ"], "'ZZZ' is no storefront"),
            (["app", "set", "--sandbox-renewal-limit", "1001"], "write 0 to 1000"),
            (["app", "set", "--failing-extensions", "101"], "write 0 to 100"),
            (["price", "set", "x", "JPN"], "<price>"),
            (["price", "set", "x", "JPN", "300.5"], "'300.5' is no price in JPY"),
            (["price", "list", "--storefront", "ZZZ"], "'ZZZ' is no storefront"),
            (["product", "availability"], "<product>"),
            (["product", "availability", "x", "maybe"], "'maybe'"),
            (["price", "thresholds", "set"], "<storefront>"),
            (["price", "thresholds", "set", "USA"], "Say what to set"),
            (["price", "thresholds", "set", "ZZZ", "--reset"], "'ZZZ' is no storefront"),
            (["price", "thresholds", "set", "USA", "--reset", "--sandbox"], "leave --sandbox out"),
            (["price", "thresholds", "set", "USA", "--amount=-5"], "It has a sign"),
            (["price", "thresholds", "set", "JPN", "--amount", "7.5"], "'7.5' is no price in JPY"),
            (
                ["price", "thresholds", "set", "USA", "--annual-amount", "9999999999"],
                "is too large"
            ),
            (["customer", "speed", "tester"], "<minutes>"),
            (["customer", "speed", "tester", "4"], "write one of 3, 5, 15, 30, 60"),
            (["consent", "anna"], "<word>"), (["consent", "anna", "maybe"], "'maybe'"),
            (["customer", "move", "anna"], "<storefront>"),
            (["customer", "move", "anna", "ZZZ"], "'ZZZ' is no storefront"),
            (["money", "ledger", "--after", "x"], "'x' is no number"),
            (["extensions", "failures"], "<id>"),
            (["merchant", "check"], "<file>"),
            (["merchant", "erase", "anna"], "add --yes"),
            (["merchant", "claim", "anna"], "either a purchase or an order"),
            (["merchant", "claim", "anna", "1", "--order", "M1"], "either a purchase or an order"),
            (["merchant", "owner", "1"], "<account>"),
            (["campaign", "check"], "<file>"), (["campaign", "plan"], "<file>"),
            (["campaign", "run"], "<file>"), (["campaign", "status"], "<name>"),
            (["campaign", "plan", "x.yaml", "--seed", "1"], "--seed goes with --sample"),
            (["campaign", "plan", "x.yaml", "--sample", "0"], "write 1 to 200"),
            (["play", "a.yaml", "--sandbox"], "A story says itself where it is played"),
            (["dev", "--colour", "green"], "'green' is no colour: write six"),
            (["dev", "--icon", "/none.png"], "/none.png cannot be read"),
            (["dev", "--icon", "/proc/version"], "must be PNG or SVG"),
            (["merchant", "serve"], "--config merchant.yaml"),
            (["merchant", "serve", "--config", "x", "--clock", "frozen"], "'frozen'"),
            (
                ["merchant", "serve", "--config", "x", "--data", "d", "--ephemeral"],
                "exclude each other"
            ),
            (["buy", "x", "--account", " a"], "is no account"),
            (["pay", "", "approve"], "without spaces at either end"),
            (["customer", "speed", "a ", "3"], "is no account"),
            (["status", "  "], "is no account"),
            (["refunds", "grant"], "<request>"), (["refunds", "list", "--state", "bad"], "'bad'"),
            (["subscription", "cancel"], "<subscription>"),
            (["subscription", "expire"], "<subscription>"),
            (["money", "proceeds", "--from", "2026-02-01", "--to", "2026-02-01"], "must be later"),
        ] as [([String], String)])
    func usage(arguments: [String], complaint: String) {
        let ending = Ending.parsing(arguments)
        #expect(ending?.code == 2)
        #expect(ending?.complaint.hasPrefix("perennial: ") == true)
        #expect(ending?.complaint.contains(complaint) == true, "\(ending?.complaint ?? "")")
        #expect(ending?.complaint.contains("--help") == true)
        #expect(ending?.complaint.contains("\n") == false)
        #expect(ending?.output == "")
    }

    @Test("The version is printed and ends with 0")
    func version() {
        #expect(Ending.parsing(["--version"]) == Ending(code: 0, output: "0.1.0", complaint: ""))
    }

    @Test("Refused, wrong and unreachable end with 1, 2 and 3; what was said is not said again")
    func codes() {
        #expect(Ending(Failure.refused("no.")).code == 1)
        #expect(Ending(Failure.usage("no.")).code == 2)
        #expect(Ending(Failure.unreachable("no.")).code == 3)
        #expect(Ending(Failure.refused("no.")).complaint == "perennial: no.")
        #expect(Ending(Failure.refused("")).complaint == "")
    }

    @Test(
        "A name is read in any spelling",
        arguments: ["UNINTENDED_PURCHASE", "unintendedPurchase", "unintended-purchase"])
    func spelling(reason: String) throws {
        let command = try Perennial.parseAsRoot(["refunds", "request", "a", "--reason", reason])
        #expect((command as? RefundsRequestCommand)?.reason == .unintendedPurchase)
        let other = try Perennial.parseAsRoot(["ac", "revoke", "a", "--reason", reason])
        let revoke = try #require(other as? AdvancedCommerceCommand.Revoke)
        #expect(revoke.reason?.wire == .unintendedPurchase)
    }

    @Test("A payment is answered with the words of `pay` or of the bank")
    func paymentWords() throws {
        for (typed, paid) in [
            ("approve", true), ("paid", true), ("decline", false), ("declined", false),
        ] {
            let answer = try Perennial.parseAsRoot(["bills", "answer", "1", typed])
            #expect((answer as? BillsAnswerCommand)?.says == (paid ? .paid : .declined))
            let later = try Perennial.parseAsRoot([
                "pay", "a", "later", "--after", "P1D", "--then", typed,
            ])
            #expect((later as? PayCommand)?.then == (paid ? .paid : .declined))
            let now = try Perennial.parseAsRoot(["pay", "a", typed])
            #expect((now as? PayCommand)?.behaviour == (paid ? .approve : .decline))
        }
    }

    @Test("`serve` understands what the contract for automation says")
    func serve() throws {
        let command = try Perennial.parseAsRoot([
            "serve", "Garden.storekit", "--ephemeral", "--host", "0.0.0.0", "--port", "0",
            "--sandbox-port", "1", "--clock", "frozen", "--at", "2026-01-31T00:00:00Z",
            "--bundle-id", "com.example.garden", "--app-apple-id", "7", "--notify",
            "http://127.0.0.1:9/n", "--deliveries-at-once", "1", "--rate-limits", "none",
            "--ready-file", "r.json", "--log-level", "debug", "--json",
        ])
        let plan = try #require(command as? ServeCommand).plan
        #expect(plan.catalogueFile == "Garden.storekit")
        #expect(plan.home == .ephemeral)
        #expect((plan.host, plan.port, plan.sandboxPort) == ("0.0.0.0", 0, 1))
        #expect(plan.clockMode == .frozen)
        #expect(plan.moment == Instant(iso8601: "2026-01-31")!)
        #expect((plan.bundleID, plan.appAppleID) == ("com.example.garden", 7))
        #expect(plan.notificationURL == "http://127.0.0.1:9/n")
        #expect(plan.deliveriesAtOnce == 1)
        #expect(plan.limits == .none)
        #expect(plan.readyFile == "r.json")
        #expect(plan.logLevel == .debug)
        #expect(plan.printsJSON)
    }

    @Test("`serve` alone is a store on this machine in the usual place")
    func defaults() throws {
        let plan = try #require(Perennial.parseAsRoot(["serve"]) as? ServeCommand).plan
        #expect(plan.home == .directory("perennial-data"))
        #expect((plan.host, plan.port, plan.sandboxPort) == ("127.0.0.1", 8080, 8081))
        #expect(plan.catalogueFile == nil)
        #expect(plan.clockMode == nil)
        #expect(plan.deliveriesAtOnce == 32)
        #expect(plan.limits == .usual)
        #expect(plan.logLevel == .warning)
    }
}
