import Crypto

/// Numbers that follow from a seed, so that the same seed gives the same choices.
public enum DerivedNumber {
    /// A number from 0 up to a bound, evenly spread.
    public static func below(_ bound: Int64, seed: String, purpose: String, number: Int64) -> Int64
    {
        precondition(bound > 0, "a number below \(bound) was asked for")
        let digest = SHA256.hash(data: Array("\(seed)/\(purpose)/\(number)".utf8))
        // The remainder of 64 bits by a small bound favours nobody noticeably.
        let value = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(value % UInt64(bound))
    }
}
