internal import Storage
internal import Synchronization

/// Connections that only read, made as needed: as many as threads ever read at once.
final class ReaderPool: Sendable {
    private let path: String
    private let options: ConnectionOptions
    private let state = Mutex(State())

    private struct State {
        var idle: [Connection] = []
        var inUse = 0
        var isClosed = false
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    init(path: String, options: ConnectionOptions) {
        self.path = path
        self.options = options
    }

    /// Runs a body on one snapshot, on the caller's thread: a read takes microseconds, fewer than
    /// changing threads.
    func perform<T>(_ body: (any Session) throws -> T) throws -> T {
        let reader = try take()
        defer { giveBack(reader) }
        try reader.step("BEGIN")
        let session = SQLiteSession(reader)
        let result = Result { try body(session) }
        // Nothing was changed, so COMMIT has nothing to lose; ROLLBACK is for its refusal.
        do { try reader.step("COMMIT") } catch { try? reader.step("ROLLBACK") }
        let value = try result.get()
        // The body may have caught the error.
        if let failure = session.failure { throw failure }
        return value
    }

    /// Refuses new reads and waits for those under way.
    func close() async {
        await withCheckedContinuation { continuation in
            let (idle, isQuiet) = state.withLock { state in
                state.isClosed = true
                defer { state.idle = [] }
                if state.inUse > 0 { state.closing.append(continuation) }
                return (state.idle, state.inUse == 0)
            }
            for reader in idle { reader.close() }
            if isQuiet { continuation.resume() }
        }
    }

    private func take() throws(StorageError) -> Connection {
        let idle = try state.withLock { (state) throws(StorageError) -> Connection? in
            guard !state.isClosed else { throw .closed }
            state.inUse += 1
            return state.idle.popLast()
        }
        if let idle { return idle }
        do throws(StorageError) {
            return try Connection(path: path, readOnly: true, options: options)
        } catch {
            giveBack(nil)
            throw error
        }
    }

    private func giveBack(_ reader: Connection?) {
        let (isClosed, isLast) = state.withLock { state in
            state.inUse -= 1
            if !state.isClosed, let reader { state.idle.append(reader) }
            return (state.isClosed, state.inUse == 0)
        }
        guard isClosed else { return }
        reader?.close()
        guard isLast else { return }
        let closing = state.withLock { state in
            defer { state.closing = [] }
            return state.closing
        }
        for continuation in closing { continuation.resume() }
    }
}
