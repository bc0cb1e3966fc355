import AppStoreWire
import Testing

@testable import perennial

@Suite("Purchases that wait, on the command line")
struct RequestsTests {
    @Test("What a child wants to buy waits, is approved and declined")
    func requests() async throws {
        try await SettingsTests().with { program in
            try await expect(program, "requests", says: "no such requests")
            try await expect(
                program, "customer set mia --asks-to-buy on",
                says: "mia asks before each purchase: `perennial requests` lists what waits")
            try await expect(
                program, "buy gems --account mia", says: "mia waits for gems for",
                "approves it, and it is bought at the price of then")
            let listed = try await program.run("requests", "--json")
            let all = try #require(listed.json?["purchaseRequests"]?.array)
            let id = try #require(all.first?["id"]?.string)
            try await expect(program, "requests list --state waiting", says: "asks to buy")
            try await expect(
                program, "requests approve \(id)", says: "approved, mia bought gems, transaction")
            try await expect(program, "requests decline \(id)", isRefusedAs: "requestClosed")
            try await expect(program, "requests show \(id)", says: "approved, mia bought gems")
            try await expect(
                program, "customer set mia --asks-to-buy off --interrupts-purchases on",
                says: "mia's purchases are interrupted")
            try await expect(
                program, "buy gems --account mia", isRefusedAs: "purchaseInterrupted")
            try await expect(
                program, "customer set mia --can-make-payments off", says: "may not pay")
            try await expect(
                program, "buy gems --account mia", isRefusedAs: "paymentsNotAllowed")
            #expect(try await program.run("customer", "set", "mia").code == 2)
        }
    }
}
