#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A user and a password, from a file that nobody else can read. They print as nothing.
package struct RelayCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    let user: String
    let password: String

    /// Reads a file of two lines; throws `RelaySettingError` where others may read it too.
    package init(file path: String) throws(RelaySettingError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path)
        }
        // What was opened is asked, not the name: another file could lie there by now.
        guard status.st_mode & 0o077 == 0 else { throw .readableByOthers(path) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .unreadable(path) }
        var lines = bytes[..<count]
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard count < bytes.count, lines.count == 2,
            lines.allSatisfy({
                (1...255).contains($0.count) && !$0.contains(where: { $0 < 0x20 })
            })
        else { throw .noUserAndPassword(path) }
        user = String(decoding: lines[0], as: UTF8.self)
        password = String(decoding: lines[1], as: UTF8.self)
    }

    package var description: String { "a user and a password" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
