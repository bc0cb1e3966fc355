#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes small files so that readers see the old contents or the new, never a part, and never
/// with more permissions than asked for.
///
/// FileManager sets permissions only after a file is in place: a key would stand open meanwhile.
public enum AtomicFile {
    /// Why a file could not be written.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The path that was to be written.
        public let path: String
        /// The system's error number.
        public let code: Int32

        /// Path and the system's words in one line.
        public var description: String { "\(path): \(String(cString: strerror(code)))" }
    }

    /// Writes `bytes` to `path`, in place of what is there.
    ///
    /// - Parameter mode: The permission bits that the file has from the moment it exists: 0o600
    ///   for secrets, whatever the process's mask is.
    public static func write(
        _ bytes: [UInt8], to path: String, mode: UInt16
    ) throws(Failure) {
        let draft = path + ".new"
        unlink(draft)  // What a crash may have left.
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(path: path, code: errno) }
        let code = fill(file, with: bytes, mode: mode_t(mode))
        close(file)
        if code == 0, rename(draft, path) == 0 { return }
        let failure = Failure(path: path, code: code == 0 ? errno : code)
        unlink(draft)
        throw failure
    }

    /// The system's error number, or zero.
    private static func fill(_ file: Int32, with bytes: [UInt8], mode: mode_t) -> Int32 {
        guard fchmod(file, mode) == 0 else { return errno }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return pwrite(file, rest.baseAddress, rest.count, off_t(written))
            }
            if count >= 0 { written += count } else if errno != EINTR { return errno }
        }
        return fsync(file) == 0 ? 0 : errno
    }
}
