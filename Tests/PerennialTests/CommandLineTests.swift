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
            (["step", "0"], "'0' is no such number: write 1 to 1000"),
            (["until"], "Missing expected argument '<notification>'"),
            (["until", "RENEWED"], "'RENEWED' is no notification"),
            (["until", "DID_RENEW/PENDING"], "DID_RENEW has the subtypes BILLING_RECOVERY"),
            (["until", "TEST/PENDING"], "TEST has no subtypes"),
            (["until", "EXPIRED", "--limit", "soon"], "'soon' is no limit"),
            (["notify", "REFUND"], "Say what REFUND is about: --subscription"),
            (["notify", "REFUND", "--subscription", "a", "--reason", "x"], "UNINTENDED_PURCHASE"),
            (["notify", "EXPIRED/", "--subscription", "a"], "EXPIRED has the subtypes"),
            (["faults", "add"], "Missing expected argument '<kind>'"),
            (["faults", "add", "eat"], "dropNotifications, loseNotifications"),
            (["faults", "add", "failCalls"], "--error 5000001"),
            (["faults", "add", "delayNotifications"], "--by PT5M"),
            (["faults", "add", "slowCalls", "--by", "long"], "'long' is no step of time"),
            (["faults", "remove", "x"], "'x' is no number"),
            (["advance", "P1M", "--to", "2027-01-01"], "exclude each other"),
            (["advance", "-P1D"], "'-P1D' is negative"), (["step", "1001"], "write 1 to 1000"),
            (["notify", "TEST", "--subscription", "a"], "TEST is about no subscription"),
            (
                ["notify", "REFUND", "--subscription", "a", "--reason", "LEGAL"],
                "--reason is for CONSUMPTION_REQUEST"
            ),
            (["until", "DID_RENW"], "Did you mean 'DID_RENEW'?"),
            (["availability", "x", "off", "--sandbox"], "leave --sandbox out"),
            (["apps", "add"], "Missing expected argument"),
            (["apps", "add", "x.storekit", "--bundle-id", "a b"], "letters, digits, dots"),
            (["faults", "add", "dropNotification"], "Did you mean 'dropNotifications'?"),
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
            (["bills", "pay", "1"], "1"), (["snapshot"], "<name>"), (["fork", "A"], "'A'"),
            (["snapshot", "../a"], "all lower case, 32 at most"), (["rewind"], "<name>"),
            (["deliveries", "maybe"], "'maybe'"), (["snapshot", "a", "--sandbox"], "both"),
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
            (["extend", "anna", "--days", "x"], "'--days <n>': 'x' is no such number: write 1 to"),
            (["faults", "add", "failCalls", "--error", "x"], "'--error <code>': 'x' is no number"),
            (
                ["faults", "add", "failCalls", "--percent", "x"],
                "'x' is no such number: write 1 to"
            ),
            (["pay", "a", "decline", "--count", "x"], "'x' is no such number: write 1 to 1000000"),
            (["serve", "--log-level", "loud"], "'loud'"),
            (["catalog", "check"], "Missing expected argument"),
            (["nonsense"], "nonsense"),
            (["price-change", "schedule", "x", "USA", "-9.99"], "'-9.99' is negative"),
            (["price-change", "unpreserve", "x", "USA", "-9.99"], "'-9.99' is negative"),
            (
                [
                    "price-change", "explain", "9.99", "-5", "--renews", "2026-04-15", "--live",
                    "2026-04-01",
                ], "'-5' is negative"
            ),
            (
                [
                    "price-change", "explain", "9.99", "14.99", "--renews", "2026-04-15", "--live",
                    "2026-04-01", "--since", "2026-01-14",
                ], "No period since 2026-01-14 00:00 ends on 2026-04-15 00:00, but one on"
            ),
            (
                ["price-change", "schedule", "x", "USA", "9.999", "--existing", "apply"],
                "'9.999' is no price in USD"
            ),
            (
                ["price-change", "schedule", "x", "JPN", "300.5", "--existing", "apply"],
                "'300.5' is no price in JPY"
            ),
            (["price-change", "schedule", "x", "ZZZ", "9.99"], "'ZZZ' is no storefront"),
            (["price-change", "unpreserve", "x", "USA"], "<cohort>"),
            (["price-change", "unpreserve", "x", "USA", "9.99", "--to", "a"], "'a' is no price"),
            (["extend", "anna"], "--days"),
            (["extend", "anna", "--days", "91"], "'91' is no such number: write 1 to 90"),
            (["extend", "anna", "--days", "7", "--reason", "bad"], "'bad'"),
            (["extend-all", "--days", "7"], "<product>"),
            (["extend-all", "x", "--days", "0"], "'0' is no such number: write 1 to 90"),
            (["refund"], "Say which payment"), (["refund", "1", "--reason", "bad"], "'bad'"),
            (["refund", "1", "--transaction", "1"], "Say which payment"),
            (["refunds", "request"], "<customer>"),
            (["refunds", "request", "anna", "--reason", "bad"], "'bad'"),
            (["app", "set"], "Say what to set"), (["app", "set", "--grace-period", "7"], "'7'"),
            (["app", "set", "--grace-scope", "all"], "'all'"),
            (["app", "set", "--notify", "example.com"], "no URL for notifications"),
            (["app", "set", "--sandbox", "--grace-period", "3"], "--sandbox-grace-period"),
            (["prices", "set", "x", "USA", "1", "--sandbox"], "leave --sandbox out"),
            (
                ["price-change", "schedule", "x", "USA", "1", "--sandbox"], "leave --sandbox out"
            ),
            (["price-change", "withdraw", "x", "USA", "--sandbox"], "leave --sandbox out"),
            (
                ["price-change", "unpreserve", "x", "USA", "1", "--sandbox"],
                "leave --sandbox out"
            ),
            (["buy", "x", "--accout", "a"], "'--accout'. Did you mean '--account'?"),
            (["ap"], "Unknown verb 'ap'. Did you mean 'app'?"),
            (["price-change", "explian"], "Did you mean 'explain'?"),
            (["help", "nope"], "Unknown verb 'nope'."),
            (["refunds", "reverse"], "Say which payment"),
            (["refunds", "reverse", "1", "--transaction", "1"], "Say which payment"),
            (["app", "set", "--storefront", "ZZZ"], "'ZZZ' is no storefront"),
            (["app", "set", "--sandbox-renewal-limit", "1001"], "write 0 to 1000"),
            (["app", "set", "--failing-extensions", "101"], "write 0 to 100"),
            (["prices", "set", "x", "JPN"], "<price>"),
            (["prices", "set", "x", "JPN", "300.5"], "'300.5' is no price in JPY"),
            (["prices", "list", "--storefront", "ZZZ"], "'ZZZ' is no storefront"),
            (["availability"], "<product>"), (["availability", "x", "maybe"], "'maybe'"),
            (["thresholds", "set"], "<storefront>"),
            (["thresholds", "set", "USA"], "Say what to set"),
            (["thresholds", "set", "ZZZ", "--reset"], "'ZZZ' is no storefront"),
            (["thresholds", "set", "USA", "--reset", "--sandbox"], "leave --sandbox out"),
            (["thresholds", "set", "USA", "--amount=-5"], "It has a sign"),
            (["thresholds", "set", "JPN", "--amount", "7.5"], "'7.5' is no price in JPY"),
            (["thresholds", "set", "USA", "--annual-amount", "9999999999"], "is too large"),
            (["speed", "tester"], "<minutes>"),
            (["speed", "tester", "4"], "write one of 3, 5, 15, 30, 60"),
            (["consent", "anna"], "<word>"), (["consent", "anna", "maybe"], "'maybe'"),
            (["customers", "move", "anna"], "<storefront>"),
            (["customers", "move", "anna", "ZZZ"], "'ZZZ' is no storefront"),
            (["ledger", "--after", "x"], "'x' is no number"),
            (["extensions", "failures"], "<id>"),
            (["buy", "x", "--account", " a"], "is no account"),
            (["pay", "", "approve"], "without spaces at either end"),
            (["speed", "a ", "3"], "is no account"), (["status", "  "], "is no account"),
            (["refunds", "grant"], "<request>"), (["refunds", "list", "--state", "bad"], "'bad'"),
            (["cancel"], "<subscription>"), (["expire"], "<subscription>"),
            (["proceeds", "--from", "2026-02-01", "--to", "2026-02-01"], "must be later"),
        ])
    func usage(arguments: [String], complaint: String) {
        let ending = ending(of: arguments)
        #expect(ending?.code == 2)
        #expect(ending?.complaint.hasPrefix("perennial: ") == true)
        #expect(ending?.complaint.contains(complaint) == true, "\(ending?.complaint ?? "")")
        #expect(ending?.complaint.contains("--help") == true)
        #expect(ending?.complaint.contains("\n") == false)
        #expect(ending?.output == "")
    }

    /// All that there are, from the program itself on.
    static let commands: [[String]] = [
        [], ["serve"], ["processes"], ["catalog", "check"], ["buy"], ["plan"], ["renewal"], ["pay"],
        ["bills"], ["bills", "list"], ["bills", "show"], ["bills", "answer"],
        ["price-change"], ["price-change", "schedule"], ["price-change", "withdraw"],
        ["price-change", "unpreserve"], ["price-change", "list"], ["price-change", "cohorts"],
        ["price-change", "of"], ["price-change", "explain"], ["extend"], ["extend-all"],
        ["extensions"], ["extensions", "list"], ["extensions", "failures"],
        ["apps"], ["apps", "list"], ["apps", "add"], ["app"], ["app", "show"], ["app", "set"],
        ["prices"], ["prices", "list"],
        ["prices", "set"], ["availability"], ["speed"], ["consent"], ["ledger"],
        ["thresholds"], ["thresholds", "list"], ["thresholds", "set"],
        ["refunds", "request"], ["refund"], ["refunds"], ["refunds", "list"],
        ["refunds", "grant"],
        ["refunds", "decline"], ["refunds", "reverse"], ["cancel"], ["expire"], ["proceeds"],
        ["advance"], ["step"], ["until"], ["notify"], ["faults"], ["faults", "list"],
        ["faults", "add"], ["faults", "remove"], ["faults", "clear"], ["clock"], ["timeline"],
        ["status"], ["customers"], ["customers", "list"], ["customers", "move"],
        ["notifications"], ["snapshot"], ["snapshots"], ["snapshots", "list"],
        ["snapshots", "remove"], ["rewind"], ["fork"], ["forks"], ["forks", "list"],
        ["forks", "remove"], ["deliveries"],
        ["family"], ["family", "list"], ["family", "show"], ["family", "create"],
        ["family", "add"], ["family", "remove"], ["family", "share"], ["family", "default"],
        ["family", "end"],
    ]

    @Test(
        "Every command explains itself with an example and ends with 0",
        arguments: commands)
    func help(command: [String]) {
        let ending = ending(of: command + ["--help"])
        #expect(ending?.code == 0)
        #expect(ending?.complaint == "")
        let example = "\n  perennial " + command.joined(separator: " ")
        #expect(ending?.output.contains(example) == true)
    }

    @Test("--sandbox is in no help of a command that always refuses it")
    func wholeApp() {
        let vocabulary = Vocabulary.shared
        for command in [
            "app set", "prices set", "price-change schedule", "price-change withdraw", "apps add",
        ] {
            #expect(
                ending(of: command.split(separator: " ").map(String.init) + ["--help"])?
                    .output.contains("--sandbox ") == false, "\(command)")
        }
        #expect(vocabulary.parameters(of: "buy").contains("--sandbox"))
    }

    @Test("The version is printed and ends with 0")
    func version() {
        #expect(ending(of: ["--version"]) == Ending(code: 0, output: "0.1.0", complaint: ""))
    }

    @Test("Refused, wrong and unreachable end with 1, 2 and 3; what was said is not said again")
    func codes() {
        #expect(Ending(Failure.refused("no.")).code == 1)
        #expect(Ending(Failure.usage("no.")).code == 2)
        #expect(Ending(Failure.unreachable("no.")).code == 3)
        #expect(Ending(Failure.refused("no.")).complaint == "perennial: no.")
        #expect(Ending(Failure.refused("")).complaint == "")
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

    func ending(of arguments: [String], style: Style = Style()) -> Ending? {
        do {
            var command = try Perennial.parseAsRoot(arguments)
            // Help is a command of the parser's own.
            if !(command is any AsyncParsableCommand) { try command.run() }
            return nil
        } catch {
            return Ending(error, of: arguments, style: style)
        }
    }
}
