import ConnectAnswers
import Foundation
import Testing

@testable import perennial

@Suite("Finding the store")
struct StoreAddressTests {
    @Test("A ready file says where both environments are, and which app there is")
    func readyFile() throws {
        try withDirectory { directory in
            let path = "\(directory)/ready.json"
            try ReadyFile.sample.write(to: path)
            let production = try StoreAddress.find(wanted { $0.readyFile = path }, environment: [:])
            #expect(production.url == "http://127.0.0.1:8080")
            #expect(production.operatorToken == "operator_x")
            #expect(production.bundleID == "com.example.app")
            let sandbox = try StoreAddress.find(
                wanted {
                    $0.readyFile = path
                    $0.isSandbox = true
                }, environment: ["PERENNIAL_URL": "http://other"])
            #expect(sandbox.url == "http://127.0.0.1:8081")
            let preferred = try StoreAddress.find(
                wanted {
                    $0.readyFile = path
                    $0.prefersSandbox = true
                }, environment: [:])
            #expect(preferred == sandbox)
            let fromEnvironment = try StoreAddress.find(
                wanted(), environment: ["PERENNIAL_READY": path])
            #expect(fromEnvironment == production)
        }
    }

    @Test("A directory is no ready file, and one is told which file is meant")
    func directory() throws {
        try withDirectory { directory in
            let failure = #expect(throws: Failure.self) {
                try StoreAddress.find(wanted(), environment: ["PERENNIAL_READY": directory])
            }
            #expect(failure?.code == .usage)
            #expect(failure?.message.contains("\(directory)/ready.json") == true)
        }
    }

    @Test("A URL and a token say it too, the command line before the environment")
    func url() throws {
        let environment = ["PERENNIAL_URL": "http://a:1/", "PERENNIAL_TOKEN": "t"]
        let address = try StoreAddress.find(wanted(), environment: environment)
        #expect(address == StoreAddress(url: "http://a:1", operatorToken: "t"))
        let other = try StoreAddress.find(
            wanted {
                $0.url = "https://b"
                $0.token = "s"
            }, environment: environment)
        #expect(other == StoreAddress(url: "https://b", operatorToken: "s"))
        // A URL is one environment's own.
        let preferred = try StoreAddress.find(
            wanted { $0.prefersSandbox = true }, environment: environment)
        #expect(preferred == address)
    }

    @Test("What does not fit together is wrong usage")
    func contradictions() throws {
        let contradictions: [StoreAddress.Wanted] = [
            wanted { ($0.url, $0.token, $0.readyFile) = ("http://a", "t", "r") },
            wanted { ($0.url, $0.token, $0.isSandbox) = ("http://a", "t", true) },
            wanted { ($0.url, $0.token) = ("127.0.0.1:8080", "t") },
            wanted { $0.url = "http://a" },
        ]
        for contradiction in contradictions {
            let failure = #expect(throws: Failure.self) {
                try StoreAddress.find(contradiction, environment: [:])
            }
            #expect(failure?.code == .usage)
        }
    }

    @Test("Without a ready file no store runs, and the complaint says how to start one")
    func noReadyFile() throws {
        let failure = #expect(throws: Failure.self) {
            try StoreAddress.find(wanted { $0.readyFile = "/nowhere/r.json" }, environment: [:])
        }
        #expect(failure?.code == .unreachable)
        #expect(failure?.message.contains("/nowhere/r.json") == true)
        #expect(failure?.message.contains("perennial serve") == true)
    }

    @Test("Another file is no ready file")
    func otherFile() throws {
        try withDirectory { directory in
            let path = "\(directory)/package.json"
            for text in ["", "[]", "{}", #"{"production":{"url":"x"}}"#] {
                try text.write(toFile: path, atomically: false, encoding: .utf8)
                let failure = #expect(throws: Failure.self) { try ReadyFile.read(path) }
                #expect(failure?.code == .refused)
            }
        }
    }

    @Test("Where nothing listens, no store answers")
    func nobody() async throws {
        let client = StoreClient(StoreAddress(url: "http://127.0.0.1:1", operatorToken: "t"))
        let failure = await #expect(throws: Failure.self) {
            try await client.get(StorePath("connect", "v1", "clock"))
        }
        #expect(failure?.code == .unreachable)
        #expect(failure?.message.contains("http://127.0.0.1:1") == true)
        #expect(failure?.message.contains("perennial serve") == true)
    }

    @Test("An identifier is told from an account by its digits")
    func identifiers() {
        #expect(StoreClient.looksLikeID("400000000000005"))
        #expect(StoreClient.looksLikeID("2000000000000007"))
        for account in ["anna", "12345", "40000000000000x", "٤00000000000005"] {
            #expect(!StoreClient.looksLikeID(account))
        }
    }

    private func wanted(
        _ fill: (inout StoreAddress.Wanted) -> Void = { _ in }
    ) -> StoreAddress.Wanted {
        var wanted = StoreAddress.Wanted()
        fill(&wanted)
        return wanted
    }
}

extension ReadyFile {
    static let sample = ReadyFile(
        productionURL: "http://127.0.0.1:8080", sandboxURL: "http://127.0.0.1:8081",
        bundleID: "com.example.app", appAppleID: 1_000_000_001, issuerID: "an-issuer",
        keyID: "ABCDE12345", privateKeyFile: "/d/k.p8", rootCertificateFile: "/d/r.der",
        receiptRootCertificateFile: "/d/q.der",
        operatorToken: "operator_x")
}

/// Lends an empty directory that is gone afterwards.
func withDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
    let directory = try DataDirectory(temporaryIn: FileManager.default.temporaryDirectory.path)
    defer { directory.remove() }
    return try body(directory.path)
}

/// Lends an empty directory that is gone afterwards.
func withDirectory<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let directory = try DataDirectory(temporaryIn: FileManager.default.temporaryDirectory.path)
    defer { directory.remove() }
    return try await body(directory.path)
}
