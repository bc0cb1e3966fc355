public import AppStoreWire
import Store
import SubscriptionRules

/// What goes wrong between the store and your server, by rules. Each holds from now on, until the
/// test ends or ``clear()``.
public struct Faults: Sendable {
    let owner: TestStore

    // MARK: Notifications, all of them or those of a type and subtype

    /// They never arrive, and the store believes that they did: nothing is sent again.
    public func lose(
        _ type: NotificationTypeV2? = nil, _ subtype: Subtype? = nil, count: Int? = nil
    ) async throws {
        try await add(.notifications(.lose, type: type, subtype: subtype), count)
    }

    /// Attempts fail, and Production makes them again as Apple does: after 1, 12, 24, 48 and 72
    /// hours of the store's clock.
    public func drop(
        _ type: NotificationTypeV2? = nil, _ subtype: Subtype? = nil, count: Int? = nil
    ) async throws {
        try await add(.notifications(.drop, type: type, subtype: subtype), count)
    }

    /// They arrive so many times more.
    public func `repeat`(
        _ type: NotificationTypeV2? = nil, _ subtype: Subtype? = nil, times: Int = 1,
        count: Int? = nil
    ) async throws {
        try await add(.notifications(.repeats(times: times), type: type, subtype: subtype), count)
    }

    /// They arrive later, by so many seconds of the store's clock.
    public func delay(
        _ type: NotificationTypeV2? = nil, _ subtype: Subtype? = nil, bySeconds seconds: Int,
        count: Int? = nil
    ) async throws {
        let span = Span.seconds(seconds)
        try await add(.notifications(.delay(span), type: type, subtype: subtype), count)
    }

    /// They arrive later by chance, by so many seconds at most, so that later ones overtake them.
    public func reorder(
        _ type: NotificationTypeV2? = nil, _ subtype: Subtype? = nil, withinSeconds seconds: Int,
        count: Int? = nil
    ) async throws {
        let span = Span.seconds(seconds)
        try await add(.notifications(.reorder(within: span), type: type, subtype: subtype), count)
    }

    // MARK: Calls of the App Store Server API

    /// They are answered with one of Apple's error codes; 5000001 can be tried again.
    ///
    /// - Parameter operation: an endpoint's name, such as `getAllSubscriptionStatuses`; nil for
    ///   all.
    public func failCalls(
        _ code: Int64 = 5_000_001, of operation: String? = nil, count: Int? = nil
    ) async throws {
        try await add(.calls(.fail(code: code), operation: operation), count)
    }

    /// They are answered with 429.
    public func limitCalls(of operation: String? = nil, count: Int? = nil) async throws {
        try await add(.calls(.limit(pause: nil), operation: operation), count)
    }

    /// They are answered late, by so many seconds of real time: 30 at most.
    public func slowCalls(
        bySeconds seconds: Int, of operation: String? = nil, count: Int? = nil
    ) async throws {
        try await add(.calls(.slow(Span.seconds(seconds)), operation: operation), count)
    }

    /// Removes all rules.
    public func clear() async throws { try await owner.store.clearFaults(in: owner.place) }

    private func add(_ effect: FaultRule.Effect, _ count: Int?) async throws {
        _ = try await owner.store.addFault(FaultRule(effect, most: count), in: owner.place)
    }
}

extension TestStore {
    /// Lost, late and repeated notifications, and calls that fail.
    public var faults: Faults { Faults(owner: self) }
}
