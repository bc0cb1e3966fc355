import AppStoreSigning
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a store keeps its database, keys and certificates, held by one process at a time.
final class DataDirectory: Sendable {
    /// The absolute path.
    let path: String
    /// Whether it ends with the process.
    let isTemporary: Bool
    /// The open file whose lock says that the directory is taken; the system lets go of it when
    /// the process ends, however it ends.
    private let lock: Int32

    /// Opens a directory, which is made if there is none, for its owner alone (mode 0700).
    ///
    /// - Throws: `Failure` when another process holds it or the system refuses.
    init(_ path: String) throws {
        self.path = Self.absolute(path)
        isTemporary = false
        do {
            try FileManager.default.createDirectory(
                atPath: self.path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure.refused(
                "The data directory \(path) cannot be made; name another one with --data.")
        }
        lock = try Self.take(self.path)
        try checkAccess(of: self.path, isSecret: false)
    }

    /// Makes a directory that `remove` takes away, and takes away what stores left that died.
    init(temporaryIn parent: String) throws {
        Self.clear(Self.absolute(parent))
        let wildcard = String(repeating: "X", count: 6)
        var template = Array(
            "\(Self.absolute(parent))/\(Self.temporaryName)\(wildcard)".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure.refused(
                "No temporary directory can be made in \(parent): \(Self.reason()).")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        isTemporary = true
        lock = try Self.take(path)
    }

    deinit {
        // A child that is about to start another program still has the file open.
        flock(lock, LOCK_UN)
        close(lock)
    }

    /// The SQLite database.
    var database: String { file("store.sqlite") }
    /// The ready file that the client verbs look for.
    var readyFile: String { file("ready.json") }
    /// The directory of the certificates.
    var certificates: String { file("certificates") }
    /// The file that says that the first start has come to its end: what is missing since was
    /// lost, and is never made anew without a word.
    var completeMark: String { file("complete") }

    /// Whether a first start has come to its end in a home, of which nothing is opened.
    static func isComplete(_ home: ServePlan.Home) -> Bool {
        switch home {
        case .ephemeral: false
        case .directory(let path):
            FileManager.default.fileExists(atPath: "\(absolute(path))/complete")
        }
    }

    /// Whether a first start has come to its end here.
    var isComplete: Bool { exists(completeMark) }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Says that everything was made that belongs here.
    ///
    /// - Throws: `AtomicFile.Failure`.
    func markComplete() throws {
        guard !isComplete else { return }
        try AtomicFile.write(
            Array("What is missing beside this file was lost: docs/operations.md.\n".utf8),
            to: completeMark, mode: 0o600)
    }

    /// Refuses what others could have changed or, where it is a secret, read.
    ///
    /// - Throws: `Failure` that names the file and the remedy.
    func checkAccess(of path: String, isSecret: Bool) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let mode = status.st_mode & 0o777
        guard mode & 0o022 == 0 else {
            throw Failure.refused(
                "\(path) can be changed by others than its owner (mode \(String(mode, radix: 8))); "
                    + "check that nobody did, then: chmod go-w '\(path)'")
        }
        guard !isSecret || mode & 0o007 == 0 else {
            throw Failure.refused(
                "\(path) is a secret that everybody can read (mode \(String(mode, radix: 8))); "
                    + "hand out another, or: chmod 600 '\(path)'")
        }
    }

    /// The path of a file in it.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Takes a temporary directory away with all that is in it.
    func remove() {
        guard isTemporary else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// How the names of temporary directories begin.
    private static let temporaryName = "perennial-serve-"

    /// Takes temporary directories away whose process is gone, with the keys in them. Certificates
    /// are made under the lock alone: where there are some and the lock is free, nobody is at it.
    private static func clear(_ parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(temporaryName) {
            let path = "\(parent)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                status.st_uid == geteuid(),
                FileManager.default.fileExists(atPath: "\(path)/certificates")
            else { continue }
            let lock = open("\(path)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 {
                try? FileManager.default.removeItem(atPath: path)
            }
            close(lock)
        }
    }

    /// A path that means the same from everywhere.
    static func absolute(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false).trimmingSlash()
    }

    private static func take(_ path: String) throws -> Int32 {
        let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw Failure.refused(
                "The data directory \(path) cannot be written (\(reason())); name another one "
                    + "with --data.")
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw Failure.refused(
                "Another process is serving \(path) already; stop it, or name another directory "
                    + "with --data.")
        }
        return lock
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

extension String {
    /// A path without a slash at its end.
    fileprivate func trimmingSlash() -> String {
        count > 1 && hasSuffix("/") ? String(dropLast()) : self
    }
}
