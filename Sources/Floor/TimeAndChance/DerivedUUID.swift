import Crypto

/// UUIDs that follow from a secret seed, so that the same run again gives the same bytes and nobody
/// outside can guess the next one.
public enum DerivedUUID {
    /// The UUID of a number among those for a purpose, in lower case.
    public static func text(seed: String, purpose: String, number: Int64) -> String {
        var bytes = Array(SHA256.hash(data: Array("\(seed)/\(purpose)/\(number)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = bytes.hexadecimal
        for place in [20, 16, 12, 8] {
            text.insert("-", at: text.utf8.index(text.startIndex, offsetBy: place))
        }
        return text
    }
}
