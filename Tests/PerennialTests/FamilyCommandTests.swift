import Testing

@testable import perennial

@Suite("Families on the command line")
struct FamilyCommandTests {
    private let estate = "com.example.garden.estate.monthly"

    @Test("What is shared with a member is shown: through whom, and until when")
    func member() async throws {
        try await withGarden { program in
            try await expect(program, "family create anna bea", says: "bea")
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            try await expect(
                program, "status bea",
                says: "\(estate): shared by anna, access until 2026-02-28 00:00, transaction ")
            try await expect(
                program, "timeline bea",
                isRefusedWith: "bea has no subscription of its own; \(estate) is anna's: "
                    + "`perennial timeline ")
            _ = try await program.run("subscription", "expire", "anna")
            try await expect(
                program, "status bea", says: "shared by anna, no access since 2026-")
            try await expect(program, "family remove bea", says: "anna")
            try await expect(
                program, "status bea", says: "anna shared it until 2026-01-31 00:00, transaction")
        }
    }

    @Test("A family is made, shares, and ends")
    func family() async throws {
        try await withGarden { program in
            try await expect(program, "family", says: "no families yet")
            try await expect(program, "family create anna bea", says: "organiser", "bea")
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            try await expect(program, "family show bea", says: "is shared with bea")
            try await expect(program, "timeline anna", says: "shared with bea")
            try await expect(program, "family add anna carl", says: "with bea, carl")
            try await expect(program, "family share anna off", says: "no longer shared")
            try await expect(program, "family show anna", says: "is not shared")
            try await expect(
                program, "timeline anna", says: "turned sharing off",
                "no longer shared with carl")
            try await expect(program, "family share anna on", says: "is shared with the family")
            try await expect(
                program, "family share anna on --json", says: "\"sharing\": \"on\"")
            try await expect(program, "family default carl keep", says: "kept to the account")
            try await expect(program, "family remove carl", says: "is shared with bea")
            try await expect(program, "family list", says: "anna", "bea")
            try await expect(program, "family remove anna", isRefusedAs: "isOrganiser")
            try await expect(program, "family end bea", says: "has ended")
            try await expect(
                program, "family show anna", isRefusedWith: "anna is in no family")
            try await expect(
                program, "app set --sharing-delay-minutes 30", says: "sharing-delay-minutes")
        }
    }
}
