import AppStoreWire
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport

/// The real program, started and killed.
final class StoreProcess: Sendable {
    private let process: ChildProcess
    let url: String
    private let operatorToken: String

    /// Serves a folder and waits until it answers; without a catalogue it goes on with the one that
    /// it has.
    init(folder: URL, catalogue: URL?, notify: String? = nil) async throws {
        let ready = folder.appendingPathComponent("ready.json")
        try? FileManager.default.removeItem(at: ready)
        process = try ChildProcess(
            path: StoreProcess.program.path,
            arguments: [
                "serve", "--data", folder.appendingPathComponent("data").path,
                "--clock", "frozen", "--at", "2026-01-31T00:00:00Z", "--port", "0",
                "--sandbox-port", "0", "--rate-limits", "none", "--ready-file", ready.path,
            ] + (catalogue.map { [$0.path] } ?? []) + (notify.map { ["--notify", $0] } ?? []))
        while !FileManager.default.fileExists(atPath: ready.path) {
            guard process.isRunning else { throw Failure("the store did not start") }
            await Task.yield()
        }
        let json = try JSONValue(parsing: Array(try Data(contentsOf: ready)))
        url = json["production"]?["url"]?.string ?? ""
        operatorToken = json["operatorToken"]?.string ?? ""
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// The program that was built beside these tests.
    private static var program: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("perennial")
    }

    /// Ends the program as a power cut would: nothing of it runs any more.
    func kill() {
        process.send(signal: SIGKILL)
        process.wait()
    }

    /// Asks as the operator.
    @discardableResult
    func connect(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONValue
    {
        try await send(method, path, body, token: operatorToken)
    }

    /// Asks as a customer's device, or without a token.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: String?, token: String?
    ) async throws -> JSONValue {
        var request = HTTPClientRequest(url: url + path)
        request.method = .init(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(300))
        let bytes = try await response.body.collect(upTo: 1 << 24)
        guard (200..<300).contains(response.status.code) else {
            throw Failure("\(method) \(path): \(response.status.code) \(String(buffer: bytes))")
        }
        return bytes.readableBytes == 0
            ? .null : try JSONValue(parsing: Array(bytes.readableBytesView))
    }
}
