/// A value that few have, kept behind a reference: who has none carries eight bytes, whatever the
/// size of the value. Subscriptions are copied several times for a renewal, and most have no plan
/// that waits, no offer and nothing that a merchant describes.
@propertyWrapper
public struct Rare<Value: Sendable>: Sendable {
    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box?

    /// Keeps a value, or that there is none.
    @inlinable
    public init(wrappedValue: Value?) {
        box = wrappedValue.map { Box($0) }
    }

    /// The value; nil for none.
    @inlinable
    public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }
}

extension Rare: Equatable where Value: Equatable {
    @inlinable
    public static func == (one: Rare, other: Rare) -> Bool {
        // Copies share what they keep, which is then the same without a look at it.
        one.box === other.box || one.wrappedValue == other.wrappedValue
    }
}

extension Rare: Hashable where Value: Hashable {
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
