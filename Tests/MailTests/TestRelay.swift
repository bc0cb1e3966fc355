import Foundation
import MailSMTP
import TestFloor
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A real server that takes mails (aiosmtpd), and goes wrong as the recipient's name says.
final class TestRelay: Sendable {
    /// A mail that it took.
    struct Taken: Decodable {
        let from: String
        let to: [String]
        let message: Data
        let encrypted: Bool
        let user: String?
    }

    let port: Int
    private let process: ChildProcess
    private let folder: URL

    struct Unavailable: Error, CustomStringConvertible {
        var description: String { "no Python knows aiosmtpd: `scripts/deps test` installs it" }
    }

    init(_ arguments: [String] = []) async throws {
        folder = try temporaryFolder()
        let script = try Self.file("relay.py")
        for python in ["/usr/bin/python3", "/usr/bin/env"] {
            let ends = try ChildProcess.makePipe()
            let words = python.hasSuffix("env") ? ["python3"] : []
            let process = try ChildProcess(
                path: python, arguments: words + [script, folder.path] + arguments,
                output: ends.write)
            close(ends.write)
            if let port = await Self.number(from: ends.read) {
                self.process = process
                self.port = port
                return
            }
            process.wait()
        }
        throw Unavailable()
    }

    deinit {
        process.send(signal: SIGKILL)
        process.wait()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Of this host the certificate speaks.
    func url(_ scheme: String = "smtp", host: String = "localhost") throws -> RelayURL {
        try #require(RelayURL("\(scheme)://\(host):\(port)"))
    }

    /// What it took so far, first to last.
    var taken: [Taken] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return try names.filter { $0.hasSuffix(".json") }.sorted().map {
                try JSONDecoder().decode(
                    Taken.self, from: Data(contentsOf: folder.appendingPathComponent($0)))
            }
        }
    }

    /// A file that servers need.
    static func file(_ name: String) throws -> String {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers")
        return folder.appendingPathComponent(name).path
    }

    /// The number in the first line that a program prints; nil if it ends without one.
    private static func number(from descriptor: Int32) async -> Int? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var line: [UInt8] = []
                var byte: UInt8 = 0
                while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
                    line.append(byte)
                }
                close(descriptor)
                continuation.resume(returning: Int(String(decoding: line, as: UTF8.self)))
            }
        }
    }
}

/// A folder of a test's own.
func temporaryFolder() throws -> URL {
    let mark = String(repeating: "X", count: 6)
    var template = Array("\(FileManager.default.temporaryDirectory.path)/mail-\(mark)".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    let path = template.dropLast().map { UInt8(bitPattern: $0) }
    return URL(fileURLWithPath: String(decoding: path, as: UTF8.self))
}
