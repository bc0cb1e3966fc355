import ArgumentParser
import Testing
import TimeAndChance
import Timeline

@testable import perennial

/// Runs a command and expects words on standard output.
func expect(
    _ program: Program, _ command: String, says words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let outcome = try await program.run(command.split(separator: " ").map(String.init))
    #expect(
        outcome.code == 0, "\(command): \(outcome.complaint)", sourceLocation: sourceLocation)
    for words in words {
        #expect(
            outcome.output.contains(words), "\(command): \(outcome.output)",
            sourceLocation: sourceLocation)
    }
}

/// Runs a command and expects that the store refuses it with a code.
func expect(
    _ program: Program, _ command: String, isRefusedAs code: String,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let outcome = try await program.run(command.split(separator: " ").map(String.init))
    #expect(outcome.code == 1, "\(command)", sourceLocation: sourceLocation)
    #expect(
        outcome.complaint.contains("[\(code)"), "\(command): \(outcome.complaint)",
        sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
}

/// Runs a command and expects that the store refuses it in words.
func expect(
    _ program: Program, _ command: String, isRefusedWith words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let outcome = try await program.run(command.split(separator: " ").map(String.init))
    #expect(outcome.code == 1, "\(command)", sourceLocation: sourceLocation)
    for words in words {
        #expect(
            outcome.complaint.contains(words), "\(command): \(outcome.complaint)",
            sourceLocation: sourceLocation)
    }
}

/// Runs the program against the example catalogue, on a clock that stands at 31 January 2026.
func withGarden(_ body: (Program) async throws -> Void) async throws {
    try await withDirectory { directory in
        let ready = "\(directory)/r.json"
        let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
        let store = try await EndToEndTests().open(program, ready, "--ephemeral")
        try await body(program)
        store.terminate()
        #expect(await store.end() == 0)
    }
}

/// Asks again, a moment after each time, until there is something; the suite's time limit ends it.
func eventually<Value>(_ ask: () async throws -> Value?) async throws -> Value {
    while true {
        if let value = try await ask() { return value }
        await SystemTime.wait(.milliseconds(50))
    }
}

extension Ending {
    /// How a command line ends that the parser refuses or answers itself; nil where it is one to be
    /// done.
    static func parsing(_ arguments: [String], style: Style = Style()) -> Ending? {
        do {
            var command = try Perennial.parseAsRoot(arguments)
            // Help is a command of the parser's own.
            if !(command is any AsyncParsableCommand) { try command.run() }
            return nil
        } catch {
            return Ending(error, of: arguments, style: style)
        }
    }
}
