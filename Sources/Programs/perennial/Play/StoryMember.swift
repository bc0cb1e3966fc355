import ArgumentParser

/// A member of a story's file: what it holds, and where it goes in the command of its step. The
/// reader, the JSON schema and the commands are made of these.
struct StoryMember: Hashable, Sendable {
    /// What a member may hold.
    enum Kind: Hashable, Sendable {
        case text
        case account
        case storefront
        /// A day, or a moment.
        case moment
        /// A step of time, such as `P1M`.
        case step
        /// An amount such as `9.99`, with its currency or without.
        case amount
        case number(ClosedRange<Int64>)
        case choice([String])
        /// `true`, or the member is left out.
        case truth
        case accounts
        /// Notifications in order, or the word `none`.
        case notifications
    }

    /// What becomes of a value in the command of its step.
    enum Use: Hashable, Sendable {
        /// An argument, in this place.
        case argument(Int)
        /// An option with the value behind it.
        case option(String)
        /// An option that is there or not.
        case flag(String)
        /// The step itself looks at it.
        case own
    }

    var name: String
    var kind: Kind
    var use: Use
    var isNeeded = false
    /// What it means, as a sentence.
    var about: String

    init(_ name: String, _ kind: Kind, _ use: Use, needed: Bool = false, _ about: String) {
        self.name = name
        self.kind = kind
        self.use = use
        isNeeded = needed
        self.about = about
    }
}

/// What a member of a story holds.
enum StoryValue: Hashable, Sendable {
    case text(String)
    case truth(Bool)
    case texts([String])

    /// As it was written; several with spaces between them.
    var words: [String] {
        switch self {
        case .text(let text): [text]
        case .truth(let truth): [String(truth)]
        case .texts(let texts): texts
        }
    }

    var text: String { words.joined(separator: " ") }
}

extension StoryMember {
    /// Why a text is none of a kind; nil where it is one.
    func complaint(about text: String) -> String? {
        do {
            switch kind {
            case .account, .accounts: _ = try Reading.account(text)
            case .storefront: _ = try Reading.storefront(text)
            case .moment: _ = try Reading.moment(text)
            case .step: _ = try Reading.step(text)
            case .amount: return StoryAmount(text) == nil ? StoryAmount.rule : nil
            case .notifications: _ = try NoticeName(text)
            case .choice(let words) where !words.contains(text):
                return "must be \(words.joined(separator: " or "))."
                    + Vocabulary.suggestion(for: text, of: words)
            case .text, .number, .truth, .choice: break
            }
            return nil
        } catch {
            return Perennial.message(for: error)
        }
    }
}

/// An amount as a story writes it.
struct StoryAmount: Hashable, Sendable {
    /// Thousandths of the currency's unit.
    var milliunits: Int64
    /// Nil for any.
    var currency: String?

    static let rule = "must be an amount: write 9.99, or 9.99 USD."

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard (1...2).contains(words.count),
            let match = words[0].wholeMatch(of: /([0-9]{1,12})(?:\.([0-9]{1,3}))?/),
            let whole = Int64(match.output.1)
        else { return nil }
        let decimals = match.output.2.map(String.init) ?? ""
        let padded = decimals + String(repeating: "0", count: 3 - decimals.count)
        milliunits = whole * 1000 + (Int64(padded) ?? 0)
        currency = words.count == 2 ? String(words[1]) : nil
    }

    /// Whether it is that much of that currency.
    func means(_ milliunits: Int64, _ code: String) -> Bool {
        self.milliunits == milliunits && (currency == nil || currency == code)
    }
}
