/// A price as the file writes it, a decimal text without currency: `"0.99"`, `"79"`, `"13900"`.
public enum PriceText {
    /// The highest price: a thousand million. Far above the App Store's highest in any currency,
    /// and far enough below the end of 64 bits that the rules can multiply it.
    public static let highest: Int64 = 1_000_000_000_000

    /// Why a text is no price.
    public struct Fault: Error {
        /// What is wrong.
        public enum Reason: Hashable, Sendable {
            /// It is more than `highest`.
            case tooLarge
            /// It has more than three decimals.
            case tooPrecise
            /// It has a comma.
            case comma
            /// It has a plus or minus.
            case sign
            /// It has anything else but digits around one point.
            case malformed
        }

        /// What is wrong.
        public let reason: Reason
        private let text: String

        init(_ reason: Reason, _ text: String) {
            self.reason = reason
            self.text = text
        }

        var problem: String {
            let what =
                switch reason {
                case .tooLarge: "is too large"
                case .tooPrecise: "has more than three decimals"
                case .comma: "has a comma"
                case .sign: "has a sign"
                case .malformed: "is no plain decimal number"
                }
            return "The price \(quoted(text)) \(what)."
        }

        var remedy: String {
            switch reason {
            case .tooLarge: "Write a price of at most 1000000000."
            case .tooPrecise: "Write at most the two decimals that the App Store allows."
            case .comma, .sign, .malformed: "Write digits with a point, such as \"9.99\"."
            }
        }
    }

    /// The price in milliunits, exactly: integers only, because a price read through a binary
    /// fraction is off by one somewhere.
    public static func milliunits(_ text: String) throws(Fault) -> Int64 {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard digits, parts.count <= 2 else { throw fault(in: text) }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.utf8.count <= 3 else { throw Fault(.tooPrecise, text) }
        // Zeros complete the thousandths, so that the digits are the number.
        let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
        guard let milliunits = Int64(parts[0] + fraction + zeros), milliunits <= highest else {
            throw Fault(.tooLarge, text)
        }
        return milliunits
    }

    private static func fault(in text: String) -> Fault {
        if text.contains(",") { return Fault(.comma, text) }
        return Fault(text.hasPrefix("-") || text.hasPrefix("+") ? .sign : .malformed, text)
    }
}
