import FoundationEssentials

/// Paths in a file are meant from its folder.
package enum Paths {
    package static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    }

    package static func path(_ path: String, from folder: String) -> String {
        if path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }
}

extension Place {
    /// The bytes of a file that stands here; where it cannot be read that is a problem.
    ///
    /// - Parameter remedy: what to do about it.
    package func contents(
        of path: String, _ problems: inout Problems,
        otherwise remedy: String = "correct the path, or who may read it"
    ) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path) else {
            problems.add(self, "names \(path), which cannot be read: \(remedy).")
            return nil
        }
        return Array(data)
    }
}
