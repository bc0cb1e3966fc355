import AppStoreSigning
import AppStoreWire
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import TimeAndChance

/// The real program, started and killed.
final class StoreProcess: Sendable {
    private let process: ChildProcess
    let url: String
    private let operatorToken: String
    /// The key of the developer's server.
    private let key: APIKey
    /// It writes there as long as it runs.
    private let output: FileHandle
    private let killed = Atomic(false)

    /// Serves a folder and waits until it answers; without a catalogue it goes on with the one that
    /// it has.
    ///
    /// - Parameters:
    ///   - options: more words for `serve`.
    ///   - complaint: the file descriptor for what it complains of; nil for nowhere.
    init(
        folder: URL, catalogue: URL?, notify: String? = nil, options: [String] = [],
        complaint: Int32? = nil
    ) async throws {
        let pipe = try ChildProcess.makePipe()
        process = try ChildProcess(
            path: StoreProcess.program.path,
            arguments: [
                "serve", "--data", folder.appendingPathComponent("data").path,
                "--clock", "frozen", "--at", "2026-01-31T00:00:00Z", "--port", "0",
                "--sandbox-port", "0", "--rate-limits", "none", "--database-wait", "60",
            ] + (catalogue.map { [$0.path] } ?? []) + (notify.map { ["--notify", $0] } ?? [])
                + options, output: pipe.write, complaint: complaint)
        // Only the program writes, so that its end is the end of the text.
        try FileHandle(fileDescriptor: pipe.write, closeOnDealloc: false).close()
        output = FileHandle(fileDescriptor: pipe.read, closeOnDealloc: true)
        // It says that it is open once its ready file is written.
        guard await StoreProcess.says(output) else {
            process.wait()
            throw Failure("the store did not start")
        }
        let ready = folder.appendingPathComponent("data/ready.json")
        let json = try JSONValue(parsing: Array(try Data(contentsOf: ready)))
        url = json["production"]?["url"]?.string ?? ""
        operatorToken = json["operatorToken"]?.string ?? ""
        key = try APIKey(
            keyID: json["keyId"]?.string ?? "", issuerID: json["issuerId"]?.string ?? "",
            privateKeyPEM: String(
                contentsOfFile: json["privateKeyFile"]?.string ?? "", encoding: .utf8))
    }

    /// Waits for a word, or for the end without one.
    static func says(_ output: FileHandle) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: !output.availableData.isEmpty)
            }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// An answer that is no success.
    struct Refusal: Error, CustomStringConvertible {
        let request: String
        let status: Int
        let body: String

        /// What it is, where our own surfaces say so.
        var code: String? {
            (try? JSONValue(parsing: Array(body.utf8)))?["error"]?.string
        }

        var description: String { "\(request): \(status) \(body)" }
    }

    /// Who asks.
    enum Credential: Sendable {
        case nobody, theOperator
        /// The developer's server, with a request token.
        case developer
        case device(String)
    }

    /// The program that was built beside these tests.
    static var program: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("perennial")
    }

    /// The system's number of the process.
    var id: Int32 { process.id }
    /// Whether it was killed, or is about to be.
    var isKilled: Bool { killed.load(ordering: .sequentiallyConsistent) }

    /// Ends the program as a power cut would: nothing of it runs any more.
    func kill() {
        killed.store(true, ordering: .sequentiallyConsistent)
        process.send(signal: SIGKILL)
        process.wait()
    }

    /// Ends the program in order.
    ///
    /// - Returns: its exit code.
    func end() -> Int32 {
        process.send(signal: SIGTERM)
        return process.wait()
    }

    /// Asks as the operator.
    @discardableResult
    func connect(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONValue
    {
        try await send(method, path, body, as: .theOperator)
    }

    /// Asks as a customer's device, or without a token.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: String?, token: String?
    ) async throws -> JSONValue {
        try await send(method, path, body, as: token.map { .device($0) } ?? .nobody)
    }

    /// Asks.
    ///
    /// - Parameter key: makes a purchase that is repeated find what the first one bought.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: String?, as credential: Credential,
        key: String? = nil
    ) async throws -> JSONValue {
        var request = HTTPClientRequest(url: url + path)
        request.method = .init(rawValue: method)
        if let token = try token(credential) {
            request.headers.add(name: "Authorization", value: "Bearer \(token)")
        }
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let response = try await StoreProcess.client.execute(request, timeout: .hours(2))
        let bytes = try await response.body.collect(upTo: 1 << 24)
        guard (200..<300).contains(response.status.code) else {
            throw Refusal(
                request: "\(method) \(path)", status: Int(response.status.code),
                body: String(buffer: bytes))
        }
        return bytes.readableBytes == 0
            ? .null : try JSONValue(parsing: Array(bytes.readableBytesView))
    }

    private func token(_ credential: Credential) throws -> String? {
        switch credential {
        case .nobody: nil
        case .theOperator: operatorToken
        case .device(let token): token
        case .developer:
            try RequestToken.make(
                key: key, bundleID: "com.example.app",
                now: Double(SystemTime.now().milliseconds) / 1000)
        }
    }

    /// Whoever was killed is not called again and again.
    static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(configuration: configuration)
    }()
}
