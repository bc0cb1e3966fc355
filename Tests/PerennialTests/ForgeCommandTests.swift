import AppStoreForgery
import AppStoreWire
import Testing

@testable import perennial

@Suite("Forgeries on the command line")
struct ForgeCommandTests {
    private let estate = "com.example.garden.estate.monthly"

    @Test("Kinds are listed, one is printed as it is, and all are a line each")
    func forge() async throws {
        try await withGarden { program in
            try await expect(
                program, "forge", says: "transaction-signature-flipped", "refused",
                "wrongSignature", "in-app-request-nonce-used")
            try await expect(
                program, "forge --about transaction", says: "Apple's library",
                "VERIFICATION_FAILURE", "never look at the third")
            try await expect(program, "forge --all", isRefusedAs: "nothingToForge")
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            try await expect(program, "buy \(estate) --account bea", says: "bought")

            let one = try await program.run("forge", "transaction-genuine")
            #expect(one.code == 0 && one.complaint.isEmpty, "\(one)")
            #expect(one.output.split(separator: "\n").count == 1)
            #expect(one.output.split(separator: ".").count == 3)
            let pair = try await program.run("forge", "transaction-replayed")
            #expect(pair.output.split(separator: "\n").count == 2)

            let json = try await program.run("forge", "notification-carrying-nothing", "--json")
            let made = try #require(json.json?["forgeries"]?.array?.first)
            #expect(made["mustBe"] == .string("refused"))
            #expect(made["code"] == .string("malformedPayload"))
            #expect(made["appleStatus"] == .string("INVALID_APP_IDENTIFIER"))

            let all = try await program.run("forge", "--all", "--about", "request-token")
            let lines = all.output.split(separator: "\n")
            let kinds = ForgeryKind.all.filter { $0.about == .requestToken }
            #expect(lines.map { $0.prefix { $0 != "\t" } } == kinds.map { $0.name[...] })
            #expect(lines.allSatisfy { $0.split(separator: "\t").count >= 2 })
            let receipts = try await program.run("forge", "--all", "--about", "receipt")
            let wrong = ForgeryKind.all.filter { $0.about == .receipt }
            #expect(
                receipts.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
                    == wrong.map { $0.name[...] })
            try await expect(program, "forge receipt-genuine", says: "MII")
            let left = try await program.run("forge", "--all", "--about", "notification")
            #expect(left.code == 0 && left.complaint.isEmpty)
            try await expect(program, "buy \(estate) --account anna --sandbox", says: "bought")
            let sandbox = try await program.run(
                "forge", "--all", "--about", "notification", "--sandbox")
            #expect(sandbox.code == 0)
            #expect(sandbox.complaint.contains("notification-wrong-app-apple-id is left out"))
        }
    }

    @Test(
        "What makes no sense is refused before anybody is asked",
        arguments: [
            (["transaction-perfect"], "is no kind"),
            (["transaction-genuine", "--all"], "exclude each other"),
            (["transaction-genuine", "--about", "transaction"], "leave --about out"),
            (["--of", "17"], "a kind, or --all"), (["--all", "--of", "anna"], "a number"),
            (["--about", "receipts"], "is no sort"),
        ])
    func usage(arguments: [String], says: String) async throws {
        let outcome = try await Program().run(["forge"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.complaint.contains(says), "\(outcome.complaint)")
    }
}
