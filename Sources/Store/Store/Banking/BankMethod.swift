/// A customer's payment method at a bank outside, under the name that the bank has for it. The
/// store keeps nothing else of it.
public struct BankMethod: Sendable, Hashable {
    /// The bank's own name for it.
    public let token: String
    /// Why the bank asked not to be asked again; nil while it may be.
    public internal(set) var refusal: DeclineClass?

    /// Whether a text can be a bank's name for a method. What looks like a card's number cannot:
    /// nobody is to leave one here.
    static func isToken(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        let digits = text.utf8.count { (0x30...0x39).contains($0) }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
        return (1...255).contains(text.utf8.count) && isPlain
            && !(isNumber && (12...19).contains(digits))
    }

    /// What such a text must be, as the end of a sentence.
    static let tokenRule =
        "1 to 255 visible ASCII characters, the bank's own name for the method and no card number"
}
