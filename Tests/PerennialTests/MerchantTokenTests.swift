import Foundation
import MerchantHTTP
import TestFloor
import Testing

@testable import perennial

@Suite("A merchant's tokens")
struct MerchantTokenTests {
    @Test("Each app gets its own when it is first served, and keeps them")
    func ensure() throws {
        try withDirectory { directory in
            let file = MerchantTokenFile(path: "\(directory)/merchant.json")
            #expect(try file.read() == nil)
            let first = try file.ensure(["com.example.a"])
            let second = try file.ensure(["com.example.a", "com.example.b"])
            #expect(second.theOperator == first.theOperator)
            #expect(second.apps["com.example.a"] == first.apps["com.example.a"])
            let all =
                [second.theOperator] + second.apps.values.flatMap { [$0.app, $0.server] }
            #expect(Set(all).count == 5)
            // An app that is not served for a while keeps its own.
            #expect(try file.ensure(["com.example.b"]) == second)
            #expect(try file.read() == second)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[
                .posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test("Rotating replaces one token and no other", arguments: TokenScope.allCases)
    func rotate(_ scope: TokenScope) throws {
        try withDirectory { directory in
            let file = MerchantTokenFile(path: "\(directory)/merchant.json")
            var expected = try file.ensure(["com.example.a", "com.example.b"])
            let token = try file.rotate(scope, of: "com.example.a")
            #expect(token.hasPrefix("\(scope.rawValue)_"))
            switch scope {
            case .app: expected.apps["com.example.a"]?.app = token
            case .server: expected.apps["com.example.a"]?.server = token
            case .theOperator: expected.theOperator = token
            }
            #expect(try file.read() == expected)
        }
    }

    @Test(
        "A damaged file is refused and left as it is",
        arguments: [
            "", "{", "{}", #"{"operatorToken":""}"#, #"{"operatorToken":"x","apps":{"a":{}}}"#,
        ])
    func damaged(_ text: String) throws {
        try withDirectory { directory in
            let path = "\(directory)/merchant.json"
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            let file = MerchantTokenFile(path: path)
            #expect(throws: Failure.self) { try file.ensure(["com.example.a"]) }
            #expect(throws: Failure.self) { try file.rotate(.theOperator, of: nil) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test("A rotation before the first look is found, and named once for the audit log")
    func missed() throws {
        try withDirectory { parent in
            let keys = try MerchantKeys(in: DataDirectory("\(parent)/data"), of: ["com.example.a"])
            #expect(try keys.refresh(for: ["com.example.a"]) == false)
            let token = try keys.file.rotate(.server, of: "com.example.a")
            #expect(try keys.refresh(for: ["com.example.a", "com.example.b"]))
            #expect(keys.tokens.apps["com.example.a"]?.server == token)
            // An app that is new has no token that was replaced.
            let rotation = TokenRotation(scope: .server, bundleID: "com.example.a")
            #expect(keys.takeRotation() == rotation)
            #expect(keys.takeRotation() == nil)
            keys.putBack(rotation)
            #expect(keys.takeRotation() == rotation)
            #expect(try keys.refresh(for: ["com.example.a"]) == false)
        }
    }

    @Test("An app that has no tokens cannot rotate any")
    func unknown() throws {
        try withDirectory { directory in
            let file = MerchantTokenFile(path: "\(directory)/merchant.json")
            #expect(throws: Failure.self) { try file.rotate(.app, of: "com.example.a") }
            let tokens = try file.ensure(["com.example.b"])
            #expect(throws: Failure.self) { try file.rotate(.app, of: "com.example.a") }
            #expect(try file.read() == tokens)
        }
    }
}
