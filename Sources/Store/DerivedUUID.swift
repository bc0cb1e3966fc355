import Crypto

/// UUIDs that follow from the world's secret seed, so that the same world run again gives the
/// same bytes and nobody outside can guess the next one.
enum DerivedUUID {
    static func text(seed: String, purpose: String, number: Int64) -> String {
        var bytes = Array(SHA256.hash(data: Array("\(seed)/\(purpose)/\(number)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
        return text
    }
}
