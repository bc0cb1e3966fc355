import Journal
package import SubscriptionRules

/// An entry of a life in words.
package struct TimelineEvent: Hashable, Sendable {
    package var at: Instant
    /// What happened, in the past tense.
    package var text: String
    var colour: Style.Colour?
    /// What was charged, such as `9.99 USD` or `free`.
    package var amount = ""
    /// What came with it, each with its amount.
    package var notes: [Note] = []
    /// The transaction of the period that began, or that was refunded.
    package var transactionID: String?
    /// Whether the identifier of its transaction is the subscription's too.
    var isFirst = false
    /// What the developer is told, where somebody listens.
    package var notices: [String] = []
    /// What a run of equal ones is called; nil for what is never folded.
    var plural: String?
    /// Whether the first and the last of a run are worth a line of their own.
    var keepsEnds = true

    /// Something that came with an event.
    package struct Note: Hashable, Sendable {
        package var text: String
        package var amount = ""
        /// Whether it is long and may be broken where a line is short.
        var isSentence = false
    }

    /// Whether the two are the same but for their moments and transactions.
    func isLike(_ other: TimelineEvent) -> Bool {
        var other = other
        other.at = at
        other.transactionID = transactionID
        return self == other
    }
}

extension Life {
    /// What happened, in words, in the order of time.
    package var events: [TimelineEvent] {
        let names = ProductNames(of: self)
        var before: Told?
        var rise: Int64?
        var waiting: NamedOffer?
        return zip(told, periodPrices).map { entry, price in
            defer { if !entry.isBesides { before = entry } }
            var words = Words(
                entry, before: before, rise: rise, names: names, currency: currency,
                figures: figures)
            words.tell()
            if let price, price != entry.amount, entry.kind != .merchantMigrated {
                words.note("the period costs \(figures.amount(price, words.money)) in all")
            }
            // What names no end of the period says nothing of offers either.
            if !entry.isBesides, entry.until != nil {
                words.tellWaitingOffer(after: waiting)
                waiting = entry.nextOffer
            }
            if let price = rise, entry.voidsIncrease(after: before) {
                words.note(
                    "the increase to \(figures.amount(price, entry.currency ?? currency)) is void")
            }
            if let price = rise, entry.nextProductID == nil, let end = entry.delaysIncrease {
                words.note(
                    "the increase to \(figures.amount(price, entry.currency ?? currency)) "
                        + "begins anew once \(end)")
            }
            if !entry.isBesides {
                rise = entry.productID == before?.productID ? entry.rise(after: rise) : nil
            }
            words.event.isFirst =
                entry.opensPeriod && entry.transactionID.map(String.init) == id
            return words.event
        }
    }
}

/// Short names for the products of one life: without the beginning that all have in common, up to
/// a word.
struct ProductNames {
    private let shared: Int

    init(of life: Life) {
        let named = life.entries.flatMap { [$0.productID, $0.nextProductID, $0.billProductID] }
        let products = ([life.productID, life.nextProductID] + named).compactMap(\.self)
        let paths = Set(products).map { $0.split(separator: ".") }
        guard var common = paths.first else {
            shared = 0
            return
        }
        for path in paths {
            // The last part always stays.
            let pairs = zip(common, path.dropLast())
            common = pairs.prefix { $0 == $1 }.map(\.0)
        }
        // What begins with a digit is the end of something, such as of a price.
        shared =
            (0...common.count).last { count in
                paths.allSatisfy { $0.dropFirst(count).first?.first?.isLetter == true }
            } ?? 0
    }

    func short(_ product: String) -> String {
        shared == 0
            ? product : product.split(separator: ".").dropFirst(shared).joined(separator: ".")
    }
}

