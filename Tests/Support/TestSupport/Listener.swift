import AppStoreSigning
public import AppStoreWire
public import FoundationEssentials
public import Outbox
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A developer's server that takes notifications: it remembers what came, and fails when told.
public final class Listener: Post {
    /// One notification as it arrived.
    public struct Arrival: Sendable {
        public let url: String
        public let signedPayload: String
        public let notification: ResponseBodyV2DecodedPayload
        /// The transaction in it, where there is one.
        public let transaction: JWSTransactionDecodedPayload?
        /// The renewal info in it, where there is one.
        public let renewal: JWSRenewalInfoDecodedPayload?

        /// `EXPIRED/VOLUNTARY`, or the type alone.
        public var name: String {
            guard let subtype = notification.subtype else {
                return notification.notificationType.rawValue
            }
            return "\(notification.notificationType.rawValue)/\(subtype.rawValue)"
        }
    }

    private struct State {
        var arrivals: [Arrival] = []
        var seen = 0
        var outcomes: [PostOutcome] = []
        var onArrival: (@Sendable (Arrival) async -> Void)?
        var waiting: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    public init() {}

    public func post(_ body: [UInt8], to url: String) async -> PostOutcome {
        let arrival: Arrival
        do {
            arrival = try Listener.read(body, url: url)
        } catch {
            preconditionFailure("a notification cannot be read: \(error)")
        }
        let (outcome, onArrival, waiting) = state.withLock { state in
            state.arrivals.append(arrival)
            let outcome = state.outcomes.isEmpty ? .taken : state.outcomes.removeFirst()
            let count = state.arrivals.count
            let waiting = state.waiting.filter { $0.count <= count }
            state.waiting.removeAll { $0.count <= count }
            return (outcome, state.onArrival, waiting)
        }
        for (_, continuation) in waiting { continuation.resume() }
        await onArrival?(arrival)
        // Whoever posted has gone before there was an answer.
        return Task.isCancelled ? .socketIssue : outcome
    }

    /// Everything that came, first to last; what is about several subscriptions comes in any order.
    public var arrivals: [Arrival] { state.withLock { $0.arrivals } }

    /// What came since the last call.
    public func takeArrivals() -> [Arrival] {
        state.withLock { state in
            defer { state.seen = state.arrivals.count }
            return Array(state.arrivals[state.seen...])
        }
    }

    /// Waits until so many notifications have come in all; a test's time limit bounds the wait.
    public func waitForArrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// The answers to the next posts; afterwards all succeed.
    public func answer(_ outcomes: [PostOutcome]) {
        state.withLock { $0.outcomes = outcomes }
    }

    /// Does something whenever a notification arrives, before it is answered.
    public func onArrival(_ body: @escaping @Sendable (Arrival) async -> Void) {
        state.withLock { $0.onArrival = body }
    }

    private static func read(_ body: [UInt8], url: String) throws -> Arrival {
        let decoder = JSONDecoder()
        let outer = try decoder.decode(ResponseBodyV2.self, from: Data(body))
        let notification: ResponseBodyV2DecodedPayload = try JWSText.decode(outer.signedPayload)
        return Arrival(
            url: url, signedPayload: outer.signedPayload, notification: notification,
            transaction: try notification.data?.signedTransactionInfo.map {
                try JWSText.decode($0)
            },
            renewal: try notification.data?.signedRenewalInfo.map { try JWSText.decode($0) })
    }
}

/// Reads the payload of a signed text without judging the signature; tests of signing do that.
public enum JWSText {
    public static func decode<Payload: Decodable>(_ jws: String) throws -> Payload {
        try JSONDecoder().decode(Payload.self, from: data(jws))
    }

    /// What is not signed, or not signed yet.
    public static func decode<Payload: Decodable>(
        plain bytes: some Sequence<UInt8>
    ) throws -> Payload {
        try JSONDecoder().decode(Payload.self, from: Data(bytes))
    }

    /// The members of the payload as they stand in its JSON: what is absent is absent.
    public static func members(_ jws: String) throws -> [String: JSONValue] {
        guard let members = try JSONValue(parsing: data(jws)).object else { throw Malformed() }
        return members
    }

    // A simulation decodes a great many, so this is fast in a debug build too.
    private static func data(_ jws: String) throws -> Data {
        var jws = jws
        let base64 = try jws.withUTF8 { bytes -> [UInt8] in
            guard let base = bytes.baseAddress, let first = dot(from: base, bytes.count),
                let second = dot(from: base + first + 1, bytes.count - first - 1)
            else { throw Malformed() }
            return Array(bytes[(first + 1)..<(first + 1 + second)])
        }
        return try data(base64: base64)
    }

    private static func dot(from start: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        memchr(start, Int32(UInt8(ascii: ".")), count).map {
            UnsafeRawPointer($0) - UnsafeRawPointer(start)
        }
    }

    /// Reads base64 as it stands in a signed text.
    public static func data(base64 bytes: [UInt8]) throws -> Data {
        guard let bytes = Base64URL.decode(bytes) else { throw Malformed() }
        return Data(bytes)
    }

    struct Malformed: Error {}
}

extension PostOutcome {
    /// The server has what was posted.
    public static let taken = answered(status: 200)
    /// The server has failed.
    public static let failed = answered(status: 500)
}
