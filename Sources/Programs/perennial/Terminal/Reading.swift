import ArgumentParser
import Storage
import Store
import StoreKitFile
import SubscriptionRules

/// Reads what is typed after options, or says how it should be written.
enum Reading {
    /// A moment such as `2027-01-01`, `2027-01-01T00:00:00Z` or, as it is printed,
    /// `2027-01-01 00:00`.
    static func moment(_ text: String) throws -> Instant {
        guard let moment = Instant(plainText: text) else {
            throw ValidationError(
                "'\(text)' is no moment: write 2027-01-01 or 2027-01-01T00:00:00Z.")
        }
        return moment
    }

    /// A step such as `P1M` or `PT90M`; the text itself, since the store reads it again.
    static func step(_ text: String) throws -> String {
        guard CalendarStep(iso8601: text) != nil else {
            throw ValidationError(
                "'\(text)' is no step of time: write P1M, P2W, P1Y or PT90M (ISO 8601).")
        }
        return text
    }

    /// How far time may go: a step or a moment, as the store reads it again.
    static func limit(_ text: String) throws -> String {
        if CalendarStep(iso8601: text) != nil { return text }
        guard let moment = Instant(plainText: text) else {
            throw ValidationError(
                "'\(text)' is no limit: write P1Y, P2W or 2027-01-01T00:00:00Z.")
        }
        return moment.iso8601
    }

    /// The name of an account, or the identifier of a subscription.
    static func account(_ text: String) throws -> String {
        guard Customer.isAccount(text) else {
            throw ValidationError(
                "'\(text)' is no account: its name must be \(Customer.accountRule).")
        }
        return text
    }

    /// The name of a copy of the world.
    static func copyName(_ text: String) throws -> String {
        guard CopyPlace.isName(text) else {
            throw ValidationError(
                "'\(text)' is no name for a copy: write a letter and then letters, digits and "
                    + "hyphens, all lower case, \(CopyPlace.longestName) at most.")
        }
        return text
    }

    /// A number that is at least one.
    static func count(_ text: String) throws -> Int { try number(1...Int.max)(text) }

    /// A whole number within bounds, which may have no end.
    static func number<Number: FixedWidthInteger & Sendable>(
        _ bounds: ClosedRange<Number>
    ) -> @Sendable (String) throws -> Number {
        { text in
            if let number = Number(text), bounds.contains(number) { return number }
            let hasEnd = bounds.upperBound != .max
            if !hasEnd, text.wholeMatch(of: /[0-9]+/) != nil, Number(text) == nil {
                throw ValidationError("'\(text)' is too large a number.")
            }
            throw ValidationError(
                hasEnd
                    ? "'\(text)' is no such number: write \(bounds.lowerBound) to "
                        + "\(bounds.upperBound)."
                    : "'\(text)' is no number of \(bounds.lowerBound) or more.")
        }
    }

    /// A price such as `9.99` in milliunits, with no more decimals than its currency has.
    static func price(_ text: String, _ currency: Currency) throws -> Int64 {
        let problem: String
        do throws(PriceText.Fault) {
            let price = try PriceText.milliunits(text)
            if currency.allows(price) { return price }
            problem = decimals(text, currency)
        } catch {
            problem =
                switch error.reason {
                case .tooLarge:
                    "The price is too large: write at most "
                        + Money(milliunits: PriceText.highest, currency).plainText
                case .tooPrecise: decimals(text, currency)
                case .comma: "It has a comma, \(form(currency))"
                case .sign: "It has a sign, \(form(currency))"
                case .malformed: "It is no plain number, \(form(currency))"
                }
        }
        throw ValidationError("'\(text)' is no price in \(currency.code). \(problem).")
    }

    private static func decimals(_ text: String, _ currency: Currency) -> String {
        guard currency.decimals > 0 else {
            return "It has decimals, and the App Store has no decimals in prices in "
                + "\(currency.code): write a whole number such as 300"
        }
        let count = text.split(separator: ".").last?.count ?? 0
        return "It has \(count) decimals; prices in \(currency.code) have at most "
            + "\(currency.decimals): write it such as 9.99"
    }

    private static func form(_ currency: Currency) -> String {
        currency.decimals > 0
            ? "where a price has digits and a point, such as 9.99"
            : "where a price has digits only, such as 300"
    }

    /// The code of a storefront in capitals, such as `DEU`.
    static func storefront(_ text: String) throws -> String {
        let code = text.uppercased()
        guard Storefront(code: code) != nil else {
            throw ValidationError(
                "'\(text)' is no storefront: write its three letters, such as USA, DEU or JPN.")
        }
        return code
    }
}
