import AppStoreWire
import ConnectAnswers
import SubscriptionRules

/// A new price that is ten times the present one or more, or a tenth of it or less: it is taken,
/// and perhaps a slip.
struct PriceLeap {
    /// In milliunits.
    private let old: Int64
    private let new: Int64
    private let currency: String
    /// The command that takes it back.
    private let remedy: String

    /// - Parameter remedy: makes the command that takes it back of the present price as it is
    ///   typed.
    /// - Returns: nil for a price that is none, and where the present one is nothing.
    init?(
        from old: Int64, to new: Int64, in currency: String, remedy: (_ old: String) -> String
    ) {
        guard old > 0, new >= old * 10 || new * 10 <= old else { return nil }
        (self.old, self.new, self.currency) = (old, new, currency)
        let typed = Money.plainText(old, currency).prefix { $0 != " " }
        self.remedy = remedy(String(typed))
    }

    /// Both prices, how far they are from each other, and the command that takes the new one back.
    var sentence: String {
        let (present, other) = (Money.plainText(old, currency), Money.plainText(new, currency))
        let words: String
        if new > old {
            words = "\(other) is \(times(new, old)) the present price, \(present)"
        } else if new > 0 {
            words = "the present price, \(present), is \(times(old, new)) \(other)"
        } else {
            words = "the present price is \(present), the new one is nothing"
        }
        return
            "Is that meant? \(words.prefix(1).uppercased() + words.dropFirst()). \(remedy) takes "
            + "it back."
    }

    /// The same for programs; `factor` is the new price by the present one.
    func member(_ remedies: Remedies) -> JSONValue {
        .object([
            "presentPrice": .integer(old), "price": .integer(new),
            "factor": .number(Double(new) / Double(old)),
            "message": .string(remedies.meant(sentence)),
        ])
    }

    private func times(_ large: Int64, _ small: Int64) -> String {
        let (whole, rest) = large.quotientAndRemainder(dividingBy: small)
        guard rest > 0 else { return "\(whole) times" }
        return "about \(rest * 2 < small ? whole : whole + 1) times"
    }
}

extension PriceLeap {
    /// That of a price that was scheduled.
    ///
    /// - Parameter now: what the store's clock shows.
    init?(scheduled change: Answer, now: Instant) throws {
        let (product, place) = (try change.text("productId"), try change.text("storefront"))
        let (old, new) = (try change.integer("cohortPrice"), try change.integer("price"))
        let isLive = try change.moment("start") <= now
        let isApplied = change.value["existing"] != nil && new < old
        self.init(from: old, to: new, in: try change.text("currency")) { old in
            guard isLive else {
                return "`perennial price withdraw \(word: product) \(word: place)`"
            }
            return isApplied
                ? "`perennial price schedule \(word: product) \(word: place) \(word: old) "
                    + "--existing apply`"
                : "`perennial price schedule \(word: product) \(word: place) \(word: old)`"
        }
    }
}
