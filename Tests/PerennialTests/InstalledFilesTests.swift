import Foundation
import Testing

@testable import perennial

/// What `serve --example` finds where no file is named.
@Suite("Installed files")
struct InstalledFilesTests {
    @Test("A file is found under the prefix that the program was installed under")
    func found() throws {
        try withDirectory { prefix in
            let folder = "\(prefix)/share/perennial"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: "\(folder)/Garden.storekit"))
            #expect(
                InstalledFiles.find("Garden.storekit", beside: "\(prefix)/bin/perennial")
                    == "\(folder)/Garden.storekit")
            #expect(InstalledFiles.find("Other", beside: "\(prefix)/bin/perennial") == nil)
            #expect(InstalledFiles.find("Garden.storekit", beside: "\(prefix)/perennial") == nil)
        }
    }

    @Test("Nothing is found for a program that was not installed, or whose place is unknown")
    func none() {
        #expect(
            InstalledFiles.find("Garden.storekit", beside: "/nowhere/.build/debug/perennial")
                == nil)
        #expect(InstalledFiles.find("Garden.storekit", beside: nil) == nil)
    }
}
