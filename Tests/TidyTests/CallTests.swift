import Testing

/// Time, chance, output and failure: each has its own place.
struct CallTests {
    /// What a library for apps has in place of the floor, which it must not bring along.
    private static let client = "Sources/Client/PerennialKit/Session/Machine.swift"
    /// The files that may ask the machine for its time, and wait.
    private let time = ["Sources/Floor/TimeAndChance/SystemTime.swift", client]
    /// The files that may ask the machine for randomness.
    private let randomness = ["Sources/Floor/TimeAndChance/Randomness.swift", client]

    @Test("The machine's time is read in one file")
    func machineTime() {
        expect(
            #"\bDate\(\)|\bDate\.now\b|\bclock_gettime\b"#,
            only: time,
            "the machine's time is read in \(time[0]) only: take `now` as an argument")
    }

    @Test("Nothing sleeps but one file")
    func sleep() {
        expect(
            #"\bTask\.sleep\b|\busleep\(|\bnanosleep\("#, only: time,
            "waiting is done by \(time[0]) only")
    }

    @Test("Randomness that nobody passed in comes from one file")
    func chance() {
        expect(
            #"\bSystemRandomNumberGenerator\b|\bUUID\(\)|\.random\((?![^\n]*using:)"#
                + #"|\.(randomElement|shuffled|shuffle)\(\)"#,
            only: randomness,
            "chance is an argument: draw with `using:`, identifiers are derived")
    }

    @Test("Only the command line prints")
    func output() {
        let pattern = Pattern(#"(?<![\w.])(print|debugPrint|dump)\("#)
        expectNone(
            SourceTree.sources.filter { $0.target != "perennial" }.flatMap {
                $0.findings(pattern, "only Sources/Programs/perennial prints: log, or return it")
            })
    }

    @Test("A broken promise says which")
    func failures() {
        let pattern = Pattern(#"\b(fatalError|preconditionFailure|assertionFailure)\(\s*\)"#)
        expectNone(SourceTree.all.flatMap { $0.findings(pattern, "say what was promised") })
    }

    @Test("SQL is written in the store, the merchant and the storage only")
    func sql() {
        let pattern = Pattern(
            #"\b(SELECT\s+[\w\\*.(]+|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (UNIQUE )?"#
                + #"(TABLE|INDEX)|DROP (TABLE|SCHEMA))\b"#)
        let allowed: Set = [
            "Store", "Merchant", "DueWork", "Outbox", "Storage", "StorageSQLite",
            "StoragePostgres",
            "TestFloor", "TestSupport",
        ]
        expectNone(
            SourceTree.sources.filter { !allowed.contains($0.target) }.flatMap { file in
                pattern.lines(in: file.codeAndLiterals).map {
                    Finding(
                        path: file.path, line: $0,
                        reason: "SQL belongs into Store: add a query or a command there")
                }
            })
    }

    @Test("In the store and on its floor, SQL stands with its table")
    func tables() {
        let pattern = Pattern(
            #"\b(SELECT\s+[\w\\*.(]+|INSERT INTO|UPDATE \w+ SET|DELETE FROM)"#)
        let targets: Set = ["Store", "DueWork", "Outbox"]
        let allowed = [
            "Sources/Floor/DueWork/Tables/", "Sources/Floor/Outbox/Tables/",
            // Reads whole stopped worlds by the names of columns, whatever they hold: what its
            // rules ask is asked by nobody else.
            "Sources/Store/Store/Checks/",
        ]
        // In the store's rooms a table's file, the schema, and what asks several tables at once,
        // which is called by its question or by whose it is.
        let tables = Pattern(
            #"^Sources/Store/Store/.*/(\w+Table(\+\w+)?|Schema(\+\w+)?|AppOwner|DueMoments"#
                + #"|DeviceRecord\+Queue|JobPiece)\.swift$"#)
        expectNone(
            SourceTree.sources.filter { file in
                targets.contains(file.target) && tables.lines(in: file.path).isEmpty
                    && !allowed.contains { file.path.hasPrefix($0) }
            }.flatMap { file in
                pattern.lines(in: file.codeAndLiterals).map {
                    Finding(
                        path: file.path, line: $0,
                        reason: "a statement belongs to its table: in a file named …Table.swift")
                }
            })
    }

    private func expect(_ text: String, only allowed: [String], _ reason: String) {
        let pattern = Pattern(text)
        expectNone(
            SourceTree.all.filter { !allowed.contains($0.path) }.flatMap {
                $0.findings(pattern, reason)
            })
    }
}
