/// Why a text is not acceptable JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without the text itself.
    public let message: String
    /// How many bytes precede the fault.
    public let offset: Int

    /// Makes an error.
    public init(message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }

    /// Message and place in one line.
    public var description: String { "\(message) (at byte \(offset))" }
}
