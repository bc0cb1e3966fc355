#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
import Synchronization

/// A server on loopback that answers with whatever bytes a test wants, right or wrong.
public final class RawServer: Sendable {
    /// A request as it came.
    public struct Request: Sendable {
        /// The first line: `POST /path HTTP/1.1`.
        public let line: String
        /// The fields below it, as they came: `Authorization: Bearer …`.
        public let fields: [String]
        public let body: String
        /// The port at which it came in.
        public let port: String
    }

    /// What a request is answered with, byte for byte.
    public struct Reply: Sendable {
        /// What becomes of the connection afterwards.
        public enum Ending: Sendable {
            case staysOpen, closes
            /// The bytes come again and again until the client has enough, or had 64 MiB, which is
            /// beyond every limit: what it has not judged yet stays in its memory. Then the answer
            /// does not end.
            case goesOn
        }

        let bytes: [UInt8]
        let ending: Ending

        public init(_ bytes: [UInt8], _ ending: Ending = .closes) {
            self.bytes = bytes
            self.ending = ending
        }
    }

    private let socket: Int32
    private let port: UInt16
    private let isClosing = Atomic(false)
    private let seen = Mutex<[Request]>([])
    private let remembers: Bool

    /// Listens on a free port; `reply` makes the raw reply, of which an empty one is never sent.
    ///
    /// - Parameter remembers: whether requests are kept; many of them would fill the memory.
    public convenience init(
        remembers: Bool = true, _ reply: @escaping @Sendable (Request) -> String
    ) throws {
        try self.init(
            remembers: remembers, replying: { Reply(Array(reply($0).utf8), .staysOpen) })
    }

    /// Listens on a free port; `reply` makes the raw reply.
    ///
    /// - Parameter greeting: what is sent to whoever connects, before anything is asked.
    public init(
        greeting: [UInt8] = [], remembers: Bool = true,
        replying reply: @escaping @Sendable (Request) -> Reply = { _ in Reply([]) }
    ) throws {
        self.remembers = remembers
        socket = RawServer.makeSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard bound else { throw Unavailable() }
        port = UInt16(bigEndian: address.sin_port)
        WaitingThread.start { [self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else {
                    // Here and not in `close`, or the number might be another socket's by now.
                    if isClosing.load(ordering: .sequentiallyConsistent) {
                        RawServer.closeSocket(socket)
                    }
                    return
                }
                WaitingThread.start { [self] in
                    _ = RawServer.send(greeting, to: connection)
                    serve(connection, reply)
                }
            }
        }
    }

    struct Unavailable: Error {}

    /// Where it listens, without a path.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Everything that was asked, in order.
    public var requests: [Request] { seen.withLock { $0 } }

    /// Listens no more.
    public func close() {
        guard !isClosing.exchange(true, ordering: .sequentiallyConsistent) else { return }
        shutdown(socket, Int32(SHUT_RDWR))
    }

    static func closeSocket(_ socket: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(socket)
        #elseif canImport(Musl)
            _ = Musl.close(socket)
        #elseif canImport(Darwin)
            _ = Darwin.close(socket)
        #endif
    }

    /// Sends all bytes.
    ///
    /// - Returns: whether somebody took them.
    static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                #if canImport(Glibc)
                    Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                #elseif canImport(Musl)
                    Musl.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                #elseif canImport(Darwin)
                    Darwin.send(socket, rest.baseAddress, rest.count, 0)
                #endif
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    static func makeSocket() -> Int32 {
        #if canImport(Darwin)
            Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #elseif canImport(Musl)
            Musl.socket(AF_INET, SOCK_STREAM, 0)
        #else
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
    }

    private func serve(_ connection: Int32, _ reply: (Request) -> Reply) {
        defer { RawServer.closeSocket(connection) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            bytes += buffer[..<count]
            while let request = take(from: &bytes) {
                if remembers { seen.withLock { $0.append(request) } }
                let answer = reply(request)
                var isSent = RawServer.send(answer.bytes, to: connection)
                switch answer.ending {
                case .staysOpen: break
                case .closes: return
                case .goesOn:
                    var left = 64 << 20
                    while isSent, left > 0 {
                        isSent = RawServer.send(answer.bytes, to: connection)
                        left -= answer.bytes.count
                    }
                    while isSent, recv(connection, &buffer, buffer.count, 0) > 0 {}
                    return
                }
            }
        }
    }

    /// The next whole request, once all of it is there.
    private func take(from bytes: inout [UInt8]) -> Request? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else {
            return nil
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let length =
            lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.drop { $0 != ":" }.dropFirst().filter(\.isNumber)) } ?? 0
        guard bytes.count >= end + length else { return nil }
        let body = String(decoding: bytes[end..<(end + length)], as: UTF8.self)
        bytes.removeFirst(end + length)
        return Request(
            line: String(lines.first ?? ""), fields: lines.dropFirst().map { String($0) },
            body: body, port: String(port))
    }
}
