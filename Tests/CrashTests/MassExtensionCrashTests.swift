import Storage
import TestFloor
import TestSupport
import Testing

@Suite("Crashes in a mass extension", .serialized)
struct MassExtensionCrashTests {
    private static let customers = 600
    private static let copies = 60

    @Test("Killed ten times, it extends each subscription once and sends one summary")
    func killed() async throws {
        var random = SeededGenerator(seed: 20_261_121)
        var midway = 0
        // How far it comes between two kills is the machine's affair: one world may not be enough.
        for _ in 0..<5 where midway < 10 {
            midway += try await Self.live(killed: 10 - midway, &random)
        }
        #expect(midway == 10, "ten kills must come while it runs")
    }

    /// Lives through an extension that is killed so many times, unless it is over before.
    ///
    /// - Returns: how many kills came while it ran.
    private static func live(
        killed kills: Int, _ random: inout SeededGenerator
    ) async throws -> Int {
        let folder = try Folder("extension")
        try await folder.subscribe(Self.customers)
        try await folder.multiply(by: Self.copies)
        let all = Self.customers * Self.copies
        // Nobody answers at the notification URL: what is told stays in the outbox.
        var store = try await StoreProcess(
            folder: folder.url, catalogue: folder.catalogue, notify: "http://127.0.0.1:9/")
        try await store.connect(
            "POST", "/connect/v1/apps/com.example.app/mass-extensions",
            #"{"productId":"club.monthly","days":10,"reason":"serviceIssueOrOutage"}"#)
        var midway = 0
        var isOver = false
        while midway < kills, !isOver {
            let before = try await Self.extended(folder)
            while try await Self.extended(folder) == before, before < all { await pause() }
            spin(milliseconds: Int(random.next() % 40))
            store.kill()
            isOver = try await Self.extended(folder) == all
            if !isOver { midway += 1 }
            store = try await StoreProcess(folder: folder.url, catalogue: nil)
        }
        while try await folder.count(
            "SELECT COUNT(*) FROM mass_extension WHERE completed_at IS NULL") > 0
        {
            await pause()
        }
        store.kill()
        // 31 January and a month is 28 February, and ten days make it 10 March.
        #expect(
            try await folder.count(
                """
                SELECT COUNT(*) FROM subscription
                WHERE term_end = \(1_773_100_800_000) AND first_extension IS NOT NULL
                    AND second_extension IS NULL
                """) == all)
        #expect(
            try await folder.count(
                "SELECT COUNT(*) FROM store_transaction WHERE expires_at = \(1_773_100_800_000)")
                == all)
        for (kind, subkind, expected) in [
            ("RENEWAL_EXTENDED", nil, all), ("RENEWAL_EXTENSION", "SUMMARY", 1),
            ("RENEWAL_EXTENSION", "FAILURE", 0),
        ] as [(String, String?, Int)] {
            let found = try await folder.count(
                """
                SELECT COUNT(*) FROM notification
                WHERE kind = \(kind) AND COALESCE(subkind, '') = \(subkind ?? "")
                """)
            #expect(found == expected, "\(kind) \(subkind ?? "")")
        }
        #expect(
            try await folder.count("SELECT succeeded FROM mass_extension WHERE failed = 0") == all)
        return midway
    }

    /// How many subscriptions were extended so far.
    private static func extended(_ folder: Folder) async throws -> Int {
        try await folder.count("SELECT SUM(succeeded) FROM mass_extension")
    }
}
