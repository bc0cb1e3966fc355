/// A customer.
public struct Account: Hashable, Sendable {
    /// A name in one of the two environments.
    public struct Name: Hashable, Sendable {
        public var text: String
        public var isSandbox: Bool

        public init(_ text: String, isSandbox: Bool) {
            self.text = text
            self.isSandbox = isSandbox
        }
    }

    /// What the bank answers.
    public enum Bank: Hashable, Sendable {
        case approves
        case declines(until: Int?, left: Int?)
        /// After a time, or when somebody answers in its place.
        case answersLater(after: Int?, pays: Bool)
    }

    public var country: Country
    public var bank = Bank.approves
    /// Minutes that a month lasts in Sandbox.
    public var speed = 5
    /// Whether somebody else approves what it buys, whether something always comes in between, and
    /// whether it may pay at all.
    public var asks = false
    public var isInterrupted = false
    public var mayPay = true
    /// Whether it shares what it buys from now on (FAM-3).
    public var sharesNew = true

    public init(country: Country) { self.country = country }

    /// Asks the bank. Nothing to pay is always paid.
    mutating func pay(_ amount: Int, at now: Int) -> Bool {
        guard amount > 0, case .declines(let until, let left) = bank else { return true }
        if let until, now >= until {
            bank = .approves
            return true
        }
        if let left { bank = left > 1 ? .declines(until: until, left: left - 1) : .approves }
        return false
    }

    /// The Sandbox length of a period in milliseconds (TAB-17.1): a month is `speed` minutes, a
    /// week has a figure of its own, three days are two thirds of a week.
    func sandboxLength(_ length: Length) -> Int {
        let week = [3: 3, 5: 3, 15: 5, 30: 10, 60: 15][speed]! * NaiveCalendar.minute
        return switch length {
        case .months(let months): months * speed * NaiveCalendar.minute
        case .days(3): week * 2 / 3
        case .days(let days): week * days / 7
        }
    }
}

/// A line of the books.
public struct BookEntry: Hashable, Sendable {
    /// What happened with the money.
    public enum Kind: String, Hashable, Sendable { case charged, refunded, declined }

    public var at: Int
    public var account: Account.Name
    public var kind: Kind
    public var product: String
    public var amount: Int
    public var currency: String
    /// What of it is the store's (COM-1).
    public var share = 0
    /// The line that it is about, of several.
    public var sku: String?
}

/// One purchase or renewal as the customer's history shows it.
public struct Receipt: Hashable, Sendable {
    public var account: Account.Name
    public var product: String
    public var purchased: Int
    /// The end of the period; nil for what has none.
    public var until: Int?
    public var price: Int
    public var currency: String
    /// The smallest step of a price in its currency.
    var step: Int
    /// The group of a subscription.
    public internal(set) var group: String?
    /// Whether the store renewed it; otherwise somebody bought it.
    var isRenewal = false
    /// What each thing cost that was bought with it: of one alone there is nothing to tell apart.
    public var lines: [HeldLine] = []
    public var billing = Billing.upFront
    /// Which month of which commitment it is.
    public internal(set) var month: MonthOfCommitment?
    /// What an upgrade or a refund gave back of it.
    public var returned = 0
    public var isUpgraded = false
    /// When a refund took it back.
    public internal(set) var revoked: Int?
    /// Whether it is of a merchant's own items.
    public var isMerchants = false
    /// What each line cost, which a change of a merchant's items makes another than its price.
    public internal(set) var costs: [Int] = []
    /// What went back for items, and when some ended, by their names.
    public internal(set) var returns: [ItemReturn] = []
    /// What a change of items gave back of an ordinary receipt that a merchant's plan went on for.
    var credited = 0
    var gone: [String: Int] = [:]
    /// What a merchant calls the whole, and how long a period of it is.
    var title = ""
    var length = Length.months(1)
    /// The developer's name for who bought it.
    public var token: String?
    /// The number of the invoice that paid for it.
    public internal(set) var invoice = 0
    /// The store's share of a charge here in percent (COM-1).
    public var commission = 30

    /// Whether a refund took it back.
    public var isRevoked: Bool { revoked != nil }

    /// What the store keeps of an amount charged here, rounded down.
    func share(of amount: Int) -> Int { amount * commission / 100 }

    /// The discount of what was bought alone.
    var offer: Discount? { lines.count == 1 && !isMerchants ? lines[0].offer : nil }
}

/// Money that a customer has asked for and nobody has decided about (REF-4).
public struct AskedBack: Hashable, Sendable {
    /// The place of the receipt among all.
    public var receipt: Int
    /// When the store decides by itself; nil where somebody does.
    var decides: Int?
    /// What the developer said: what it would like, and how much was used, 100000 for all.
    var wish: Wish?
    var used: Int?
    /// What a merchant asks back, item by item.
    var claim: Claim?

    /// What a developer would like.
    public enum Wish: Hashable, Sendable { case decline, full, part }
}

/// What came of a command.
public enum Outcome: String, Hashable, Sendable {
    case done, answered, ignored, gaveBack, reported, unknownBill, paymentPending
    case unknownProduct, invalidQuantity, notForSale, alreadySubscribed, paymentDeclined
    case notActive, wrongGroup, notASubscription, offSaleEverywhere, invalidLines
    case notExtended, extendedTooOften
    case notRefundable, alreadyRequested, notRefunded
    case noPriceIncrease, nothingScheduled, invalidPrice
    case unknownOffer, unknownCode, invalidCode, codeTaken, codeTyped, codeExpired, codeRedeemed
    case offerRedeemedBefore, notInAudience, wouldDowngrade
    case stillForSale, productDeleted
    case ineligibleForOffer, interrupted, paymentsNotAllowed, requestClosed, needsApproval
    case sandboxCannotApprove
    case unknownFamily, inFamily, notInFamily, familyIsFull, isOrganiser, isShared
    case notShareable, cannotBeHidden
    case nobodyListens
    case notBilledMonthly
    case needsRequest, notSalable, alreadyActive, invalidAmount, invalidSKU, notEligible
    case signatureUsed
    case changedItemMissing, removedItemMissing, nothingLeft, itemExists, itemsOfPeriodMissing
    case offerRuns, misaligned, noPriceChange, notTheIncreasedPrice
    case notOwned, alreadyRefunded, refundPending, notTheNewest, notSoMuchLeft, onlyInSandbox
    case alreadyMigrated, countryChanged, notMigrated, otherChangesPending, increaseTold
    case invalidNaming, dependentsInChain, dependentsShared
}
