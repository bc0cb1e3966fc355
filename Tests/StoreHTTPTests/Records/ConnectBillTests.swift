import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Connect: bills and banks that answer later")
struct ConnectBillTests {
    private static let path = "/connect/v1/bills"
    private static let purchases = "/storefront/v1/purchases"

    /// Signs Ada in, whose bank answers later.
    private func later(_ client: Client, _ members: String = "") async throws -> String {
        let token = try await client.signIn()
        try await pays(client, #"{"behaviour":"later"\#(members)}"#)
        return token
    }

    private func pays(_ client: Client, _ body: String) async throws {
        let set = try await client.ours(
            .put, "/connect/v1/customers/ada/payment-method", body)
        #expect(set.status == 204, "\(set.text)")
    }

    /// Asks for a product and returns its bill.
    private func ask(
        _ client: Client, _ product: String, as token: String, _ fields: HTTPFields = [:]
    ) async throws -> String {
        let reply = try await client.ours(
            .post, Self.purchases, #"{"productId":"\#(product)"}"#, as: .bearer(token), fields)
        #expect(reply.status == 200)
        #expect(reply["result"] == .string("pending"))
        #expect(reply["signedTransactionInfo"] == nil)
        return try #require(reply["billId"]?.string, "\(reply.text)")
    }

    private func answer(
        _ client: Client, _ bill: String, _ answer: String
    ) async throws -> Reply {
        try await client.ours(
            .post, "\(Self.path)/\(bill)/answer", #"{"answer":"\#(answer)"}"#)
    }

    private func unfinished(_ client: Client, _ token: String) async throws -> [String] {
        let list = try await client.ours(
            .get, "/storefront/v1/transactions?unfinished=true", as: .bearer(token))
        return (list["transactions"]?.array ?? []).compactMap {
            $0["transactionId"]?.string
        }
    }

    @Test(
        "A purchase is pending until its bill is paid, then its transaction waits to be finished",
        arguments: ["silver.monthly", "coins", "lifetime"])
    func purchase(product: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await later(client)
            let bill = try await ask(client, product, as: token)
            #expect(try await unfinished(client, token).isEmpty)
            let entitled = try await client.ours(
                .get, "/storefront/v1/entitlements", as: .bearer(token))
            #expect(!entitled.text.contains("eyJ"))
            #expect(try await client.api(.get, "/v1/transactions/\(bill)").status == 404)
            let paid = try await answer(client, bill, "paid")
            #expect(paid.status == 200)
            #expect(paid["outcome"] == .string("changed"))
            #expect(paid["bill"]?["state"] == .string("paid"))
            #expect(try await unfinished(client, token) == [bill])
            #expect(try await client.api(.get, "/v1/transactions/\(bill)").status == 200)
            let done = try await client.ours(
                .post, "/storefront/v1/transactions/\(bill)/finish", as: .bearer(token))
            #expect(done.status == 204)
            #expect(try await unfinished(client, token).isEmpty)
        }
    }

    @Test("A repeated request is answered with its bill, then with how that ended")
    func repeated() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await later(client)
            let key: HTTPFields = [HTTPField.Name("Idempotency-Key")!: "order-1"]
            let bill = try await ask(client, "coins", as: token, key)
            #expect(try await ask(client, "coins", as: token, key) == bill)
            #expect(try await ask(client, "coins", as: token) != bill)
            _ = try await answer(client, bill, "declined")
            let declined = try await client.ours(
                .post, Self.purchases, #"{"productId":"coins"}"#, as: .bearer(token), key)
            #expect(declined.status == 402)
            #expect(declined.complaint == "paymentDeclined")
        }
    }

    @Test("Bills are listed newest first, page by page, by state and by account")
    func list() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await later(client)
            let other = try await client.signIn("bea")
            _ = try await client.ours(
                .put, "/connect/v1/customers/bea/payment-method", #"{"behaviour":"later"}"#)
            var bills: [String] = []
            for count in 1...5 {
                bills.append(
                    try await ask(client, "coins", as: count == 3 ? other : token))
            }
            _ = try await answer(client, bills[0], "paid")
            _ = try await answer(client, bills[1], "declined")
            var found: [String] = []
            var before = ""
            while true {
                let page = try await client.ours(.get, "\(Self.path)?limit=2\(before)")
                let ids = (page["bills"]?.array ?? []).compactMap { $0["id"]?.string }
                found += ids
                guard page["hasMore"] == .bool(true) else { break }
                before = "&before=\(try #require(ids.last))"
            }
            #expect(found == bills.reversed())
            for (query, wanted) in [
                ("state=pending", [4, 3, 2]), ("state=paid", [0]), ("state=declined", [1]),
                ("state=sent", []), ("account=bea", [2]), ("account=ada&state=pending", [4, 3]),
            ] {
                let reply = try await client.ours(.get, "\(Self.path)?\(query)")
                let ids = (reply["bills"]?.array ?? []).compactMap { $0["id"]?.string }
                #expect(ids == wanted.map { bills[$0] }, "\(query)")
            }
            let nobody = try await client.ours(.get, "\(Self.path)?account=nobody")
            #expect(nobody.complaint == "unknownAccount")
            for query in ["state=lost", "limit=0", "limit=201", "before=x", "account="] {
                let reply = try await client.ours(.get, "\(Self.path)?\(query)")
                #expect(reply.status == 400, "\(query)")
                #expect(reply.complaint == "invalidMember", "\(query)")
            }
        }
    }

