import AppStoreWire
import ArgumentParser
import AppStoreSigning
import Foundation
import Store
import SubscriptionRules
import Testing
import Timeline

@testable import perennial

@Suite("What a store keeps in files")
struct DataDirectoryTests {
    @Test("The first start makes keys, certificates and a token for the owner's eyes only")
    func firstStart() throws {
        try withDirectory { parent in
            let directory = try DataDirectory("\(parent)/deep/data")
            let identity = try Identity(in: directory)
            #expect(try mode(directory.path) == 0o700)
            #expect(try mode(directory.certificates) == 0o700)
            #expect(try mode(identity.privateKeyFile) == 0o600)
            #expect(try mode(directory.file("credentials.json")) == 0o600)
            for key in ["root-key.pem", "intermediate-key.pem", "leaf-key.pem"] {
                #expect(try mode("\(directory.certificates)/\(key)") == 0o600)
            }
            #expect(identity.privateKeyFile.hasSuffix("/SubscriptionKey_\(identity.key.keyID).p8"))
            #expect(FileManager.default.fileExists(atPath: identity.rootCertificateFile))
            #expect(identity.operatorToken.hasPrefix("operator_"))
            #expect(identity.operatorToken.count >= 64)
        }
    }

    @Test("The second start finds what the first one made")
    func secondStart() throws {
        try withDirectory { parent in
            let first = try Identity(in: DataDirectory("\(parent)/data"))
            let second = try Identity(in: DataDirectory("\(parent)/data"))
            #expect(first.operatorToken == second.operatorToken)
            #expect(first.key.keyID == second.key.keyID)
            #expect(first.key.issuerID == second.key.issuerID)
            #expect(first.key.privateKeyPEM == second.key.privateKeyPEM)
            #expect(first.chain.rootDER == second.chain.rootDER)
            #expect(first.chain.leafDER == second.chain.leafDER)
        }
    }

    @Test("Two directories have nothing in common")
    func others() throws {
        try withDirectory { parent in
            let first = try Identity(in: DataDirectory("\(parent)/a"))
            let second = try Identity(in: DataDirectory("\(parent)/b"))
            #expect(first.operatorToken != second.operatorToken)
            #expect(first.key.issuerID != second.key.issuerID)
            #expect(first.key.privateKeyPEM != second.key.privateKeyPEM)
            #expect(first.chain.rootDER != second.chain.rootDER)
        }
    }

