internal import Storage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Files that only their owner may read.
enum PrivateFiles {
    private static let fileName = "perennial.sqlite"

    /// Makes an empty file unless there is one: SQLite would make it readable for everybody; its
    /// companions take its mode.
    static func createFile(_ path: String) throws(StorageError) {
        // Exclusively, so that a file that exists is not touched: closing any descriptor of it
        // would lose the locks that another connection of this process has on it.
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 {
            close(file)
        } else if errno != EEXIST {
            throw StorageError(
                errno == EROFS || errno == EACCES ? .readOnly : .other,
                "cannot create \(path): \(reason())")
        }
    }

    /// Makes a folder for a database that ends with this process.
    static func makeTemporaryFolder() throws(StorageError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
        let pattern = String(repeating: "X", count: 6)
        var template = Array("\(parent)/perennial-\(pattern)".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StorageError(.other, "cannot make a folder in \(parent): \(reason())")
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The database's path in a temporary folder.
    static func databasePath(in folder: String) -> String {
        "\(folder)/\(fileName)"
    }

    /// Removes a temporary folder and the database in it.
    static func removeTemporaryFolder(_ folder: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(databasePath(in: folder) + suffix) }
        rmdir(folder)
    }

    private static func reason() -> String {
        String(cString: strerror(errno))
    }
}
