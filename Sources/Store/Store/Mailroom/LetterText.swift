import AppStoreWire
import Letters
import Storage
import SubscriptionRules

/// What a mail says, as the JSON text in which its row keeps it.
enum LetterText {
    static func text(_ mail: CustomerMail) -> String {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("kind", mail.kind.rawValue)
            write(mail, to: &json)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func content(_ text: String) throws(StorageError) -> CustomerMail {
        let json = try StoredJSON(text)
        switch try json.parsed("kind", MailKind.init(rawValue:)) {
        case .welcome: return .welcome(try welcome(json))
        case .receipt: return .receipt(try receipt(json))
        case .willRenew: return .willRenew(try items(json))
        case .willExpire: return .willExpire(try items(json))
        case .cannotPay: return .cannotPay(try upcoming(json))
        case .billingProblem: return .billingProblem(try billingProblem(json))
        case .priceIncreaseConsent: return .priceIncrease(try increase(json, consent: true))
        case .priceIncreaseNotice: return .priceIncrease(try increase(json, consent: false))
        case .koreanConversion: return .koreanConversion(try conversion(json))
        case .renewalExtended:
            return .renewalExtended(
                .init(
                    name: try json.string("name"), old: try json.instant("old"),
                    new: try json.instant("new")))
        case .discontinued: return .discontinued(try discontinued(json))
        case .refundDecision:
            return .refundDecided(
                .init(
                    name: try json.string("name"), bought: try json.instant("at"),
                    amount: json.has("amount") ? try json.money("amount") : nil,
                    isAsked: !json.bool("isUnasked")))
        case .sharing:
            return .sharing(
                .init(name: try json.string("name"), giver: json.stringOrNil("giver")))
        }
    }

    private static func write(_ mail: CustomerMail, to json: inout JSONWriter) {
        switch mail {
        case .welcome(let mail):
            json.field("name", mail.name)
            json.write(mail.price, mail.period)
            json.field("at", mail.renews.milliseconds)
            json.field("commitment", mail.commitment?.milliunits)
            if let offer = mail.offer {
                json.field("paid", offer.paid.milliunits)
                json.field("until", offer.until.milliseconds)
            }
        case .receipt(let mail): write(mail, to: &json)
        case .willRenew(let items), .willExpire(let items):
            json.array("items") { json in
                for item in items { json.elementObject { write(item, to: &$0) } }
            }
        case .cannotPay(let item): write(item, to: &json)
        case .billingProblem(let mail):
            json.field("name", mail.name)
            json.write(mail.price, nil)
            switch mail.state {
            case .ended: json.field("isOver", true)
            case .retrying(let until): json.field("until", until?.milliseconds)
            }
        case .priceIncrease(let mail): write(mail, to: &json)
        case .koreanConversion(let mail): write(mail, to: &json)
        case .renewalExtended(let mail):
            json.field("name", mail.name)
            json.field("old", mail.old.milliseconds)
            json.field("new", mail.new.milliseconds)
        case .discontinued(let mail): write(mail, to: &json)
        case .refundDecided(let mail):
            json.field("name", mail.name)
            json.field("at", mail.bought.milliseconds)
            if let amount = mail.amount {
                json.field("amount", amount.milliunits)
                json.field("currency", amount.currency.code)
            }
            if !mail.isAsked { json.field("isUnasked", true) }
        case .sharing(let mail):
            json.field("name", mail.name)
            json.field("giver", mail.giver)
        }
    }

    private static func write(_ mail: CustomerMail.Receipt, to json: inout JSONWriter) {
        json.field("order", mail.order)
        json.field("at", mail.at.milliseconds)
        json.array("items") { json in
            for line in mail.lines {
                json.elementObject { json in
                    json.field("name", line.name)
                    json.field("quantity", line.quantity)
                    json.write(line.amount, nil)
                    json.field("insteadOf", line.insteadOf?.milliunits)
                    json.field("until", line.until?.milliseconds)
                }
            }
        }
    }

    private static func write(_ item: CustomerMail.Upcoming, to json: inout JSONWriter) {
        json.field("name", item.name)
        json.field("at", item.at.milliseconds)
        json.field("period", item.period.iso8601)
        if let price = item.price { json.write(price, nil) }
        json.field("ends", item.reasonToEnd?.rawValue)
    }

    private static func write(_ mail: CustomerMail.PriceIncreaseNews, to json: inout JSONWriter) {
        json.field("at", mail.at.milliseconds)
        json.field("period", mail.period.iso8601)
        json.array("items") { json in
            for line in mail.lines {
                json.elementObject { json in
                    json.field("name", line.name)
                    json.field("old", line.old.milliunits)
                    json.write(line.new, nil)
                }
            }
        }
        if !mail.dependents.isEmpty { json.field("dependents", mail.dependents) }
        if mail.restGoesOn { json.field("restGoesOn", true) }
    }

    private static func write(
        _ mail: CustomerMail.KoreanConversionRequest, to json: inout JSONWriter
    ) {
        json.field("at", mail.at.milliseconds)
        json.field("answerBy", mail.answerBy.milliseconds)
        json.field("period", mail.period.iso8601)
        json.array("items") { json in
            for line in mail.lines {
                json.elementObject { json in
                    json.field("name", line.name)
                    json.field("isFree", line.isFree)
                    json.write(line.price, nil)
                }
            }
        }
        if mail.restGoesOn { json.field("restGoesOn", true) }
    }

    private static func write(_ mail: CustomerMail.Discontinued, to json: inout JSONWriter) {
        json.field("name", mail.name)
        json.field("at", mail.ends.milliseconds)
        json.array("items") { json in
            for other in mail.others {
                json.elementObject { json in
                    json.field("name", other.name)
                    json.write(other.price, other.period)
                }
            }
        }
    }
}

extension LetterText {
    private static func welcome(_ json: StoredJSON) throws(StorageError) -> CustomerMail.Welcome {
        let price = try json.money("price")
        var offer: CustomerMail.Beginning?
        if json.has("paid") {
            offer = .init(
                paid: Money(milliunits: try json.amount("paid"), price.currency),
                until: try json.instant("until"))
        }
        return .init(
            name: try json.string("name"), price: price, period: try json.period(), offer: offer,
            renews: try json.instant("at"),
            commitment: try json.amountOrNil("commitment").map {
                Money(milliunits: $0, price.currency)
            })
    }

