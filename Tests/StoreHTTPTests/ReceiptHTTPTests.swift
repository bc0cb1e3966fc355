import AppStoreSigning
import AppStoreWire
import Foundation
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("verifyReceipt and receipts over HTTP")
struct ReceiptHTTPTests {
    private func receipt(_ client: Client, _ token: String, of id: String? = nil) async throws
        -> String
    {
        let path = id.map { "transactions/\($0)/receipt" } ?? "receipt"
        let reply = try await client.ours(.get, "/storefront/v1/\(path)", as: .bearer(token))
        #expect(reply["deviceIdentifier"]?.string?.count == 36)
        return try #require(reply["receipt"]?.string)
    }

    private func secret(_ client: Client) async throws -> String {
        let reply = try await client.ours(
            .get, "/connect/v1/apps/\(World.bundleID)/shared-secret")
        #expect(reply.fields[.cacheControl] == "no-store")
        return try #require(reply["sharedSecret"]?.string)
    }

    private func body(_ receipt: String, _ secret: String? = nil) -> String {
        let password = secret.map { #","password":"\#($0)""# } ?? ""
        return #"{"receipt-data":"\#(receipt)"\#(password)}"#
    }

    @Test("A receipt of the device is verified, whatever the content type")
    func whole() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let bought = try await client.buy("silver.monthly", as: token)
            let receipt = try await receipt(client, token)
            let secret = try await secret(client)
            #expect(secret.count == 32 && secret.allSatisfy(\.isHexDigit))
            for type in ["application/json", "application/x-www-form-urlencoded", "text/plain"] {
                let reply = try await client.send(
                    .post, "/verifyReceipt", body(receipt, secret), [.contentType: type])
                #expect(reply.status == 200 && reply.fields[.contentType] == "application/json")
                #expect(reply.fields[HTTPField.Name("Deprecation")!] != nil)
                #expect(reply["status"] == .integer(0))
                #expect(reply["environment"] == .string("Production"))
                let newest = try #require(reply["latest_receipt_info"]?.array?.first?.object)
                #expect(newest["transaction_id"] == .string(bought.transactionId))
                #expect(newest["quantity"] == .string("1"))
                #expect(newest["expires_date"] == .string("2026-02-01 00:00:00 Etc/GMT"))
                #expect(newest["expires_date_ms"] == .string("1769904000000"))
                #expect(
                    newest["expires_date_pst"]
                        == .string("2026-01-31 16:00:00 America/Los_Angeles"))
                #expect(newest["is_upgraded"] == nil)
                #expect(reply["pending_renewal_info"]?.array?.count == 1)
            }
            let single = try await self.receipt(client, token, of: bought.transactionId)
            let old = try await client.send(.post, "/verifyReceipt", body(single, secret))
            #expect(old["status"] == .integer(0))
            #expect(old["latest_receipt_info"]?.object?["expires_date"] == .string("1769904000000"))
        }
    }

    @Test("Every verdict is answered 200, and told by its status alone")
    func verdicts() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            _ = try await client.buy("lifetime", as: token)
            let receipt = try await receipt(client, token)
            for (method, text, status) in [
                (HTTPRequest.Method.get, nil, 21000), (.put, body(receipt), 21000),
                (.post, "x", 21002), (.post, "", 21002), (.post, body("AAAA"), 21002),
                (.post, body(receipt, "wrong"), 21004),
            ] {
                let reply = try await client.send(method, "/verifyReceipt", text)
                #expect(reply.status == 200, "\(status)")
                #expect(reply.text == #"{"status":\#(status)}"#)
            }
            let foreign = try ReceiptSigner(chain: try Store.newReceiptChain())
            let parsed = try await ReceiptVerifier(
                rootDER: [World.receiptChain.rootDER]
            ).verify(base64: receipt, expecting: ReceiptExpectation())
            let stranger = Data(try foreign.sign(parsed)).base64EncodedString()
            let reply = try await client.send(.post, "/verifyReceipt", body(stranger))
            #expect(reply.text == #"{"status":21003}"#)
            try await world.with(.sandbox) { sandbox in
                let moved = try await sandbox.send(.post, "/verifyReceipt", body(receipt))
                #expect(moved.text == #"{"status":21008}"#)
                let token = try await sandbox.signIn()
                _ = try await sandbox.buy("lifetime", as: token)
                let own = try await self.receipt(sandbox, token)
                let back = try await client.send(.post, "/verifyReceipt", body(own))
                #expect(back.text == #"{"status":21007}"#)
            }
        }
    }

    @Test("A body of ten megabytes is read, one over the limit is not")
    func sizes() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let noise = String(repeating: "x", count: 10_000_000)
            let large = try await client.send(.post, "/verifyReceipt", noise)
            #expect(large.status == 200 && large["status"] == .integer(21002))
            let tooLarge = try await client.send(
                .post, "/verifyReceipt", String(repeating: "x", count: (1 << 24) + 1))
            #expect(tooLarge.status == 413)
        }
    }

    @Test(
        "Fault rules bring the statuses that a store in order never answers",
        arguments: [
            (#""kind":"limitCalls""#, #"{"status":21005}"#),
            (#""kind":"failCalls","errorCode":4040010"#, #"{"status":21009}"#),
            (#""kind":"failCalls","errorCode":21005"#, #"{"status":21005}"#),
            (#""kind":"failCalls","errorCode":21002"#, #"{"status":21002}"#),
            (
                #""kind":"failCalls","errorCode":21123"#,
                #"{"status":21123,"is_retryable":true}"#
            ),
            (
                #""kind":"failCalls","errorCode":5000001"#,
                #"{"status":21100,"is_retryable":true}"#
            ),
            (
                #""kind":"failCalls","errorCode":5000000"#,
                #"{"status":21199,"is_retryable":false}"#
            ),
        ] as [(String, String)])
    func faults(_ rule: String, _ answer: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            _ = try await client.buy("lifetime", as: token)
            let receipt = try await receipt(client, token)
            let made = try await client.ours(
                .post, "/connect/v1/faults", "{\(rule),\"operation\":\"verifyReceipt\",\"count\":1}"
            )
            #expect(made.status == 201, "\(made.text)")
            let reply = try await client.send(.post, "/verifyReceipt", body(receipt))
            #expect(reply.status == 200 && reply.text == answer)
            let after = try await client.send(.post, "/verifyReceipt", body(receipt))
            #expect(after["status"] == .integer(0))
        }
    }

    @Test(
        "A status of verifyReceipt is a fault of verifyReceipt alone",
        arguments: [
            #""errorCode":21005"#, #""errorCode":21005,"operation":"getTransactionInfo""#,
            #""errorCode":0,"operation":"verifyReceipt""#,
            #""errorCode":21011,"operation":"verifyReceipt""#,
            #""errorCode":21200,"operation":"verifyReceipt""#,
        ])
    func foreignStatus(_ rule: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let reply = try await client.ours(
                .post, "/connect/v1/faults", #"{"kind":"failCalls",\#(rule)}"#)
            #expect(reply.status == 400 && reply.complaint == "invalidSetting", "\(reply.text)")
        }
    }

    @Test("Secrets are given out again and again, and made anew on demand")
    func secrets() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let first = try await secret(client)
            #expect(try await secret(client) == first)
            let made = try await client.ours(
                .post, "/connect/v1/apps/\(World.bundleID)/shared-secret")
            #expect(made["sharedSecret"]?.string != first)
            #expect(try await secret(client) == made["sharedSecret"]?.string)
            let primary = try await client.ours(.get, "/connect/v1/shared-secret")
            #expect(primary["sharedSecret"]?.string?.count == 32)
            let unknown = try await client.ours(
                .get, "/connect/v1/apps/com.example.other/shared-secret")
            #expect(unknown.status == 404 && unknown.complaint == "unknownApp")
            let journal = try await client.ours(.get, "/connect/v1/journal")
            #expect(!journal.text.contains(first))
        }
    }

    @Test("The operator reads a receipt with every attribute by its name")
    func decoded() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            _ = try await client.buy("lifetime", as: token)
            let path = "/connect/v1/customers/ada/receipt"
            let reply = try await client.ours(.get, "\(path)?bundleId=\(World.bundleID)")
            let attributes = try #require(
                reply["decoded"]?.object?["attributes"]?.array)
            let names = attributes.compactMap { $0["name"]?.string }
            for name in ["environment", "bundleId", "creationDate", "inApp", "deviceHash"] {
                #expect(names.contains(name), "\(name)")
            }
            #expect(try await client.ours(.get, path).status == 200)
            for (query, code) in [
                ("?device=watch", "unknownDevice"), ("?bundleId=com.example.other", "unknownApp"),
            ] {
                let refused = try await client.ours(.get, path + query)
                #expect(refused.status == 404 && refused.complaint == code)
            }
            let nobody = try await client.ours(.get, "/connect/v1/customers/eve/receipt")
            #expect(nobody.complaint == "unknownAccount")
        }
    }
}
