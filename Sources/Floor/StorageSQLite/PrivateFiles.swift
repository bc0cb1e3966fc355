internal import Storage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Files that only their owner may read.
enum PrivateFiles {
    private static let fileName = "perennial.sqlite"

    /// Makes a file unless there is one: SQLite would make it readable for everybody; its
    /// companions take its mode.
    static func createFile(_ path: String, contents: [UInt8] = []) throws(StorageError) {
        // Exclusively, so that a file that exists is not touched: closing any descriptor of it
        // would lose the locks that another connection of this process has on it.
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return }
            throw failure("cannot create \(path)")
        }
        defer { close(file) }
        guard contents.isEmpty || write(file, contents, contents.count) == contents.count else {
            throw failure("cannot write \(path)")
        }
    }

    /// Makes a folder for a database that ends with this process.
    static func makeTemporaryFolder() throws(StorageError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
        let pattern = String(repeating: "X", count: 6)
        var template = Array("\(parent)/perennial-\(pattern)".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw failure("cannot make a folder in \(parent)")
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The database's path in a temporary folder.
    static func databasePath(in folder: String) -> String {
        "\(folder)/\(fileName)"
    }

    /// Removes a temporary folder and the database in it, with its copies.
    static func removeTemporaryFolder(_ folder: String) {
        removeFolder(folder)
    }

    /// Makes a folder for its owner alone, unless there is one.
    static func makeFolder(_ path: String) throws(StorageError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST || !isFolder(path) else { return }
        throw failure("cannot make the folder \(path)")
    }

    /// What a folder holds, in order; nothing where there is none.
    static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a folder with all that it holds; a link in it is removed, not followed.
    static func removeFolder(_ path: String) {
        for name in names(in: path) {
            let inner = "\(path)/\(name)"
            if unlink(inner) != 0 { removeFolder(inner) }
        }
        rmdir(path)
    }

    /// Removes a database's file and its companions.
    static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// How long a file is, in bytes; 0 where there is none.
    static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Gives a file its name, which it has after a power failure too.
    static func rename(_ path: String, to name: String, in folder: String) throws(StorageError) {
        guard Self.move(path, name) == 0 else {
            throw failure("cannot rename \(path)")
        }
        let directory = open(folder, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    private static func move(_ old: String, _ new: String) -> CInt {
        #if canImport(Glibc)
            Glibc.rename(old, new)
        #else
            Darwin.rename(old, new)
        #endif
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a call of the system's failed since there is no room, be it that there is some on
    /// the disk.
    static func isLackOfRoom(_ reason: CInt) -> Bool {
        [ENOSPC, EDQUOT, EFBIG].contains(reason)
    }

    /// The error of the call that just failed.
    private static func failure(_ what: String) -> StorageError {
        let reason = errno
        let code: StorageError.Code =
            isLackOfRoom(reason)
            ? .diskFull : reason == EROFS || reason == EACCES ? .readOnly : .other
        return StorageError(code, "\(what): \(String(cString: strerror(reason)))")
    }
}
