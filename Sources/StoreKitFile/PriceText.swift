/// A price as the file writes it, a decimal text without currency: `"0.99"`, `"79"`, `"13900"`.
public enum PriceText {
    /// The highest price: a thousand million. Far above the App Store's highest in any currency,
    /// and far enough below the end of 64 bits that the rules can multiply it.
    static let highest: Int64 = 1_000_000_000_000

    /// Why a text is no price.
    public struct Fault: Error {
        let problem: String
        let remedy: String
    }

    private static let remedy = "Write digits with a point, such as \"9.99\"."

    /// The price in milliunits, exactly: integers only, because a price read through a binary
    /// fraction is off by one somewhere.
    public static func milliunits(_ text: String) throws(Fault) -> Int64 {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard digits, parts.count <= 2 else { throw fault(in: text) }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.utf8.count <= 3 else {
            throw Fault(
                problem: "The price \(quoted(text)) has more than three decimals.",
                remedy: "Write at most the two decimals that the App Store allows.")
        }
        // Zeros complete the thousandths, so that the digits are the number.
        let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
        guard let milliunits = Int64(parts[0] + fraction + zeros), milliunits <= highest else {
            throw Fault(
                problem: "The price \(quoted(text)) is too large.",
                remedy: "Write a price of at most 1000000000.")
        }
        return milliunits
    }

    private static func fault(in text: String) -> Fault {
        let problem: String
        if text.contains(",") {
            problem = "The price \(quoted(text)) has a comma."
        } else if text.hasPrefix("-") || text.hasPrefix("+") {
            problem = "The price \(quoted(text)) has a sign."
        } else {
            problem = "The price \(quoted(text)) is no plain decimal number."
        }
        return Fault(problem: problem, remedy: remedy)
    }
}