    @Test("A bill says what it is for and what happens to it by itself")
    func bill() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await later(client, #","after":"PT3H","answer":"declined""#)
            let bill = try await ask(client, "silver.monthly", as: token)
            let reply = try await client.ours(.get, "\(Self.path)/\(bill)")
            #expect(
                try reply.json()
                    == JSONValue(
                        parsing: #"""
                            {"id":"\#(bill)","bundleId":"com.example.app","account":"ada",
                             "purpose":"purchase","productId":"silver.monthly","quantity":1,
                             "amount":9990,"currency":"USD","storefront":"USA",
                             "state":"pending","voiding":false,"made":"2026-01-01T00:00:00Z",
                             "changed":"2026-01-01T00:00:00Z","answers":"2026-01-01T03:00:00Z",
                             "nextEvent":"2026-01-01T03:00:00Z"}
                            """#.utf8))
            _ = try await client.ours(.post, "/connect/v1/clock/advance", #"{"by":"P1D"}"#)
            let after = try await client.ours(.get, "\(Self.path)/\(bill)")
            #expect(after["state"] == .string("declined"))
            #expect(after["changed"] == .string("2026-01-01T03:00:00Z"))
            #expect(after["answers"] == nil && after["nextEvent"] == nil)
        }
    }

    @Test("A bill that was paid at once is told by its transaction, and is in no list")
    func paidAtOnce() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            let bill = try await client.ours(.get, "\(Self.path)/\(id)")
            #expect(bill["state"] == .string("paid"))
            #expect(bill["originalTransactionId"] == .string(id))
            #expect(bill["amount"] == .integer(9990))
            #expect(try await client.ours(.get, Self.path)["bills"] == .array([]))
            let reversed = try await answer(client, id, "reversed")
            #expect(reversed["outcome"] == .string("changed"))
            #expect(reversed["bill"]?["state"] == .string("reversed"))
            let one = try await client.ours(.get, "/connect/v1/subscriptions/\(id)")
            #expect(one["state"] == .string("revoked"))
            #expect(try await client.ours(.get, Self.path)["bills"]?.array?.count == 1)
            let restored = try await answer(client, id, "restored")
            #expect(restored["bill"]?["state"] == .string("paid"))
        }
    }

    @Test(
        "An answer moves a bill on, is known, comes too late or cannot be",
        arguments: [
            (["paid"], "changed", "paid"), (["declined"], "changed", "declined"),
            (["voided"], "changed", "void"), (["pending"], "unchanged", "pending"),
            (["reversed"], "unexpected", "pending"), (["restored"], "unexpected", "pending"),
            (["paid", "paid"], "unchanged", "paid"),
            (["paid", "declined"], "unexpected", "paid"),
            (["declined", "paid"], "givenBack", "declined"),
            (["voided", "paid"], "givenBack", "void"),
            (["paid", "reversed"], "changed", "reversed"),
            (["paid", "reversed", "restored"], "changed", "paid"),
            (["paid", "reversed", "paid"], "unchanged", "reversed"),
        ] as [([String], String, String)])
    func outcomes(answers: [String], outcome: String, state: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let bill = try await ask(client, "coins", as: later(client))
            var reply: Reply?
            for one in answers { reply = try await answer(client, bill, one) }
            #expect(reply?.status == 200)
            #expect(reply?["outcome"] == .string(outcome))
            #expect(reply?["bill"]?["state"] == .string(state))
        }
    }

    @Test("What keeps a payment from being taken back is named")
    func obstacles() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            let path = "/connect/v1/transactions/\(id)"
            #expect(try await client.ours(.post, "\(path)/refund", "{}").status == 200)
            let reversed = try await answer(client, id, "reversed")
            #expect(reversed["outcome"] == .string("unexpected"))
            #expect(reversed["obstacle"] == .string("refunded"))
            #expect(reversed["bill"]?["state"] == .string("paid"))
            #expect(try await client.ours(.post, "\(path)/reverse-refund").status == 200)
            let taken = try await answer(client, id, "reversed")
            #expect(taken["outcome"] == .string("changed"))
            #expect(taken["obstacle"] == nil)
            // That it was declined is no answer to what was paid.
            let restored = try await answer(client, id, "restored")
            #expect(restored["outcome"] == .string("changed"))
            let declined = try await answer(client, id, "declined")
            #expect(declined["outcome"] == .string("unexpected"))
            #expect(declined["obstacle"] == nil)
        }
    }

    @Test("Bills that there are not, or that are the other environment's, are unknown")
    func unknown() async throws {
        let world = try await HTTPWorld(isListening: false)
        let bill = try await world.with { client in
            try await ask(client, "coins", as: later(client))
        }
        let before = try await world.everything()
        for environment in StoreEnvironment.allCases {
            try await world.with(environment) { client in
                let own = environment == .production ? [] : [bill]
                for id in own + ["1", "4711", "x", "-1", "99999999999999999999"] {
                    let found = try await client.ours(.get, "\(Self.path)/\(id)")
                    #expect(found.status == 404)
                    #expect(found.complaint == "unknownBill")
                    let answered = try await answer(client, id, "paid")
                    #expect(answered.status == 404)
                    #expect(answered.complaint == "unknownBill")
                }
            }
        }
        try await world.with(.sandbox) { client in
            let list = try await client.ours(.get, Self.path)
            #expect(list["bills"] == .array([]))
        }
        #expect(try await world.everything() == before)
    }

    @Test(
        "An answer that cannot be one changes nothing",
        arguments: [
            (#"{}"#, "missingMember"), (#"{"answer":"perhaps"}"#, "invalidMember"),
            (#"{"answer":7}"#, "invalidMember"), (#"{"answer":null}"#, "invalidMember"),
            (#"{"answer":"paid","at":"2026-01-01"}"#, "unknownMember"), ("[]", "malformedJSON"),
        ])
    func refusedAnswer(body: String, code: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let bill = try await ask(client, "coins", as: later(client))
            let before = try await world.everything()
            let reply = try await client.ours(.post, "\(Self.path)/\(bill)/answer", body)
            #expect(reply.status == 400)
            #expect(reply.complaint == code)
            #expect(try await world.everything() == before)
        }
    }

    @Test("Bills are the operator's business", arguments: ["", "/1", "/1/answer"])
    func strangers(path: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let isAnswer = path.hasSuffix("answer")
            for credential in [Client.Credential.nothing, .bearer(token), .developer] {
                let reply = try await client.ours(
                    isAnswer ? .post : .get, Self.path + path,
                    isAnswer ? #"{"answer":"paid"}"# : nil, as: credential)
                #expect(reply.status == 401)
            }
        }
    }
}
