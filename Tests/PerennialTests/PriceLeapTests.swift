import AppStoreWire
import SubscriptionRules
import Testing

@testable import perennial

@Suite("New prices that are far from the present ones")
struct PriceLeapTests {
    private let estate = "com.example.garden.estate.monthly"
    private let seeds = "com.example.garden.seeds.100"

    @Test(
        "Ten times as much or a tenth is remarked on, less than that is not",
        arguments: [
            (9_990, 99_900, "99.90 USD is 10 times the present price, 9.99 USD."),
            (9_990, 149_990, "149.99 USD is about 15 times the present price, 9.99 USD."),
            (9_990, 99_890, nil), (9_990, 1_000, nil),
            (9_990, 990, "The present price, 9.99 USD, is about 10 times 0.99 USD."),
            (10_000, 1_000, "The present price, 10.00 USD, is 10 times 1.00 USD."),
            (1_990, 0, "The present price is 1.99 USD, the new one is nothing."),
            (0, 9_990, nil), (9_990, 9_990, nil),
            (1_000, 1_000_000_000, "1000000.00 USD is 1000000 times the present price, 1.00 USD."),
        ] as [(Int64, Int64, String?)])
    func sentences(old: Int64, new: Int64, words: String?) {
        let leap = PriceLeap(from: old, to: new, in: "USD") { "`back to \($0)`" }
        let back = Money.plainText(old, "USD").prefix { $0 != " " }
        #expect(
            leap?.sentence == words.map { "Is that meant? \($0) `back to \(back)` takes it back." })
    }

    @Test("What is scheduled so is taken, with the command that takes it back")
    func scheduled() async throws {
        try await withGarden { program in
            let schedule = "price schedule \(estate) USA"
            try await expect(
                program, "\(schedule) 9990000 --existing preserve --start 2026-03-01",
                says: "Is that meant? 9990000.00 USD is 1000000 times the present price, 9.99 USD. "
                    + "`perennial price withdraw \(estate) USA` takes it back.")
            try await expect(program, "price changes", says: "9990000.00 USD", "scheduled")
            try await expect(program, "price withdraw \(estate) USA", says: "is withdrawn")
            let plain = try await program.run(
                "price", "schedule", estate, "USA", "14.99", "--existing", "preserve",
                "--start", "2026-03-01")
            #expect(plain.code == 0 && !plain.output.contains("Is that meant?"))
            let command = "`perennial price schedule \(estate) USA 9.99"
            try await expect(
                program, "\(schedule) 999 --existing preserve", says: "\(command)` takes it back.")
            try await expect(program, "\(schedule) 9.99", says: "9.99 USD instead of 999.00 USD")
            try await expect(
                program, "\(schedule) 0.99", says: "\(command) --existing apply` takes it back.")
            try await expect(program, "\(schedule) 9.99 --existing apply", says: "9.99 USD instead")
            let json = try await program.run(
                "price", "schedule", estate, "USA", "99.90", "--existing", "preserve",
                "--json")
            let remark = try #require(json.json?["remark"], "\(json.complaint)")
            #expect(remark["presentPrice"] == .integer(9_990))
            #expect(remark["price"] == .integer(99_900))
            #expect(remark["factor"]?.number == 10)
            #expect(remark["message"]?.string?.contains("\(command)` takes it back.") == true)
        }
    }

    @Test("A price that is set at once so is taken, with the command that takes it back")
    func set() async throws {
        try await withGarden { program in
            try await expect(
                program, "price set \(seeds) USA 19900",
                says: "Is that meant? 19900.00 USD is 10000 times the present price, 1.99 USD. "
                    + "`perennial price set \(seeds) USA 1.99` takes it back.")
            let back = try await program.run("price", "set", seeds, "USA", "1.99", "--json")
            #expect(back.json?["remark"]?["price"] == .integer(1_990))
            let plain = try await program.run("price", "set", seeds, "USA", "2.99", "--json")
            #expect(plain.code == 0 && plain.json?["remark"] == nil)
        }
    }
}
