import AppStoreWire
import Foundation
import TestFloor
import TestSupport
import Testing

@testable import perennial

/// The program: done in the process of the tests, or started as one of its own.
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

    /// Variables for the program. Where it is a process, it has those of the tests too.
    var environment: [String: String] = [:]

    /// Command lines that run a store or a merchant: what they set up, a process has once.
    private static let servers = [
        ["serve"], ["dev"], ["play"], ["merchant", "serve"], ["campaign", "rehearse"],
    ]

    /// Does a command line to its end.
    func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    /// Does a command line to its end: in the process of the tests where it can, which takes half
    /// the time.
    func run(_ arguments: [String]) async throws -> Outcome {
        guard !Self.servers.contains(where: arguments.starts(with:)) else {
            return try await start(arguments).finish()
        }
        let (output, complaint) = (Recorder(), Recorder())
        let code = await Variables.$current.withValue(environment) {
            await Output.$recorder.withValue(output) {
                await Output.$complaints.withValue(complaint) { await Perennial.run(arguments) }
            }
        }
        return Outcome(code: code, output: output.text, complaint: complaint.text)
    }

    /// Starts the program as a process of its own.
    ///
    /// - Parameter signal: one that does not end it.
    func start(
        _ arguments: [String], ignoring signal: String? = nil
    ) throws -> RunningProgram {
        var (path, arguments) = (Self.path, arguments)
        if let signal {
            // What a shell ignores, a program ignores that takes its place.
            arguments = ["-c", "trap '' \(signal); exec \"$0\" \"$@\"", path] + arguments
            path = "/bin/sh"
        }
        let (output, complaint) = (try ChildProcess.makePipe(), try ChildProcess.makePipe())
        let process = try ChildProcess(
            path: path, arguments: arguments, environment: environment,
            output: output.write, complaint: complaint.write)
        // Only the program writes, so that its end is the end of the text.
        for descriptor in [output.write, complaint.write] {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).close()
        }
        return RunningProgram(
            process, output: FileHandle(fileDescriptor: output.read, closeOnDealloc: true),
            complaint: FileHandle(fileDescriptor: complaint.read, closeOnDealloc: true))
    }
}

/// A process that was started.
final class RunningProgram: Sendable {
    private let process: ChildProcess
    let output: ProgramText
    let complaint: ProgramText

    init(_ process: ChildProcess, output: FileHandle, complaint: FileHandle) {
        self.process = process
        self.output = ProgramText(output)
        self.complaint = ProgramText(complaint)
    }

    var id: Int32 { process.id }

    /// Asks the process to end.
    func terminate() { process.send(signal: SIGTERM) }

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
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [process] in continuation.resume(returning: process.wait()) }
        }
    }
}

/// What a process writes.
struct ProgramText: Sendable {
    private let pipe: FileHandle

    init(_ pipe: FileHandle) { self.pipe = pipe }

    /// All of it, once the process has ended. Waits on a thread of its own.
    func readAll() async throws -> String {
        try await onThread {
            String(decoding: try pipe.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    /// Waits until a piece of text was written.
    ///
    /// - Returns: what was written so far.
    @discardableResult
    func wait(for text: String) async throws -> String {
        try await onThread {
            var seen = ""
            while !seen.contains(text) {
                let data = pipe.availableData
                guard !data.isEmpty else {
                    throw Failure.refused("the program ended before it wrote \(text): \(seen)")
                }
                seen += String(decoding: data, as: UTF8.self)
            }
            return seen
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
