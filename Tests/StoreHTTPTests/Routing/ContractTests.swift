import AppStoreWire
import HTTPSurface
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("What is described is what is answered")
struct ContractTests {
    /// A request that any operation can meet, and the status that answers it.
    private struct Trouble {
        let status: Int
        var method: HTTPRequest.Method?
        var query = ""
        var body: String?
        var isAnonymous = false
        var fields: HTTPFields = [:]

        static func all(for description: OperationDescription) -> [Trouble] {
            var all = [
                Trouble(status: 405, method: HTTPRequest.Method("BREW")),
                Trouble(status: 413, body: tooMuch, fields: [.contentLength: "\(tooMuch.count)"]),
            ]
            let isOurs = description.access != .developer
            if isOurs && description.access != .tools {
                all.append(Trouble(status: 400, query: "?nonsense=1"))
            }
            if description.access != .tools && description.access != .everybody {
                all.append(Trouble(status: 401, isAnonymous: true))
            }
            switch description.body {
            case .none: break
            case .members, .file:
                all.append(
                    Trouble(
                        status: isOurs ? 415 : 400, body: "a=b",
                        fields: [.contentType: "application/x-www-form-urlencoded"]))
            }
            return all
        }

        private static let tooMuch = String(repeating: " ", count: 101)
    }

    @Test(
        "What every request can meet is described for every operation",
        arguments: StoreEnvironment.allCases)
    func everyOperation(environment: StoreEnvironment) async throws {
        var options = StoreServer.Options()
        options.bodyLimit = 100
        options.fileLimit = 100
        let world = try await HTTPWorld(options: options)
        try await world.with(environment) { client in
            let device = try await client.signIn()
            let before = try await world.everything()
            for endpoint in StoreRoutes(environment).endpoints {
                let description = endpoint.description
                let document =
                    description.access == .developer
                    ? OpenAPI.serverAPI(in: environment) : .ownSurfaces
                let path = endpoint.path.replacing(#/\{[^}]*\}/#) { _ in "1" }
                let credential: Client.Credential =
                    switch description.access {
                    case .tools, .everybody: .nothing
                    case .device, .device.orNobody: .bearer(device)
                    case .theOperator: .operatorToken
                    case .developer: .developer
                    default: preconditionFailure("\(description.access) is somebody new")
                    }
                for trouble in Trouble.all(for: description) {
                    let reply = try await client.send(
                        trouble.method ?? endpoint.method, path + trouble.query, trouble.body,
                        as: trouble.isAnonymous ? .nothing : credential, trouble.fields)
                    let problems = document.problems(of: reply, to: endpoint.method, path)
                    // verifyReceipt tells its verdicts in the body.
                    let tellsInBody = endpoint.name == "verifyReceipt" && trouble.status != 413
                    let status = tellsInBody ? 200 : trouble.status
                    let isRight = reply.status == status && problems.isEmpty
                    #expect(isRight, "\(endpoint.name): \(reply.status), \(problems)")
                }
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("A whole number is one however it is written, on every surface")
    func wholeNumbers() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let device = try await client.signIn()
            for (quantity, status) in [("2.0", 200), ("2e0", 200), ("2.5", 400), ("1e99", 400)] {
                let reply = try await client.ours(
                    .post, "/storefront/v1/purchases",
                    #"{"productId":"coins","quantity":\#(quantity)}"#, as: .bearer(device))
                #expect(reply.status == status, "\(quantity)")
            }
            for (start, status) in [("1767225600000.0", 200), ("1767225600000.5", 400)] {
                let reply = try await client.api(
                    .post, "/v1/notifications/history",
                    #"{"startDate":\#(start),"endDate":1.8e12}"#)
                #expect(reply.status == status, "\(start)")
            }
        }
    }

    @Test(
        "A moment has any offset, letters in either case, and up to nine decimals",
        arguments: [
            ("2026-01-02T02:00:00+02:00", "2026-01-02T00:00:00Z"),
            ("2026-01-02t00:00:00z", "2026-01-02T00:00:00Z"),
            ("2026-01-02T00:00:00.123456789Z", "2026-01-02T00:00:00.123Z"),
            ("2026-01-02", "2026-01-02T00:00:00Z"),
        ])
    func moments(to: String, now: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let reply = try await client.ours(
                .post, "/connect/v1/clock/advance", #"{"to":"\#(to)"}"#)
            #expect(reply["now"]?.string == now)
        }
    }

    @Test(
        "What the description does not allow changes nothing",
        arguments: [
            ("PATCH", "/connect/v1/customers/ada", #"{"storefront":"AAA"}"#, "invalidMember"),
            ("POST", "/connect/v1/clock/advance", "{}", "eitherByOrTo"),
            (
                "POST", "/connect/v1/clock/advance", #"{"to":"2026-12-31T23:59:60Z"}"#,
                "invalidMember"
            ),
            ("POST", "/connect/v1/clock/advance", #"{"to":"2200-01-01"}"#, "invalidMember"),
            (
                "PUT", "/connect/v1/customers/ada/payment-method",
                #"{"behaviour":"decline","until":"1000-01-01"}"#, "invalidMember"
            ),
            (
                "PUT", "/connect/v1/customers/ada/payment-method",
                #"{"behaviour":"decline","until":"1970-01-01T00:00:00+00:01"}"#, "invalidSetting"
            ),
            ("POST", "/connect/v1/clock/advance", #"{"by":"P99999Y"}"#, "clockOutOfRange"),
            (
                "POST", "/connect/v1/apps/com.example.app/mass-extensions",
                #"{"productId":"silver.monthly","days":1,"storefronts":[]}"#, "invalidMember"
            ),
            (
                "PUT", "/connect/v1/customers/ada/payment-method",
                #"{"behaviour":"approve","count":1}"#, "onlyWithAnotherBehaviour"
            ),
        ] as [(String, String, String, String)])
    func refusals(method: String, path: String, body: String, code: String) async throws {
        let world = try await HTTPWorld()
        let method = try #require(HTTPRequest.Method(method))
        try await world.with { client in
            _ = try await client.signIn()
            let before = try await world.everything()
            let reply = try await client.ours(method, path, body)
            #expect(reply.status == 400)
            #expect(reply.complaint == code)
            #expect(try await world.everything() == before)
        }
    }
}
