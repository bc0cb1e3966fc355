import Yams

/// What YAML says again by an alias (`*prices`) costs nothing to write and much to read: ten lines
/// can mean a thousand million values. A campaign that is sent may mean about as much as it has
/// bytes.
enum AliasLimit {
    /// What a campaign may mean that uses aliases: as many values as this, or as it has bytes.
    private static let fewValues = 100_000
    /// Keys are compared while the file is read, aliases within them written out.
    private static let mostInKeys = 1_000_000

    /// Whether a text may be too large to be read at all: a bound on what aliases within what
    /// other aliases name can add up to, by their numbers alone.
    static func isExceeded(byText text: String) -> Bool {
        let (anchors, aliases) = counts(text)
        guard anchors > 0, aliases > 0 else { return false }
        for depth in 1...min(anchors, aliases, 40) {
            var size = 1
            for _ in 0..<depth {
                size *= aliases / depth + 1
                if size > mostInKeys { return true }
            }
        }
        return false
    }

    /// Whether what was read means more than it may.
    static func isExceeded(by root: Node, of text: String) -> Bool {
        var left = max(text.utf8.count, fewValues)
        var waiting = [root]
        while let node = waiting.popLast() {
            left -= 1
            switch node {
            case .mapping(let mapping):
                left -= mapping.count
                guard left >= 0 else { return true }
                for (_, value) in mapping { waiting.append(value) }
            case .sequence(let sequence):
                guard left >= sequence.count else { return true }
                waiting += sequence
            default: break
            }
            if left < 0 { return true }
        }
        return false
    }

    /// How many words of a text look like an anchor (`&a`) and like an alias (`*a`).
    private static func counts(_ text: String) -> (anchors: Int, aliases: Int) {
        let (ampersand, star) = (UInt8(ascii: "&"), UInt8(ascii: "*"))
        let gaps = Set(" \t\r\n[{,:?-".utf8)
        var (anchors, aliases) = (0, 0)
        var (before, mark) = (UInt8(ascii: " "), nil as UInt8?)
        for byte in text.utf8 {
            if mark != nil, !gaps.contains(byte) {
                if mark == ampersand { anchors += 1 } else { aliases += 1 }
            }
            mark = (byte == ampersand || byte == star) && gaps.contains(before) ? byte : nil
            before = byte
        }
        return (anchors, aliases)
    }
}
