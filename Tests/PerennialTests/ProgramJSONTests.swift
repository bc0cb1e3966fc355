public import AppStoreWire
import Foundation
import Testing

@testable import perennial

@Suite("JSON on the command line")
struct ProgramJSONTests {
    /// A command that does something, and what its JSON must say.
    private struct Deed {
        var command: String
        var members: [String: JSONValue]
        var present: [String]

        init(_ command: String, _ members: [String: JSONValue] = [:], has present: String...) {
            self.command = command
            self.members = members
            self.present = present
        }
    }

    /// What is done, in this order; SUB is Anna's plus, NEWS her news, GEMS what Bea bought, BILL
    /// what she has not paid, and an identifier that was given is known by ID.
    private static let deeds: [Deed] = [
        Deed(
            "buy gems --account bea --quantity 2",
            [
                "account": "bea", "transactionInfo.productId": "gems",
                "transactionInfo.quantity": 2, "transactionInfo.price": 18_000,
                "transactionInfo.currency": "NOK",
                "transactionInfo.purchaseDate": 1_769_817_600_000,
                "transactionInfo.environment": "Production",
                "transactionInfo.transactionId": "GEMS",
                "transactionInfo.originalTransactionId": "GEMS",
            ]),
        Deed(
            "buy basic.monthly --account anna",
            [
                "result": "success", "productId": "basic.monthly",
                "subscription.originalTransactionId": "SUB",
                "subscription.nextProductId": "basic.monthly",
                "subscription.environment": "Production",
                "subscription.bundleId": "com.example.app",
            ]),
        Deed(
            "plan SUB plus.monthly",
            [
                "originalTransactionId": "SUB", "autoRenewProductId": "plus.monthly",
                "transactionInfo.price": 99_000, "renewalInfo.environment": "Production",
            ]),
        Deed("renewal SUB off", ["autoRenew": false, "renewalInfo.autoRenewStatus": 0]),
        Deed("renewal SUB on", ["autoRenew": true, "renewalInfo.autoRenewStatus": 1]),
        Deed(
            "pay bea decline --count 2",
            [
                "account": "bea", "environment": "Production",
                "paymentMethod.behaviour": "decline", "paymentMethod.count": 2,
            ]),
        Deed(
            "pay bea later --after P4D --then decline",
            [
                "paymentMethod.behaviour": "later", "paymentMethod.after": "P4D",
                "paymentMethod.answer": "declined",
            ]),
        Deed(
            "buy gems --account bea",
            [
                "result": "pending", "productId": "gems", "bill.id": "BILL", "billId": "BILL",
                "bill.account": "bea", "bill.amount": 9_000, "bill.state": "pending",
            ]),
        Deed(
            "bills answer BILL paid",
            ["outcome": "changed", "bill.id": "BILL", "bill.state": "paid"]),
        Deed("pay bea approve", ["paymentMethod.behaviour": "approve"], has: "purchases"),
        Deed(
            "customer speed tester 15",
            ["account": "tester", "sandboxSpeed": 15, "environment": "Sandbox"]),
        Deed("customer move bea SWE", ["account": "bea", "storefront": "SWE"]),
        Deed(
            "extensions grant SUB --days 3 --request-identifier mine",
            [
                "originalTransactionId": "SUB", "transactionId": "SUB", "days": 3,
                "environment": "Production", "requestIdentifier": "mine",
                "expires": "2026-03-03T00:00:00Z",
            ]),
        Deed(
            "extensions grant-all news.monthly --days 2 --watch",
            [
                "complete": true, "succeeded": 1, "failed": 0, "failures": [],
                "environment": "Production", "productId": "news.monthly",
            ], has: "id", "requestIdentifier"),
        Deed("app set --refund-policy manual", ["refundPolicy": "manual"]),
        Deed(
            "refunds request NEWS",
            ["account": "anna", "transactionId": "NEWS", "state": "open"], has: "id"),
        Deed(
            "refunds decline ID",
            [
                "state": "declined", "transactionId": "NEWS", "originalTransactionId": "NEWS",
                "price": 29_000, "currency": "NOK", "account": "anna",
            ]),
        Deed("refunds request bea --transaction GEMS", ["transactionId": "GEMS"], has: "id"),
        Deed(
            "refunds grant ID",
            [
                "transactionId": "GEMS", "originalTransactionId": "GEMS", "refunded": 18_000,
                "currency": "NOK", "environment": "Production",
            ]),
        Deed(
            "refunds reverse --transaction GEMS",
            [
                "transactionId": "GEMS", "originalTransactionId": "GEMS", "price": 18_000,
                "currency": "NOK", "environment": "Production", "productId": "gems",
            ]),
        Deed(
            "refunds issue --transaction GEMS --prorated", ["refunded": 18_000, "extent": "full"]),
        Deed(
            "subscription expire NEWS",
            ["originalTransactionId": "NEWS", "state": "expired", "environment": "Production"]),
        Deed("price set gems NOR 12", has: "prices"),
        Deed("customer set mia --asks-to-buy on", ["account": "mia", "asksToBuy": true]),
        Deed("buy gems --account mia", ["result": "pending"], has: "requestId", "request"),
        Deed("requests approve REQUEST", ["id": "REQUEST", "state": "approved"]),
        Deed("buy gems --account mia", ["result": "pending"], has: "requestId"),
        Deed("requests decline REQUEST", ["id": "REQUEST", "state": "declined"]),
        Deed(
            "offer create plus.monthly code HELLO --mode free --period P1M --audience new",
            ["type": "OFFER_CODE", "id": "HELLO", "price": 0]),
        Deed(
            "offer codes create plus.monthly HELLO --custom WELCOME --count 5",
            ["custom": "WELCOME", "count": 5], has: "id"),
        Deed("redeem WELCOME --account nora", ["account": "nora", "result": "success"]),
        Deed("offer codes end CODES", ["redeemed": 1], has: "ended"),
        Deed("offer end plus.monthly code HELLO", ["id": "HELLO", "ended": true]),
        Deed(
            "offer create gems code GIFT --mode one-time --price 5 --audience nonSpender",
            ["type": "OFFER_CODE", "mode": "ONE_TIME", "id": "GIFT", "price": 5_000]),
        Deed(
            "app keys add --name web --key-id ABCDEFGH12 --to TMP",
            ["keyId": "ABCDEFGH12", "name": "web"], has: "privateKeyFile", "issuerId"),
        Deed("app keys revoke ABCDEFGH12", ["keyId": "ABCDEFGH12"], has: "revoked"),
        Deed("app shared-secret --new", has: "sharedSecret", "made"),
        Deed("app opt-in set --name en_US=Garden", ["asks": true], has: "names"),
        Deed(
            "app opt-in answer SUB yes --name Anna --email anna@example.com --postal-code 0150",
            ["account": "anna", "shares": true, "originalTransactionId": "SUB"]),
        Deed(
            "app opt-in revoke SUB",
            ["account": "anna", "shares": false, "originalTransactionId": "SUB"]),
        Deed("app opt-in set --name en_US=Garden --bonus P1W", ["asks": true, "bonus": "P1W"]),
        Deed("app opt-in set --nobody", ["asks": false]),
        Deed("customer speed tester 3", ["account": "tester", "sandboxSpeed": 3]),
        Deed("customer clear-history tester", ["account": "tester"], has: "history"),
        Deed("product availability gems off", ["id": "gems", "forSale": false]),
        Deed("product discontinue gems", ["id": "gems"], has: "deleted"),
        Deed(
            "price thresholds set NOR --amount 50 --always-consent off",
            [
                "storefront": "NOR", "nonAnnualAmount": 50_000, "origin": "operator",
                "isOwn": true,
            ]),
        Deed("price thresholds set NOR --reset", ["storefront": "NOR", "isOwn": false]),
        Deed(
            "price schedule plus.monthly NOR 399 --existing preserve",
            ["productId": "plus.monthly", "price": 399_000, "currency": "NOK"], has: "id", "start"),
        Deed("advance P1D", ["now": "2026-02-01T00:00:00Z"], has: "changes"),
        Deed(
            "price schedule plus.monthly NOR 499 --existing preserve --start 2026-03-01",
            ["price": 499_000]),
        Deed(
            "price withdraw plus.monthly NOR",
            [
                "productId": "plus.monthly", "price": 499_000, "storefront": "NOR",
                "state": "withdrawn", "withdrawn": "2026-02-01T00:00:00Z",
            ], has: "id"),
        Deed(
            "price unpreserve plus.monthly NOR 99 --start 2026-03-10",
            ["cohortPrice": 99_000, "price": 399_000, "forCohort": true]),
        Deed("clock step", ["steps": 1], has: "now", "changes"),
        Deed("app set --notify http://127.0.0.1:9/", ["notificationUrl": "http://127.0.0.1:9/"]),
        Deed(
            "notify TEST", ["notificationType": "TEST", "bundleId": "com.example.app"],
            has: "notificationUUID"),
        Deed(
            "notify REFUND --subscription SUB",
            ["notificationType": "REFUND", "originalTransactionId": "SUB"]),
        Deed("clock until DID_RENEW", ["notification.notificationType": "DID_RENEW"], has: "now"),
        Deed("fault add slowCalls --by PT1S", ["kind": "slowCalls", "by": "PT1S"], has: "id"),
        Deed("fault remove ID", ["kind": "slowCalls", "removed": 1], has: "id"),
        Deed("fault clear", ["removed": 0]),
        Deed("advance --to 2026-04-10", has: "now"),
        Deed(
            "consent SUB agree",
            ["originalTransactionId": "SUB", "renewalInfo.priceIncreaseStatus": 1]),
        Deed(
            "app add FILE --bundle-id com.example.second",
            ["bundleId": "com.example.second", "appAppleId": 1_000_000_002]),
        Deed("family create anna bea", has: "id", "members", "purchases"),
        Deed("family add anna carl", has: "id", "members"),
        Deed("family remove carl", has: "id", "members"),
        Deed("family default bea keep", ["account": "bea", "sharesNewPurchases": false]),
        Deed("family end bea", has: "id", "members"),
        Deed("world deliveries off", ["deliveries": false, "isFork": false]),
        Deed("world snapshots create here", ["name": "here"], has: "now", "size"),
        Deed(
            "world forks create trial", ["name": "trial", "deliveries": false], has: "production",
            "sandbox", "readyFile", "forkedAt"),
        Deed("world forks remove trial", ["name": "trial", "removed": 1]),
        Deed("world rewind here", has: "now"),
        Deed("world snapshots remove here", ["name": "here", "removed": 1]),
        Deed(
            "subscription cancel SUB",
            ["originalTransactionId": "SUB", "environment": "Production"], has: "refunded"),
    ]

