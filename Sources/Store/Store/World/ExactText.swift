/// A text that is only equal to one of the same bytes.
///
/// Swift takes `é` for one text whether it is written as one character or as two, a database and
/// everybody who reads the bytes take it for two; where both meet, the bytes have to count, or one
/// row is taken for another.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
