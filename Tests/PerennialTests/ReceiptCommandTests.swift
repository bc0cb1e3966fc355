import Testing

@testable import perennial

@Suite("Receipts on the command line")
struct ReceiptCommandTests {
    private let almanac = "com.example.garden.almanac"

    @Test("A receipt is shown decoded, and as servers send it; secrets are shown and made anew")
    func receipts() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(almanac) --account anna", says: "bought")
            try await expect(
                program, "customer receipt anna", says: "bundleId", "productId", almanac)
            try await expect(program, "customer receipt anna --raw", says: "MII")
            try await expect(
                program, "customer receipt anna --device watch",
                isRefusedWith: "`perennial customer devices anna` lists those that there are.")
            try await expect(program, "app shared-secret --json", says: "\"sharedSecret\"")
            try await expect(program, "app shared-secret --primary --json", says: "\"made\"")
            try await expect(program, "app shared-secret --new --json", says: "\"sharedSecret\"")
        }
    }
}
