import AppStoreWire
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization
import TestFloor
import TestSupport

/// The merchant's program, started and killed.
final class MerchantProcess: Sendable {
    private let process: ChildProcess
    private let url: String
    private let appToken: String
    private let operatorToken: String
    /// Where the store sends notifications of its app.
    let notificationURL: String
    /// It writes there as long as it runs.
    private let output: FileHandle
    private let killed = Atomic(false)

    /// Serves an app and waits until it answers.
    ///
    /// - Parameters:
    ///   - home: its data directory, of which it goes on with what is there.
    ///   - databaseURL: PostgreSQL in place of a file in it.
    ///   - complaint: the file descriptor for what it complains of.
    ///   - port: where it answers; 0 for any free port.
    ///   - options: more words for `merchant serve`.
    init(
        home: URL, configuration: URL, databaseURL: String?, complaint: Int32, port: Int = 0,
        options: [String] = []
    ) async throws {
        let pipe = try ChildProcess.makePipe()
        process = try ChildProcess(
            path: StoreProcess.program.path,
            arguments: [
                "merchant", "serve", "--config", configuration.path, "--data", home.path,
                "--port", "\(port)",
            ] + (databaseURL.map { ["--database-url", $0] } ?? []) + options,
            output: pipe.write, complaint: complaint)
        // Only the program writes, so that its end is the end of the text.
        try FileHandle(fileDescriptor: pipe.write, closeOnDealloc: false).close()
        output = FileHandle(fileDescriptor: pipe.read, closeOnDealloc: true)
        // It says that it serves once its ready file is written.
        guard await StoreProcess.says(output) else {
            process.wait()
            throw StoreProcess.Failure("the merchant did not start")
        }
        let ready = home.appendingPathComponent("ready.json")
        let json = try JSONValue(parsing: Array(try Data(contentsOf: ready)))
        url = json["url"]?.string ?? ""
        operatorToken = json["operatorToken"]?.string ?? ""
        let app = json["apps"]?.array?.first
        appToken = app?["appToken"]?.string ?? ""
        notificationURL = app?["notificationUrls"]?["production"]?.string ?? ""
    }

    /// The port at which it answers.
    var port: Int { URLComponents(string: url)?.port ?? 0 }

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

    /// Posts a text, and returns once it was answered 200.
    ///
    /// - Throws: `StoreProcess.Refusal` for every other answer, or why there was none.
    func take(_ letter: MerchantLetter) async throws {
        var json = JSONWriter()
        let path: String
        var token: String?
        switch letter {
        case .notification(let text, _):
            path = "/apple/v2/\(World.bundleID)"
            json.object { $0.field("signedPayload", text) }
        case .purchase(let text, let account):
            path = "/v1/apps/\(World.bundleID)/transactions"
            token = appToken
            json.object { json in
                json.field("account", account)
                json.field("signedTransaction", text)
            }
        }
        _ = try await send("POST", path, json.bytes, token: token)
    }

    /// Asks as the operator.
    ///
    /// - Throws: `StoreProcess.Refusal` for every answer that is no success.
    func operate(
        _ method: String, _ path: String, _ body: [UInt8]? = nil
    ) async throws -> JSONValue {
        try JSONValue(parsing: try await send(method, path, body, token: operatorToken))
    }

    private func send(
        _ method: String, _ path: String, _ body: [UInt8]?, token: String?
    ) async throws -> [UInt8] {
        var request = HTTPClientRequest(url: url + path)
        request.method = .init(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let response = try await StoreProcess.client.execute(request, timeout: .hours(2))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        guard (200..<300).contains(response.status.code) else {
            throw StoreProcess.Refusal(
                request: "\(method) \(path)", status: Int(response.status.code),
                body: String(buffer: bytes))
        }
        return Array(bytes.readableBytesView)
    }
}
