import Foundation
import Testing

@testable import AppStoreSigning

@Suite("Files written at once")
struct AtomicFileTests {
    @Test("A file has its mode and contents, and takes the place of an older one")
    func replacing() throws {
        try withDirectory("files") { directory in
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
            let path = "\(directory)/secret"
            for (bytes, mode) in [([1, 2, 3], 0o644), ([], 0o600)] as [([UInt8], UInt16)] {
                try AtomicFile.write(bytes, to: path, mode: mode)
                #expect(FileManager.default.contents(atPath: path).map(Array.init) == bytes)
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.uint16Value == mode)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["secret"])
        }
    }

    @Test("What a crash left behind is no obstacle")
    func leftover() throws {
        try withDirectory("leftover") { directory in
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
            let path = "\(directory)/secret"
            try "half".write(toFile: path + ".new", atomically: false, encoding: .utf8)
            try AtomicFile.write([7], to: path, mode: 0o600)
            #expect(FileManager.default.contents(atPath: path).map(Array.init) == [7])
        }
    }

    @Test("A place that cannot be written is an error that names it")
    func failure() throws {
        let path = "/nowhere-at-all/secret"
        let error = #expect(throws: AtomicFile.Failure.self) {
            try AtomicFile.write([1], to: path, mode: 0o600)
        }
        #expect(error?.path == path)
        #expect(error?.description == "\(path): No such file or directory")
    }
}
