import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A PostgreSQL server of a test's own, which can be stopped in its tracks, killed and started
/// again. It ends with `close`, and with the test's process, however that ends.
public final class PostgresServer: Sendable {
    /// What the server is reached at, the same over all of its lives.
    public let url: String
    private let folder: String
    private let keeper: ChildProcess

    /// Why no server could be had.
    public struct Failure: Error {
        let reason: String
    }

    private static var script: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "scripts/test-postgres").path
    }

    /// Starts a server and waits until it answers. Blocks the thread.
    public init() throws {
        let parent = FileManager.default.temporaryDirectory.path
        let wildcard = String(repeating: "X", count: 6)
        var template = Array("\(parent)/perennial-server-\(wildcard)".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(reason: "no folder: \(errno)") }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        folder = path
        // The server's own account must be able to go through it.
        chmod(path, 0o755)
        let pipe = try ChildProcess.makePipe()
        // The script stops its server when the command ends: with the mark or with this process.
        keeper = try ChildProcess(
            path: "/bin/bash",
            arguments: [
                Self.script, "run", "sh", "-c",
                "while kill -0 \(getpid()) && ! [ -e '\(path)/end' ]; do sleep 0.2; done",
            ],
            environment: [
                "PERENNIAL_TEST_POSTGRES": "",
                "PERENNIAL_TEST_POSTGRES_FOLDER": "\(path)/server",
            ], output: pipe.write)
        closeFile(pipe.write)
        defer { closeFile(pipe.read) }
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !text.contains("\n") {
            let count = read(pipe.read, &bytes, bytes.count)
            guard count > 0 else { throw Failure(reason: "it did not start: \(text)") }
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        // What was committed is there after a kill, unlike with the script's usual settings.
        url =
            text.prefix { $0 != "\n" }.drop { $0 != "=" }.dropFirst()
            + "?options=-csynchronous_commit%3Don"
    }

    /// Stops all of its processes where they are: nothing is closed, nothing is answered.
    public func pause() throws { try signal(SIGSTOP) }

    /// Lets them go on.
    public func goOn() throws { try signal(SIGCONT) }

    /// Ends all of its processes at once; the data stays.
    public func kill() throws {
        let server = try process()
        try signal(SIGKILL)
        while send(0, to: server) == 0 { sched_yield() }
    }

    /// Starts it again where it was.
    public func restart() throws {
        // `postmaster.pid` of a server that was killed is in nobody's way.
        let starter = try ChildProcess(
            path: "/bin/bash", arguments: [Self.script, "resume"],
            environment: [
                "PERENNIAL_TEST_POSTGRES": "",
                "PERENNIAL_TEST_POSTGRES_FOLDER": "\(folder)/server",
            ])
        guard starter.wait() == 0 else { throw Failure(reason: "it did not start again") }
    }

    /// Ends it and removes its data. Blocks the thread.
    public func close() {
        try? goOn()
        _ = FileManager.default.createFile(atPath: "\(folder)/end", contents: nil)
        keeper.wait()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func signal(_ signal: Int32) throws {
        let server = try process()
        // The first one makes the others, so it is the first that stops.
        _ = send(signal, to: server)
        for child in Self.children(of: server) { _ = send(signal, to: child) }
    }

    private func process() throws -> pid_t {
        let path = "\(folder)/server/data/postmaster.pid"
        guard let data = FileManager.default.contents(atPath: path),
            let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first,
            let process = pid_t(line)
        else { throw Failure(reason: "it does not run") }
        return process
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let path = "/proc/\(process)/task/\(process)/children"
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return [] }
        defer { closeFile(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = max(0, read(file, &bytes, bytes.count))
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
            .compactMap { pid_t($0) }
    }
}

// Under names of their own, since a server has such methods too.
private func closeFile(_ file: Int32) { close(file) }
private func send(_ signal: Int32, to process: pid_t) -> Int32 { kill(process, signal) }
