import Foundation
import Synchronization
import TestFloor
import TestSupport

/// A developer's server that takes every notification and remembers which bytes came when; the
/// bytes themselves would fill the memory.
final class Inbox: Sendable {
    /// One post of a notification.
    struct Arrival: Sendable {
        /// Its place among all.
        let place: Int
        /// Of the whole body: the same for the same bytes.
        let hash: Int
    }

    private struct State {
        var count = 0
        var arrivals: [String: [Arrival]] = [:]
        var unreadable = 0
    }

    private let state: SharedState
    private let server: RawServer

    /// What the server's threads write to.
    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    /// Listens on a free port; each arrival is a step.
    init(_ steps: Steps...) throws {
        let state = SharedState()
        self.state = state
        server = try RawServer(remembers: false) { request in
            let (uuid, hash) = (Inbox.uuid(in: request.body), request.body.hashValue)
            state.value.withLock { state in
                let arrival = Arrival(place: state.count, hash: hash)
                state.count += 1
                if let uuid {
                    state.arrivals[uuid, default: []].append(arrival)
                } else {
                    state.unreadable += 1
                }
            }
            for steps in steps { steps.step() }
            return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        }
    }

    var url: String { server.url + "/notifications" }
    /// All posts by the UUID of their notification.
    var arrivals: [String: [Arrival]] { state.value.withLock { $0.arrivals } }
    /// Posts that are no notification.
    var unreadable: Int { state.value.withLock { $0.unreadable } }

    func close() { server.close() }

    /// Reads no more of a signed text than is needed: there are very many.
    private static func uuid(in body: String) -> String? {
        guard let dot = body.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let start = Array(body.utf8[dot...].dropFirst().prefix(320))
        guard let data = try? JWSText.data(base64: start) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let name = text.firstRange(of: #""notificationUUID":""#) else { return nil }
        let uuid = text[name.upperBound...].prefix(36)
        return uuid.count == 36 ? String(uuid) : nil
    }
}
