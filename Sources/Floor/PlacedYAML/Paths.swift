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
