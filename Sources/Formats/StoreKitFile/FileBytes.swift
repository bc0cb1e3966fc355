#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of a `.storekit` file or of the one inside a folder of that name.
enum FileBytes {
    /// The one file of the folder form that is the configuration; the others are images.
    private static let innerName = "Configuration.storekit"

    /// The bytes at a path, and the name by which findings call the file.
    static func read(path: String) throws(StoreKitFileError) -> (bytes: [UInt8], name: String) {
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let name = URL(filePath: path).lastPathComponent
        let files = FileManager.default
        var isFolder = false
        guard files.fileExists(atPath: target.path, isDirectory: &isFolder) else {
            throw StoreKitFileError(problems: [
                Finding(
                    file: path, path: "", problem: "There is no such file.",
                    remedy: "Check the path.")
            ])
        }
        if !isFolder { return (try bytes(at: target, name: name), name) }
        let inner = target.appending(component: innerName).resolvingSymlinksInPath()
        guard files.fileExists(atPath: inner.path, isDirectory: &isFolder), !isFolder else {
            throw refuse(
                name, "This is a folder without a file \(innerName).",
                "Give the .storekit file itself.")
        }
        let innerPath = "\(name)/\(innerName)"
        return (try bytes(at: inner, name: innerPath), innerPath)
    }

    private static func bytes(at url: URL, name: String) throws(StoreKitFileError) -> [UInt8] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        // A pipe or a device could go on for ever.
        guard attributes?[.type] as? FileAttributeType == .typeRegular else {
            throw refuse(name, "This is no ordinary file.", "Give a file on a disk.")
        }
        let size = (attributes?[.size] as? UInt64) ?? (attributes?[.size] as? Int).map(UInt64.init)
        guard (size ?? 0) <= StoreKitFile.largestSize else {
            throw refuse(
                name, "The file is larger than 16 MiB.",
                "Give the .storekit file that Xcode wrote.")
        }
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw refuse(
                name, "The file cannot be opened.", "Check that this user may read it.")
        }
        return Array(data)
    }

    private static func refuse(
        _ name: String, _ problem: String, _ remedy: String
    ) -> StoreKitFileError {
        StoreKitFileError(problems: [
            Finding(file: name, path: "$", problem: problem, remedy: remedy)
        ])
    }
}
