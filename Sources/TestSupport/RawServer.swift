#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
import Dispatch
import Synchronization

/// A server on loopback that answers with whatever bytes a test wants, right or wrong.
public final class RawServer: Sendable {
    /// A request as it came.
    public struct Request: Sendable {
        /// The first line: `POST /path HTTP/1.1`.
        public let line: String
        public let body: String
    }

    private let socket: Int32
    private let port: UInt16
    private let seen = Mutex<[Request]>([])

    /// Listens on a free port; `reply` makes the raw reply, of which an empty one is never sent.
    public init(_ reply: @escaping @Sendable (Request) -> String) throws {
        socket = RawServer.makeSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard bound else { throw Unavailable() }
        port = UInt16(bigEndian: address.sin_port)
        DispatchQueue(label: "raw server").async { [self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                DispatchQueue.global().async { [self] in serve(connection, reply) }
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
        shutdown(socket, Int32(SHUT_RDWR))
        #if canImport(Glibc)
            _ = Glibc.close(socket)
        #elseif canImport(Musl)
            _ = Musl.close(socket)
        #elseif canImport(Darwin)
            _ = Darwin.close(socket)
        #endif
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Darwin)
            Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #elseif canImport(Musl)
            Musl.socket(AF_INET, SOCK_STREAM, 0)
        #else
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
    }

    private func serve(_ connection: Int32, _ reply: (Request) -> String) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            bytes += buffer[..<count]
            while let request = RawServer.take(from: &bytes) {
                seen.withLock { $0.append(request) }
                let answer = Array(reply(request).utf8)
                _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// The next whole request, once all of it is there.
    private static func take(from bytes: inout [UInt8]) -> Request? {
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
        return Request(line: String(lines.first ?? ""), body: body)
    }
}
