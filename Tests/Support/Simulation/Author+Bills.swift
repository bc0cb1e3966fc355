import NaiveModel

/// What banks do that answer later.
extension Author {
    /// A bank that answers after a while, or when it is told to.
    mutating func laterBank() -> Account.Bank {
        let (minute, hour, day) = (NaiveCalendar.minute, NaiveCalendar.hour, NaiveCalendar.day)
        let spans =
            isSandbox
            ? [1, minute, 3 * minute, 5 * minute, 15 * minute, hour, day]
            : [1, hour, 3 * hour, day - 1, day, 2 * day, 4 * day, 6 * day, 9 * day, 30 * day]
        return .answersLater(
            after: chance.happens(30) ? nil : chance.pick(spans), pays: chance.happens(70))
    }

    /// Mostly the answer to a bill that has none, seldom something about any.
    mutating func answerBill(_ number: Int? = nil) -> PlayedCommand {
        guard !store.invoices.isEmpty, !chance.happens(1) else { return .answerBill(nil, .paid) }
        if let number = number ?? store.open.last, chance.happens(70) {
            return .answerBill(
                number,
                chance.pick(weighted: [
                    (50, .paid), (25, .declined), (12, .voided), (7, .pending), (3, .reversed),
                    (3, .restored),
                ]))
        }
        if chance.happens(30),
            let number = store.invoices.lastIndex(where: { $0.state == .reversed })
        {
            return .answerBill(number, .restored)
        }
        var number = chance.number(0...(store.invoices.count - 1))
        if chance.happens(70) { number = store.invoices.count - 1 - number % 5 }
        return .answerBill(
            max(number, 0),
            chance.pick(weighted: [
                (50, .reversed), (15, .restored), (15, .paid), (7, .declined), (7, .voided),
                (6, .pending),
            ]))
    }
}
