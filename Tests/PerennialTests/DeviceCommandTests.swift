import Testing

@testable import perennial

@Suite("Devices on the command line")
struct DeviceCommandTests {
    private let almanac = "com.example.garden.almanac"

    @Test("A device is listed with what waits there, wiped and removed")
    func devices() async throws {
        try await withGarden { program in
            try await expect(
                program, "customer devices anna", isRefusedAs: "unknownAccount")
            try await expect(program, "buy \(almanac) --account anna", says: "bought")
            try await expect(program, "customer devices anna", says: "waiting")
            try await expect(program, "customer devices show anna perennial", says: almanac)
            try await expect(
                program, "customer devices show anna watch",
                isRefusedWith: "anna has no device watch")
            try await expect(
                program, "customer devices wipe anna perennial", says: "perennial is wiped")
            try await expect(program, "customer devices list anna", says: "no")
            try await expect(
                program, "customer devices show anna perennial --json", says: "\"queue\"")
            try await expect(
                program, "customer devices remove anna perennial", says: "perennial is removed")
            try await expect(program, "customer devices anna", says: "no devices yet")
        }
    }
}
