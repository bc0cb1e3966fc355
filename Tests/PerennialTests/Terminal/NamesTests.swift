import AppStoreWire
import Testing

@testable import perennial

@Suite("Names that are hard to tell on the command line")
struct NamesTests {
    private let bed = "com.example.garden.windowbox.monthly"
    private let estate = "com.example.garden.estate.monthly"
    private let seeds = "com.example.garden.seeds.100"

    /// The arguments of a command that is proposed, as a shell gives them to the program.
    private func proposed(_ verb: String, in text: String) throws -> [String] {
        let command = try #require(
            text.matches(of: /`perennial ([^`]+)`/).map { String($0.output.1) }
                .first { $0.hasPrefix(verb) }, "\(text)")
        return command.split(separator: " ").map { String($0).replacing("'", with: "") }
    }

    @Test("What is proposed for an account that begins with a hyphen can be typed")
    func hyphen() async throws {
        try await withGarden { program in
            let nobody = try await program.run("status", "--", "-x")
            var command = try proposed("buy", in: nobody.complaint)
            command = command.map { $0 == "PRODUCT" ? bed : $0 }
            let bought = try await program.run(command)
            #expect(bought.code == 0, "\(command): \(bought.complaint)")
            _ = try await program.run("pay", "--", "-x", "decline")
            let declined = try await program.run("buy", seeds, "--account=-x")
            command = try proposed("pay", in: declined.complaint)
            #expect(command == ["pay", "--", "-x", "approve"])
            let approved = try await program.run(command)
            #expect(approved.code == 0, "\(approved.complaint)")
            let again = try await program.run("buy", bed, "--account=-x")
            for verb in ["status", "renewal"] {
                command = try proposed(verb, in: again.complaint)
                let outcome = try await program.run(command)
                #expect(outcome.code == 0, "\(command): \(outcome.complaint)")
            }
            let over = try await program.run("subscription", "expire", "--", "-x")
            #expect(over.code == 0, "\(over.complaint)")
            let off = try await program.run("renewal", "--", "-x", "off")
            command = try proposed("buy", in: off.complaint)
            let begun = try await program.run(command)
            #expect(begun.code == 0, "\(command): \(begun.complaint)")
        }
    }

    @Test("Where an account is named like a subscription's number, every verb says which is meant")
    func number() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(bed) --account anna", says: "bought")
            let status = try await program.run("status", "anna", "--json")
            let id = try #require(
                status.json?["subscriptions"]?.array?.first?["originalTransactionId"]?.string)
            // Where no account has that name nothing is to be said.
            let alone = try await program.run("renewal", id, "on")
            #expect(alone.code == 0 && !alone.output.contains("was read as"))
            try await expect(program, "buy \(estate) --account \(id)", says: "bought")
            let other = try await program.run("bills", "--account", id, "--json")
            #expect(other.code == 0)
            let said =
                "\(id) was read as the subscription with that number. The account with "
                + "that name is meant by the numbers of its own: 4"
            for command in [
                "status", "timeline", "renewal ID off", "renewal ID on",
                "extensions grant ID --days 1",
                "refunds request ID", "notifications --account ID", "plan ID \(estate)",
                "refunds issue",
                "refunds reverse", "subscription cancel",
            ] {
                let line =
                    command.contains("ID")
                    ? command.replacing("ID", with: id) : "\(command) \(id)"
                let outcome = try await program.run(line.split(separator: " ").map(String.init))
                #expect(
                    outcome.output.components(said) == 1,
                    "\(line): \(outcome.output) \(outcome.complaint)")
            }
            // JSON stays JSON.
            let json = try await program.run("status", id, "--json")
            #expect(json.json?["account"] == .string("anna"), "\(json.output)")
            // Where the number is nobody's the account is meant.
            try await expect(program, "pay 400000000000999 approve", says: "approved")
            let nobody = try await program.run("status", "400000000000999")
            #expect(nobody.code == 0 && !nobody.output.contains("was read as"))
        }
    }

    @Test("A new account that nobody could see is refused, with the character and its place")
    func invisible() async throws {
        try await withGarden { program in
            for (name, place) in [("\u{200B}", 1), ("\u{200B}anna", 1), ("an\u{202E}na", 3)] {
                let refused = try await program.run("buy", bed, "--account", name)
                #expect(refused.code == 1)
                #expect(
                    refused.complaint.contains("the name has the invisible character U+20")
                        && refused.complaint.contains("as character \(place). [invalidSetting]"),
                    "\(refused.complaint)")
            }
            try await expect(program, "customer list", says: "no customers yet")
            let family = "👩‍👩‍👧"
            let bought = try await program.run("buy", bed, "--account", family)
            #expect(bought.output.hasPrefix("\(family) bought"), "\(bought.complaint)")
            let list = try await program.run("customer", "list")
            #expect(list.output.contains(family) && !list.output.contains("\u{FFFD}"))
            let app = try await program.run("app", "set", "--name", "\u{2060}")
            #expect(app.complaint.contains("U+2060 (WORD JOINER) as character 1"))
        }
    }
}

extension String {
    /// How often a text stands in this one.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
