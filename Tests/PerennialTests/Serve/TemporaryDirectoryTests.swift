import Foundation
import Testing

@testable import perennial

/// What stores leave in the temporary directory that die before they can clear it.
@Suite("Temporary directories of stores")
struct TemporaryDirectoryTests {
    /// A directory as a store has one whose keys are made; its lock is taken by nobody.
    private func leftover(in parent: String, _ name: String, hasKeys: Bool = true) throws -> String
    {
        let path = "\(parent)/\(name)"
        try FileManager.default.createDirectory(
            atPath: hasKeys ? "\(path)/certificates" : path, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(path)/lock"))
        return path
    }

    @Test("What a store left that died is gone with the next start")
    func cleared() throws {
        try withDirectory { parent in
            let dead = try leftover(in: parent, "perennial-serve-dead01")
            let other = try leftover(in: parent, "somebody-else")
            // Between its making and its lock a directory has no keys.
            let beginning = try leftover(in: parent, "perennial-serve-begin1", hasKeys: false)
            let elsewhere = try leftover(in: parent, "data")
            try FileManager.default.createSymbolicLink(
                atPath: "\(parent)/perennial-serve-link01", withDestinationPath: elsewhere)
            let next = try DataDirectory(temporaryIn: parent)
            defer { next.remove() }
            #expect(!FileManager.default.fileExists(atPath: dead))
            for path in [other, beginning, elsewhere, "\(parent)/perennial-serve-link01"] {
                #expect(FileManager.default.fileExists(atPath: path), "\(path)")
            }
        }
    }

    @Test("What a store is using stays")
    func used() throws {
        try withDirectory { parent in
            let first = try DataDirectory(temporaryIn: parent)
            defer { first.remove() }
            try FileManager.default.createDirectory(
                atPath: first.certificates, withIntermediateDirectories: true)
            let second = try DataDirectory(temporaryIn: parent)
            defer { second.remove() }
            #expect(first.path != second.path)
            #expect(FileManager.default.fileExists(atPath: first.certificates))
        }
    }
}
