/// A secret that opens something to whoever shows it.
package struct SharedSecret: Sendable {
    private let bytes: [UInt8]

    /// - Parameter text: must not be empty.
    package init(_ text: String) {
        precondition(!text.isEmpty, "an empty secret would let everybody in")
        bytes = Array(text.utf8)
    }

    /// Whether a text is the secret. Takes the same time however much of it is right, so that it
    /// cannot be guessed piece by piece.
    package func matches(_ text: String) -> Bool {
        let given = Array(text.utf8)
        var difference = bytes.count ^ given.count
        for index in bytes.indices {
            difference |= Int(bytes[index] ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}