    private static func receipt(_ json: StoredJSON) throws(StorageError) -> CustomerMail.Receipt {
        .init(
            order: try json.string("order"), at: try json.instant("at"),
            lines: try json.someObjects("items").map { line throws(StorageError) in
                .init(
                    name: try line.string("name"), quantity: try line.count("quantity"),
                    amount: try line.money("price"),
                    insteadOf: line.has("insteadOf") ? try line.money("insteadOf") : nil,
                    until: try line.instantOrNil("until"))
            })
    }

    private static func items(_ json: StoredJSON) throws(StorageError) -> [CustomerMail.Upcoming] {
        try json.someObjects("items").map(upcoming)
    }

    private static func upcoming(_ json: StoredJSON) throws(StorageError) -> CustomerMail.Upcoming {
        .init(
            name: try json.string("name"), at: try json.instant("at"),
            price: json.has("price") ? try json.money("price") : nil,
            reasonToEnd: json.has("ends")
                ? try json.parsed("ends", CustomerMail.Upcoming.ReasonToEnd.init) : nil,
            period: try json.period())
    }

    private static func billingProblem(
        _ json: StoredJSON
    ) throws(StorageError) -> CustomerMail.BillingProblem {
        .init(
            name: try json.string("name"), price: try json.money("price"),
            state: json.bool("isOver")
                ? .ended : .retrying(accessUntil: try json.instantOrNil("until")))
    }

    private static func increase(
        _ json: StoredJSON, consent: Bool
    ) throws(StorageError) -> CustomerMail.PriceIncreaseNews {
        .init(
            needsConsent: consent,
            lines: try json.someObjects("items").map { line throws(StorageError) in
                let new = try line.money("price")
                return .init(
                    name: try line.string("name"),
                    old: Money(milliunits: try line.amount("old"), new.currency), new: new)
            }, dependents: json.strings("dependents"), restGoesOn: json.bool("restGoesOn"),
            period: try json.period(), at: try json.instant("at"))
    }

    private static func conversion(
        _ json: StoredJSON
    ) throws(StorageError) -> CustomerMail.KoreanConversionRequest {
        // Before items had requests of their own, what was asked stood in the request itself.
        let lines = json.has("items") ? try json.someObjects("items") : [json]
        return .init(
            lines: try lines.map { line throws(StorageError) in
                .init(
                    name: try line.string("name"), isFree: line.bool("isFree"),
                    price: try line.money("price"))
            }, restGoesOn: json.bool("restGoesOn"), period: try json.period(),
            at: try json.instant("at"), answerBy: try json.instant("answerBy"))
    }

    private static func discontinued(
        _ json: StoredJSON
    ) throws(StorageError) -> CustomerMail.Discontinued {
        .init(
            name: try json.string("name"), ends: try json.instant("at"),
            others: try json.objects("items").map { other throws(StorageError) in
                .init(
                    name: try other.string("name"), price: try other.money("price"),
                    period: try other.period())
            })
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ price: Money, _ period: CalendarPeriod?) {
        field("price", price.milliunits)
        field("currency", price.currency.code)
        if let period { field("period", period.iso8601) }
    }
}

extension StoredJSON {
    fileprivate func money(_ key: String) throws(StorageError) -> Money {
        Money(milliunits: try amount(key), try parsed("currency") { Currency(everUsed: $0) })
    }

    fileprivate func period() throws(StorageError) -> CalendarPeriod {
        try parsed("period", CalendarPeriod.init(iso8601:))
    }

    /// One or more.
    fileprivate func someObjects(_ key: String) throws(StorageError) -> [StoredJSON] {
        let found = objects(key)
        guard !found.isEmpty else { throw impossible(key) }
        return found
    }
}