    /// What only looks, or has no store to ask.
    private static let looking: Set = [
        "bills list", "bills show", "serve", "world check", "catalog check", "app list", "app show",
        "price list", "price thresholds list",
        "price changes",
        "price cohorts", "price of", "price explain", "price timetable",
        "extensions list",
        "extensions failures", "refunds list", "money proceeds", "money ledger",
        "clock show", "fault list",
        "timeline", "status", "customer list", "notifications", "mailbox",
        "requests list", "requests show", "offer list", "offer codes list", "offer codes download",
        "offer codes redemptions", "family list", "family show", "app keys list", "app opt-in show",
        "app opt-in report", "world processes",
        "world snapshots list", "world forks list", "console", "customer devices list",
        "customer devices show", "subscription next-bill",
        "ac requests", "forge", "customer receipt",
    ]

    /// What needs a product that can be shared, `FamilyCommandTests`, a year,
    /// `MonthlyBillingTests`, one that stands for others, `AdvancedCommerceCommandTests`, devices,
    /// `DeviceCommandTests`, failures of a mass extension, `StatusTests`, or a merchant,
    /// `MerchantServeTests`, or a file, `PlayTests`.
    private static let elsewhere: Set = [
        "play",
        "extensions retry",
        "family share", "product monthly-billing", "product generic", "ac create-one-time-charge",
        "ac create-subscription", "ac modify-subscription", "ac reactivate-subscription",
        "ac cancel", "ac change-metadata", "ac change-price", "ac migrate", "ac revoke",
        "ac request-refund", "customer devices wipe", "customer devices remove",
        "dev", "merchant serve", "merchant check", "merchant status", "merchant why",
        "merchant dead-letters", "merchant replay", "merchant gaps", "merchant settle",
        "merchant owner", "merchant unowned", "merchant claim", "merchant alias",
        "merchant export", "merchant erase",
        "merchant events", "merchant customers", "merchant audit", "merchant tokens list",
        "merchant tokens rotate", "merchant console",
        "merchant rebuild", "campaign check", "campaign plan", "campaign run", "campaign status",
        "campaign report", "campaign rehearse", "campaign messages", "campaign consents",
        "campaign pause", "campaign resume", "campaign stop",
    ]

