import FoundationEssentials

/// The time by which a session waits and judges how old something is.
///
/// It is the app's, not the store's: a store's clock may stand still or be years ahead, so no
/// date in signed data is ever compared with it.
public protocol StoreClock: Sendable {
    /// UNIX milliseconds.
    var now: Int64 { get }

    /// Waits for a time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func wait(_ duration: Duration) async throws
}

/// The machine's own clock: the one place of this library that reads the time and waits.
public struct MachineClock: StoreClock {
    public init() {}

    public var now: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }

    public func wait(_ duration: Duration) async throws { try await Task.sleep(for: duration) }
}

/// Where a session's chance comes from: how long it waits before it tries again, and the keys of
/// purchases, which must be unique.
public protocol StoreChance: Sendable {
    /// 64 random bits.
    func next() -> UInt64
}

/// The machine's own randomness.
public struct MachineChance: StoreChance {
    public init() {}

    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}

extension StoreChance {
    /// Thirty-two hexadecimal digits that nobody else has.
    func identifier() -> String {
        [next(), next()].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
