import AppStoreWire
import Foundation
import PerennialKit
import Synchronization
import TestFloor

/// The real program on a folder of its own, which is killed, stopped and started again. To a
/// device it is one store: requests go to wherever it listens now.
final class ServedStore: StoreTransport {
    private struct State {
        var process: ChildProcess?
        var ready: JSONValue = .null
        var http: HTTPTransport?
        var isPaused = false
    }

    let folder: URL
    private let state = Mutex(State())
    /// The program writes there as long as it runs.
    private let outputs = Mutex<[FileHandle]>([])
    private static let count = Atomic(0)

    struct Failure: Error { let reason: String }

    /// Serves the example catalogue, its clock frozen in the middle of a January: months
    /// that are added later are periods.
    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "perennial-kit-served-\(ProcessInfo.processInfo.processIdentifier)-"
                + "\(Self.count.add(1, ordering: .relaxed).newValue)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await start(catalogue: true)
    }

    deinit {
        state.withLock { state in
            state.process?.send(signal: SIGKILL)
            state.process?.wait()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts it, and waits until it answers.
    func start(catalogue: Bool = false) async throws {
        let pipe = try ChildProcess.makePipe()
        let process = try ChildProcess(
            path: Self.sibling("perennial"),
            arguments: [
                "serve", "--data", folder.path + "/data", "--clock", "frozen", "--at",
                "2026-01-15T00:00:00Z", "--port", "0", "--sandbox-port", "0", "--rate-limits",
                "none",
            ] + (catalogue ? [Self.example("Garden.storekit")] : []), output: pipe.write)
        try FileHandle(fileDescriptor: pipe.write, closeOnDealloc: false).close()
        let output = FileHandle(fileDescriptor: pipe.read, closeOnDealloc: true)
        // It says that it is open once its ready file is written.
        let says = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: !output.availableData.isEmpty) }
        }
        guard says else { throw Failure(reason: "the store did not start") }
        let ready = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: readyFile))))
        state.withLock { state in
            state.process = process
            state.ready = ready
            state.http = HTTPTransport(url: ready["production"]?["url"]?.string ?? "")
        }
        outputs.withLock { $0.append(output) }
    }

    var readyFile: String { folder.path + "/data/ready.json" }

    /// Ends it as a power cut would.
    func kill() {
        state.withLock { state in
            state.process?.send(signal: SIGKILL)
            state.process?.wait()
        }
    }

    /// Stops it where it is: connections stay open, nothing is answered, and nobody waits long.
    func pause() {
        state.withLock { state in
            state.process?.send(signal: SIGSTOP)
            state.isPaused = true
        }
    }

    /// Lets it go on.
    func goOn() {
        state.withLock { state in
            state.process?.send(signal: SIGCONT)
            state.isPaused = false
        }
    }

    /// A device's own configuration of a session with it.
    func phone(_ name: String, stateFile: String? = nil) throws -> StoreConfiguration {
        let ready = state.withLock { $0.ready }
        let root = try Data(
            contentsOf: URL(filePath: ready["rootCertificateFile"]?.string ?? ""))
        var configuration = StoreConfiguration(
            url: "", bundleID: ready["bundleId"]?.string ?? "", environment: .production,
            appAppleID: ready["appAppleId"]?.integer, rootCertificates: [Array(root)],
            device: name, stateFile: stateFile ?? folder.path + "/\(name).json", locale: "en_US",
            transport: self)
        configuration.retry = RetryPolicy(
            attempts: 4, firstDelay: .milliseconds(20), longestDelay: .milliseconds(200))
        configuration.updateWait = .seconds(5)
        return configuration
    }

    /// The operator asks.
    @discardableResult
    func connect(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONValue
    {
        let token = state.withLock { $0.ready["operatorToken"]?.string ?? "" }
        let response = try await send(
            StoreRequest(
                method: method, path: path,
                headers: [
                    "Authorization": "Bearer \(token)", "Content-Type": "application/json",
                ], body: body.map { Array($0.utf8) }, timeout: .seconds(300)))
        guard (200..<300).contains(response.status) else {
            throw Failure(
                reason:
                    "\(path): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
        return response.body.isEmpty ? .null : try JSONValue(parsing: response.body)
    }

    func advance(_ period: String) async throws {
        try await connect("POST", "/connect/v1/clock/advance", #"{"by":"\#(period)"}"#)
    }

    func send(_ request: StoreRequest) async throws -> StoreResponse {
        let (http, isPaused) = state.withLock { ($0.http, $0.isPaused) }
        guard let http else { throw TransportFailure.unreachable("it was not started") }
        guard isPaused else { return try await http.send(request) }
        return try await http.send(
            StoreRequest(
                method: request.method, path: request.path, headers: request.headers,
                body: request.body, timeout: .milliseconds(500)))
    }

    /// Sessions come and go, the store stays.
    func close() async {}

    /// A program that was built beside these tests.
    static func sibling(_ name: String) -> String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: name).path
    }

    private static func example(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Examples/\(name)").path
    }
}
