import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Testing

@testable import perennial

@Suite("Setting apps and customers up")
struct AppSetTests {
    @Test("Every member that changes an app or a customer has an option")
    func options() async throws {
        try await withGarden { program in
            let client = StoreClient(
                try StoreAddress.find(
                    StoreAddress.Wanted(
                        readyFile: program.environment["PERENNIAL_READY"], url: nil, token: nil,
                        isSandbox: false, prefersSandbox: false), environment: [:]),
                bundleID: nil, isSilent: true)
            let description = try await client.get(StorePath("openapi.json")).value
            func members(of path: String) throws -> Set<String> {
                let patch = description["paths"]?[path]?["patch"]?["requestBody"]
                let schema = patch?["content"]?["application/json"]?["schema"]
                guard case .object(let members)? = schema?["properties"] else {
                    throw Failure.refused("No members of \(path).")
                }
                return Set(members.keys)
            }
            let app = try AppSetCommand.parse([
                "--name", "Garden", "--storefront", "USA", "--locale", "en_US", "--grace-period",
                "16", "--sandbox-grace-period", "3", "--grace-scope", "allRenewals",
                "--billing-zone", "utc", "--upgrade-in-trial", "keepsTrial",
                "--price-change-route", "storeManaged", "--era", "today",
                "--pending-renewal-days", "3", "--sharing-delay-minutes", "1",
                "--sandbox-renewal-limit", "6", "--sandbox-availability", "ignored",
                "--sandbox-approvals", "on", "--notify", "http://127.0.0.1:9/", "--refund-policy",
                "manual", "--sandbox-refund-policy", "manual", "--small-business", "on",
                "--small-business-limit", "on", "--failing-extensions", "1", "--mails", "nobody",
                "--sandbox-mails", "on", "--support-url", "https://example.com/",
                "--privacy-url", "none", "--unsent-notifications", "10",
            ])
            let written = try JSONValue(parsing: StoreClient.members(app.write))
            guard case .object(let options) = written else { throw Failure.refused("No JSON.") }
            #expect(try Set(options.keys) == members(of: "/connect/v1/apps/{bundleId}"))
            let customer = try CustomersSetCommand.parse([
                "anna", "--asks-to-buy", "on", "--interrupts-purchases", "on",
                "--can-make-payments", "on", "--email", "none",
                "--allows-purchases-and-renewals", "on",
            ])
            let set = try JSONValue(parsing: StoreClient.members(customer.write))
            guard case .object(let own) = set else { throw Failure.refused("No JSON.") }
            // `customer move`, `customer speed` and `family default` have these.
            let others: Set = ["storefront", "sandboxSpeed", "sharesNewPurchases"]
            #expect(
                try Set(own.keys).union(others) == members(of: "/connect/v1/customers/{account}"))
        }
    }

    @Test("What an app is set to is said, and nothing else")
    func changes() async throws {
        try await withGarden { program in
            let set = try await program.run(
                "app", "set", "--support-url", "https://example.com/help", "--mails", "everybody")
            #expect(set.code == 0, "\(set.complaint)")
            #expect(
                set.output
                    == "com.example.app: changed: mails from addressed to everybody, "
                    + "support-url from none to https://example.com/help\n")
            try await expect(program, "buy com.example.garden.seeds.100 --account kim", says: "kim")
            try await expect(
                program, "customer set kim --email kim@example.com",
                says: "mails of kim go to kim@example.com")
        }
    }
}
