import AppStoreWire
import Foundation
import Testing

@testable import perennial

/// The built program as a process of its own.
struct Program: Sendable {
    /// What a run of the program came to.
    struct Outcome: Sendable {
        var code: Int32
        var output: String
        var complaint: String

        var json: JSONValue? { try? JSONValue(parsing: Array(output.utf8)) }
    }

    /// The program stands beside the tests, since they are built together.
    private static let path = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "perennial").path

    /// Variables for the program; nothing of the machine's own may count.
    var environment: [String: String] = [:]

    /// Runs the program to its end.
    func run(_ arguments: String...) async throws -> Outcome {
        try await start(arguments).finish()
    }

    /// Starts the program.
    func start(_ arguments: [String]) throws -> RunningProgram {
        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = arguments
        process.environment = environment
        let running = RunningProgram(process)
        try process.run()
        return running
    }
}

/// A process that was started. Sendable, since only its end is waited for from elsewhere.
final class RunningProgram: @unchecked Sendable {
    private let process: Process
    private let ends: AsyncStream<Int32>
    let output: ProgramText
    let complaint: ProgramText

    init(_ process: Process) {
        self.process = process
        let (ends, mouth) = AsyncStream<Int32>.makeStream()
        self.ends = ends
        let (output, complaint) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaint
        self.output = ProgramText(output)
        self.complaint = ProgramText(complaint)
        process.terminationHandler = { process in
            mouth.yield(process.terminationStatus)
            mouth.finish()
        }
    }

    /// Asks the process to end.
    func terminate() { process.terminate() }

    /// What the process wrote until its end.
    func finish() async throws -> Program.Outcome {
        // Both at once: a process that fills a pipe nobody reads would wait for ever.
        async let output = output.readAll()
        async let complaint = complaint.readAll()
        let texts = try await (output, complaint)
        return Program.Outcome(code: await end(), output: texts.0, complaint: texts.1)
    }

    /// The code with which the process ends.
    func end() async -> Int32 {
        for await code in ends { return code }
        return -1
    }
}

/// What a process writes.
struct ProgramText: Sendable {
    private let pipe: Pipe

    init(_ pipe: Pipe) { self.pipe = pipe }

    /// All of it, once the process has ended. Waits on a thread of its own.
    func readAll() async throws -> String {
        try await onThread {
            String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    /// Waits until a piece of text was written.
    func wait(for text: String) async throws {
        try await onThread {
            var seen = ""
            while !seen.contains(text) {
                let data = pipe.fileHandleForReading.availableData
                guard !data.isEmpty else {
                    throw Failure.refused("the program ended before it wrote \(text): \(seen)")
                }
                seen += String(decoding: data, as: UTF8.self)
            }
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