    @Test("Every command that acts says in JSON what it did")
    func deeds() async throws {
        try await SettingsTests().with { program in
            var names = [
                "SUB": try await SettingsTests().id(of: "plus.monthly", program),
                "NEWS": try await SettingsTests().id(of: "news.monthly", program),
                "TMP": program.environment["TMPDIR"] ?? "",
                "FILE": (program.environment["TMPDIR"] ?? "") + "/Oslo.storekit",
            ]
            for deed in Self.deeds {
                let words = deed.command.split(separator: " ").map {
                    names[String($0)] ?? String($0)
                }
                let outcome = try await program.run(words + ["--json"])
                #expect(outcome.code == 0, "\(deed.command): \(outcome.complaint)")
                let json = try #require(outcome.json, "\(deed.command): \(outcome.output)")
                if names["GEMS"] == nil {
                    names["GEMS"] = json["transactionInfo"]?["transactionId"]?.string
                }
                if let bill = json["billId"]?.string { names["BILL"] = bill }
                if let request = json["requestId"]?.string { names["REQUEST"] = request }
                if json["offerId"] != nil, let id = json["id"]?.string { names["CODES"] = id }
                if let id = json["id"]?.integer { names["ID"] = String(id) }
                for (path, value) in deed.members {
                    let found = path.split(separator: ".").reduce(json) { $0?[String($1)] }
                    let wanted = value.string.flatMap { names[$0] }.map(JSONValue.string) ?? value
                    #expect(found == wanted, "\(deed.command): \(path) in \(outcome.output)")
                }
                for name in deed.present {
                    #expect(json[name] != nil, "\(deed.command): \(name) in \(outcome.output)")
                }
            }
        }
    }

