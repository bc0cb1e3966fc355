#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import FoundationEssentials
import Synchronization

/// A program started by a test, which inherits nothing but its output: a connection that it had as
/// well would not end when the test closes it. Foundation's own `Process` crashed at times when
/// many tests started programs at once.
public final class ChildProcess: Sendable {
    /// The system's number of it.
    public let id: Int32
    /// What it ended with, once it was waited for.
    private let ending = Mutex<Int32?>(nil)

    /// Why the system did not start it: an `errno`.
    public struct Failure: Error {
        public let code: Int32
    }

    /// Starts a program, with the environment of the test.
    ///
    /// - Parameters:
    ///   - environment: what it finds otherwise than the test does.
    ///   - output: the file descriptor that it writes to; nil for nowhere.
    ///   - complaint: the file descriptor for what it complains of; nil for nowhere.
    public init(
        path: String, arguments: [String], environment: [String: String] = [:],
        output: Int32? = nil, complaint: Int32? = nil
    ) throws(Failure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, target) in [(output, Int32(1)), (complaint, Int32(2))] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        #if canImport(Glibc)
            _ = closeFrom(&actions, 3)
        #elseif canImport(Darwin)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        #endif
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let inherited = ProcessInfo.processInfo.environment
        let variables =
            inherited.merging(environment) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, words, variables)
        guard code == 0 else { throw Failure(code: code) }
        self.id = id
    }

    /// A pipe of which no other program that a test starts gets hold.
    public static func makePipe() throws(Failure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(code: errno) }
        return (ends[0], ends[1])
    }

    /// Whether it runs still.
    public var isRunning: Bool { collect() == nil }

    /// Sends a signal, unless it has ended.
    public func send(signal: Int32) {
        ending.withLock { if $0 == nil { _ = kill(id, signal) } }
    }

    /// Waits for its end; blocks the thread.
    ///
    /// - Returns: its exit code, or the negative signal that ended it.
    @discardableResult
    public func wait() -> Int32 {
        while true {
            if let code = collect() { return code }
            // Waits without collecting, so that signals can still be sent meanwhile.
            var information = siginfo_t()
            waitid(P_PID, id_t(id), &information, Int32(WEXITED | WNOWAIT))
        }
    }

    private func collect() -> Int32? {
        ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            guard waitpid(id, &status, WNOHANG) == id else { return nil }
            let signal = status & 0x7F
            ending = signal == 0 ? (status >> 8) & 0xFF : -signal
            return ending
        }
    }
}

#if canImport(Glibc)
    /// `posix_spawn_file_actions_addclosefrom_np`, which the headers hold back from Swift. Part of
    /// glibc since 2.34.
    private let closeFrom = {
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            preconditionFailure("tests that start programs need glibc 2.34 or later")
        }
        return unsafeBitCast(
            symbol,
            to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32)
                .self)
    }()
#endif
