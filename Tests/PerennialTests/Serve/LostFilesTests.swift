import AppStoreSigning
import Foundation
import Logging
import Store
import SubscriptionRules
import Testing

@testable import perennial

@Suite("Lost files")
struct LostFilesTests {
    @Test(
        "A file that was lost after the first start is an error that names it, and is not replaced",
        arguments: [
            "certificates/leaf-key.pem", "certificates/root-certificate.der",
            "certificates/intermediate-certificate.pem", "certificates", "credentials.json",
            "SubscriptionKey", "store.sqlite",
        ])
    func lost(_ file: String) async throws {
        try await withDirectory { parent in
            let keyFile = try await open("\(parent)/data")
            let lost = file == "SubscriptionKey" ? keyFile : "\(parent)/data/\(file)"
            try FileManager.default.removeItem(atPath: lost)
            let before = try contents(of: "\(parent)/data")
            let failure = await #expect(throws: Failure.self) { try await open("\(parent)/data") }
            #expect(failure?.code == .refused)
            let name = URL(filePath: lost).lastPathComponent
            #expect(failure?.message.contains(name) == true)
            #expect(failure?.message.contains("put") == true)
            #expect(failure?.message.contains("\(parent)/data/complete") == true)
            #expect(try contents(of: "\(parent)/data") == before)
        }
    }

    @Test(
        "A first start that ended between any two files comes up at the next one",
        arguments: [
            ["complete"], ["complete", "store.sqlite"],
            ["complete", "store.sqlite", "credentials.json"],
            ["complete", "store.sqlite", "credentials.json", "SubscriptionKey"],
            ["complete", "store.sqlite", "credentials.json", "SubscriptionKey", "certificates"],
        ])
    func interrupted(_ missing: [String]) async throws {
        try await withDirectory { parent in
            let keyFile = try await open("\(parent)/data")
            for file in missing {
                let path = file == "SubscriptionKey" ? keyFile : "\(parent)/data/\(file)"
                try FileManager.default.removeItem(atPath: path)
            }
            // What making the certificates leaves behind when it is broken off.
            try FileManager.default.createDirectory(
                atPath: "\(parent)/data/certificates.new", withIntermediateDirectories: false)
            _ = try await open("\(parent)/data")
            #expect(FileManager.default.fileExists(atPath: "\(parent)/data/complete"))
            _ = try await open("\(parent)/data")
        }
    }

    @Test("A world of other certificates is refused, and taken over only when asked")
    func foreign() async throws {
        try await withDirectory { parent in
            _ = try await open("\(parent)/a")
            _ = try await open("\(parent)/b", sharing: nil)
            for file in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: "\(parent)/b/\(file)")
                let path = "\(parent)/a/\(file)"
                guard FileManager.default.fileExists(atPath: path) else { continue }
                try FileManager.default.copyItem(atPath: path, toPath: "\(parent)/b/\(file)")
            }
            let failure = await #expect(throws: Failure.self) { try await open("\(parent)/b") }
            #expect(failure?.message.contains("--adopt") == true)
            #expect(failure?.message.contains("\(parent)/b/certificates") == true)
            _ = try await open("\(parent)/b", adopts: true)
            _ = try await open("\(parent)/b")
            // With its own certificates beside it, a copy is no foreign world.
            try FileManager.default.createDirectory(
                atPath: "\(parent)/c", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            for file in try FileManager.default.contentsOfDirectory(atPath: "\(parent)/a")
            where !["lock", "complete"].contains(file) {
                try FileManager.default.copyItem(
                    atPath: "\(parent)/a/\(file)", toPath: "\(parent)/c/\(file)")
            }
            _ = try await open("\(parent)/c")
        }
    }

    @Test("An empty database in place of the old one is a loss")
    func emptied() async throws {
        try await withDirectory { parent in
            _ = try await open("\(parent)/data")
            for file in ["store.sqlite-wal", "store.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: "\(parent)/data/\(file)")
            }
            try Data().write(to: URL(filePath: "\(parent)/data/store.sqlite"))
            let failure = await #expect(throws: Failure.self) { try await open("\(parent)/data") }
            #expect(failure?.message.contains("holds no world") == true)
        }
    }

    @Test(
        "What others could change, and secrets that everybody can read, are refused",
        arguments: [
            ("", 0o777), ("", 0o770), ("certificates", 0o720), ("credentials.json", 0o620),
            ("credentials.json", 0o604), ("certificates/leaf-key.pem", 0o602),
            ("certificates/root-key.pem", 0o644), ("certificates/root-certificate.der", 0o664),
        ])
    func openToOthers(_ file: String, _ mode: Int) async throws {
        try await withDirectory { parent in
            _ = try await open("\(parent)/data")
            let path = file.isEmpty ? "\(parent)/data" : "\(parent)/data/\(file)"
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let failure = await #expect(throws: Failure.self) { try await open("\(parent)/data") }
            #expect(failure?.message.contains(path) == true)
            #expect(failure?.message.contains("chmod") == true)
        }
    }

    @Test("Certificates that do not belong together are refused by name")
    func damagedRoot() async throws {
        try await withDirectory { parent in
            _ = try await open("\(parent)/data")
            _ = try await open("\(parent)/other", sharing: nil)
            for file in [
                "root-certificate.der", "root-certificate.pem", "leaf-certificate.pem",
                "intermediate-key.pem",
            ] {
                let path = "\(parent)/data/certificates/\(file)"
                let own = try Data(contentsOf: URL(filePath: path))
                try Data(contentsOf: URL(filePath: "\(parent)/other/certificates/\(file)"))
                    .write(to: URL(filePath: path))
                let failure = await #expect(throws: Failure.self) {
                    try await open("\(parent)/data")
                }
                #expect(failure?.message.contains("put them back") == true)
                try own.write(to: URL(filePath: path))
            }
            _ = try await open("\(parent)/data")
        }
    }

    /// Opens a store in a directory and closes it.
    ///
    /// - Returns: the path of its API key.
    @discardableResult
    private func open(
        _ path: String, adopts: Bool = false,
        sharing certificates: String? = ServePlan().sharedCertificates
    ) async throws -> String {
        var plan = ServePlan()
        plan.home = .directory(path)
        plan.adopts = adopts
        let directory = try await freeDirectory(path)
        let identity = try Identity(in: directory, sharing: certificates)
        let opening = try await Opening.open(
            plan, in: directory, identity: identity, catalogue: nil, log: Logger(label: "test"))
        await opening.close()
        return identity.privateKeyFile
    }

    private func contents(of path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }
}
