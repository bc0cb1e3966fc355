import NaiveModel

/// Something that somebody does in a simulated world.
enum PlayedCommand: Hashable, Sendable {
    case signUp(Account.Name, Country)
    /// So many customers sign up, one after the other, and buy the same.
    case crowd(Int, Country, String)
    case buy(Account.Name, String, quantity: Int, token: String?)
    /// A subscription with lines of the merchant's own.
    case bundle(Account.Name, String, [HeldLine], token: String?)
    /// One line of a subscriber's gets another price.
    case reprice(Account.Name, group: String, sku: String, Int)
    case renewal(Account.Name, group: String, isOn: Bool)
    case change(Account.Name, group: String, product: String)
    case end(Account.Name, group: String)
    case bank(Account.Name, Account.Bank)
    case move(Account.Name, Country)
    case speed(Account.Name, minutes: Int)
    case price(String, Country, Int)
    case sale(String, Country?, isForSale: Bool)
    case terms(Terms)
    /// The operator says from when on a higher price needs consent.
    case consent(Country, ConsentTerms.Change)
    /// The device finishes its newest transaction.
    case finish(Account.Name, group: String)
    /// The developer names the customer.
    case name(Account.Name, group: String, token: String)
    /// A plan gets another level in its group.
    case level(String, Int)
    /// The operator sends a notification of something that did not happen.
    case provoke(Account.Name, group: String)
    case test(isSandbox: Bool)
    case advance(to: Int)
    case extend(Account.Name, group: String, days: Int)
    case extendAll(String, in: [String]?, days: Int, isSandbox: Bool)
    /// Of receipts the number counts, round and round when there are not so many.
    case askBack(receipt: Int)
    case declineBack(receipt: Int)
    case grantBack(receipt: Int, fully: Bool)
    /// The developer answers what it was asked about a purchase.
    case consume(receipt: Int, AskedBack.Wish?, used: Int?)
    /// Support cancels a subscription.
    case cancel(Account.Name, group: String, fully: Bool)
    case giveBack(receipt: Int, fully: Bool)
    case takeBack(receipt: Int)
    case schedule(String, Country, Int, at: Int, isPreserving: Bool)
    case withdraw(String, Country)
    /// What a cohort has preserved ends.
    case raise(String, Country, from: Int, to: Int, at: Int)
    case answer(Account.Name, group: String, agrees: Bool)
    /// Of bills the number counts, round and round when there are not so many; nil is none that
    /// there ever was.
    case answerBill(Int?, Invoice.Answer)
    /// What is off sale everywhere is discontinued.
    case delete(String)
    case code(CodeDeed)
    case request(RequestDeed)
    case family(FamilyDeed)
    case commitment(CommitmentDeed)
    case merchant(MerchantDeed)
}

/// A command, and what the weather is like while it is done.
struct Step: Hashable, Sendable {
    var command: PlayedCommand
    /// The database fails at this statement of it; the store is opened again and the command
    /// repeated.
    var failsAtStatement: Int?
    /// The connection is lost while the change is committed; whether it was is not known.
    var losesCommit = false
    /// A purchase is sent again with the same key, a bank's answer comes twice.
    var isRepeated = false
    /// The process dies behind it, and another one goes on.
    var isLast = false

    init(_ command: PlayedCommand) { self.command = command }
}

extension Step: CustomStringConvertible {
    var description: String {
        var words = ["\(command)"]
        if let failsAtStatement { words.append("[fails at statement \(failsAtStatement)]") }
        if losesCommit { words.append("[loses the commit]") }
        if isRepeated { words.append("[repeated]") }
        if isLast { words.append("[then the process dies]") }
        return words.joined(separator: " ")
    }
}