/// Finds the words for one entry.
package struct Words {
    let entry: Told
    let before: Told?
    /// The higher price that was on its way before, in milliunits.
    let rise: Int64?
    let names: ProductNames
    let currency: String
    let figures: Figures
    var event: TimelineEvent

    init(
        _ entry: Told, before: Told?, rise: Int64?, names: ProductNames,
        currency: String, figures: Figures
    ) {
        self.entry = entry
        self.before = before
        self.rise = rise
        self.names = names
        self.currency = currency
        self.figures = figures
        event = TimelineEvent(at: entry.at, text: "", notices: entry.notices)
    }

    /// Says what happened. An event that is not known is told by its name, so that a newer store
    /// can be read.
    mutating func tell() {
        switch entry.kind {
        case .chosePlan: tellChoice()
        case .becameDue: tellDue()
        case .changedPaymentMethod: tellPaymentMethod()
        case .turnedRenewalOff: sayAnswer("turned renewal off")
        case .turnedRenewalOn: sayAnswer("turned renewal on")
        case .provokedNotification: say("told \(entry.provoked ?? "") at will", .mark)
        case .wasEnded: say("ended by the operator", .retry)
        case .broughtUpToDate: say("brought up to date by another version", nil)
        case .wasPaid, .wasDeclined, .wasVoided, .gaveUpWaiting: tellAnswer()
        case .gainedAccess, .lostAccess, .sharesFollowed, .changedSharing: tellSharing()
        case _ where entry.isBesides: tellBill()
        case .merchantModified, .merchantReactivated, .merchantDescribed, .merchantChangedPrices,
            .merchantMigrated, .wasMigrated, .askedForItems, .itemsWereRefunded:
            tellRequest()
        default: tellCompensation()
        }
        if entry.opensPeriod { tellPayment() }
        if !entry.items.isEmpty { tellItems() }
        if entry.opensPeriod || entry.isAboutRefund {
            event.transactionID = entry.transactionID.map(String.init)
        }
        if entry.kind != .becameDue, entry.tells("EXPIRED") { note("and so it expired") }
        if let refunded = entry.refunded, entry.kind != .wasRefunded {
            note("refunded", amount: figures.amount(-refunded, money))
        }
    }

    private var product: String { entry.productID.map(names.short) ?? "" }
    private var hasNewProduct: Bool { before?.productID != entry.productID }
    var money: String { entry.currency ?? currency }

    private mutating func tellChoice() {
        if entry.opensPeriod {
            tellPurchase()
        } else if entry.billID != nil {
            tellAsking()
        } else if let next = entry.nextProductID, entry.isChosenAgain(after: before) {
            say("chose \(names.short(next)) again", .mark)
            note(
                entry.newPrice.map { "for \(figures.amount($0, money)) now" }
                    ?? "which changed nothing")
        } else if let next = entry.nextProductID {
            say("chose \(names.short(next))", .mark)
            let isCommitted = entry.instalment.map { $0 < Commitment.months } ?? false
            note(isCommitted ? "from the end of the commitment on" : "from the next renewal on")
        } else {
            say("stayed with \(product)", .mark)
        }
    }

    /// Says that what was chosen was paid.
    mutating func tellPurchase() {
        if entry.tells("DID_CHANGE_RENEWAL_PREF/UPGRADE") {
            let change = entry.isUpgrade ? "upgraded to" : "changed to"
            say("\(hasNewProduct ? change : "changed the lines of") \(product)", .mark)
        } else if before == nil {
            say("bought \(product)", .strong)
        } else if entry.tells("DID_RENEW") {
            say("bought \(product) during retry", .paid)
        } else {
            say(hasNewProduct ? "bought \(product)" : "bought again", .strong)
        }
    }

    /// Says that what was agreed was paid.
    mutating func tellRenewal() {
        if entry.tells("DID_RENEW/BILLING_RECOVERY") {
            sayPaid("recovered", .paid)
        } else {
            sayPaid("renewed", nil)
        }
    }

    private mutating func tellDue() {
        if entry.opensPeriod {
            tellRenewal()
            if event.text == "renewed" { event.plural = "renewals" }
        } else if let reason = entry.notices.first(where: { $0.hasPrefix("EXPIRED") }) {
            say("expired", .retry)
            // Where Sandbox ends it renewal is turned off in the same moment (SBX-1).
            let isLimit =
                reason == "EXPIRED/VOLUNTARY" && entry.tells("DID_CHANGE_RENEWAL_STATUS")
            note(isLimit ? "Sandbox renews no further" : Words.reason(reason))
        } else if entry.tells("GRACE_PERIOD_EXPIRED") {
            say("grace period over", .retry)
            note("billing retry goes on")
        } else if entry.tells("PRICE_INCREASE") {
            tellAnnouncement()
        } else if entry.declined != nil {
            tellDecline("payment declined")
        } else if entry.billID != nil {
            tellWaiting()
        } else {
            say(Words.spelledOut(entry.name), nil)
        }
    }

    private mutating func tellPaymentMethod() {
        if entry.opensPeriod {
            tellRenewal()
            note("by a new payment method")
        } else if entry.declined != nil {
            tellDecline("new payment method declined")
        } else {
            say("gave another payment method", nil)
            if entry.pending != nil { notePending() }
        }
    }

    private mutating func tellDecline(_ text: String) {
        let isFirst = entry.tells("DID_FAIL_TO_RENEW")
        say(isFirst ? text : "\(text) again", .retry)
        if isFirst {
            note(
                entry.graceUntil.map { "grace until \(figures.moment($0))" }
                    ?? "billing retry begins")
        } else {
            event.plural = "attempts declined"
            event.keepsEnds = false
        }
    }

    private mutating func tellPayment() {
        if let month = entry.instalment { note("month \(month) of \(Commitment.months)") }
        tellOffer()
        if let amount = entry.amount, entry.offerMode != .freeTrial {
            event.amount = figures.amount(amount, money)
        }
    }

    mutating func say(_ text: String, _ colour: Style.Colour?) {
        event.text = text
        event.colour = colour
    }

    private mutating func sayPaid(_ text: String, _ colour: Style.Colour?) {
        say(text, hasNewProduct ? .mark : colour)
        if hasNewProduct { note("as \(product)") }
    }

    /// Says what the customer set, be it what it was already: then nobody is told.
    mutating func sayAnswer(_ text: String) {
        say(text, .mark)
        if entry.notices.isEmpty { note("which changed nothing") }
    }

    mutating func note(_ text: String, amount: String = "") {
        event.notes.append(TimelineEvent.Note(text: text, amount: amount))
    }

    private static func reason(_ notice: String) -> String {
        switch notice {
        case "EXPIRED/VOLUNTARY": "renewal was off"
        case "EXPIRED/BILLING_RETRY": "it could not be charged"
        case "EXPIRED/PRODUCT_NOT_FOR_SALE": "the product was not for sale"
        case "EXPIRED/PRICE_INCREASE": "the price increase was not agreed to"
        default: "for another reason"
        }
    }

    /// A name as words: `extendedRenewalDate` is `extended renewal date`, `GRANT_FULL` is
    /// `grant full`.
    package static func spelledOut(_ name: String) -> String {
        guard name.contains(where: \.isLowercase) else {
            return String(name.lowercased().map { $0 == "_" ? " " : $0 })
        }
        return name.reduce(into: "") { text, letter in
            if letter.isUppercase, text.last?.isLetter == true { text.append(" ") }
            text.append(contentsOf: letter.lowercased())
        }
    }
}