    @Test("Stores that share certificates have one root, and everything else for themselves")
    func shared() throws {
        try withDirectory { parent in
            let shared = "\(parent)/deep/certificates"
            let stores = try ["a", "b"].map {
                try Identity(in: DataDirectory("\(parent)/\($0)"), sharing: shared)
            }
            #expect(stores[0].chain.rootDER == stores[1].chain.rootDER)
            #expect(stores[0].receiptChain.leafDER == stores[1].receiptChain.leafDER)
            #expect(stores[0].operatorToken != stores[1].operatorToken)
            #expect(stores[0].key.privateKeyPEM != stores[1].key.privateKeyPEM)
            #expect(stores[0].rootCertificateFile.hasPrefix("\(parent)/a/"))
            #expect(try mode("\(parent)/b/certificates/leaf-key.pem") == 0o600)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: "\(parent)/deep")
                    == ["certificates"])

            let own = try Identity(in: DataDirectory("\(parent)/c"))
            let kept = try Identity(in: DataDirectory("\(parent)/c"), sharing: shared)
            #expect(own.chain.rootDER == kept.chain.rootDER)
        }
    }

    @Test("Of stores that start at once one makes the certificates of all")
    func sharedAtOnce() async throws {
        try await withDirectory { parent in
            let shared = "\(parent)/deep/certificates"
            let roots = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for name in ["a", "b", "c"] {
                    group.addTask {
                        try Identity(in: DataDirectory("\(parent)/\(name)"), sharing: shared)
                            .chain.rootDER
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(roots.count == 1)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: "\(parent)/deep")
                    == ["certificates"])
        }
    }

    @Test("Certificates that cannot be shared, or that others could have changed, are refused")
    func sharedInVain() throws {
        try withDirectory { parent in
            let files = FileManager.default
            let shared = "\(parent)/certificates"
            try files.createDirectory(atPath: shared, withIntermediateDirectories: true)
            let directory = try DataDirectory("\(parent)/data")
            let empty = #expect(throws: Failure.self) {
                try Identity(in: directory, sharing: shared)
            }
            #expect(empty?.message.contains(shared) == true)
            #expect(!directory.exists(directory.certificates))

            try files.removeItem(atPath: shared)
            _ = try Identity(in: DataDirectory("\(parent)/other"), sharing: shared)
            let key = "\(shared)/root-key.pem"
            try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
            let open = #expect(throws: Failure.self) {
                try Identity(in: directory, sharing: shared)
            }
            #expect(open?.message.contains(key) == true)
            #expect(!directory.exists(directory.certificates))
        }
    }

    @Test("Damaged files are refused by name and never replaced")
    func damage() throws {
        try withDirectory { parent in
            let directory = try DataDirectory("\(parent)/data")
            let identity = try Identity(in: directory)
            let files = [
                directory.file("credentials.json"), identity.privateKeyFile,
                "\(directory.certificates)/leaf-key.pem",
            ]
            for file in files {
                let whole = try #require(FileManager.default.contents(atPath: file))
                try "half".write(toFile: file, atomically: false, encoding: .utf8)
                let failure = #expect(throws: Failure.self) { try Identity(in: directory) }
                #expect(failure?.code == .refused)
                #expect(failure?.message.contains(directory.path) == true)
                #expect(try String(contentsOfFile: file, encoding: .utf8) == "half")
                try whole.write(to: URL(filePath: file))
            }
            #expect(try Identity(in: directory).operatorToken == identity.operatorToken)
        }
    }

    @Test("A second process on the same directory is refused until the first one ends")
    func lock() throws {
        try withDirectory { parent in
            var first: DataDirectory? = try DataDirectory("\(parent)/data")
            let failure = #expect(throws: Failure.self) { try DataDirectory("\(parent)/data/") }
            #expect(failure?.code == .refused)
            #expect(failure?.message.contains("Another process") == true)
            #expect(first != nil)
            first = nil
            _ = try DataDirectory("\(parent)/data")
        }
    }

    @Test("A place that cannot be written is refused in words")
    func unwritable() throws {
        let failure = #expect(throws: Failure.self) { try DataDirectory("/proc/perennial") }
        #expect(failure?.code == .refused)
        #expect(failure?.message.contains("--data") == true)
    }

    @Test("The ready file has exactly the contract's members and mode 0600")
    func readyFile() throws {
        try withDirectory { directory in
            let path = "\(directory)/ready.json"
            try ReadyFile.sample.write(to: path)
            #expect(try mode(path) == 0o600)
            #expect(try ReadyFile.read(path) == .sample)
            #expect(
                try String(contentsOfFile: path, encoding: .utf8) == """
                    {"production":{"url":"http://127.0.0.1:8080"},\
                    "sandbox":{"url":"http://127.0.0.1:8081"},"bundleId":"com.example.app",\
                    "appAppleId":1000000001,"issuerId":"an-issuer","keyId":"ABCDE12345",\
                    "privateKeyFile":"/d/k.p8","rootCertificateFile":"/d/r.der",\
                    "receiptRootCertificateFile":"/d/q.der",\
                    "operatorToken":"operator_x"}

                    """)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
                    == ["lock", "ready.json"])
        }
    }

    @Test(
        "What `serve` prints names files and never shows a secret",
        arguments: StoreClock.Mode.allCases, [true, false])
    func welcome(mode: StoreClock.Mode, delivers: Bool) {
        let welcome = Welcome(
            ready: .sample, readyFile: "/d/ready.json",
            clock: mode, now: Instant(iso8601: "2026-01-31")!, isDelivering: delivers,
            products: 3, example: "com.example.plus", catalogueFile: "My Garden.storekit",
            storefront: Storefront(code: "NOR")!, warnings: 1, home: "/d", isUsualHome: false,
            host: "0.0.0.0")
        let text = welcome.lines(Style()).joined(separator: "\n")
        for shown in [
            "http://127.0.0.1:8080", "/d/k.p8", "/d/r.der", "ABCDE12345", "an-issuer",
            "com.example.app", "without encryption", "1 warning", "--ready /d/ready.json",
            "buy com.example.plus", "perennial catalog check 'My Garden.storekit'",
            "NOR, prices in NOK",
        ] { #expect(text.contains(shown)) }
        let trials = text.split(separator: "Try:").last?.split(separator: "\n") ?? []
        #expect(trials.count == (mode == .system ? 2 : 3))
        for trial in trials {
            #expect(throws: Never.self, "\(trial)") {
                try Perennial.parseAsRoot(trial.split(separator: " ").dropFirst().map(String.init))
            }
        }
        #expect(!text.contains("operator_x"))
        #expect(!PrettyJSON.text(of: welcome.json).contains("operator_x"))
        #expect(text.contains("cannot be moved") == (mode == .system))
        #expect(text.contains("`perennial advance P1M --ready /d/ready.json`") == (mode != .system))
        #expect(text.contains("advance P1M") == (mode != .system))
        #expect(
            text.contains(
                """
                Deliveries  off: notifications wait in the log; \
                `perennial world deliveries on --ready /d/ready.json` posts them
                """) == !delivers)
        #expect(welcome.json["deliveries"] == .bool(delivers))
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }
}
