import Testing

@testable import perennial

@Suite("Lines of a rebuild")
struct RebuildLineTests {
    @Test(
        "A line loses what stands around its fields, and a name keeps what is within it",
        arguments: [
            ("7", "7"), (" 7\t", "7"), ("\"7\"", "7"), ("ada,7", "ada,7"),
            ("\"ada\", \"7\"", "ada,7"), ("Ada Lovelace,7", "Ada Lovelace,7"),
            ("\"Lovelace, Ada\",7", "Lovelace, Ada,7"), ("\"the \"\"one\"\"\",7", "the \"one\",7"),
            ("5\" disc,7", "5\" disc,7"), (",7", ",7"), ("  ", ""), ("# ada,7", "# ada,7"),
        ])
    func bare(_ line: String, _ expected: String) {
        #expect(MerchantRebuildCommand.bare(line[...]) == expected)
    }
}
