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
        let pipe = try ChildProcess.makePipe()
        let process = try ChildProcess(
            path: "/usr/bin/env", arguments: [], environment: ["PATH": "/nowhere"],
            output: pipe.write)
        close(pipe.write)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = read(pipe.read, &chunk, chunk.count), count > 0 {
            bytes += chunk[..<count]
        }
        close(pipe.read)
        #expect(process.wait() == 0)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.contains("\(kept.key)=\(kept.value)"))
        #expect(lines.filter { $0.hasPrefix("PATH=") } == ["PATH=/nowhere"])
    }
}
