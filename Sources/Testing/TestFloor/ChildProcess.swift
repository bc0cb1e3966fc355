#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import FoundationEssentials
import Synchronization

/// A program started by a test. Foundation's own `Process` crashed at times when many tests
/// started programs at once.
public final class ChildProcess: Sendable {
    /// The system's number of it.
    public let id: Int32
    /// Held while a pipe is made and while a program starts, so that none inherits a pipe that is
    /// not marked yet.
    private static let starting = Mutex(())
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
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let inherited = ProcessInfo.processInfo.environment
        let variables =
            inherited.merging(environment) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var id = pid_t()
        let code = ChildProcess.starting.withLock { _ in
            posix_spawn(&id, path, &actions, nil, words, variables)
        }
        guard code == 0 else { throw Failure(code: code) }
        self.id = id
    }

    /// A pipe of which no other program that a test starts gets hold.
    public static func makePipe() throws(Failure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        let isMade = starting.withLock { _ in
            guard pipe(&ends) == 0 else { return false }
            return ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
        }
        guard isMade else { throw Failure(code: errno) }
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
