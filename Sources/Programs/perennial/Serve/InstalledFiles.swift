import FoundationEssentials

/// The files that a package installs beside the program.
enum InstalledFiles {
    /// The example's catalogue; nil where the program was not installed.
    static var exampleCatalogue: String? { find("Garden.storekit", beside: program) }

    /// The program's own path, with symbolic links followed; nil where the system has no `/proc`.
    private static var program: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// A file in `share/perennial`, for a program in the `bin` beside it, under any prefix.
    static func find(_ name: String, beside program: String?) -> String? {
        let place = "/bin/perennial"
        guard let program, program.hasSuffix(place) else { return nil }
        let path = program.dropLast(place.count) + "/share/perennial/" + name
        return FileManager.default.fileExists(atPath: String(path)) ? String(path) : nil
    }
}
