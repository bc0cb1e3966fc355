import FoundationEssentials
import TestFloor
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Programs that tests start")
struct ChildProcessTests {
    @Test("A program finds the environment of the test, but for what the test changes")
    func environment() throws {
        let own = ProcessInfo.processInfo.environment
        let kept = try #require(own.first { $0.key != "PATH" && !$0.value.contains("\n") })
        let lines = try lines("/usr/bin/env", [], environment: ["PATH": "/nowhere"])
        #expect(lines.contains("\(kept.key)=\(kept.value)"))
        #expect(lines.filter { $0.hasPrefix("PATH=") } == ["PATH=/nowhere"])
    }

    @Test("A program has nothing open but what it was given")
    func inherited() throws {
        let pipe = try ChildProcess.makePipe()
        defer { [pipe.read, pipe.write].forEach { close($0) } }
        // One more is the folder that is listed.
        #expect(try lines("/bin/ls", ["/dev/fd/"]).compactMap { Int($0) } == [0, 1, 2, 3])
    }

    /// What a program writes until its end.
    private func lines(
        _ path: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> [String] {
        let pipe = try ChildProcess.makePipe()
        let process = try ChildProcess(
            path: path, arguments: arguments, environment: environment, output: pipe.write)
        close(pipe.write)
        defer { close(pipe.read) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = read(pipe.read, &chunk, chunk.count), count > 0 {
            bytes += chunk[..<count]
        }
        #expect(process.wait() == 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
