import Storage
import TestFloor
import TestSupport
import Testing

@Suite("Crashes in a mass extension", .serialized)
struct MassExtensionCrashTests {
    private static let customers = 600
    private static let copies = 60

    @Test("Killed again and again, it extends each subscription once and sends one summary")
    func killed() async throws {
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
        var random = SeededGenerator(seed: 20_261_121)
        var midway = 0
        while midway < 10 {
            let before = try await Self.extended(folder)
            while try await Self.extended(folder) == before, before < all { await pause() }
            spin(milliseconds: Int(random.next() % 40))
            store.kill()
            let isOver = try await Self.extended(folder) == all
            store = try await StoreProcess(folder: folder.url, catalogue: nil)
            // How far it comes between two kills is the machine's affair.
            if isOver { break }
            midway += 1
        }
        #expect(midway > 0, "one kill at least must come while it runs")
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
    }

    /// How many subscriptions were extended so far.
    private static func extended(_ folder: Folder) async throws -> Int {
        try await folder.count("SELECT SUM(succeeded) FROM mass_extension")
    }
}
