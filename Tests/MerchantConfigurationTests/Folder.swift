import AppStoreSigning
import Foundation
import MerchantConfiguration
import PlacedYAML
import SubscriptionRules
import TestFloor

/// A folder with what a configuration may name: certificates, a key, and a store's ready file.
final class Folder: Sendable {
    let path: String

    /// Made once: making certificates is slow.
    static let chain: CertificateChain = {
        do {
            return try CertificateChain.make(
                notBefore: Instant.earliest.milliseconds, notAfter: Instant.latest.milliseconds)
        } catch {
            preconditionFailure("no certificates: \(error)")
        }
    }()

    static let key: APIKey = {
        var generator = SeededGenerator(seed: 33)
        return APIKey.generate(using: &generator)
    }()

    /// - Parameter name: another one for each test.
    init(_ name: String) throws {
        let process = ProcessInfo.processInfo.processIdentifier
        path =
            FileManager.default.temporaryDirectory
            .appending(path: "perennial-merchant-\(process)-\(name)").path
        try? FileManager.default.removeItem(atPath: path)
        try Self.chain.save(in: path)
        try write(Self.key.privateKeyPEM, to: "key.p8")
        try write(ready, to: "ready.json")
        try write("no certificate", to: "text.txt")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    /// Reads a configuration that stands in the folder.
    func read(_ yaml: String) throws -> MerchantConfiguration {
        try write(yaml, to: "merchant.yaml")
        return try MerchantConfiguration.read(file: file("merchant.yaml"))
    }

    /// What is wrong with a configuration, without the folder's path; empty where it can be used.
    func problems(of yaml: String) throws -> [String] {
        do {
            _ = try read(yaml)
            return []
        } catch let error as ConfigurationErrors {
            return error.problems.map { $0.description.replacing("\(path)/", with: "") }
        }
    }

    private var ready: String {
        """
        {"production": {"url": "http://127.0.0.1:8080"},
        "sandbox": {"url": "http://127.0.0.1:8081"}, "bundleId": "com.example.store",
        "appAppleId": 7, "issuerId": "\(Self.key.issuerID)", "keyId": "\(Self.key.keyID)",
        "privateKeyFile": "\(file("key.p8"))",
        "rootCertificateFile": "\(file("root-certificate.der"))", "operatorToken": "operator_x"}
        """
    }
}
