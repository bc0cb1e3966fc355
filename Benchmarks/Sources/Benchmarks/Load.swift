import Foundation
import Glibc

/// A load on a server of this machine: threads with a connection each, one request at a time, as
/// little work of its own as possible.
struct Load: Sendable {
    let port: Int
    let connections: Int
    let total: Int
    let request: @Sendable (Int) -> String

    /// - Returns: answered requests a second.
    func run() async throws -> Double {
        // Made beforehand: writing requests is no part of what is measured.
        let requests = (0..<total).map { Array(request($0).utf8) }
        let time = await seconds {
            await withTaskGroup { group in
                for connection in 0..<connections {
                    group.addTask { await onThread { run(connection, requests) } }
                }
            }
        }
        return Double(total) / time
    }

    /// Threads of their own, so that the server keeps its own.
    private func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }

    private func run(_ connection: Int, _ requests: [[UInt8]]) {
        let socket = connect()
        defer { close(socket) }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        for index in stride(from: connection, to: requests.count, by: connections) {
            let sent = send(socket, requests[index], requests[index].count, 0)
            precondition(sent == requests[index].count, "a request could not be sent")
            readReply(socket, &buffer)
        }
    }

    private func connect() -> Int32 {
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

    /// Reads one reply, which must be a success and say how long it is.
    private func readReply(_ socket: Int32, _ buffer: inout [UInt8]) {
        var count = 0
        var end: Int?
        while end == nil || count < end! {
            let read = buffer.withUnsafeMutableBytes { bytes in
                recv(socket, bytes.baseAddress! + count, bytes.count - count, 0)
            }
            precondition(read > 0, "the server closed the connection")
            count += read
            if end == nil { end = Load.replyLength(buffer[..<count]) }
        }
        precondition(buffer[9] == UInt8(ascii: "2"), "a request failed")
    }

    /// The length of the whole reply, once its head is complete.
    private static func replyLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let headEnd = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else {
            return nil
        }
        let head = String(decoding: bytes[..<headEnd], as: UTF8.self).lowercased()
        guard let field = head.firstRange(of: "content-length: ") else {
            preconditionFailure("a reply does not say how long it is")
        }
        let digits = head[field.upperBound...].prefix { $0.isNumber }
        return headEnd + (Int(digits) ?? 0)
    }
}
