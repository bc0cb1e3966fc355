import Mustache

/// A text that is broken, where it must be, behind the dots of its identifiers.
struct BrokenText: Sendable, Hashable, MustacheParent {
    /// Each ends with a dot behind which a line may end.
    let parts: [String]
    let end: String

    init(_ text: String) {
        guard text.contains(".") else {
            (parts, end) = ([], text)
            return
        }
        var parts: [String] = [""]
        for letter in text {
            if parts[parts.count - 1].last == ".", letter.isLetter { parts.append("") }
            parts[parts.count - 1].append(letter)
        }
        end = parts.removeLast()
        self.parts = parts
    }

    func child(named key: String) -> Any? {
        switch key {
        case "parts": parts
        case "end": end
        default: nil
        }
    }
}
