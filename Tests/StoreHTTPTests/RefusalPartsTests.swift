import AppStoreWire
import HTTPTypes
import Testing

@testable import StoreHTTP

@Suite("Refusals in two parts: what is wrong, and what to do")
struct RefusalPartsTests {
    @Test(
        "A refusal says its parts apart, and both in its message",
        arguments: [
            (
                "PATCH", "/connect/v1/apps/com.example.app", #"{"pendingRenewalDays":29}"#,
                "`pendingRenewalDays` is not valid.", "Send a whole number from 0 to 28."
            ),
            (
                "PATCH", "/connect/v1/apps/com.example.app", #"{"sandboxRenewalLimit":null}"#,
                "`sandboxRenewalLimit` is not valid.", "Send a whole number from 0 to 1000."
            ),
            (
                "PATCH", "/connect/v1/apps/nobody", #"{"name":"x"}"#, "There is no app nobody.",
                "Add it at /connect/v1/apps."
            ),
            (
                "PATCH", "/connect/v1/customers/nobody", #"{"asksToBuy":true}"#,
                "There is no account nobody in this environment.", "Signing in makes one."
            ),
            (
                "PATCH", "/connect/v1/customers/nobody", #"{"sandboxSpeed":3}"#,
                "Periods have their true lengths in Production.", "Set `sandboxSpeed` in Sandbox."
            ),
            (
                "POST", "/connect/v1/apps/com.example.app/mass-extensions",
                #"{"productId":"silver.monthly"}"#, "`days` is missing.",
                "Send a whole number from 1 to 90."
            ),
            (
                "POST", "/connect/v1/mass-extensions/77/retry", "",
                "There is no mass extension 77 here.",
                "GET /connect/v1/mass-extensions lists those there are."
            ),
        ] as [(String, String, String, String, String)])
    func parts(
        method: String, path: String, body: String, problem: String, remedy: String
    ) async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        let method = try #require(HTTPRequest.Method(method))
        try await world.with { client in
            let reply = try await client.ours(method, path, body.isEmpty ? nil : body)
            #expect(reply["problem"]?.string == problem, "\(reply.text)")
            #expect(reply["remedy"]?.string == remedy)
            let message = reply["message"]?.string ?? ""
            #expect(message.hasPrefix("\(problem.dropLast()): "))
            #expect(message.hasSuffix("\(remedy.dropFirst())"))
        }
        #expect(try await world.everything() == before)
    }

    @Test("A setting that is cleared is gone from the answer, and says how in the description")
    func cleared() async throws {
        let world = try await HTTPWorld()
        let app = "/connect/v1/apps/com.example.app"
        try await world.with { client in
            let set = try await client.ours(
                .patch, app, #"{"gracePeriod":"THREE_DAYS","supportUrl":"https://a.example/"}"#)
            #expect(set["gracePeriod"]?.string == "THREE_DAYS")
            #expect(set["supportUrl"]?.string == "https://a.example/")
            let cleared = try await client.ours(
                .patch, app,
                #"{"gracePeriod":"NONE","supportUrl":"","sandboxRenewalLimit":0}"#)
            #expect(cleared["gracePeriod"] == nil)
            #expect(cleared["supportUrl"] == nil)
            #expect(cleared["sandboxRenewalLimit"] == nil)
            #expect(cleared["pendingRenewalDays"]?.integer == 6)
            let old = try await client.ours(.patch, app, #"{"era":"2012"}"#)
            #expect(old["billingZone"]?.string == "pacific")
            #expect(old["sandboxRenewalLimit"]?.integer == 6)
            let today = try await client.ours(
                .patch, app, #"{"era":"2012","billingZone":"utc","sandboxRenewalLimit":0}"#)
            #expect(today["billingZone"]?.string == "utc")
            #expect(today["sandboxRenewalLimit"] == nil)
        }
    }
}
