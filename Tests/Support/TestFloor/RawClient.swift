#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A client on loopback that sends whatever bytes a test wants, right or wrong.
public enum RawClient {
    /// What came back.
    public struct Answer: Sendable {
        public let text: String
        /// Whether the server closed the connection; if not, it had nothing more to say for long.
        public let isClosed: Bool

        /// The status codes of all answers, in order.
        public var statuses: [Int] {
            text.ranges(of: "HTTP/1.1 ").compactMap { Int(text[$0.upperBound...].prefix(3)) }
        }
    }

    struct Unavailable: Error {}

    /// Sends bytes and reads until the server closes the connection.
    ///
    /// - Parameter seconds: how long to wait for more where it does not.
    public static func send(
        _ bytes: [UInt8], toPort port: Int, patience seconds: Int = 120
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            WaitingThread.start {
                continuation.resume(with: Result { try exchange(bytes, port, seconds) })
            }
        }
    }

    private static func exchange(_ bytes: [UInt8], _ port: Int, _ seconds: Int) throws -> Answer {
        let socket = RawServer.makeSocket()
        defer { RawServer.closeSocket(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, length) == 0
            }
        }
        guard isConnected else { throw Unavailable() }
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        // A server that has had enough says so before all of it is sent.
        _ = RawServer.send(bytes, to: socket)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else {
                let isPatienceOver = count < 0 && errno == EAGAIN
                return Answer(
                    text: String(decoding: answer, as: UTF8.self), isClosed: !isPatienceOver)
            }
            answer += buffer[..<count]
        }
    }
}