    @Test("No command that acts is left out of this list")
    func allCommands() throws {
        let acting = Set(Self.deeds.map(\.command)).union(Self.looking).union(Self.elsewhere)
        for command in Vocabulary.shared.commands {
            #expect(
                acting.contains { $0 == command || $0.hasPrefix(command + " ") }, "\(command)")
        }
    }

    @Test("Where JSON is not to be had, one is told so in JSON")
    func csv() async throws {
        let outcome = try await Program().run("money", "proceeds", "--csv", "--json")
        #expect(outcome.code == 2)
        let json = try JSONValue(parsing: Array(outcome.complaint.utf8))
        #expect(json["message"]?.string?.contains("--csv and --json exclude each other") == true)
    }

    @Test(
        "An error is JSON too, on standard error, and ends with the same code",
        arguments: [
            ("status nobody", 1, "unknownAccount", nil, "`perennial customer list`"),
            (
                "buy plus.monthly --account bea --quantity 2", 2, "invalidQuantity", "quantity",
                nil
            ),
            ("buy", 2, "usage", nil, "--help"),
            ("bye", 2, "usage", nil, "--help"),
            ("advance 1month", 2, "usage", nil, "--help"),
            ("clock --ready /nowhere/r.json", 3, "unreachable", nil, nil),
            (
                "refunds issue 400000000099999", 1, "unknownTransaction", nil,
                "`perennial timeline SUBSCRIPTION --all`"
            ),
        ] as [(String, Int32, String, String?, String?)])
    func errors(
        _ command: String, _ code: Int32, _ error: String, _ field: String?, _ remedy: String?
    ) async throws {
        try await SettingsTests().with { program in
            let words = command.split(separator: " ").map(String.init)
            let plain = try await program.run(words)
            let outcome = try await program.run(words + ["--json"])
            #expect(plain.code == code)
            #expect(outcome.code == code)
            #expect(outcome.output.isEmpty)
            let json = try JSONValue(parsing: Array(outcome.complaint.utf8))
            #expect(json["error"]?.string == error, "\(outcome.complaint)")
            #expect(json["field"]?.string == field)
            #expect(json["exitCode"] == .integer(Int64(code)))
            let message = try #require(json["message"]?.string)
            #expect(!message.isEmpty && plain.complaint.contains(message))
            #expect(!message.contains("[") && !message.hasPrefix("perennial:"))
            if let remedy {
                #expect(json["remedy"]?.string?.contains(remedy) == true, "\(outcome.complaint)")
            }
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}
