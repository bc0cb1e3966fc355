import Foundation
import Glibc

/// A load on a server of this machine: threads with a connection each, one request at a time, as
/// little work of its own as possible.
struct Load: Sendable {
    let port: Int
    let connections: Int
    let total: Int
    let request: @Sendable (Int) -> String

    /// What came of it.
    struct Outcome: Sendable {
        /// Answered requests a second.
        let rate: Double
        /// How long each waited for its answer, in milliseconds, the shortest first.
        let waits: [Double]
        /// What each took of the processors, in microseconds, here and in the server.
        let processorTime: Double
        /// How often a thread gave its place to another one for each.
        let switches: Double
        /// How many bytes the longest reply has, its head included.
        let longest: Int

        /// How long the given share of them waited at most, in milliseconds.
        func wait(of share: Double) -> Double { waits[Int(Double(waits.count - 1) * share)] }
    }

    func run() async throws -> Outcome {
        // Made beforehand: writing requests is no part of what is measured.
        let requests = (0..<total).map { Array(request($0).utf8) }
        var waits: [Double] = []
        var longest = 0
        let before = Load.usage()
        let time = await seconds {
            await withTaskGroup(of: ([Double], longest: Int).self) { group in
                for connection in 0..<connections {
                    group.addTask { await onThread { run(connection, requests) } }
                }
                for await some in group {
                    waits += some.0
                    longest = max(longest, some.longest)
                }
            }
        }
        let after = Load.usage()
        return Outcome(
            rate: Double(total) / time, waits: waits.sorted(),
            processorTime: (after.microseconds - before.microseconds) / Double(total),
            switches: (after.switches - before.switches) / Double(total), longest: longest)
    }

    /// What this process has used so far.
    private static func usage() -> (microseconds: Double, switches: Double) {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        func microseconds(_ time: timeval) -> Double {
            Double(time.tv_sec) * 1e6 + Double(time.tv_usec)
        }
        return (
            microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
            Double(usage.ru_nvcsw + usage.ru_nivcsw)
        )
    }

    /// Threads of their own, so that the server keeps its own.
    private func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    /// Makes a single request.
    ///
    /// - Returns: the whole reply, whatever it says.
    static func reply(to request: String, port: Int) -> String {
        let socket = connect(to: port)
        defer { close(socket) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        send(Array(request.utf8), on: socket)
        return String(decoding: buffer[..<readReply(socket, &buffer)], as: UTF8.self)
    }

    /// - Returns: how long each request waited for its answer, in milliseconds, and the bytes of
    ///   the longest one.
    private func run(_ connection: Int, _ requests: [[UInt8]]) -> ([Double], longest: Int) {
        let socket = Load.connect(to: port)
        defer { close(socket) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var waits: [Double] = []
        waits.reserveCapacity(requests.count / connections + 1)
        var longest = 0
        for index in stride(from: connection, to: requests.count, by: connections) {
            let start = ContinuousClock.now
            Load.send(requests[index], on: socket)
            longest = max(longest, Load.readReply(socket, &buffer))
            waits.append(start.duration(to: .now) / .milliseconds(1))
            precondition(
                buffer[9] == UInt8(ascii: "2"),
                "a request failed: \(String(decoding: buffer[..<80], as: UTF8.self))")
        }
        return (waits, longest)
    }

    private static func send(_ request: [UInt8], on socket: Int32) {
        let sent = Glibc.send(socket, request, request.count, 0)
        precondition(sent == request.count, "a request could not be sent")
    }

    private static func connect(to port: Int) -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(result == 0, "the server does not answer")
        var one: Int32 = 1
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        return socket
    }

    /// Reads one reply, which must say how long it is.
    ///
    /// - Returns: how long it is, its head included.
    private static func readReply(_ socket: Int32, _ buffer: inout [UInt8]) -> Int {
        var count = 0
        var end: Int?
        while end == nil || count < end! {
            let read = buffer.withUnsafeMutableBytes { bytes in
                recv(socket, bytes.baseAddress! + count, bytes.count - count, 0)
            }
            precondition(read > 0, "the server closed the connection")
            count += read
            if end == nil { end = buffer.withUnsafeBytes { replyLength($0[..<count]) } }
        }
        return count
    }

    /// The length of the whole reply, once its head is complete. Byte by byte: looking for it must
    /// not cost as much as the server's writing.
    private static func replyLength(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        let reply = UnsafeRawBufferPointer(rebasing: bytes)
        guard let headEnd = end(of: "\r\n\r\n", in: reply) else { return nil }
        let head = UnsafeRawBufferPointer(rebasing: reply[..<headEnd])
        guard let field = end(of: "\r\nContent-Length: ", in: head) else {
            preconditionFailure("a reply does not say how long it is")
        }
        var length = 0
        for byte in head[field...] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
            length = length * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return headEnd + length
    }

    /// Where some bytes end that stand among others.
    private static func end(of text: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        let count = text.utf8CodeUnitCount
        guard let start = bytes.baseAddress, bytes.count >= count else { return nil }
        for place in 0...(bytes.count - count)
        where memcmp(start + place, text.utf8Start, count) == 0 {
            return place + count
        }
        return nil
    }
}
