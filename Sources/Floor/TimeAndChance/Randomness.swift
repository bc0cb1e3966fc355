import FoundationEssentials

/// The machine's own randomness: the one place where chance that nobody passed in comes from.
public enum Randomness {
    /// Random bytes fit for secrets.
    public static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A random number that can be typed, such as the seed of a simulation.
    public static func number() -> UInt64 {
        bytes(5).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A secret of 256 bits as URL-safe text, behind a prefix that says what it is for.
    public static func token(_ prefix: String) -> String {
        prefix + bytes(32).hexadecimal
    }
}

/// The machine's randomness for those who take a generator.
public struct MachineGenerator: RandomNumberGenerator {
    public init() {}

    public mutating func next() -> UInt64 {
        Randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
