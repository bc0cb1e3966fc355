internal import CPostgres
internal import Storage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Sending, and waiting for answers, never without an end: libpq's own calls wait for a server that
/// says nothing as long as the kernel keeps the connection, which may be for ever.
extension PostgresConnection {
    /// What a server may take beyond its own limit before it is not believed any more.
    private static let margin = Duration.seconds(5)

    /// Sends the binds for a prepared statement; 1 if that went well.
    func send(_ statement: Prepared, _ binds: EncodedBinds) -> CInt {
        binds.withPointers { count, values, lengths, formats in
            PQsendQueryPrepared(
                handle, statement.name, count, values, lengths, formats, Self.binary)
        }
    }

    func notAllSent(_ text: String) -> StorageError {
        StorageError(.other, "not all was sent", statement: text)
    }

    /// The last answer to what was just sent, outside of a pipeline.
    ///
    /// - Parameter isSent: what the call came to that sent it.
    func lastResult(of isSent: CInt) throws(StorageError) -> OpaquePointer? {
        guard isSent == 1 else { return nil }
        var last: OpaquePointer?
        do throws(StorageError) {
            while let result = try result() {
                PQclear(last)
                last = result
                if PQstatus(handle) == CONNECTION_BAD { break }
            }
        } catch {
            PQclear(last)
            throw error
        }
        return last
    }

    /// The next answer in a pipeline, or nil after the last.
    func nextResult() throws(StorageError) -> OpaquePointer? {
        // Null separates the answers of one run from those of the next; twice, it is the end.
        if let result = try result() { return result }
        return try result()
    }

    /// The next answer, or nil where libpq has none.
    private func result() throws(StorageError) -> OpaquePointer? {
        var waited = Duration.zero
        var unsent = PQflush(handle)
        while PQisBusy(handle) == 1 {
            try wait(sending: unsent == 1, &waited)
            // A failure is what the next result tells.
            guard PQconsumeInput(handle) == 1 else { break }
            if unsent == 1 { unsent = PQflush(handle) }
        }
        return PQgetResult(handle)
    }

    /// Waits until the server says something, or takes more.
    ///
    /// - Parameter waited: how long it has said nothing so far.
    private func wait(sending: Bool, _ waited: inout Duration) throws(StorageError) {
        let silence = pulse == nil ? limits.answer : limits.silence
        var socket = pollfd(
            fd: PQsocket(handle), events: Int16(sending ? POLLIN | POLLOUT : POLLIN), revents: 0)
        while true {
            let count = poll(&socket, 1, CInt(clamping: silence.milliseconds))
            if count > 0 { return }
            if count < 0, errno == EINTR { continue }
            waited += silence
            if let pulse, pulse.beatsNow(), !isTooLong(waited) { continue }
            breakOff()
            throw StorageError(.connectionLost, "PostgreSQL does not answer")
        }
    }

    /// Whether the server would have ended the statement by itself, if it still knew of it.
    private func isTooLong(_ waited: Duration) -> Bool {
        guard !hasNoLimits, let longest else { return false }
        return waited > longest + Self.margin
    }
}
