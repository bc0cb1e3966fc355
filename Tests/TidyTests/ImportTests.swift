import Testing

/// The arrows between modules.
struct ImportTests {
    /// What a toolchain brings; all the rest has to be in the manifest.
    private let toolchain: Set = [
        "Dispatch", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking",
        "Darwin", "Glibc", "Musl", "Synchronization", "Testing",
    ]

    /// Targets whose arrows the design forbids altogether.
    private let pure = ["SubscriptionRules", "NaiveModel"]

    /// Which targets stand on which, from the ground up.
    private let floors = [
        ["SubscriptionRules", "Wording", "MerchantRules"],
        ["AppStoreWire", "AppStoreSigning", "AppStoreForgery", "StoreKitFile"],
        [
            "TimeAndChance", "Storage", "StorageSQLite", "StoragePostgres", "DueWork", "Outbox",
            "HTTPAnswers", "OutboxHTTP", "ServerAPIClient", "Mail", "MailSMTP", "Push",
            "HTTPSurface", "PlacedYAML", "TestFloor",
        ],
        // Beside the store, not above it: a test of its own holds that.
        ["PerennialKit"],
        // The merchant stands beside the store; neither knows the other.
        ["Merchant", "MerchantConfiguration", "MerchantHTTP"],
        ["Journal", "Letters", "Store", "StoreHTTP", "Timeline", "ConnectAnswers"],
        ["HTMLPages", "Mails", "Console", "Account", "MerchantPages"],
        ["TestSupport", "TestPages", "NaiveModel", "Simulation", "PerennialTesting"],
        ["perennial", "simulate", "GardenApp"],
    ]

    @Test("The rules import nothing at all, and neither does what judges them")
    func pureTargets() {
        expectNone(
            SourceTree.sources.filter { pure.contains($0.target) }.flatMap { file in
                imports(of: file).map {
                    Finding(
                        path: file.path, line: $0.line,
                        reason: "\(file.target) imports nothing, not even \($0.module)")
                }
            })
    }

    @Test("The manifest is the map: a target imports what the manifest says, and all of it")
    func arrows() throws {
        let manifest = Manifest(try #require(SourceTree.text("Package.swift")))
        #expect(manifest.targets.count > 10, "the manifest was not understood")
        let programs = Set(manifest.targets.filter(\.isExecutable).map(\.name))
        for target in manifest.targets {
            let files = SourceTree.all.filter { $0.target == target.name }
            var used: Set<String> = []
            for file in files {
                for (line, module) in imports(of: file) where !toolchain.contains(module) {
                    used.insert(module)
                    if !target.dependencies.contains(module) {
                        expectNone([
                            Finding(
                                path: file.path, line: line,
                                reason: "Package.swift has no arrow \(target.name) → \(module)")
                        ])
                    }
                }
            }
            expectNone(
                target.dependencies.subtracting(used).subtracting(programs).sorted().map {
                    Finding(
                        path: "Package.swift", line: target.line,
                        reason: "\(target.name) does not import \($0): take the arrow away")
                })
        }
    }

    @Test("Arrows run down: no target knows what stands above it")
    func floorsOfTargets() throws {
        let manifest = Manifest(try #require(SourceTree.text("Package.swift")))
        let heights = Dictionary(
            uniqueKeysWithValues: floors.enumerated().flatMap { height, names in
                names.map { ($0, height) }
            })
        for target in manifest.targets where !target.name.hasSuffix("Tests") {
            guard let height = heights[target.name] else {
                expectNone([
                    Finding(
                        path: "Package.swift", line: target.line,
                        reason: "on which floor does \(target.name) stand?")
                ])
                continue
            }
            let above = target.dependencies.filter { (heights[$0] ?? 0) > height }
            expectNone(
                above.sorted().map {
                    Finding(
                        path: "Package.swift", line: target.line,
                        reason: "\(target.name) stands below \($0) and must not know it")
                })
        }
    }

    @Test("The library for apps knows no store, nor what a store stands on")
    func client() {
        let allowed: Set = ["AppStoreWire", "AppStoreSigning", "Crypto"]
        expectNone(
            SourceTree.sources.filter { $0.target == "PerennialKit" }.flatMap { file in
                imports(of: file).filter {
                    !allowed.contains($0.module) && !toolchain.contains($0.module)
                }.map {
                    Finding(
                        path: file.path, line: $0.line,
                        reason: "PerennialKit comes with apps: it must not bring \($0.module)")
                }
            })
    }

    @Test("The product uses no more of Foundation than its essentials")
    func foundation() {
        expectNone(
            SourceTree.sources.flatMap { file -> [Finding] in
                let imports = imports(of: file)
                // Where there are no essentials alone, all of it has to do; on Linux, `URLSession`
                // brings all of it.
                let excuses: Set = ["FoundationEssentials", "FoundationNetworking"]
                if imports.contains(where: { excuses.contains($0.module) }) { return [] }
                return imports.filter { $0.module == "Foundation" }.map {
                    Finding(path: file.path, line: $0.line, reason: "import FoundationEssentials")
                }
            })
    }

    private func imports(of file: SwiftFile) -> [(line: Int, module: String)] {
        Pattern(
            #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*"#
                + #"(?:(?:public|package|internal|fileprivate|private)\s+)?"#
                + #"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"#
        ).matches(in: file.code).map { ($0.line, $0.groups[1]) }
    }
}