extension PlayedCommand: CustomStringConvertible {
    var description: String {
        switch self {
        case .signUp(let name, let country): "\(name.line) signs up in \(country.code)"
        case .crowd(let count, let country, let product):
            "\(count) customers sign up in \(country.code) and buy \(product)"
        case .buy(let name, let product, let quantity, let token):
            "\(name.line) buys \(product)" + (quantity == 1 ? "" : " × \(quantity)")
                + (token.map { " as \($0)" } ?? "")
        case .renewal(let name, let group, let isOn):
            "\(name.line) turns renewal \(isOn ? "on" : "off") in \(group)"
        case .change(let name, let group, let product):
            "\(name.line) changes \(group) to \(product)"
        case .end(let name, let group): "the operator ends \(group) of \(name.line)"
        case .bank(let name, .approves): "\(name.line)'s bank approves"
        case .bank(let name, .declines(let until, let left)):
            "\(name.line)'s bank declines" + (left.map { " \($0) times" } ?? "")
                + (until.map { " until \(NaiveCalendar.text($0))" } ?? "")
        case .bank(let name, .answersLater(let after, let pays)):
            "\(name.line)'s bank \(pays ? "pays" : "declines") "
                + (after.map { "after \($0) ms" } ?? "when it is told to")
        case .move(let name, let country): "\(name.line) moves to \(country.code)"
        case .speed(let name, let minutes): "\(name.line) sets the speed to \(minutes)"
        case .price(let product, let country, let price):
            "\(product) costs \(price) in \(country.code)"
        case .sale(let product, let country, let isForSale):
            "\(product) is \(isForSale ? "on" : "off") sale in \(country?.code ?? "every country")"
        case .terms(let terms): "the app is set up: \(terms)"
        case .consent(let country, let change):
            "consent in \(country.code): "
                + (change.isReset ? "as it is built in, " : "")
                + "always \(change.always.map { "\($0)" } ?? "as before"), above "
                + "\(change.amount.map { "\($0)" } ?? "as before") or for a year "
                + (change.yearly.map { "\($0)" } ?? "as before")
        case .finish(let name, let group): "\(name.line) finishes \(group)"
        case .name(let name, let group, let token): "\(group) of \(name.line) is named \(token)"
        case .level(let product, let level): "\(product) moves to level \(level)"
        case .provoke(let name, let group): "a notification about \(group) of \(name.line) is sent"
        case .test(let isSandbox):
            "a test notification is asked for\(isSandbox ? " (Sandbox)" : "")"
        case .advance(let target): "the clock shows \(NaiveCalendar.text(target))"
        case .bundle, .reprice, .extend, .extendAll, .askBack, .declineBack, .grantBack, .giveBack,
            .takeBack,
            .consume, .cancel, .schedule, .withdraw, .raise, .answer, .answerBill, .delete, .code,
            .request, .family, .commitment, .merchant:
            laterDescription
        }
    }
}

extension PlayedCommand {
    /// What kind of command it is, in one word.
    var kind: String {
        func label(_ some: Any) -> String {
            Mirror(reflecting: some).children.first?.label ?? "\(some)"
        }
        return switch self {
        case .code(let deed): label(self) + " " + label(deed)
        case .request(let deed): label(self) + " " + label(deed)
        case .family(let deed): label(self) + " " + label(deed)
        case .commitment(let deed): label(self) + " " + label(deed)
        case .merchant(let deed): label(self) + " " + label(deed)
        default: label(self)
        }
    }

    /// Whose account it is done with.
    var actor: Account.Name? {
        switch self {
        case .signUp(let name, _), .buy(let name, _, _, _), .bundle(let name, _, _, _),
            .reprice(let name, _, _, _), .renewal(let name, _, _),
            .change(let name, _, _), .end(let name, _), .bank(let name, _), .move(let name, _),
            .speed(let name, _), .finish(let name, _), .extend(let name, _, _),
            .answer(let name, _, _), .name(let name, _, _), .provoke(let name, _),
            .cancel(let name, _, _):
            name
        case .code(let deed): deed.actor
        case .request(let deed): deed.actor
        case .family(let deed): deed.actor
        case .commitment(let deed): deed.actor
        case .merchant(let deed): deed.actor
        case .crowd, .price, .sale, .terms, .consent, .advance, .level, .test, .extendAll, .askBack,
            .declineBack, .grantBack, .giveBack, .takeBack, .consume, .schedule, .withdraw, .raise,
            .answerBill, .delete:
            nil
        }
    }
}

extension Account.Name {
    /// One of a crowd, of which not everybody is looked at after every step.
    init(inCrowd number: Int) { self.init("crowd\(number)", isSandbox: false) }

    var isInCrowd: Bool { text.hasPrefix("crowd") }

    var line: String { isSandbox ? "\(text) (Sandbox)" : text }
}

extension PlayedCommand {
    /// What comes of it when it is done once more, after a first outcome.
    func outcome(again first: Outcome) -> Outcome {
        if case .answerBill = self, first == .answered { .ignored } else { first }
    }
}
